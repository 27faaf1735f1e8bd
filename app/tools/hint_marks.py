"""How a hint looks in the view: its curve with a direction mark, the upright plane it lies in, arrows on the corners
that touch, and for the chosen one what was drawn and words. No Qt."""

from __future__ import annotations

import numpy as np

from app.document.fixes import length
from app.look.look import Look
from app.tools.hint_path import HintPath, hint_path
from app.tools.resting import contact_points
from app.tools.tool import Dot, Label, Marks, Stroke
from engine.scene.spec import Body, Hint, Scene

CURVE, RAW, ARROW, RIB = 2.6, 5.0, 2.2, 0.8  # px
QUIET = 0.55  # opacity of hints that are not chosen
RIBS = 9  # upright lines in the plane of an arc
ARROW_TIME = 0.06  # s of landing speed that an arrow on a corner is long
ARROW_LENGTHS = (0.5, 1.2)  # of the body's size, at least and at most
DIRECTION = 0.68  # share of the way at which the direction mark stands
KIND_ICONS = {"bounce": "hint.bounce", "launch": "hint.bounce"}


def hint_marks(scene: Scene, hint: Hint, body: Body, look: Look, chosen: bool) -> Marks:
    path = hint_path(scene, hint, body)
    if path is None:
        return Marks()
    pink, strength = look.view("hint"), 1.0 if chosen else QUIET
    marks = Marks()
    if path.flies:
        marks.strokes += _plane(path, look, strength)
    if chosen and hint.stroke is not None and len(hint.stroke) > 1:
        drawn = np.array(hint.stroke) + np.array(body.position)
        marks.strokes.append(raw_stroke(drawn, look))
    marks.strokes.append(Stroke(path.points, pink, CURVE, strength, arrow=DIRECTION if path.flies else 0.6))
    if chosen:
        marks.strokes += _arrows(path, body, pink)
        marks.dots += [Dot(point, pink, 2.0) for point in contact_points(body, path.place.normal)]
        marks.dots.append(Dot(path.start, pink, 4.5, look.view("background_bottom")))
        marks.labels += _labels(path, hint)
    return marks


def raw_stroke(points: np.ndarray, look: Look) -> Stroke:
    """What the hand drew: (n, 2) px or (n, 3) m."""
    return Stroke(points, look.view("raw_stroke"), RAW, float(look.view("raw_stroke_opacity")))


def _plane(path: HintPath, look: Look, strength: float) -> list[Stroke]:
    """The pale area under an arc, a few upright lines in it, and the dashed line along the ground."""
    pink, opacity = look.view("hint"), float(look.view("hint_plane_opacity")) * strength
    up, low = path.place.up, min(float(path.start @ path.place.up), float(path.end @ path.place.up))
    floor = path.points - ((path.points @ up) - low)[:, None] * up
    area = np.concatenate([path.points, floor[[-1, 0]]])
    strokes = [Stroke(area, pink, 0.0, opacity, closed=True, filled=True)]
    for k in np.linspace(0, len(path.points) - 1, RIBS + 2).astype(int)[1:-1]:
        strokes.append(Stroke(np.array([floor[k], path.points[k]]), pink, RIB, 0.28 * strength))
    strokes.append(Stroke(floor[[0, -1]], pink, 1.4, 0.8 * strength, dash=(5.0, 4.0)))
    return strokes


def _arrows(path: HintPath, body: Body, pink: str) -> list[Stroke]:
    """How it comes in, on every corner that touches: longer where it is faster."""
    speed = float(np.linalg.norm(path.landing))
    size = max(path.place.width, path.place.height)
    length = min(max(ARROW_TIME * speed, ARROW_LENGTHS[0] * size), ARROW_LENGTHS[1] * size)
    back = length * path.landing / speed
    corners = contact_points(body, path.place.normal)
    return [Stroke(np.array([corner - back, corner]), pink, ARROW, 0.95, arrow=1.0) for corner in corners]


def _labels(path: HintPath, hint: Hint) -> list[Label]:
    aside = f"{length(path.height)} high" if path.flies else ""
    glyph = KIND_ICONS.get(hint.kind, "hint.slide")
    top = path.top if path.flies else 0.5 * (path.start + path.end)
    return [
        Label(0.0, -44.0, hint.kind, top, aside, glyph, "hint", "hint", centered=True),
        Label(0.0, 14.0, "came from here", path.start, centered=True),
        Label(0.0, 22.0, "ends here", path.end, icon="ending", icon_role="accent", centered=True),
    ]
