"""foregone run: takes of a project file."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from engine.analysis.spread import Spread, spread
from engine.arrivals.options import ArrivalsName, MannerName, Options
from engine.commands.entering import entering
from engine.commands.export import written
from engine.commands.kept_takes import Chosen
from engine.commands.output import answer, complain, plain, say
from engine.commands.progress import Meter
from engine.commands.takes import generate, hands, takes_table
from engine.errors import ForegoneError, SceneError
from engine.export.settings import FORMATS, missing, preset, target_of
from engine.picture.sheet import write_sheet
from engine.scene.spec import Scene
from engine.tape.store import replace_file, save_take
from engine.work.takes import Judged, Order

FAILED, INTERRUPTED = 1, 130
EXPORTS = ("csv", "usd", "glb")  # of the best take
VIDEO = (640, 360)  # px: drawn on the processor, a frame takes a quarter of a second


def run(
    file: str,
    takes: int,
    seconds: float,
    seed: int,
    dt: float,
    out: str,
    fps: float,
    as_json: bool,
    arrivals: ArrivalsName = "natural",
    manner: MannerName = "natural",
    jobs: int = 1,
    farm: str | None = None,
    policy: Sequence[str] = (),
    **entrances: Any,
) -> int:
    """Load, check, generate, rank, write; the best take also as a table and as a picture. Returns the exit code.
    policy: names of REMEDIES. `entrances`: how bodies are to come in, as `entering` takes it."""
    scene = entering(Scene.load(file), **entrances)
    check(scene)
    folder = make_folder(out)
    order = Order(scene, seconds, dt, Options.remedied(policy, arrivals=arrivals, manner=manner))
    judged, interrupted = collect(order, range(seed, seed + takes), folder, jobs, farm)
    judged.sort(key=lambda each: each.rank)
    rows = [{**each.summary(), "file": take_name(each.take.seed)} for each in judged]
    asked = {"file": file, "dt": dt, "arrivals": arrivals, "manner": manner, "policy": list(policy)}
    result = {**asked, "interrupted": interrupted, "takes": rows, "spread": spread_of(judged).summary()}
    replace_file(folder / "summary.json", (json.dumps(plain(result), indent=2) + "\n").encode())
    tell(result, judged, as_json)
    if interrupted:
        complain(f"interrupted; {len(judged)} finished takes are in {folder}")
        return INTERRUPTED
    if scene.bodies:
        write_best(folder, "best", judged[0], fps)
    if scene.bodies and not as_json:
        best = take_name(judged[0].take.seed)
        say(f"\nCalmest first. Written to {folder}: {best} as best.usdc, best.glb and best.csv ({fps:g} frames")
        say("per second) and best.png (contact sheet), summary.json, and every take as take-*.npz")
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
    order: Order,
    seeds: range,
    folder: Path,
    jobs: int = 1,
    farm: str | None = None,
    finished: Callable[[Judged], None] = lambda judged: None,
) -> tuple[list[Judged], bool]:
    """Generate and save; what is finished when Ctrl-C comes is kept (the flag says that it came)."""
    judged: list[Judged] = []
    try:
        with hands(jobs, farm) as executor, Meter() as meter:
            for each in generate(order, seeds, executor, meter):
                save_take(folder / take_name(each.take.seed), each.take)
                judged.append(each)
                finished(each)
    except KeyboardInterrupt:
        return judged, True
    return judged, False


def spread_of(judged: list[Judged]) -> Spread:
    """Of the takes that were not given up, in the order of their seeds."""
    whole = [each.take for each in judged if each.take.stopped is None]
    return spread(sorted(whole, key=lambda take: take.seed))


def write_best(folder: Path, name: str, best: Judged, fps: float, video: bool = False) -> dict[str, str]:
    """The take as a contact sheet, a table and keyframes, with `video` as a video too; what was written, by kind. What
    cannot be written for want of a library is left out, with a word."""
    sheet = folder / f"{name}.png"
    write_sheet(sheet, best.take, best.report)
    found = {"picture": str(sheet)}
    for kind in (*EXPORTS, "mp4") if video else EXPORTS:
        path = folder / f"{name}{FORMATS[kind].suffixes[0]}"
        settings = preset(target_of(kind), kind, fps=fps, width=VIDEO[0], height=VIDEO[1])
        lacking = missing(settings.kind)
        if lacking:
            complain(f"{path.name} is not written. {lacking}")
            continue
        with Meter() as meter:
            chosen = Chosen(best.take, None, take_name(best.take.seed), tuple(best.tiers))
            written(chosen, path, settings, name, meter)
        found[kind] = str(path)
    return found


def tell(result: dict[str, Any], judged: list[Judged], as_json: bool) -> None:
    for each in judged:
        for text in (each.take.stopped, *each.notes):
            if text is not None:
                complain(f"seed {each.take.seed}: {text}")
    if as_json:
        answer(result)
    elif judged:
        say(takes_table(judged))
        if len(judged) > 1:
            say(f"How they differ: {spread_of(judged)}")
