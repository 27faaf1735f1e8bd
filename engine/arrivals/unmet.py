"""What was asked of an entrance and did not come true, in the artist's words, with how far off it is."""

from __future__ import annotations

import math

import numpy as np

from engine.algebra import norm, times
from engine.functions import arc_tangent
from engine.model.arrays import State
from engine.scene.entrance import Camera, Entrance

ASIDE, SHARE = 15.0, 0.15  # degrees, and of what was asked: so much is not told


def unmet(
    entrance: Entrance, camera: Camera | None, rest: np.ndarray, let_go: State, spin: np.ndarray, up: np.ndarray
) -> list[str]:
    """Of one body that rests at `rest` and is let go in a state."""
    way = let_go.x - rest
    found = []
    sector = entrance.sector(camera)
    if sector is not None and math.hypot(way[0], way[1]) > 0.0:
        angle = math.degrees(arc_tangent(float(way[1]), float(way[0])))
        aside = abs((angle - sector[0] + 180.0) % 360.0 - 180.0) - 0.5 * sector[1]
        found += [f"its side is {aside:.0f} degrees off"] if aside > ASIDE else []
    figures = (
        ("height", entrance.height, float(times(way, up)), "m"),
        ("speed", entrance.speed, norm(let_go.v), "m/s"),
        ("spin", entrance.spin, norm(spin), "rad/s"),
    )
    for name, asked, got, unit in figures:
        if asked is not None:
            off = max(asked[0] * (1.0 - SHARE) - got, got - asked[1] * (1.0 + SHARE), 0.0)
            found += [f"its {name} is {got:.2g} {unit}"] if off > 0.0 else []
    if entrance.region is not None:
        center, half = (np.array(part, float) for part in entrance.region)
        off = norm(np.maximum(np.abs(let_go.x - center) - half, 0.0))
        found += [f"it is let go {off:.2g} m beside its region"] if off > 0.0 else []
    if entrance.off_camera and camera is not None and bool(camera.sees(let_go.x[None])[0]):
        found.append("the camera sees where it is let go")
    return found
