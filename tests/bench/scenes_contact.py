"""Scenes about what contacts can do: the five regimes of a planar contact, and rods for which no force exists.

Of the first, the first step of a forward run shows the regime (de Mont-Marin et al. 2025, figure 5)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.scene.spec import Body, Box, Capsule, Material, Scene

HALF = (0.1, 0.12, 0.3)  # m, of the tall box


def _tall_box(slide: float = 0.0, lift: float = 0.0, turn: float = 0.0, friction: float = 0.9) -> Scene:
    """A box that turns about the edge x = 0.1 (rad/s), moves along x and comes off the ground (m/s)."""
    velocity = np.cross([0.0, turn, 0.0], [-HALF[0], 0.0, HALF[2]]) + [slide, 0.0, lift]
    body = Body(
        name="box",
        shape=Box(HALF),
        position=(0.0, 0.0, HALF[2]),
        velocity=(float(velocity[0]), 0.0, float(velocity[2])),
        angular_velocity=(0.0, turn, 0.0),
        material=Material(friction=friction, restitution=0.0),
    )
    return Scene(bodies=[body])


REGIMES: dict[str, Callable[[], Scene]] = {
    "breaking": lambda: _tall_box(lift=0.4, turn=0.8),
    "tipping": lambda: _tall_box(turn=0.8),
    "slide-tipping": lambda: _tall_box(turn=0.8, slide=0.5, friction=0.05),
    "sticking": lambda: _tall_box(),
    "sliding": lambda: _tall_box(slide=0.5, friction=0.1),
}


def overhanging_brick(out: float) -> Scene:
    """A brick whose middle is `out` metres beyond the middle of a table 0.2 m wide to either side."""
    table = Body("table", Box((0.2, 0.2, 0.1)), (0.0, 0.0, 0.1), static=True)
    return Scene(bodies=[table, Body("brick", Box((0.2, 0.1, 0.05)), (out, 0.0, 0.25))])


def leaning_rod(lean: float, slide: float, spin: float = 0.0, friction: float = 1.6) -> Scene:
    """A thin rod that leans at `lean` degrees above the ground and slides (m/s), tip ahead; `spin` (rad/s) turns it
    about its tip, which stays on the ground. With enough friction no contact force exists (Painleve), or two."""
    angle, half, radius = np.radians(lean), 0.5, 0.01
    up = np.array([-np.cos(angle), 0.0, np.sin(angle)])  # from the tip to the middle
    middle = half * up + [0.0, 0.0, radius]
    velocity = np.array([slide, 0.0, 0.0]) + np.cross([0.0, spin, 0.0], half * up + [0.0, 0.0, radius])
    turn = np.pi / 2.0 - angle  # about y, from upright to leaning back
    body = Body(
        name="rod",
        shape=Capsule(radius=radius, half_length=half),
        position=(float(middle[0]), 0.0, float(middle[2])),
        orientation=(float(np.cos(turn / 2.0)), 0.0, float(-np.sin(turn / 2.0)), 0.0),
        velocity=(float(velocity[0]), 0.0, float(velocity[2])),
        angular_velocity=(0.0, spin, 0.0),
        material=Material(friction=friction, restitution=0.0),
    )
    return Scene(bodies=[body])
