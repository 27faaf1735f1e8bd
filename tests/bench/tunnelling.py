"""What is fast and thin: does anything pass through something else within a step, and is it named when it does?

Random bodies at 5 to 50 m/s against plates of 0.5 to 5 mm that stand still or fly, and against each other. Whether one
has passed is not asked of the engine: the centre of a body crosses the middle plane of a plate inside the plate, or two
balls come nearer than half the sum of their radii and go on, on the straight way between two states."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.params import DEFAULT_DT, FINAL_DT, PREVIEW_DT
from engine.run import backward, forward
from engine.scene.spec import Body, Box, Capsule, Cylinder, Material, Scene, Shape, Sphere
from engine.shapes.turns import rotation_matrices, rotation_matrix
from engine.tape.take import Take
from tests.bench.measure import Row, Tell

DIRECTIONS = ("forward", "backward", "fast")
"""The third is forward in the engine for settling and previews, which is never certified."""
OBSTACLES = ("plate", "flying plate", "other ball")
STEPS = (PREVIEW_DT, DEFAULT_DT, FINAL_DT)
TOLD = ("named", "exact", "in_motion", "unlawful", "overlap_mm")  # by certificates
SIDE = 0.15  # m, half the side of a plate
FLIGHT = 0.25  # m, about as far as the mover is from the plate at first


@dataclass(frozen=True)
class Case:
    scene: Scene
    half: float  # m, half thickness of the plate; of two balls the sum of their radii
    seconds: float
    dt: float


def tunnelling(
    tell: Tell, count: int = 1000, back: int = 300, seed: int = 0, only: Sequence[str] = DIRECTIONS
) -> list[Row]:
    return [_measured(tell, way, back if way == "backward" else count, seed) for way in DIRECTIONS if way in only]


def _measured(tell: Tell, direction: str, count: int, seed: int) -> Row:
    passed, named, unlawful, cpu, reports = 0, 0, 0, 0.0, []
    for i in range(count):
        tell(direction, i, count)
        case = random_case(seed, i, direction)
        began = time.process_time()
        take = run(case, direction)
        cpu += time.process_time() - began
        has = passes(case, take)
        passed += has
        if direction == "fast":
            continue
        report = certify(take)
        named += has and not report.ok
        unlawful += not report.ok
        reports.append(report)
    if not reports:
        return {"direction": direction, "cases": count, "passed": passed, "cpu_s": cpu} | dict.fromkeys(TOLD)
    moving = np.sum([report.in_motion.sum(0) for report in reports], axis=0)
    return {
        "direction": direction,
        "cases": count,
        "passed": passed,
        "named": named,
        "exact": float(np.mean([report.exact_fraction for report in reports])),
        "in_motion": float(moving[1] / max(moving[0], 1)),
        "unlawful": unlawful,
        "overlap_mm": 1e3 * max(report.max_overlap for report in reports),
        "cpu_s": cpu,
    }


def run(case: Case, direction: str) -> Take:
    if direction != "backward":
        return forward(case.scene, case.seconds, case.dt, "fast" if direction == "fast" else "exact")
    options = Options(policy="constant", arrivals="together", launch=False)
    return backward(case.scene, case.seconds, case.dt, options=options)


def random_case(seed: int, i: int, direction: str) -> Case:
    """One body thrown at a plate, or at another ball; backward it flies away from it and has come from there."""
    rng = np.random.default_rng([seed, i, direction == "backward"])
    obstacle = OBSTACLES[int(rng.choice(3, p=(0.6, 0.25, 0.15)))]
    dt, speed = float(rng.choice(STEPS)), float(rng.uniform(5.0, 50.0))
    material = Material(friction=float(rng.uniform(0.0, 0.8)), restitution=float(rng.choice((0.0, 0.3, 0.6, 0.9))))
    if direction == "backward":
        material = replace(material, restitution=max(material.restitution, 0.3))
    turn = rng.normal(size=4)
    turn /= np.linalg.norm(turn)
    normal = rotation_matrix(turn)[:, 2]
    lean = rng.normal(size=3)
    lean -= normal * (lean @ normal)
    heading = normal + rng.uniform(0.0, 1.0) * lean / np.linalg.norm(lean)  # up to 45 degrees off the normal
    heading /= np.linalg.norm(heading)
    target = rotation_matrix(turn)[:, :2] @ rng.uniform(-0.6 * SIDE, 0.6 * SIDE, 2)
    away = float(rng.uniform(0.6, 1.4)) * FLIGHT
    if direction == "backward":
        away += 2.0 * speed * dt  # no kick can be before the ending: its last step is as authored
    towards = 1.0 if direction == "backward" else -1.0
    drift = np.zeros(3)
    if obstacle == "other ball":
        first, second = rng.uniform(2.5e-3, 1e-2, 2)
        aside = float(rng.uniform(0.0, 0.3)) * (first + second) * lean / np.linalg.norm(lean)
        bodies = [
            _thrown("mover", Sphere(first), away * heading + aside, towards * speed * heading, material),
            _thrown("other", Sphere(second), -away * heading, -towards * speed * heading, material),
        ]
        return Case(Scene(bodies, ground=False), first + second, 1.6 * away / speed, dt)
    half = 0.5 * float(rng.uniform(0.5e-3, 5e-3))
    if obstacle == "flying plate":
        drift = rng.normal(size=3)
    plate = Body("plate", Box((SIDE, SIDE, half)), (0.0, 0.0, 0.0), tuple(turn), static=obstacle == "plate",
                 velocity=tuple(drift), material=material)  # fmt: skip
    spin = rng.normal(size=3) * rng.uniform(0.0, 30.0)
    mover = _thrown("mover", _shape(rng), target + away * heading, towards * speed * heading + drift, material, spin,
                    rng.normal(size=4))  # fmt: skip
    return Case(Scene([plate, mover], ground=False), half, 1.6 * away / speed, dt)


def _shape(rng: np.random.Generator) -> Shape:
    size = float(rng.uniform(2.5e-3, 1e-2))
    kind = int(rng.integers(4))
    if kind == 0:
        return Sphere(size)
    if kind == 1:
        return Box(tuple(size * rng.uniform(0.5, 1.0, 3)))
    if kind == 2:
        return Cylinder(size, 0.5 * float(rng.uniform(1e-3, 3e-3)))  # a coin
    return Capsule(0.4 * size, size)


def _thrown(
    name: str,
    shape: Shape,
    place: np.ndarray,
    velocity: np.ndarray,
    material: Material,
    spin: np.ndarray | None = None,
    turn: np.ndarray | None = None,
) -> Body:
    turn = np.array([1.0, 0.0, 0.0, 0.0]) if turn is None else turn / np.linalg.norm(turn)
    spin = np.zeros(3) if spin is None else spin
    return Body(name, shape, tuple(place), tuple(turn), velocity=tuple(velocity), angular_velocity=tuple(spin),
                material=material)  # fmt: skip


def passes(case: Case, take: Take) -> bool:
    """Whether the mover has passed what it was thrown at."""
    row = {body.name: i for i, body in enumerate(case.scene.bodies)}
    mover = take.positions[:, row["mover"]]
    if "other" in row:
        apart = mover - take.positions[:, row["other"]]
        through = (apart[:-1] * apart[1:]).sum(1) < 0.0
        return bool((through & (_nearest(apart) < 0.5 * case.half)).any())
    plate = row["plate"]
    turns = rotation_matrices(take.orientations[:, plate])
    local = np.einsum("kji,kj->ki", turns, mover - take.positions[:, plate])
    before, after = local[:-1], local[1:]
    share = before[:, 2] / np.where(before[:, 2] == after[:, 2], 1.0, before[:, 2] - after[:, 2])
    crossing = before + share[:, None] * (after - before)
    crosses = (before[:, 2] * after[:, 2] < 0.0) & (np.abs(crossing[:, :2]) < SIDE).all(1)
    return bool(crosses.any())


def _nearest(apart: np.ndarray) -> np.ndarray:
    """(k - 1,) m: least distance from the origin on the straight ways between k points."""
    start, way = apart[:-1], np.diff(apart, axis=0)
    square = np.maximum((way * way).sum(1), 1e-300)
    share = np.clip(-(start * way).sum(1) / square, 0.0, 1.0)
    return np.linalg.norm(start + share[:, None] * way, axis=1)
