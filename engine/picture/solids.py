"""The solids of a body as rays look for them: where their ball is seen, then exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.scene.spec import Shape
from engine.shapes.answers import ShapeAnswers
from engine.shapes.ask import ask
from engine.shapes.components import Component, components
from engine.shapes.rays import Hit


@dataclass(frozen=True)
class DrawnSolid:
    """A simple solid in its body's frame, inside a ball."""

    answers: ShapeAnswers
    part: Component
    center: np.ndarray  # (3,) m, of the ball
    bound: float  # m, its radius; infinite for a plane

    def hit(self, origin: np.ndarray, direction: np.ndarray) -> Hit:
        """Where rays, in the body's frame, first meet it."""
        _, place, turn = self.part
        t, normal, edge = self.answers.hit((origin - place) @ turn, direction @ turn)
        return Hit(t, normal @ turn.T, edge)


def solids_of(shape: Shape) -> list[DrawnSolid]:
    """The solids of a shape in the body's frame."""
    found = []
    for part in components(shape):
        answers = ask(part.shape)
        center, bound = answers.ball()
        found.append(DrawnSolid(answers, part, part.place + part.turn @ center, bound))
    return found
