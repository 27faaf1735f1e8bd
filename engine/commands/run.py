"""foregone run: takes of a project file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine.commands.output import answer, complain, plain, say
from engine.commands.progress import Meter
from engine.commands.takes import Judged, generate, takes_table
from engine.direct.director import ArrivalsName, Options
from engine.errors import ForegoneError, SceneError
from engine.export.csv import write_csv
from engine.picture.sheet import write_sheet
from engine.scene.spec import Scene
from engine.take.store import replace_file, save_take

FAILED, INTERRUPTED = 1, 130


def run(
    file: str,
    takes: int,
    seconds: float,
    seed: int,
    dt: float,
    out: str,
    fps: float,
    as_json: bool,
    arrivals: ArrivalsName = "ahead",
) -> int:
    """Load, check, generate, rank, write; the best take also as a table and as a picture. Returns the exit code."""
    scene = Scene.load(file)
    check(scene)
    folder = make_folder(out)
    judged, interrupted = collect(scene, range(seed, seed + takes), seconds, dt, folder, Options(arrivals=arrivals))
    judged.sort(key=lambda each: each.rank)
    rows = [{**each.summary(), "file": take_name(each.take.seed)} for each in judged]
    result = {"file": file, "dt": dt, "arrivals": arrivals, "interrupted": interrupted, "takes": rows}
    replace_file(folder / "summary.json", (json.dumps(plain(result), indent=2) + "\n").encode())
    tell(result, judged, as_json)
    if interrupted:
        complain(f"interrupted; {len(judged)} finished takes are in {folder}")
        return INTERRUPTED
    if scene.bodies:
        write_best(folder, "best", judged[0], fps)
    if scene.bodies and not as_json:
        say(f"\nCalmest first. Written to {folder}: {take_name(judged[0].take.seed)} as best.csv ({fps:g} frames per")
        say("second) and best.png (contact sheet), summary.json, and every take as take-*.npz")
    return 0 if any(each.take.stopped is None for each in judged) else FAILED


def check(scene: Scene) -> None:
    """Tell warnings; raise SceneError when the scene cannot be run."""
    with Meter():  # the first look at poses compiles kernels
        problems = scene.problems()
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors:
        raise SceneError(errors)
    for problem in problems:
        complain(str(problem))


def make_folder(out: str) -> Path:
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise ForegoneError(f"{out} is a file; --out needs a folder")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def take_name(seed: int) -> str:
    return f"take-{seed:04d}.npz"


def collect(
    scene: Scene, seeds: range, seconds: float, dt: float, folder: Path, options: Options | None = None
) -> tuple[list[Judged], bool]:
    """Generate and save; what is finished when Ctrl-C comes is kept (the flag says that it came)."""
    judged: list[Judged] = []
    try:
        with Meter() as meter:
            for each in generate(scene, seeds, seconds, dt, meter, options):
                save_take(folder / take_name(each.take.seed), each.take)
                judged.append(each)
    except KeyboardInterrupt:
        return judged, True
    return judged, False


def write_best(folder: Path, name: str, best: Judged, fps: float) -> None:
    """The take's motion as NAME.csv and its contact sheet as NAME.png."""
    write_csv(folder / f"{name}.csv", best.take, fps)
    write_sheet(folder / f"{name}.png", best.take, best.report)


def tell(result: dict[str, Any], judged: list[Judged], as_json: bool) -> None:
    for each in judged:
        for text in (each.take.stopped, *each.notes):
            if text is not None:
                complain(f"seed {each.take.seed}: {text}")
    if as_json:
        answer(result)
    elif judged:
        say(takes_table(judged))
