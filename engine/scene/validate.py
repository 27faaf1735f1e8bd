"""Everything that can be wrong with a scene, told so that an artist can mend it. Nothing in here raises.

`scene_problems` looks at values only. Rules that need signed distances between bodies (overlap, floating) live
above this layer and are called by name: see POSE_RULES.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterator
from typing import Any

from engine.errors import ForegoneError
from engine.scene.faults import is_number, is_vector
from engine.scene.joint_rules import joint_problems
from engine.scene.spec import HINT_KINDS, LEAVES, Body, Hint, Material, Problem, Scene
from engine.shapes.ask import ask, shape_faults

POSE_RULES = ("engine.model.check", "scene_pose_problems")
"""Module and function (Scene -> list of Problem) of the rules about poses. A name instead of an import, because
this layer must not know the collision code, yet `Scene.problems()` must tell everything."""

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
            found.append(
                Problem("error", "geometry", None, f"The shapes cannot be built: {error}.", "Check the meshes.")
            )
    return _errors_first(found)


def scene_problems(scene: Scene) -> list[Problem]:
    """Every rule about values, errors first."""
    found = list(_scene_rules(scene))
    bodies = scene.bodies if isinstance(scene.bodies, list) else []
    for number, body in enumerate(bodies, start=1):
        if isinstance(body, Body):
            found += _body_rules(body, number)
        else:
            found.append(
                Problem("error", "not-a-body", None, f"Entry {number} of the bodies is no body.", "Delete it.")
            )
    found += _unique_rules([body for body in bodies if isinstance(body, Body)])
    for number, hint in enumerate(scene.hints if isinstance(scene.hints, list) else [], start=1):
        found += _hint_rules(scene, hint, number)
    found += _hint_id_rules(scene.hints if isinstance(scene.hints, list) else [])
    found += joint_problems(scene)
    return _errors_first(found)


def _errors_first(found: list[Problem]) -> list[Problem]:
    return sorted(found, key=lambda problem: problem.severity != "error")


def _scene_rules(scene: Scene) -> Iterator[Problem]:
    if not isinstance(scene.bodies, list):
        yield Problem("error", "bodies", None, "The bodies of the scene are not a list.", "Use a list of bodies.")
    elif not any(isinstance(body, Body) and body.static is False for body in scene.bodies):
        yield Problem(
            "warning", "nothing-moves", None, "Nothing in this scene can move.", "Add a body that is not static."
        )
    if not isinstance(scene.hints, list):
        yield Problem("error", "hints", None, "The hints of the scene are not a list.", "Use a list of hints.")
    if not isinstance(scene.joints, list):
        yield Problem("error", "joints", None, "The joints of the scene are not a list.", "Use a list of joints.")
    yield from _order_rules(scene)
    if not isinstance(scene.ground, bool):
        yield Problem("error", "ground", None, "The ground is neither on nor off.", "Set it to True or False.")
    if not is_vector(scene.gravity):
        yield Problem("error", "gravity", None, "Gravity is not three finite numbers.", "Use (0, 0, -9.81).")
    elif math.hypot(*scene.gravity) > STRONGEST_GRAVITY:
        strength = math.hypot(*scene.gravity)
        yield Problem("warning", "gravity-strong", None, f"Gravity is {strength:g} m/s2.", "On Earth it is 9.81 m/s2.")
    if scene.ground_material is not None:
        yield from _material_rules(scene.ground_material, None, "The ground")


def _order_rules(scene: Scene) -> Iterator[Problem]:
    order = scene.arrival_order
    if not isinstance(order, list) or not all(isinstance(key, str) for key in order):
        yield Problem("error", "arrival-order", None, "The order of arrival is no list of names.", "Clear it.")
    elif order and isinstance(scene.bodies, list):
        bodies = [body for body in scene.bodies if isinstance(body, Body)]
        known = {key for body in bodies for key in (body.id, body.name) if isinstance(key, str)}
        for lost in [key for key in order if key not in known][:1]:
            text = f"The order of arrival speaks of {lost!r:.40}, which is not in the scene."
            yield Problem("warning", "arrival-order", None, text, "Arrange it again, or clear it.")


def _unique_rules(bodies: list[Body]) -> Iterator[Problem]:
    """Ids must differ (takes refer to them); names should (hints and exports show them)."""
    for attribute, severity in (("id", "error"), ("name", "warning")):
        seen: set[str] = set()
        told: set[str] = set()
        for body in bodies:
            value = getattr(body, attribute)
            if not isinstance(value, str):
                continue
            if value in seen and value not in told:
                told.add(value)
                text = (
                    f"Two bodies are called {value!r}." if attribute == "name" else f"Two bodies have the id {value!r}."
                )
                fix = (
                    "Rename one."
                    if attribute == "name"
                    else f"Clear the id of one ({_called(body)}); it gets a new one."
                )
                yield Problem(severity, f"duplicate-{attribute}", body.name, text, fix)  # type: ignore[arg-type]
            seen.add(value)


def _called(body: Body, number: int = 0) -> str:
    return body.name if isinstance(body.name, str) and body.name else f"body {number or body.id}"


def _body_rules(body: Body, number: int) -> Iterator[Problem]:
    called, name = _called(body, number), body.name if isinstance(body.name, str) else None

    def error(code: str, message: str, fix: str) -> Problem:
        return Problem("error", code, name, f"{called}: {message}", fix)

    if not isinstance(body.name, str) or not body.name:
        yield error("name", "it has no name.", "Give it one.")
    if not isinstance(body.id, str):
        yield error("id", "its id is not text.", "Clear the id; it gets a new one.")
    if not isinstance(body.static, bool):
        yield error("static", "it is neither static nor moving.", "Set static to True or False.")
    if not is_vector(body.position):
        yield error("position", f"its position is {body.position!r:.60}.", "Enter three numbers in metres.")
    if not is_vector(body.orientation, 4):
        yield error("orientation", f"its orientation is {body.orientation!r:.60}.", "Reset its rotation.")
    elif not any(body.orientation):
        yield error("orientation", "its orientation is zero, which is no rotation.", "Use (1, 0, 0, 0) for none.")
    if not is_vector(body.velocity):
        yield error("velocity", f"its velocity is {body.velocity!r:.60}.", "Enter three numbers in m/s.")
    if not is_vector(body.angular_velocity):
        yield error("velocity", f"its spin is {body.angular_velocity!r:.60}.", "Enter three numbers in rad/s.")
    if body.arrival is not None and not (is_number(body.arrival) and body.arrival >= 0.0):
        yield error(
            "arrival", f"it arrives at {body.arrival!r:.40}.", "Enter seconds before the end, 0 or more, or nothing."
        )
    if body.leaves not in LEAVES:
        yield error("leaves", f"it leaves {body.leaves!r:.40}.", f"Use one of {', '.join(LEAVES)}.")
    yield from _material_rules(body.material, name, called)
    faults = list(shape_faults(body.shape, body.static is True))
    for fault in faults:
        yield error(fault.code, fault.message, fault.fix)
    if not faults:
        yield from _scale_rules(body, called)
    yield from _motion_rules(body, called)


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
            yield Problem(
                severity, "far-away", body.name, text, "Move the scene near the origin; precision fades with distance."
            )


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


def _material_rules(material: Any, name: str | None, called: str) -> Iterator[Problem]:
    def error(code: str, message: str, fix: str) -> Problem:
        return Problem("error", code, name, f"{called}: {message}", fix)

    if not isinstance(material, Material):
        yield error("material", "it has no material.", "Choose one.")
        return
    if not is_number(material.density) or not 1e-9 < material.density < 1e12:
        yield error("density", f"its density is {material.density!r:.40}.", "Enter kg/m3, above zero; water has 1000.")
    if not is_number(material.rolling_friction) or material.rolling_friction < 0.0:
        yield error(
            "rolling-friction",
            f"its rolling friction is {material.rolling_friction!r:.40}.",
            "Enter metres, 0 or more.",
        )
    friction, restitution = material.friction, material.restitution
    friction_sound = is_number(friction) and friction >= 0.0
    restitution_sound = is_number(restitution) and 0.0 <= restitution <= 1.0
    if not friction_sound:
        yield error(
            "friction", f"its friction is {friction!r:.40}.", "Enter a number, 0 or more; wood on wood has 0.4."
        )
    if not restitution_sound:
        yield error(
            "restitution",
            f"its restitution is {restitution!r:.40}.",
            "Enter a number from 0 (dead) to 1 (keeps all speed).",
        )
    for what, span, value, sound, top in (
        ("friction", material.friction_range, friction, friction_sound, math.inf),
        ("restitution", material.restitution_range, restitution, restitution_sound, 1.0),
    ):
        if span is None:
            continue
        if not is_vector(span, 2) or not 0.0 <= span[0] <= span[1] <= top:
            yield error(
                f"{what}-range", f"its {what} range is {span!r:.60}.", "Enter the lower end, then the upper end."
            )
        elif sound and not span[0] <= value <= span[1]:
            text = f"its {what} {value:g} lies outside its range {span[0]:g} to {span[1]:g}."
            yield error(f"{what}-range", text, "Widen the range, or change the value.")


def _hint_rules(scene: Scene, hint: Any, number: int) -> Iterator[Problem]:
    if not isinstance(hint, Hint):
        yield Problem("error", "not-a-hint", None, f"Entry {number} of the hints is no hint.", "Delete it.")
        return
    bodies = [body for body in scene.bodies if isinstance(body, Body)] if isinstance(scene.bodies, list) else []
    key = hint.body if isinstance(hint.body, str) else ""
    with_id = [b for b in bodies if isinstance(b.id, str) and b.id == key]
    named = [b for b in bodies if isinstance(b.name, str) and b.name == key]
    target = next(iter(with_id + named), None) if key else None
    called = f"The {hint.kind} hint {number}" if isinstance(hint.kind, str) else f"Hint {number}"
    name = target.name if target is not None and isinstance(target.name, str) else None

    def error(code: str, message: str, fix: str) -> Problem:
        return Problem("error", code, name, f"{called} {message}", fix)

    if not isinstance(hint.kind, str) or hint.kind not in HINT_KINDS:
        yield error("hint-kind", "is of a kind nobody knows.", f"Use one of {', '.join(HINT_KINDS)}.")
    if target is None:
        yield error(
            "hint-body", f"is for {hint.body!r:.40}, which is not in the scene.", "Choose a body, or delete the hint."
        )
    elif not with_id and len(named) > 1:
        yield error(
            "hint-body",
            f"is for {hint.body!r:.40}, but {len(named)} bodies are called so.",
            "Rename one, or use its id.",
        )
    elif target.static is True:
        yield error("hint-static", f"is for {name}, which is static.", "Make the body moving, or delete the hint.")
    yield from (error(*fault) for fault in _hint_faults(hint))


def _hint_id_rules(hints: list[Any]) -> Iterator[Problem]:
    """The studio finds hints by their ids: a copy needs one of its own."""
    seen: set[str] = set()
    for number, hint in enumerate(hints, start=1):
        key = hint.id if isinstance(hint, Hint) and isinstance(hint.id, str) else ""
        if key and key in seen:
            text = f"Hint {number} has the id {key!r:.40} of another."
            yield Problem("error", "duplicate-hint-id", None, text, "Clear its id; it gets a new one.")
        seen.add(key)


def _hint_faults(hint: Hint) -> Iterator[tuple[str, str, str]]:
    """Values of a hint: code, message, fix."""
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
