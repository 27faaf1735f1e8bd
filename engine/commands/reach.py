"""foregone reach: where random throws of a body come to rest, as pictures and tables; and the nearest such ending."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from engine.commands.output import answer, say
from engine.commands.progress import Meter
from engine.errors import ForegoneError
from engine.picture.reach import reach_picture
from engine.reach.explore import explore
from engine.reach.snap import snapped
from engine.reach.tables import summary, write_density, write_picture, write_table
from engine.scene.reach_map import FELL, MOVING, Plane, ReachMap
from engine.scene.spec import Body, Scene

SUFFIXES = (".png", ".csv", ".json")


def reach(
    file: str,
    body: str | None,
    throws: int,
    seed: int,
    spread: float | None,
    jobs: int,
    plane: Plane,
    before: float,
    let_go: bool,
    nearest: int | None,
    snap: str | None,
    out: Sequence[str],
    as_json: bool,
) -> int:
    """Returns the exit code."""
    for path in out:
        if Path(path).suffix.lower() not in SUFFIXES:
            raise ForegoneError(f"{path}: a map is written as {', '.join(SUFFIXES)}")
    scene = Scene.load(file)
    who = _body(scene, body)
    with Meter() as meter:
        found = explore(
            scene,
            who.id,
            throws,
            seed,
            spread,
            jobs,
            lambda done, count: meter.show(f"throws of {who.name}", done, count),
        )
        settled = snapped(scene, found) if snap is not None else None
    chosen = found.rested if nearest is None else found.nearest(found.ending, nearest)
    moment = None if let_go else before
    for path in out:
        Path(path).resolve().parent.mkdir(parents=True, exist_ok=True)
        if path.lower().endswith(".png"):
            write_picture(path, reach_picture(found, plane, moment, chosen))
        elif path.lower().endswith(".csv"):
            write_table(path, found)
        else:
            write_density(path, found, plane, moment, chosen)
    if settled is not None and snap is not None:
        place, turn = settled.poses[who.id]
        moved = [replace(each, position=place, orientation=turn) if each is who else each for each in scene.bodies]
        replace(scene, bodies=moved, takes=[], shot="").save(snap)
    if as_json:
        answer({"file": file, **summary(found), "shown": len(chosen), "snapped": settled and settled.poses[who.id],
                "written": [*out, *([snap] if snap else [])]})  # fmt: skip
    else:
        _tell(found)
        say(f"Written to {', '.join([*out, *([snap] if snap else [])])}.")
    return 0


def _body(scene: Scene, name: str | None) -> Body:
    """The one that is named; without a name the only one that moves."""
    moving = [body for body in scene.bodies if not body.static]
    known = ", ".join(body.name for body in moving[:8])
    if name is None:
        if len(moving) != 1:
            raise ForegoneError(f"say which body is thrown with --body: {known or 'none can move'}")
        return moving[0]
    found = scene.find(name)
    if found is None:
        raise ForegoneError(f'no body is called "{name}". There are: {known or "none"}.')
    return found


def _tell(found: ReachMap) -> None:
    others = {FELL: "fall away", MOVING: "still move after 8 s"}
    rested = f"{len(found.rested):,} of {len(found.fate):,} throws of {found.name} come to rest"
    say(
        ", ".join([rested, *(f"{found.count(fate):,} {what}" for fate, what in others.items() if found.count(fate))])
        + "."
    )
    say(str(summary(found)["sentence"]))
