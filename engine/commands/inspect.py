"""foregone inspect: what inspectors say about the bodies of a project, at its ending or in a take."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.analysis.inspect import TOPICS, inspect, problems, step_at
from engine.commands.kept_takes import chosen_take
from engine.commands.output import answer, complain, say
from engine.commands.progress import Meter
from engine.errors import ForegoneError, SceneError
from engine.scene.inspection import Check, Inspection, Number
from engine.scene.inspection import as_json as tree_of
from engine.scene.spec import Body, Scene
from engine.tape.take import Take

SIGNS = {"fine": "ok", "warning": "!", "bad": "!!", "unknown": "?"}


def inspect_file(
    file: str,
    bodies: Sequence[str],
    topics: Sequence[str],
    take: str | None,
    frame: int | None,
    time: float | None,
    as_json: bool,
) -> int:
    """Load, ask, tell. Without bodies all that move are asked about, without topics all there are."""
    scene = Scene.load(file)
    if (frame is not None or time is not None) and take is None:
        raise ForegoneError("--frame and --time are of a take: say which one with --take")
    with Meter():  # the first look at poses compiles kernels
        errors = [problem for problem in scene.problems() if problem.severity == "error"]
        if errors:
            raise SceneError(errors)
        chosen = [_body(scene, name) for name in bodies] or [body for body in scene.bodies if not body.static]
        what = scene if take is None else chosen_take(file, scene, take).take
        step = None if not isinstance(what, Take) else _step(what, scene.request.fps, frame, time)
        found = [inspect(what, topic, body.id, step) for body in chosen for topic in topics or TOPICS]
        wrong = problems(scene) if take is None and not bodies else []
    if as_json:
        moment = float(what.times[step]) if isinstance(what, Take) and step is not None else None
        answer({"file": file, "take": take, "time": moment, "problems": [tree_of(each) for each in wrong],
                "inspections": [tree_of(each) for each in found]})  # fmt: skip
    else:
        _tell(found, wrong)
    return 0


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
