"""What a stroke drawn in the view asks for: of which body, and how it came. No Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from app.tools.drag import Sight
from app.tools.resting import standing_on
from app.tools.sketch_lift import Place, in_plane, lifted_arc, lifted_line, place_of, upright_plane
from app.tools.stage import Stage
from engine.hints.lift import LiftError
from engine.hints.stroke import Stroke, StrokeError, read_stroke
from engine.scene.spec import Body, Hint
from engine.shapes.ask import ask

SHORTEST = 20.0  # px
SLACK = (8.0, 16.0)  # px around an end of the stroke where a body is still found
TOO_SHORT = "Stroke too short to read. Draw at least two body widths."
OFF = "Start or end the stroke on a body."


class SketchError(ValueError):
    """A stroke that asks for nothing possible, in words for artists. `show`: id of the body that is in the way."""

    def __init__(self, words: str, show: str = "") -> None:
        super().__init__(words)
        self.show = show


@dataclass(frozen=True)
class Reading:
    body: Body
    hint: Hint  # without an id


def read_sketch(stage: Stage, pixels: np.ndarray, straight: bool = False) -> Reading:
    """`pixels` (n, 2) as drawn, in either direction; `straight`: only their ends count. Raises SketchError."""
    scene = stage.document.scene
    body, toward = resting_end(stage, pixels)
    pixels = pixels if toward else pixels[::-1]
    if straight:
        pixels = np.linspace(pixels[0], pixels[-1], 16)
    _refuse_held(stage, body)
    place = place_of(scene, body)
    _refuse_short(stage, place, pixels)
    try:
        stroke = _read(stage, place, pixels)
        slides = straight or stroke.kind == "slide"
        lifted = lifted_line if slides else lifted_arc
        hint = lifted(stage, place, pixels, stroke, scene.gravity)
    except (StrokeError, LiftError) as error:
        raise SketchError(str(error)) from None
    if hint.distance is not None and hint.distance < 0.5 * place.width:  # it would begin inside the body
        raise SketchError(TOO_SHORT)
    return Reading(body, hint)


def _read(stage: Stage, place: Place, pixels: np.ndarray) -> Stroke:
    """What a stroke says as seen; where it says nothing, as it lies in the upright plane: a high arc whose chord is
    seen slanted hangs over on the screen. Raises StrokeError, LiftError."""
    try:
        return read_stroke(pixels)
    except StrokeError:
        plane = upright_plane(stage, place, pixels[0])
        if not plane.seen:
            raise
        upright = read_stroke(in_plane(stage, place, plane, pixels))
        if upright.kind != "bounce":
            raise
        return upright


def resting_end(stage: Stage, pixels: np.ndarray) -> tuple[Body, bool]:
    """The body that a stroke is about, and whether its last point is the end on it. Of two bodies the selected one is
    meant, else the last; a body under an end before one beside it. Raises SketchError."""
    under = (_picked(stage, *pixels[-1]), _picked(stage, *pixels[0]))
    found = _movable(stage, under) or _movable(stage, (_near(stage, pixels[-1]), _near(stage, pixels[0])))
    if found is not None:
        return found
    still = under[0] or under[1]
    if still is not None:
        raise SketchError(f"{still.name} is static and never moves. Free it first, or draw to another body.")
    hidden = next((body for body in stage.selection.bodies() if body.hidden), None)
    raise SketchError(f"{hidden.name} is hidden. Show it first." if hidden is not None else OFF)


def _movable(stage: Stage, ends: tuple[Body | None, Body | None]) -> tuple[Body, bool] | None:
    """Of the bodies at the last and the first end, the one a hint can be for."""
    found = [(body, k == 0) for k, body in enumerate(ends) if body is not None and not body.static]
    chosen = set(stage.selection.ids)
    return next((entry for entry in found if entry[0].id in chosen), found[0] if found else None)


def _near(stage: Stage, pixel: np.ndarray) -> Body | None:
    """A movable body close to a pixel: strokes end a little beside small bodies."""
    for radius in SLACK:
        for turn in np.arange(8) * 0.25 * math.pi:
            body = _picked(stage, pixel[0] + radius * math.cos(turn), pixel[1] + radius * math.sin(turn))
            if body is not None and not body.static:
                return body
    return None


def _picked(stage: Stage, x: float, y: float) -> Body | None:
    key = stage.pick(float(x), float(y))
    return stage.document.scene.find(key) if key is not None else None


def _refuse_held(stage: Stage, body: Body) -> None:
    if ask(body.shape).endless:
        raise SketchError(f"{body.name} has no end: planes stay where they are.")
    above = standing_on(stage.document.scene, body)
    if above:
        others = f" and {len(above) - 1} more stand" if len(above) > 1 else " stands"
        raise SketchError(f"{body.name} cannot leave: {above[0].name}{others} on it.", above[0].id)


def _refuse_short(stage: Stage, place: Place, pixels: np.ndarray) -> None:
    """Less than one width of the body is refused; two are asked for, so that what was asked for surely works."""
    drawn = float(np.linalg.norm(np.diff(pixels, axis=0), axis=1).sum())
    width = place.width / Sight(stage.camera, *stage.extent).pixel_size(place.foot)
    if drawn < max(SHORTEST, width):
        raise SketchError(TOO_SHORT)
