"""One door to all inspectors: what can be said about a body of an ending, or of a take at a step."""

from __future__ import annotations

import numpy as np

from engine.analysis import stability, wedged
from engine.analysis.asked import LookUp, go_on
from engine.analysis.consistency_inspect import inspect_consistency
from engine.analysis.patch_inspect import inspect_contact, inspect_contacts
from engine.analysis.safer import with_fixes
from engine.analysis.stability.findings import stay_all
from engine.analysis.touch import touch_of
from engine.errors import ForegoneError
from engine.model.arrays import State
from engine.model.compile import compile_scene
from engine.scene.inspection import Inspection, Point
from engine.scene.spec import Body, Scene
from engine.tape.take import Take

TOPICS = ("stability", "wedged", "contact", "consistency")
MOST_BODIES = 200  # that are asked all at once: about a second
MOST_TOLD = 40  # bodies that do not stand
NO_PUSH: Point = (0.0, 0.0, 0.0)


def inspect(
    what: Scene | Take,
    topic: str,
    body: str,
    step: int | None = None,
    push: Point = NO_PUSH,
    look_up: LookUp = go_on,
) -> Inspection:
    """Of the body with this id: in a scene, in which everything is at rest, or in a step of a take (the last one).

    `push` (N) acts on its centre of mass besides gravity. `look_up` is called now and then and may raise, to stop."""
    if topic not in TOPICS:
        raise ForegoneError(f'nothing can be said about "{topic}"; there are {", ".join(TOPICS)}')
    scene = what if isinstance(what, Scene) else what.scene
    found = next((each for each in scene.bodies if each.id == body), None)
    if found is None:
        raise ForegoneError(f'no body has the id "{body}"')
    look_up()
    if found.static:
        return _fixed(topic, found)
    if topic in ("stability", "wedged"):
        return _at_rest(what, topic, body, step, push, look_up)
    if topic == "consistency":
        return inspect_consistency(what, body, step)
    answer = inspect_contact(what, body, step)
    at_ending = isinstance(what, Scene) or step is None or step >= what.tape.steps - 1
    return with_fixes(scene, [answer], look_up)[0] if at_ending else answer


def _at_rest(what: Scene | Take, topic: str, body: str, step: int | None, push: Point, look_up: LookUp) -> Inspection:
    """Of poses alone: of a take's step as if everything were held still there and let go."""
    scene = what if isinstance(what, Scene) else what.scene
    state: State | None = None
    if isinstance(what, Take) and step is not None and step < what.tape.steps - 1:
        state = what.tape.state(step)
    if topic == "wedged":
        return wedged.inspect_body(scene, body, look_up, state)
    load = None
    if any(push):
        model = compile_scene(scene)
        x, y, z = (model.start if state is None else state).x[model.ids.index(body)].tolist()
        load = push, (x, y, z)
    return stability.inspect_body(scene, body, load, look_up, state)


def problems(scene: Scene, look_up: LookUp = go_on) -> list[Inspection]:
    """Bodies of an ending that do not stand, then those about to tip. Of very large scenes nothing is said."""
    moving = [body for body in scene.bodies if not body.static]
    if not moving or len(moving) > MOST_BODIES:
        return []
    touch = touch_of(compile_scene(scene))
    falls = [touch.model.ids[row] for each in stay_all(touch, look_up) for row in each.unsteady]
    found = [inspect(scene, "stability", body, look_up=look_up) for body in falls[:MOST_TOLD]]
    about = [each for each in inspect_contacts(scene, look_up) if each.level == "warning" and each.ids[0] not in falls]
    return [*found, *with_fixes(scene, about, look_up)]


def step_at(take: Take, time: float) -> int:
    """The step of a take nearest to a moment (s)."""
    step = round((time - float(take.times[0])) / take.tape.params.dt)
    return int(np.clip(step, 0, max(take.tape.steps - 1, 0)))


def _fixed(topic: str, body: Body) -> Inspection:
    return Inspection(topic, (body.id,), "unknown", "Fixed in place", f'"{body.name}" does not move, whatever happens.')
