"""What a cylinder along z answers."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from engine.algebra import norms, times
from engine.scene.spec import Cylinder
from engine.shapes import rays
from engine.shapes.answers import Pieces, SizeField
from engine.shapes.axial import ENDS, AxialAnswers
from engine.shapes.inertia import MassProperties
from engine.shapes.solid import Solid
from engine.shapes.sphere import RADIUS
from engine.shapes.surface import Surface, cylinder_surface


class CylinderAnswers(AxialAnswers[Cylinder]):
    word = "Cylinder"
    half_name = "half_height"
    sizes = (
        RADIUS,
        SizeField("Height", "Height", lambda s: 2.0 * s.half_height, lambda s, h: replace(s, half_height=0.5 * h)),
    )

    def mass(self, density: float) -> MassProperties:
        r, h = self.shape.radius, self.shape.half_height
        mass = density * 2.0 * math.pi * r * r * h
        across = mass * (r * r / 4.0 + h * h / 3.0)
        return MassProperties(mass, np.zeros(3), np.diag([across, across, 0.5 * mass * r * r]))

    def reach(self, directions: np.ndarray) -> np.ndarray:
        across = norms(directions[:, :2])
        return self.shape.half_height * np.abs(directions[:, 2]) + self.shape.radius * across

    def half_box(self, axis: np.ndarray) -> np.ndarray:
        across = np.sqrt(np.maximum(0.0, 1.0 - axis * axis))
        return np.abs(axis) * self.shape.half_height + across * self.shape.radius

    def radius(self) -> float:
        return math.hypot(self.shape.radius, self.shape.half_height)

    def surface(self) -> Surface:
        return cylinder_surface(self.shape.radius, self.shape.half_height)

    def hit(self, origin: np.ndarray, direction: np.ndarray) -> rays.Hit:
        return rays.cylinder(origin, direction, np.array(self.span()))

    def pieces(self, place: np.ndarray, turn: np.ndarray, shrink: float) -> Pieces:
        axis = (float(turn[0, 2]), float(turn[1, 2]), float(turn[2, 2]))
        corners = times((self.shape.half_height - shrink) * ENDS, turn.T) + place
        return Pieces([Solid(corners, 0.0, axis, self.shape.radius - shrink)])
