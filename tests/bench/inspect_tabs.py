"""What the tabs of the studio wait for: one answer about a body of a wall, and the list of problems of the whole."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from engine.analysis.inspect import inspect, problems
from engine.scene.spec import Scene
from tests.bench.inspector_case import Case
from tests.bench.scenes import wall


@cache
def _bricks() -> Scene:
    """33 bricks in six courses, half ones at the ends of every other: it stands."""
    return wall()


def _tab(topic: str) -> Callable[[np.random.Generator], bool]:
    def right(rng: np.random.Generator) -> bool:
        bodies = _bricks().bodies
        return inspect(_bricks(), topic, bodies[int(rng.integers(len(bodies)))].id).level == "fine"

    return right


TABS = (
    *(
        Case("tabs", f"{topic} of a brick", "33 bricks", 20, 1, _tab(topic), seed=0)
        for topic in ("stability", "wedged", "contact", "consistency")
    ),
    Case("tabs", "problems of the whole", "33 bricks", 5, 1, lambda rng: problems(_bricks()) == [], seed=0),
)
