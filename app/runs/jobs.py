"""What the worker can do: jobs on the compiled engine. Imported by the worker's process only."""

from __future__ import annotations

import base64
import io
import math
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import PurePath
from typing import Any, TypeAlias

import numpy as np

from app.document import fixes
from app.runs.export_job import export_take
from app.runs.inspect_job import inspections
from app.runs.protocol import Message
from app.runs.take_job import make_take
from engine.analysis.inspect import problems as problems_of
from engine.analysis.stacking import report
from engine.arrivals.options import Options
from engine.errors import ForegoneError, ProjectError
from engine.film import film_of
from engine.model.check import Finding, flying_rows, gauge, pose_findings
from engine.model.compile import Model, compile_scene
from engine.run import backward
from engine.scene.inspection import as_json
from engine.scene.spec import Body, Box, Capsule, Compound, Cylinder, Hull, Problem, Scene, Shape, Sphere
from engine.scene.validate import scene_problems
from engine.settle import Poses, Settled, settle

MOST_LOOKS = 20.0  # poses sent per second
BODIES_PER_SECOND = 6000.0  # in all those poses: what the window can show without stuttering
NAMED = 3  # bodies that a sentence names
STAGES = ("drops", "other drops", "landings tried backward")  # of contact statistics; not every landing has a way back
MOST_VAIN = 40  # looks at drops of which none has come to rest yet, eight drops each

Send: TypeAlias = Callable[[Message], None]


class Cancelled(Exception):
    """The window no longer wants this job."""


class Desk:
    """A job's line to the window: tells progress, and hears that nobody waits any more."""

    def __init__(self, job: int, send: Send, wanted: Callable[[int], bool]) -> None:
        self.job, self._send, self._wanted = job, send, wanted

    def check(self) -> None:
        if not self._wanted(self.job):
            raise Cancelled

    def tell(self, kind: str, values: dict[str, Any], arrays: dict[str, np.ndarray] | None = None) -> None:
        self._send(Message(kind, {"job": self.job, **values}, arrays or {}))


def run_settle(scene: Scene, asked: dict[str, Any], desk: Desk) -> None:
    """Answers `done` with the poses, and a message that names what did not come to rest."""
    looked = told = 0.0

    def watch(stage: str, at_rest: int, count: int, poses: Callable[[], Poses]) -> None:
        nonlocal looked, told
        desk.check()
        now = time.monotonic()
        pause = max(1.0 / MOST_LOOKS, count / BODIES_PER_SECOND)
        if now - told >= 1.0 / MOST_LOOKS:
            told = now
            share = {"settling": 0.8 * at_rest / max(count, 1), "polishing": 0.85, "testing": 0.95}[stage]
            desk.tell("progress", {"share": share, "text": f"Settling · {at_rest} of {count} at rest"})
        if stage == "settling" and now - looked >= pause:
            looked = now
            desk.tell("posed", *_packed(poses()))

    result = settle(scene, asked["ids"], watch)
    desk.check()
    values, arrays = _packed(result.poses)
    restless = [*result.moving, *result.fallen]
    desk.tell("done", {**values, "message": settled_words(scene, result), "restless": restless}, arrays)


def settled_words(scene: Scene, result: Settled) -> str:
    names = {body.id: body.name for body in scene.bodies}
    words = []
    if result.fallen:
        verb = "falls" if len(result.fallen) == 1 else "fall"
        words.append(f"{_listed([names[i] for i in result.fallen])} {verb} away: there is nothing below.")
    if result.moving:
        verb = "does" if len(result.moving) == 1 else "do"
        words.append(f"{_listed([names[i] for i in result.moving])} {verb} not come to rest.")
    count = len(result.poses) - len(result.fallen) - len(result.moving)
    return " ".join(words) or f"{count} {'body' if count == 1 else 'bodies'} at rest."


def _listed(names: list[str]) -> str:
    """A, B and 4 more."""
    if len(names) <= NAMED:
        return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    return f"{', '.join(names[: NAMED - 1])} and {len(names) - NAMED + 1} more"


def _packed(poses: Poses) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    x = np.array([place for place, _ in poses.values()], float).reshape(-1, 3)
    q = np.array([turn for _, turn in poses.values()], float).reshape(-1, 4)
    return {"ids": list(poses)}, {"position": x, "orientation": q}


def run_check(scene: Scene, asked: dict[str, Any], desk: Desk) -> None:
    """Answers `done` with everything wrong with the scene, errors first."""
    problems: list[Problem] = scene_problems(scene)
    items = [fixes.about_value(scene, problem) for problem in problems]
    if not any(problem.severity == "error" for problem in problems):
        model = compile_scene(scene)
        measure = gauge(model)

        def measured(first: int, second: int, x: np.ndarray, q: np.ndarray) -> tuple[float, np.ndarray]:
            desk.check()
            return measure(first, second, x, q)

        items += [_item(model, finding) for finding in pose_findings(model, measured, flying_rows(scene, model))]
    items.sort(key=lambda item: item.severity != "error")
    desk.tell("done", {"items": [asdict(item) for item in items]})


def _item(model: Model, finding: Finding) -> fixes.Item:
    called = [(model.ids[row], model.names[row]) for row in finding.members]
    other = (model.ids[finding.other], model.names[finding.other]) if finding.other is not None else None
    x, y, z = finding.normal.tolist()
    if finding.code == "overlap":
        assert other is not None
        return fixes.overlap(finding.severity, called[0], other, -finding.distance, (x, y, z))
    up = -model.gravity / np.linalg.norm(model.gravity)
    return fixes.floating(called, other, finding.distance, (x, y, z), tuple(up.tolist()))


def run_take(scene: Scene, asked: dict[str, Any], desk: Desk) -> None:
    """Answers `done` with the take's card."""
    desk.tell("progress", {"share": 0.0, "text": ""})
    desk.tell("done", {"card": make_take(scene, asked, _steady(desk))})


def run_export(scene: Scene, asked: dict[str, Any], desk: Desk) -> None:
    """Answers `done` with what was written."""
    name = PurePath(asked["path"]).name
    tell = _steady(desk, lambda share: f"Exporting {name} · {math.floor(100.0 * share)} %")
    desk.tell("done", {"exported": export_take(scene, asked, tell)})


def _steady(desk: Desk, words: Callable[[float], str] = lambda share: "") -> Callable[[float], None]:
    """Tells progress, not too often, and raises when nobody waits any more."""
    told = 0.0

    def tell(share: float) -> None:
        nonlocal told
        desk.check()
        if time.monotonic() - told >= 1.0 / MOST_LOOKS:
            told = time.monotonic()
            desk.tell("progress", {"share": share, "text": words(share)})

    return tell


def run_stacking(scene: Scene, asked: dict[str, Any], desk: Desk) -> None:
    """Answers `done` with how the bodies sit; with nothing while the scene has errors: those have their own list."""
    desk.tell("done", asdict(report(scene, desk.check)) if _whole(scene) else {"seats": [], "troubles": []})


def run_inspect(scene: Scene, asked: dict[str, Any], desk: Desk) -> None:
    """Answers `done` with what inspectors found; with nothing while the scene has errors: those have their own list."""
    found = inspections(scene, asked, desk.check) if _whole(scene) else ()
    desk.tell("done", {"inspections": [as_json(each) for each in found]})


def run_survey(scene: Scene, asked: dict[str, Any], desk: Desk) -> None:
    """Answers `done` with every body of the ending that is not fine."""
    found = problems_of(scene, desk.check) if _whole(scene) else ()
    desk.tell("done", {"inspections": [as_json(each) for each in found]})


def _whole(scene: Scene) -> bool:
    return not any(problem.severity == "error" for problem in scene_problems(scene))


def run_statistics(scene: Scene, asked: dict[str, Any], desk: Desk) -> None:
    """Answers `done` with the rasters of a body, how far they differ, and the picture of both."""
    from engine.arrivals.dropped.raster import figure
    from engine.arrivals.dropped.setting import setting_of
    from engine.picture.states import states_picture

    body = scene.find(asked["body"])
    if body is None:
        raise ProjectError("The body is not in the scene any more.")
    wanted, hopeless = int(asked["count"]), 0

    def told(what: str, found: int, count: int) -> None:
        nonlocal hopeless
        desk.check()
        hopeless = hopeless + 1 if found == 0 and what != STAGES[-1] else 0
        if hopeless > MOST_VAIN:
            raise ForegoneError(f"{body.name} hardly ever comes to rest when it falls.")
        share = (STAGES.index(what) + found / max(count, 1)) / len(STAGES)
        desk.tell("progress", {"share": share, "text": f"{found} of {count} {what}"})

    found = figure(setting_of(scene, body, float(asked["dt"])), wanted, told)
    stream = io.BytesIO()
    states_picture(found, f"Contact states of {body.name} before rest").save(stream, "PNG", optimize=True)
    values = {"dt": found.dt, "apart": found.apart.marginal, "by_time": found.apart.by_time}
    picture = base64.b64encode(stream.getvalue()).decode("ascii")
    desk.tell("done", {**values, "picture": picture}, {"forward": found.forward, "backward": found.backward})


JOBS: dict[str, Callable[[Scene, dict[str, Any], Desk], None]] = {
    "settle": run_settle,
    "check": run_check,
    "stacking": run_stacking,
    "inspect": run_inspect,
    "survey": run_survey,
    "take": run_take,
    "statistics": run_statistics,
    "export": run_export,
}


def warm_up() -> None:
    """Use every kernel once, so that the first job need not wait for the compiler."""
    corners = np.array([[0, 0, 0.08], [0.08, 0, -0.04], [-0.06, 0.06, -0.04], [-0.06, -0.06, -0.04]])
    cross = Compound([(Box((0.02, 0.02, 0.1)), (0, 0, 0)), (Box((0.1, 0.02, 0.02)), (0, 0, 0.1))])
    shapes: list[Shape] = [Sphere(0.06), Box((0.08, 0.06, 0.05)), Capsule(0.04, 0.06), Cylinder(0.05, 0.06)]
    shapes += [Hull(corners), cross]
    pile = [Body(f"{i}", shape, (0.05 * (i % 2), 0.0, 0.1 + 0.16 * i)) for i, shape in enumerate(2 * shapes)]
    scene = Scene(bodies=pile)
    settle(scene)
    scene.problems()
    thrown = Scene(bodies=[Body("ball", Sphere(0.1), (0, 0, 0.1)), Body("box", Box((0.1, 0.1, 0.1)), (1, 0, 0.1))])
    film_of(backward(thrown, 0.3))
    backward(thrown, 0.1, options=Options(arrivals="together"))
