"""Random small scenes of which something is asked: hints first of all, and times, orders, entrances, who leaves."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.arrivals.options import Options
from engine.scene.entrance import Entrance, Stagger
from engine.scene.spec import Body, Box, Cylinder, Hint, Scene, Shape, Sphere, Vector
from tests.bench.scenes import material, turn

HALF = 0.1  # m, of all bodies
FAMILIES = ("row", "stack", "pyramid", "table")
WAYS = ("natural", "natural", "natural", "ahead", "together", "meeting", "dropped")
OTHERS = ("", "", "arrival", "order", "leaves", "stagger", "side", "height")
ORDERS = ("left to right", "bottom up", "at once")


@dataclass(frozen=True)
class Case:
    scene: Scene
    options: Options
    seconds: float
    seed: int


def case(number: int) -> Case:
    rng = np.random.default_rng([21, number])
    family = FAMILIES[number % len(FAMILIES)]
    bodies = _bodies(family, rng)
    moving = [body for body in bodies if not body.static]
    scene = Scene(bodies, name=f"{family} {number}")
    hinted = rng.permutation(len(moving))[: int(rng.integers(1, 3))]
    scene.hints = [_hint(moving[int(i)], rng) for i in hinted]
    scene.assign_ids()
    _ask_more(scene, moving, rng)
    way = WAYS[int(rng.integers(len(WAYS)))]
    way = "together" if way == "meeting" and family == "stack" and len(moving) > 2 else way  # may search for minutes
    options = Options(arrivals=way, manner="preview")  # type: ignore[arg-type]
    return Case(scene, options, float(rng.uniform(1.5, 3.0)), int(rng.integers(3)))


def _bodies(family: str, rng: np.random.Generator) -> list[Body]:
    def body(name: str, shape: Shape, place: Vector, angle: float = 0.0) -> Body:
        own = material(float(rng.uniform(0.1, 0.7)), float(rng.uniform(0.3, 0.8)), 0.002)
        return Body(name, shape, place, turn("z", angle), own)

    box = Box((HALF, HALF, HALF))
    if family == "row":
        shapes: list[Shape] = [box, Cylinder(HALF, HALF), Sphere(HALF)]
        picks = rng.integers(3, size=int(rng.integers(1, 4)))
        return [
            body(f"part{i}", shapes[int(pick)], (0.7 * i, 0.0, HALF), float(rng.uniform(0.0, math.tau)))
            for i, pick in enumerate(picks)
        ]
    if family == "stack":
        return [body(f"part{i}", box, (0.0, 0.0, HALF + 2 * HALF * i)) for i in range(int(rng.integers(2, 5)))]
    if family == "pyramid":
        lower = [body(f"part{i}", box, (0.24 * i, 0.0, HALF)) for i in range(2)]
        return [*lower, body("part2", box, (0.12, 0.0, 3 * HALF))]
    table = Body("table", Box((0.5, 0.4, 0.2)), (0.0, 0.0, 0.2), static=True)
    places = rng.permutation(3)[: int(rng.integers(1, 3))]
    return [table, *(body(f"part{i}", box, (0.3 * float(at) - 0.3, 0.0, 0.5)) for i, at in enumerate(places))]


def _hint(body: Body, rng: np.random.Generator) -> Hint:
    side = float(rng.uniform(0.0, math.tau))
    x, y = math.cos(side), math.sin(side)
    time = float(rng.uniform(0.1, 1.2)) if rng.uniform() < 0.4 else None
    kind = int(rng.integers(8))
    speed = float(rng.uniform(0.3, 1.5))
    if kind == 7 and not isinstance(body.shape, Sphere):
        kind = 0
    if kind in (0, 1):
        return Hint("slide", body.name, direction=(x, y, 0.0), speed=speed, time=time)
    if kind == 2:
        return Hint("slide", body.name, direction=(x, y, 0.0), distance=float(rng.uniform(0.1, 0.4)), time=time)
    if kind in (3, 4):
        steep = math.radians(rng.uniform(30.0, 85.0))
        down = (math.cos(steep) * x, math.cos(steep) * y, -math.sin(steep))
        return Hint("bounce", body.name, direction=down, speed=1.5 * speed, time=time)
    if kind == 5:
        high, far = float(rng.uniform(0.1, 0.4)), float(rng.uniform(0.0, 0.4))
        return Hint("bounce", body.name, direction=(x, y, 0.0), height=high, distance=far, time=time)
    if kind == 6:
        return Hint("launch", body.name, velocity=(0.3 * x, 0.3 * y, -speed), time=time)
    return Hint("roll", body.name, direction=(x, y, 0.0), time=time)


def _ask_more(scene: Scene, moving: list[Body], rng: np.random.Generator) -> None:
    what, one = OTHERS[int(rng.integers(len(OTHERS)))], moving[int(rng.integers(len(moving)))]
    if what == "arrival":
        one.arrival = float(rng.uniform(0.1, 3.5))
    elif what == "order":
        scene.arrival_order = [moving[int(i)].id for i in rng.permutation(len(moving))]
    elif what == "leaves":
        one.leaves = ("never", "free")[int(rng.integers(2))]
    elif what == "stagger":
        seconds = float(rng.uniform(0.1, 0.6)) if rng.uniform() < 0.5 else None
        scene.stagger = Stagger(ORDERS[int(rng.integers(len(ORDERS)))], seconds)
    elif what == "side":
        scene.entrances = [Entrance(one.id, side=(float(rng.uniform(0.0, 360.0)), 60.0))]
    elif what == "height":
        low = float(rng.uniform(0.2, 0.6))
        scene.entrances = [Entrance(one.id, kind="drop", height=(low, 1.5 * low))]
