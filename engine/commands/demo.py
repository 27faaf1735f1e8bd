"""foregone demo: build an example, generate takes of it, write the best as keyframes, table, film and picture."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from engine.commands.demo_scenes import (
    ball_with_one_exit,
    chain,
    crate_slides,
    die_shows_six,
    die_with_one_exit,
    door,
    ragdoll,
    stack_arrives,
)
from engine.commands.output import complain, note, say
from engine.commands.run import EXPORTS, FAILED, INTERRUPTED, check, collect, make_folder, take_name, tell, write_best
from engine.scene.spec import Scene
from engine.work.takes import Judged, Order

DEMOS: dict[str, tuple[Callable[[], Scene], float]] = {
    "die": (die_shows_six, 2.0),
    "slide": (crate_slides, 1.2),
    "stack": (stack_arrives, 2.5),
    "chain": (chain, 2.0),
    "door": (door, 2.0),
    "ragdoll": (ragdoll, 2.0),
    "exit": (ball_with_one_exit, 3.0),
    "exit-die": (die_with_one_exit, 3.0),
}
"""Name -> (scene, seconds)."""


def demo(
    name: str, out: str, takes: int, seconds: float | None, seed: int, dt: float, fps: float, as_json: bool
) -> int:
    """Returns the exit code."""
    make, usual = DEMOS[name]
    scene, seconds = make(), seconds or usual
    moving = sum(not body.static for body in scene.bodies)
    note(f"demo {name}: {moving} {'bodies, placed where they' if moving > 1 else 'body, placed where it'} must end")
    check(scene)
    folder = make_folder(out)
    project = folder / f"{name}.foregone"
    scene.save(project)
    note(f"stepping back in time from there: {takes} takes of {seconds:g} s")

    def finished(each: Judged) -> None:
        exact = 100.0 * each.report.exact_in_motion
        note(f"  seed {each.take.seed}: checked, {exact:.0f} % exact in motion")

    judged, interrupted = collect(Order(scene, seconds, dt), range(seed, seed + takes), folder, finished=finished)
    if not judged:
        complain("interrupted before the first take was finished")
        return INTERRUPTED
    judged.sort(key=lambda each: each.rank)
    best = judged[0]
    files = {"project": str(project)}
    if not interrupted:
        note(f"writing the calmest, seed {best.take.seed}, as keyframes, table, film and picture")
        files |= write_best(folder, name, best, fps, video=True)
    rows = [{**each.summary(), "file": take_name(each.take.seed)} for each in judged]
    result = {"demo": name, "dt": dt, "interrupted": interrupted, "best": best.take.seed, "files": files, "takes": rows}
    tell(result, judged, as_json)
    if interrupted:
        complain(f"interrupted; {len(judged)} finished takes are in {folder}")
        return INTERRUPTED
    if not as_json:
        say(f"\nBest (calmest): seed {best.take.seed}. Written to {folder}:")
        motions = ", ".join(Path(files[kind]).name for kind in EXPORTS if kind in files)
        film = f"{name}.mp4  a film, " if "mp4" in files else ""
        say(f"  {project.name}  the scene\n  {motions}  the motion at {fps:g} frames per second")
        say(f"  {film}{name}.png  contact sheet\n  take-*.npz  all takes")
    return 0 if best.take.stopped is None else FAILED
