"""foregone inspect: what inspectors say about the bodies of a project, at its ending or in a take."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from engine.analysis.consistency_inspect import Lowered, lowered
from engine.analysis.inspect import TOPICS, inspect, problems, step_at
from engine.analysis.stability.loads import load_map
from engine.analysis.stacking import report
from engine.commands.kept_takes import chosen_take
from engine.commands.output import answer, complain, say
from engine.commands.progress import Meter
from engine.errors import ForegoneError, SceneError
from engine.picture.loads import loads_picture
from engine.release_energy import release_energy
from engine.scene.inspection import Check, Inspection, Number
from engine.scene.inspection import as_json as tree_of
from engine.scene.load_map import KINDS
from engine.scene.spec import Body, Scene
from engine.tape.take import Take

MOST_EASED = 10  # steps that are told one by one
LUCK = {True: "yes", False: "no", None: "not known"}
SIGNS = {"fine": "ok", "warning": "!", "bad": "!!", "unknown": "?"}


def inspect_file(
    file: str,
    bodies: Sequence[str],
    topics: Sequence[str],
    take: str | None,
    frame: int | None,
    time: float | None,
    push: Sequence[float],
    loads: str | None,
    as_json: bool,
) -> int:
    """Load, ask, tell. Without bodies all that move are asked about, without topics all there are, and, of
    an ending, how its bodies sit on each other, of a take, its energy and where friction was lowered."""
    scene = Scene.load(file)
    if (frame is not None or time is not None) and take is None:
        raise ForegoneError("--frame and --time are of a take: say which one with --take")
    if loads is not None:
        return _loads(scene, bodies, take, loads)
    with Meter():  # the first look at poses compiles kernels
        errors = [problem for problem in scene.problems() if problem.severity == "error"]
        if errors:
            raise SceneError(errors)
        chosen = [_body(scene, name) for name in bodies] or [body for body in scene.bodies if not body.static]
        what = scene if take is None else chosen_take(file, scene, take).take
        step = None if not isinstance(what, Take) else _step(what, scene.request.fps, frame, time)
        x, y, z = push
        found = [inspect(what, topic, body.id, step, (x, y, z)) for body in chosen for topic in topics or TOPICS]
        wrong = problems(scene) if take is None and not bodies else []
        whole = None if topics else _of_take(what) if isinstance(what, Take) else _stacking(scene, chosen)
    if as_json:
        moment = float(what.times[step]) if isinstance(what, Take) and step is not None else None
        answer({"file": file, "take": take, "time": moment, "problems": [tree_of(each) for each in wrong],
                "inspections": [tree_of(each) for each in found],
                "whole": None if whole is None else whole.tree})  # fmt: skip
    else:
        _tell(found, wrong)
        for line in () if whole is None else whole.lines:
            say(line)
    return 0


def _loads(scene: Scene, bodies: Sequence[str], take: str | None, out: str) -> int:
    """The forces that one body of the ending withstands, drawn or listed."""
    path = Path(out)
    if len(bodies) != 1 or take is not None:
        raise ForegoneError("--loads is of one body of the ending: say which one with --body")
    if path.suffix not in (".png", ".csv"):
        raise ForegoneError(f'"{out}" is neither a .png nor a .csv file')
    with Meter():
        found = load_map(scene, _body(scene, bodies[0]).id)
    if path.suffix == ".png":
        loads_picture(found).save(path)
    else:
        lines = [f"{x:.6f},{y:.6f},{z:.6f},{KINDS[kind]}" for (x, y, z), kind in found.rows()]
        path.write_text("\n".join(["x,y,z,kind", *lines]) + "\n")
    for kind, words in enumerate(KINDS):
        say(f"{100.0 * float(np.mean(found.kinds == kind)):5.1f} %  {words}")
    say(f"Whatever can hold it surely does: {LUCK[found.no_luck]}.")
    say(f"Written to {out}.")
    return 0


class Whole(NamedTuple):
    """What is said of an ending or a take as a whole."""

    tree: dict[str, Any]  # for JSON
    lines: list[str]


def _stacking(scene: Scene, chosen: Sequence[Body]) -> Whole:
    """How bodies sit, in an order in which they can have come."""
    told = report(scene)
    ids, names = {body.id for body in chosen}, {body.id: body.name for body in scene.bodies}
    seats = [seat for seat in told.seats if seat.id in ids]
    lines = ["", "Stacking, in an order in which they can have come:"] if seats else []
    for seat in seats:
        free = "free to have come last" if seat.free else "held by others"
        lines.append(f"  {seat.name}: {free}. {seat.reason}")
        for word, others in (("on", seat.below), ("carries", seat.above)):
            if others:
                lines.append(f"      {word} {', '.join(names[id] for id in others)}")
    lines += [f"[!] {each.words}" for each in told.troubles]
    tree = {"seats": [asdict(seat) for seat in seats], "troubles": [asdict(each) for each in told.troubles]}
    return Whole(tree, lines)


def _of_take(take: Take) -> Whole:
    """Energy, and steps whose friction had to be lowered."""
    released, ending = release_energy(take)
    eased = lowered(take)
    lines = ["", f"Energy: {released:.4g} J when let go, {ending:.4g} J at the ending."]
    names = dict(zip(take.model.ids, take.model.names, strict=True))
    lines.append(f"Friction lowered, for want of an answer with all of it: {len(eased)} steps.")
    lines += [f"  {_eased(each, names)}" for each in eased[:MOST_EASED]]
    tree = {"energy_released_j": released, "energy_ending_j": ending, "lowered": [asdict(each) for each in eased]}
    return Whole(tree, lines)


def _eased(each: Lowered, names: dict[str, str]) -> str:
    a, b = (names.get(id, "the ground") for id in each.ids)
    return f"at {each.time:.3f} s, {a} on {b}: {each.used:.3g} instead of {each.authored:.3g}"


def _body(scene: Scene, name: str) -> Body:
    found = [body for body in scene.bodies if name in (body.name, body.id)]
    if not found:
        known = ", ".join(body.name for body in scene.bodies[:8]) + (", ..." if len(scene.bodies) > 8 else "")
        raise ForegoneError(f'no body is called "{name}". There are: {known or "none"}.')
    return found[0]


def _step(take: Take, fps: float, frame: int | None, time: float | None) -> int | None:
    first, ending = float(take.times[0]), float(take.times[-1])
    if frame is not None:  # counted as the timeline does: the ending falls on a frame
        time = ending + (frame - math.ceil((ending - first) * fps - 1e-6)) / fps
    if time is None:
        return None
    if not first - 1.0 / fps <= time <= ending + 1e-9:
        raise ForegoneError(f"the take goes from {first:g} s to {ending:g} s; {time:g} s is not in it")
    return step_at(take, time)


def _tell(found: Sequence[Inspection], wrong: Sequence[Inspection]) -> None:
    if not found:
        complain("no body of this project can move")
    for each in found:
        say(f"[{SIGNS[each.level]}] {each.topic}: {each.sentence}")
        for line in (*map(_check, each.checks), *map(_figure, each.numbers)):
            say(f"      {line}")
    if wrong:
        say(f"\n{len(wrong)} of the whole ending:")
        for each in wrong:
            say(f"[{SIGNS[each.level]}] {each.sentence}")


def _check(check: Check) -> str:
    holds = "not known" if check.holds is None else "yes" if check.holds else "no"
    return f"{check.label}: {holds}" + (f" ({check.note})" if check.note else "")


def _figure(number: Number) -> str:
    value = "none" if number.value is None else f"{number.value:.4g} {number.unit}".rstrip()
    return f"{number.label}: {value}" + (f" ({number.note})" if number.note else "")
