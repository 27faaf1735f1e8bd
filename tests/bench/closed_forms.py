"""What inspectors say beside closed forms and beside the engine's own forward run: slots, cylinders at any yaw, blocks,
a squeezed block, ladders.

Of every kind the limit is known: a tilt, a push, a friction. Everything is let go below it and beyond it; `stays` is up
to which share of the limit the run stays, `goes` from which on it goes. Between walls a run may squeeze itself a little
and go late; none may go early."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from engine.analysis import stability
from engine.analysis.inspect import inspect
from engine.analysis.let_go import let_go
from engine.analysis.stability.scene import FRICTION, TILT
from engine.analysis.touch import touch_of
from engine.model.compile import Model, compile_scene
from engine.scene.inspection import Inspection
from engine.scene.spec import Body, Box, Cylinder, Material, Plane, Scene, Vector
from tests.bench.measure import Row, Tell

G = 9.81
RIGHT = 1e-3  # share of the closed form by which an answer may be off
BELOW, BEYOND = (0.99, 0.98, 0.95, 0.9), (1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2.0)
YAWS = 16
SMALL = ("tall block", "squeezed block", "block on a slope")


class Limit(NamedTuple):
    """One question whose answer is known."""

    closed: float
    found: Callable[[], float | None]
    goes: Callable[[float], bool]  # in the forward run, at this share of the limit


class Kind(NamedTuple):
    case: str
    asked: str
    unit: str
    limits: list[Limit]


def closed_forms(tell: Tell, yaws: int = YAWS, kinds: Sequence[str] = ()) -> list[Row]:
    """One row per kind of question; of several the one that is most off, and the widest band of the run."""
    rows = []
    chosen = [kind for kind in _kinds(yaws) if not kinds or kind.case in kinds]
    for done, kind in enumerate(chosen):
        tell(f"{kind.case}, {kind.asked}", done, len(chosen))
        told = [(limit, limit.found()) for limit in kind.limits]
        off = [math.inf if found is None else _off(found, limit.closed) for limit, found in told]
        worst = int(np.argmax(np.abs(off)))
        stays = [_stays(limit) for limit in kind.limits]
        goes = [_goes(limit) for limit in kind.limits]
        rows.append(
            {
                "case": kind.case,
                "asked": kind.asked,
                "cases": len(told),
                "closed": told[worst][0].closed,
                "found": told[worst][1],
                "unit": kind.unit,
                "off": off[worst],
                "stays": min(stays),
                "goes": max(goes),
                "wrong": sum(abs(o) > RIGHT or s < BELOW[1] for o, s in zip(off, stays, strict=True)),
            }
        )
    return rows


def _off(found: float, closed: float) -> float:
    return found / closed - 1.0 if closed else found


def _stays(limit: Limit) -> float:
    """0 where it goes whatever is asked, as it should: then there is no limit."""
    if not limit.closed:
        return 1.0
    return next((share for share in BELOW if not limit.goes(share)), 0.0)


def _goes(limit: Limit) -> float:
    return next((share for share in BEYOND if limit.goes(share)), math.inf)


def _kinds(yaws: int) -> list[Kind]:
    turns = [math.pi / 4 * k / yaws for k in range(yaws)]  # an octagon's eighth
    slopes = [(0.15, 0.3), (0.35, 0.6)]
    return [
        Kind("slot", "tilt along it", "°", [_slot_tilt(mu) for mu in (0.2, 0.3, 0.5)]),
        Kind("slot", "push along it", "N", [_slot_push(mu, math.pi / 2) for mu in (0.2, 0.3, 0.5)]),
        Kind("slot", "push askew, at 60°", "N", [_slot_push(mu, math.pi / 3) for mu in (0.2, 0.3, 0.5)]),
        Kind("cylinder", "tilt until it tips", "°", [_can_tilt(yaw, 2.0) for yaw in turns]),
        Kind("cylinder", "tilt until it slides", "°", [_can_tilt(yaw, 0.25) for yaw in turns]),
        Kind("cylinder", "push until it tips", "N", [_can_push(yaw) for yaw in turns]),
        Kind("cylinder", "pressure to rim, leaning", "m", [_can_pressure(yaw) for yaw in turns]),
        Kind("block on a slope", "friction it needs", "", [_slope_friction(*each) for each in slopes]),
        Kind("tall block", "tilt until it tips", "°", [_tall_tilt(each) for each in (0.1, 0.2, 0.3)]),
        Kind("squeezed block", "does it stay", "", [_squeezed(mu) for mu in (0.3, 0.8)]),
        Kind("ladder", "friction it needs", "", [_ladder(math.radians(each)) for each in (50.0, 60.0, 70.0)]),
    ]


def _number(found: Inspection, label: str) -> float | None:
    return next((each.value for each in found.numbers if each.label == label), None)


def _body(name: str, shape: Box | Cylinder | Plane, at: Vector, friction: float, static: bool = False) -> Body:
    return Body(name, shape, at, static=static, material=Material(friction=friction), id=name)


def _goes_under(scene: Scene, extra: Vector) -> bool:
    """Under gravity and m/s^2 besides, which are a push on a body's middle."""
    model = compile_scene(scene)
    return bool(let_go(replace(model, gravity=model.gravity + np.array(extra)), _moving(model)).moved)


def _leans(scene: Scene, way: float, angle: float) -> bool:
    down, side = -G * math.cos(angle), G * math.sin(angle)
    return _goes_under(scene, (side * math.cos(way), side * math.sin(way), down + G))


def _moving(model: Model) -> np.ndarray:
    return touch_of(model).moving


def _weight(scene: Scene) -> float:
    model = compile_scene(scene)
    return float(model.bodies.mass[_moving(model)].sum()) * G


def slot(friction: float, half: float = 0.25) -> Scene:
    """A cube on the ground between two walls that only touch it."""
    box, wall = Box((half, half, half)), Box((0.1, 1.0, 0.5))
    sides = [_body(name, wall, (x, 0.0, 0.5), friction, True) for name, x in (("a", -half - 0.1), ("b", half + 0.1))]
    return Scene([_body("box", box, (0.0, 0.0, half), friction), *sides])


def _slot_tilt(mu: float) -> Limit:
    scene, angle = slot(mu), math.atan(mu)
    return Limit(
        math.degrees(angle),
        lambda: _number(stability.inspect_body(scene, "box"), TILT),
        lambda share: _leans(scene, math.pi / 2, share * angle),
    )


def _slot_push(mu: float, way: float) -> Limit:
    """F sin = mu (m g + F cos): the wall it presses on helps."""
    scene = slot(mu)
    weight = _weight(scene)
    most = mu * weight / (math.sin(way) - mu * math.cos(way))
    along = np.array([math.cos(way), math.sin(way), 0.0])
    return Limit(
        most,
        lambda: _force_taken(scene, "box", 0.5 * most * along),
        lambda share: _goes_under(scene, tuple(share * most * G / weight * along)),
    )


def _force_taken(scene: Scene, id: str, push: np.ndarray) -> float | None:
    at = next(body.position for body in scene.bodies if body.id == id)
    times = _number(stability.inspect_body(scene, id, (tuple(push), at)), "Force it takes")
    return None if times is None else times * float(np.linalg.norm(push))


def can(yaw: float, friction: float, radius: float = 0.1, half: float = 0.3) -> Scene:
    turned = (math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2))
    return Scene([replace(_body("can", Cylinder(radius, half), (0.0, 0.0, half), friction), orientation=turned)])


def _can_tilt(yaw: float, mu: float) -> Limit:
    scene, angle = can(yaw, mu), math.atan(min(mu, 1.0 / 3.0))
    return Limit(
        math.degrees(angle),
        lambda: _number(stability.inspect_body(scene, "can"), TILT),
        lambda share: _leans(scene, 0.7, share * angle),
    )


def _can_push(yaw: float) -> Limit:
    scene = can(yaw, 2.0)
    most, along = _weight(scene) / 3.0, np.array([math.cos(0.7), math.sin(0.7), 0.0])
    return Limit(
        most,
        lambda: _force_taken(scene, "can", 0.5 * most * along),
        lambda share: _goes_under(scene, tuple(share * G / 3.0 * along)),
    )


def _can_pressure(yaw: float) -> Limit:
    """The ending leans by leaning gravity: the pressure moves by the height times the tangent."""
    scene, tangent = can(yaw, 2.0), 0.2
    pull = (G * math.cos(0.7) * tangent, G * math.sin(0.7) * tangent, -G)
    leaning = replace(scene, gravity=pull)
    return Limit(
        0.1 - 0.3 * tangent,
        lambda: _number(inspect(leaning, "contact", "can"), "Pressure to nearest edge"),
        lambda share: _leans(scene, 0.7, share * math.atan(1.0 / 3.0)),
    )


def _slope_friction(angle: float, mu: float) -> Limit:
    def scene(friction: float) -> Scene:
        normal, lean = (math.sin(angle), 0.0, math.cos(angle)), (math.cos(angle / 2), 0.0, math.sin(angle / 2), 0.0)
        block = replace(
            _body("block", Box((0.1, 0.1, 0.1)), tuple(0.1 * x for x in normal), friction), orientation=lean
        )
        return Scene([_body("slope", Plane(normal=normal), (0.0, 0.0, 0.0), friction, True), block], ground=False)

    return _by_friction(math.tan(angle), mu, scene, "block")


def _by_friction(needed: float, mu: float, scene: Callable[[float], Scene], id: str) -> Limit:
    """Beyond the limit is less friction."""

    def found() -> float | None:
        lost = _number(stability.inspect_body(scene(mu), id), FRICTION)
        return None if lost is None else (1.0 - 0.01 * lost) * mu

    return Limit(needed, found, lambda share: _goes_under(scene(needed / share), (0.0, 0.0, 0.0)))


def _tall_tilt(half: float) -> Limit:
    scene = Scene([_body("block", Box((half, half, 0.6)), (0.0, 0.0, 0.6), 2.0)])
    angle = math.atan(half / 0.6)
    return Limit(
        math.degrees(angle),
        lambda: _number(stability.inspect_body(scene, "block"), TILT),
        lambda share: _leans(scene, 0.0, share * angle),
    )


def _squeezed(mu: float) -> Limit:
    """A slot without a floor: nothing presses, so nothing holds."""
    scene = replace(slot(mu), ground=False)
    return Limit(
        0.0,
        lambda: 0.0 if stability.inspect_body(scene, "box").level == "bad" else 1.0,
        lambda share: _goes_under(scene, (0.0, 0.0, 0.0)),
    )


def ladder(angle: float, friction: float, length: float = 2.0, thick: float = 0.03) -> Scene:
    """A board that leans on a wall; its lower edge stands at x = 0."""
    lean = math.pi / 2 - angle
    up, out = np.array([math.sin(lean), 0.0, math.cos(lean)]), np.array([math.cos(lean), 0.0, -math.sin(lean)])
    middle = 0.5 * length * up - thick * out
    wall = length * float(up[0])
    board = _body("ladder", Box((thick, 0.2, 0.5 * length)), tuple(middle.tolist()), friction)
    leaning = replace(board, orientation=(math.cos(lean / 2), 0.0, math.sin(lean / 2), 0.0))
    return Scene([leaning, _body("wall", Box((0.1, 1.0, 2.0)), (wall + 0.1, 0.0, 2.0), friction, True)])


def _ladder(angle: float, length: float = 2.0, thick: float = 0.03) -> Limit:
    """Sliding at both ends, N_wall = mu N_floor and moments about the foot: d (1 + mu^2) = mu H + mu^2 L, with the
    middle at d, the top at (L, H)."""
    lean = math.pi / 2 - angle
    L, H = length * math.sin(lean), length * math.cos(lean)
    d = 0.5 * L - thick * math.cos(lean)
    a = L - d
    needed = (-H + math.sqrt(H * H + 4.0 * a * d)) / (2.0 * a)
    return _by_friction(needed, 1.5 * needed, lambda friction: ladder(angle, friction), "ladder")
