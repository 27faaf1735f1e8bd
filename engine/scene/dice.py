"""Dice: boxes with spots, six on +z, five on +y, four on +x; opposite sides sum to seven."""

from __future__ import annotations

from engine.scene.spec import Body, Box

PIPS = "pips"  # key of Body.extra, true for a die
SPOT_COLOR = "#26272b"
RADIUS = 0.19  # of a spot, where half an edge is 1
SPREAD = 0.5  # between neighbouring spots

_CORNERS = [(-1, -1), (1, 1)]
_OTHERS = [(-1, 1), (1, -1)]
_SIDES = [(-1, 0), (1, 0)]
SPOTS = {
    1: [(0, 0)],
    2: _CORNERS,
    3: [(0, 0), *_CORNERS],
    4: _CORNERS + _OTHERS,
    5: [(0, 0), *_CORNERS, *_OTHERS],
    6: _CORNERS + _OTHERS + _SIDES,
}
"""Number -> places in steps of SPREAD along the two axes after the side's own, in their order round."""
SIDES = {(2, 1): 6, (2, -1): 1, (1, 1): 5, (1, -1): 2, (0, 1): 4, (0, -1): 3}
"""(axis, sign) -> spots."""


def is_die(body: Body) -> bool:
    return isinstance(body.shape, Box) and body.extra.get(PIPS) is True
