"""Wedged structures: every ray of a truss, patterns in space found in two ways; and rigid bodies in scenes."""

from __future__ import annotations

import numpy as np

from engine.analysis import wedged
from engine.scene.inspection import Inspection
from engine.scene.spec import Body, Box, Material, Plane, Scene
from tests.bench.inspector_case import Case
from tests.bench.scenes_director import bonded_wall
from tests.engine.analysis.structures import block_of_the_paper, leaning_truss

RAYS = {15: 5262, 17: 20027, 19: 77335}
"""Of the truss with so many contact nodes at a friction of 0.65. (Fujita and Kanno 2009: theirs has 744, 2048 and 5413,
which took 74, 573 and 3246 s.)"""


def _truss(nodes: int) -> bool:
    """As many rays as there are, and every one obeys the law."""
    K, mu = leaning_truss(nodes), 0.65
    found = wedged.rays(K, mu)
    normal, sideways = found.rays[:, 0::2], found.rays[:, 1::2]
    gaps = np.linalg.solve(K, found.rays.T).T[:, 0::2]
    lawful = (np.abs(sideways) <= mu * normal + 1e-9).all() and (gaps > -1e-7).all()
    return bool(lawful and (np.abs(gaps * normal) < 1e-7).all() and len(found.rays) == RAYS[nodes])


def _block(rng: np.random.Generator) -> bool:
    """Fujita and Kanno 2009, table 1."""
    found = wedged.critical_friction(block_of_the_paper(mirrored=True), 1.5)
    return [f"{value:.4f}" for value in found.by_cone] == ["1.4545", "1.2689"]


def _in_space(rng: np.random.Generator) -> bool:
    """Branch and bound and the rays of a pyramid find the same patterns."""
    size = 3 * int(rng.integers(1, 7))
    factor = rng.normal(size=(size, size))
    K, mu = factor @ factor.T + 0.05 * size * rng.random() * np.eye(size), rng.uniform(0.2, 2.0)
    return wedged.sign_patterns(K, mu) == wedged.sign_patterns_by_rays(K, mu)


def _in_slot(rng: np.random.Generator) -> bool:
    """A box between two walls stays from the friction at which its lesser diagonal is inside the cones."""
    half = tuple(rng.uniform(0.2, 2.0, 3).tolist())
    material = Material(friction=0.5)
    walls = [Body(f"wall {k}", Plane((-k, 0, 0), (k * half[0], 0, 0)), static=True, material=material) for k in (-1, 1)]
    told = _told(Scene([*walls, Body("box", Box(half), material=material)], ground=False), "box")
    expected = min(half[1:]) / half[0]
    return bool(told.numbers[0].value is not None and abs(told.numbers[0].value - expected) < 1e-3)


def _in_wall(rng: np.random.Generator) -> bool:
    """A brick with others on all its sides, in a wall without gaps: settled, and by more than it takes to hold."""
    scene = bonded_wall(4, 4, gap=0.0)
    stays, holds, *_ = (number.value for number in _told(scene, "brick2.1").numbers)
    return stays is not None and holds is not None and holds < stays


def _told(scene: Scene, name: str) -> Inspection:
    return wedged.inspect_body(scene, next(body.id for body in scene.bodies if body.name == name))


WEDGED = (
    Case("wedged", "critical friction of a block", "m = 12", 5, 1, _block, seed=0),
    Case("wedged", "patterns in space, two ways", "m <= 6", 200, 5, _in_space, seed=0),
    Case("wedged", "box in a slot", "8 contacts", 50, 2, _in_slot, seed=0),
    Case("wedged", "brick in a wall", "24 contacts", 3, 1, _in_wall, seed=0),
    Case("wedged", "all rays of a truss", "m = 15", 5, 1, lambda rng: _truss(15), seed=0),
    Case("wedged", "all rays of a truss", "m = 17", 3, 0, lambda rng: _truss(17), seed=0),
    Case("wedged", "all rays of a truss", "m = 19", 1, 0, lambda rng: _truss(19), seed=0),
)
