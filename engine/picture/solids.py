"""The solids of a body as rays look for them: where their ball is seen, then exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.scene.spec import Shape
from engine.shapes.answers import Answers
from engine.shapes.ask import ask
from engine.shapes.leaves import Leaf, leaves
from engine.shapes.rays import Hit


@dataclass(frozen=True)
class Solid:
    """A simple solid in its body's frame, inside a ball."""

    answers: Answers
    leaf: Leaf
    center: np.ndarray  # (3,) m, of the ball
    bound: float  # m, its radius; infinite for a plane

    def hit(self, origin: np.ndarray, direction: np.ndarray) -> Hit:
        """Where rays, in the body's frame, first meet it."""
        _, place, turn = self.leaf
        t, normal, edge = self.answers.hit((origin - place) @ turn, direction @ turn)
        return Hit(t, normal @ turn.T, edge)


def solids_of(shape: Shape) -> list[Solid]:
    """The solids of a shape in the body's frame."""
    found = []
    for leaf in leaves(shape):
        answers = ask(leaf.shape)
        center, bound = answers.ball()
        found.append(Solid(answers, leaf, leaf.place + leaf.turn @ center, bound))
    return found
