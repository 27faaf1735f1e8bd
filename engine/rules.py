"""Everything that can be wrong with a scene, told so that an artist can mend it. Nothing in here raises.

`scene_problems` looks at values only. Rules that need signed distances between bodies (overlap, floating) live
above this layer and are called by name: see POSE_RULES.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from engine.errors import ForegoneError
from engine.scene.entrance_rules import entrance_problems
from engine.scene.faults import is_number, is_vector
from engine.scene.joint_rules import entries, joint_problems, no_such, partner, repeated
from engine.scene.spec import HINT_KINDS, LEAVES, Body, Hint, Material, Problem, Scene
from engine.shapes.ask import ask, shape_faults

POSE_RULES = ("engine.model.check", "scene_pose_problems")
"""Module and function (Scene -> list of Problem) of the rules about poses. A name instead of an import, because
this layer must not know the collision code, yet `Scene.problems()` must tell everything."""

Fault: TypeAlias = tuple[str, str, str]
"""Code, message, fix."""

LARGEST, SMALLEST = 1e4, 1e-4  # m; beyond, a scene usually is in the wrong unit
IMPOSSIBLE = 1e9  # m or m/s; beyond (or below its inverse), double precision cannot follow
FASTEST, FASTEST_SPIN = 1e3, 1e3  # m/s, rad/s
STRONGEST_GRAVITY = 1e3  # m/s^2


def all_problems(scene: Scene) -> list[Problem]:
    """`scene_problems`, and when values are sound also the rules about poses; errors first."""
    found = scene_problems(scene)
    if not any(problem.severity == "error" for problem in found):
        module, function = POSE_RULES
        try:
            found += getattr(importlib.import_module(module), function)(scene)
        except ForegoneError as error:
            text = f"The shapes cannot be built: {error}."
            found.append(Problem("error", "geometry", None, text, "Check the meshes."))
    return _errors_first(found)


def scene_problems(scene: Scene) -> list[Problem]:
    """Every rule about values, errors first."""
    found = list(_scene_rules(scene))
    for number, body in enumerate(entries(scene.bodies), start=1):
        found += _body_rules(body, number) if isinstance(body, Body) else [no_such(number, "body")]
    found += _unique_rules(entries(scene.bodies, Body))
    for number, hint in enumerate(entries(scene.hints), start=1):
        found += _hint_rules(scene, hint, number) if isinstance(hint, Hint) else [no_such(number, "hint")]
    found += _hint_id_rules(entries(scene.hints))
    found += joint_problems(scene)
    found += entrance_problems(scene)
    return _errors_first(found)


def _errors_first(found: list[Problem]) -> list[Problem]:
    return sorted(found, key=lambda problem: problem.severity != "error")


def _scene_rules(scene: Scene) -> Iterator[Problem]:
    for what in ("bodies", "hints", "joints"):
        if not isinstance(getattr(scene, what), list):
            yield Problem("error", what, None, f"The {what} of the scene are not a list.", f"Use a list of {what}.")
        elif what == "bodies" and all(body.static is not False for body in entries(scene.bodies, Body)):
            fix = "Add a body that is not static."
            yield Problem("warning", "nothing-moves", None, "Nothing in this scene can move.", fix)
    yield from _order_rules(scene)
    if not isinstance(scene.ground, bool):
        yield Problem("error", "ground", None, "The ground is neither on nor off.", "Set it to True or False.")
    if not is_vector(scene.gravity):
        yield Problem("error", "gravity", None, "Gravity is not three finite numbers.", "Use (0, 0, -9.81).")
    elif math.hypot(*scene.gravity) > STRONGEST_GRAVITY:
        strength = math.hypot(*scene.gravity)
        yield Problem("warning", "gravity-strong", None, f"Gravity is {strength:g} m/s2.", "On Earth it is 9.81 m/s2.")
    if scene.ground_material is not None:
        yield from _errors(None, "The ground: ", _material_faults(scene.ground_material))


def _errors(name: str | None, called: str, faults: Iterable[Fault]) -> list[Problem]:
    return [Problem("error", code, name, f"{called}{message}", fix) for code, message, fix in faults]


def _order_rules(scene: Scene) -> Iterator[Problem]:
    order = scene.arrival_order
    if not isinstance(order, list) or not all(isinstance(key, str) for key in order):
        yield Problem("error", "arrival-order", None, "The order of arrival is no list of names.", "Clear it.")
    elif order and isinstance(scene.bodies, list):
        bodies = entries(scene.bodies, Body)
        known = {key for body in bodies for key in (body.id, body.name) if isinstance(key, str)}
        for lost in [key for key in order if key not in known][:1]:
            text = f"The order of arrival speaks of {lost!r:.40}, which is not in the scene."
            yield Problem("warning", "arrival-order", None, text, "Arrange it again, or clear it.")


def _unique_rules(bodies: list[Body]) -> Iterator[Problem]:
    """Ids must differ (takes refer to them); names should (hints and exports show them). Each is told once."""
    for body, value in _first_repeats(bodies, "id"):
        fix = f"Clear the id of one ({_called(body)}); it gets a new one."
        yield Problem("error", "duplicate-id", body.name, f"Two bodies have the id {value!r}.", fix)
    for body, value in _first_repeats(bodies, "name"):
        yield Problem("warning", "duplicate-name", body.name, f"Two bodies are called {value!r}.", "Rename one.")


def _first_repeats(bodies: list[Body], what: str) -> Iterator[tuple[Body, str]]:
    told: set[str] = set()
    for body, value in repeated(bodies, what):
        if value not in told:
            told.add(value)
            yield body, value


def _called(body: Body, number: int = 0) -> str:
    return body.name if isinstance(body.name, str) and body.name else f"body {number or body.id}"


def _body_rules(body: Body, number: int) -> Iterator[Problem]:
    called, name = _called(body, number), body.name if isinstance(body.name, str) else None
    shape = [(fault.code, fault.message, fault.fix) for fault in shape_faults(body.shape, body.static is True)]
    yield from _errors(name, f"{called}: ", (*_body_faults(body), *_material_faults(body.material), *shape))
    if not shape:
        yield from _scale_rules(body, called)
    yield from _motion_rules(body, called)


def _body_faults(body: Body) -> Iterator[Fault]:
    if not isinstance(body.name, str) or not body.name:
        yield "name", "it has no name.", "Give it one."
    if not isinstance(body.id, str):
        yield "id", "its id is not text.", "Clear the id; it gets a new one."
    if not isinstance(body.static, bool):
        yield "static", "it is neither static nor moving.", "Set static to True or False."
    if not is_vector(body.position):
        yield "position", f"its position is {body.position!r:.60}.", "Enter three numbers in metres."
    if not is_vector(body.orientation, 4):
        yield "orientation", f"its orientation is {body.orientation!r:.60}.", "Reset its rotation."
    elif not any(body.orientation):
        yield "orientation", "its orientation is zero, which is no rotation.", "Use (1, 0, 0, 0) for none."
    if not is_vector(body.velocity):
        yield "velocity", f"its velocity is {body.velocity!r:.60}.", "Enter three numbers in m/s."
    if not is_vector(body.angular_velocity):
        yield "velocity", f"its spin is {body.angular_velocity!r:.60}.", "Enter three numbers in rad/s."
    if body.arrival is not None and not (is_number(body.arrival) and body.arrival >= 0.0):
        fix = "Enter seconds before the end, 0 or more, or nothing."
        yield "arrival", f"it arrives at {body.arrival!r:.40}.", fix
    if body.leaves not in LEAVES:
        yield "leaves", f"it leaves {body.leaves!r:.40}.", f"Use one of {', '.join(LEAVES)}."


def _scale_rules(body: Body, called: str) -> Iterator[Problem]:
    """Sizes and places that no scene in metres has."""
    size, thin = ask(body.shape).scale()
    fix = "Scale it: lengths are in metres."
    if size > IMPOSSIBLE or thin < 1.0 / IMPOSSIBLE:
        yield Problem("error", "scale", body.name, f"{called}: it measures {size:g} m by {thin:g} m.", fix)
    elif size > LARGEST:
        yield Problem("warning", "scale", body.name, f"{called}: it is {size:g} m large.", fix)
    elif thin < SMALLEST:
        yield Problem("warning", "scale", body.name, f"{called}: it is only {thin:g} m thick.", fix)
    if is_vector(body.position):
        away = math.hypot(*body.position)
        if away > LARGEST:
            severity: Any = "error" if away > IMPOSSIBLE else "warning"
            text = f"{called}: it is {away:g} m away from the origin."
            fix = "Move the scene near the origin; precision fades with distance."
            yield Problem(severity, "far-away", body.name, text, fix)


def _motion_rules(body: Body, called: str) -> Iterator[Problem]:
    for value, limit, unit, what in (
        (body.velocity, FASTEST, "m/s", "moves"),
        (body.angular_velocity, FASTEST_SPIN, "rad/s", "spins"),
    ):
        if not is_vector(value):
            continue
        speed = math.hypot(*value)
        if speed > limit:
            severity: Any = "error" if speed > IMPOSSIBLE else "warning"
            yield Problem(severity, "speed", body.name, f"{called}: it {what} at {speed:g} {unit}.", "Slow it down.")
        if speed > 0.0 and body.static is True:
            text = f"{called}: it is static but {what} at {speed:g} {unit}."
            yield Problem("warning", "static-moves", body.name, text, "Clear its velocity, or make it moving.")
    if body.static is True and body.arrival is not None:
        text = f"{called}: it is static, so it never arrives."
        yield Problem("warning", "static-arrives", body.name, text, "Clear its arrival time, or make it moving.")


def _material_faults(material: Any) -> Iterator[Fault]:
    if not isinstance(material, Material):
        yield "material", "it has no material.", "Choose one."
        return
    if not is_number(material.density) or not 1e-9 < material.density < 1e12:
        yield "density", f"its density is {material.density!r:.40}.", "Enter kg/m3, above zero; water has 1000."
    rolling, friction, restitution = material.rolling_friction, material.friction, material.restitution
    if not is_number(rolling) or rolling < 0.0:
        yield "rolling-friction", f"its rolling friction is {rolling!r:.40}.", "Enter metres, 0 or more."
    friction_sound = is_number(friction) and friction >= 0.0
    restitution_sound = is_number(restitution) and 0.0 <= restitution <= 1.0
    if not friction_sound:
        yield "friction", f"its friction is {friction!r:.40}.", "Enter a number, 0 or more; wood on wood has 0.4."
    if not restitution_sound:
        fix = "Enter a number from 0 (dead) to 1 (keeps all speed)."
        yield "restitution", f"its restitution is {restitution!r:.40}.", fix
    for what, span, value, sound, top in (
        ("friction", material.friction_range, friction, friction_sound, math.inf),
        ("restitution", material.restitution_range, restitution, restitution_sound, 1.0),
    ):
        if span is None:
            continue
        if not is_vector(span, 2) or not 0.0 <= span[0] <= span[1] <= top:
            yield f"{what}-range", f"its {what} range is {span!r:.60}.", "Enter the lower end, then the upper end."
        elif sound and not span[0] <= value <= span[1]:
            text = f"its {what} {value:g} lies outside its range {span[0]:g} to {span[1]:g}."
            yield f"{what}-range", text, "Widen the range, or change the value."


def _hint_rules(scene: Scene, hint: Hint, number: int) -> list[Problem]:
    target = partner(scene, hint.body if isinstance(hint.body, str) and hint.body else None)
    called = f"The {hint.kind} hint {number} " if isinstance(hint.kind, str) else f"Hint {number} "
    meant = target.name if isinstance(target, Body) else hint.body if target.startswith("but") else None
    name = meant if isinstance(meant, str) else None
    return _errors(name, called, (*_aim_faults(hint, target, name), *_hint_faults(hint)))


def _aim_faults(hint: Hint, target: Body | str, name: str | None) -> Iterator[Fault]:
    """Of what kind, and for whom."""
    if not isinstance(hint.kind, str) or hint.kind not in HINT_KINDS:
        yield "hint-kind", "is of a kind nobody knows.", f"Use one of {', '.join(HINT_KINDS)}."
    if isinstance(target, str):
        fix = "Rename one, or use its id." if target.startswith("but") else "Choose a body, or delete the hint."
        yield "hint-body", f"is for {hint.body!r:.40}, {target}.", fix
    elif target.static is True:
        yield "hint-static", f"is for {name}, which is static.", "Make the body moving, or delete the hint."


def _hint_id_rules(hints: list[Any]) -> Iterator[Problem]:
    """The studio finds hints by their ids: a copy needs one of its own."""
    seen: set[str] = set()
    for number, hint in enumerate(hints, start=1):
        key = hint.id if isinstance(hint, Hint) and isinstance(hint.id, str) else ""
        if key and key in seen:
            text = f"Hint {number} has the id {key!r:.40} of another."
            yield Problem("error", "duplicate-hint-id", None, text, "Clear its id; it gets a new one.")
        seen.add(key)


def _hint_faults(hint: Hint) -> Iterator[Fault]:
    """Values of a hint."""
    if hint.direction is not None and not (is_vector(hint.direction) and any(hint.direction)):
        yield "hint-direction", f"points along {hint.direction!r:.40}.", "Draw it again."
    if not isinstance(hint.id, str):
        yield "hint-id", "has an id that is not text.", "Clear the id; it gets a new one."
    for what in ("speed", "time", "coefficient", "height", "distance"):
        value = getattr(hint, what)
        if value is not None and not (is_number(value) and value >= 0.0):
            yield f"hint-{what}", f"has the {what} {value!r:.40}.", "Enter a number, 0 or more."
    path = hint.stroke
    if path is not None and not (isinstance(path, tuple) and all(is_vector(point) for point in path)):
        yield "hint-stroke", "has a stroke with a point that is nowhere.", "Draw it again."
    for what, vector in (("velocity", hint.velocity), ("spin", hint.angular_velocity)):
        if vector is not None and not is_vector(vector):
            yield "hint-velocity", f"has the {what} {vector!r:.40}.", "Enter three numbers."
    launch = isinstance(hint.kind, str) and hint.kind == "launch"
    if launch and hint.velocity is None and (hint.direction is None or hint.speed is None):
        yield "hint-launch", "does not say how to launch.", "Give a velocity, or a direction and a speed."
