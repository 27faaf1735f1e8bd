"""What an inspector found, as marks over the picture: forces, cones, patches, where a body presses, the edge it tips
over. No widget."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.kit.painting import line_width
from app.look.look import Look
from app.look.quantity_words import force_words
from app.tools.tool import Dot, Label, Marks, Stroke
from engine.scene.inspection import Arrow, Drawing, Inspection, Line, Mark, Outline

LONGEST, SHORTEST = 0.85, 0.12  # length of the strongest arrow, and of the weakest that is drawn, in sizes of the body
HELD = 0.6  # and of a push that is tried
ABOVE, BELOW = -31.0, 7.0  # px from the end of an arrow to the upper edge of its label
MOST_LABELS = 3
HATCHES = 9  # lines across a patch
SIDES = 4  # lines from the point of a cone to its rim
TEETH = 4  # triangles along a tipping edge
TOOTH = 0.13  # how far one points outward, as a share of the edge
NOTHING = 1e-9


class Palette:
    """Colours of the view, "#rrggbb"."""

    def __init__(self, look: Look) -> None:
        self.force: str = look.view("force_arrow")
        self.friction, self.weight, self.push = look.hex("tuned"), look.hex("text2"), look.hex("accent")
        self.motion: str = look.view("warning")
        self.warning = self.motion
        self.patch: str = look.view("patch_fill")
        self.patch_opacity = float(look.view("patch_fill_opacity"))
        self.trail: str = look.view("trail")
        self.ground: str = look.view("background_bottom")  # behind everything


def inspection_marks(found: Sequence[Inspection], size: float, colors: Palette, patches: bool, forces: bool) -> Marks:
    """`size` (m) is that of the body; `patches` and `forces` say what the artist wants to see."""
    marks = Marks()
    for inspection in found:
        drawing = inspection.drawing
        if patches:
            marks += _patches(drawing, colors)
        marks += _lines(drawing, colors)
        if forces:
            marks += _forces(drawing, size, colors, MOST_LABELS - len(marks.labels))
        marks += _spots(drawing, colors)
        if inspection.level in ("warning", "bad"):
            marks.labels += _warning(inspection)[: MOST_LABELS - len(marks.labels)]
    return marks


def _patches(drawing: Drawing, colors: Palette) -> Marks:
    marks = Marks()
    edge = line_width("patch_edge")
    for outline in drawing.outlines:
        points = np.array(outline.points, float)
        if len(points) < 3:
            continue
        if outline.apex is not None:
            marks.strokes += _cone(points, np.array(outline.apex), colors, strong=outline.role == "load set")
        elif outline.role == "patch":
            marks.strokes.append(Stroke(points, colors.patch, 0.0, colors.patch_opacity, closed=True, filled=True))
            marks.strokes += [Stroke(line, colors.patch, 1.0, 0.55) for line in hatching(points)]
            marks.strokes.append(Stroke(points, colors.patch, edge, 0.9, closed=True))
        else:
            marks.strokes.append(Stroke(points, colors.patch, edge, 0.6, closed=True, dash=(4.0, 3.0)))
    return marks


def _cone(rim: np.ndarray, apex: np.ndarray, colors: Palette, strong: bool) -> list[Stroke]:
    """The rim, and lines to it; the set of loads is told apart by dashes and a fill."""
    dash = (5.0, 3.0) if strong else None
    sides = rim[:: max(1, len(rim) // SIDES)]
    lines = [Stroke(np.array([apex, corner]), colors.patch, 1.0, 0.45, dash=dash) for corner in sides]
    fill = [Stroke(rim, colors.patch, 0.0, 0.10, closed=True, filled=True)]
    return [*fill, Stroke(rim, colors.patch, 1.2, 0.7, closed=True, dash=dash), *lines]


def hatching(points: np.ndarray) -> list[np.ndarray]:
    """Slanted lines (2, 3) across a flat convex polygon (n, 3)."""
    middle = points.mean(axis=0)
    first = points[1] - points[0]
    length = float(np.linalg.norm(first))
    normal = np.cross(first, points[2] - points[0])
    if length < NOTHING or float(np.linalg.norm(normal)) < NOTHING * length:
        return []
    across = first / length
    up = np.cross(normal, across) / np.linalg.norm(np.cross(normal, across))
    flat = np.stack([(points - middle) @ across, (points - middle) @ up], axis=1)
    slant = (flat @ np.array([1.0, 1.0])) / np.sqrt(2.0)
    lines = []
    for level in np.linspace(slant.min(), slant.max(), HATCHES + 2)[1:-1]:
        ends = _crossings(points, slant - level)
        if len(ends) == 2:
            lines.append(np.array(ends))
    return lines


def _crossings(points: np.ndarray, height: np.ndarray) -> list[np.ndarray]:
    """Where the rim of a polygon passes height zero."""
    found = []
    for k in range(len(points)):
        a, b = float(height[k - 1]), float(height[k])
        if (a < 0.0) != (b < 0.0):
            found.append(points[k - 1] + a / (a - b) * (points[k] - points[k - 1]))
    return found


def _lines(drawing: Drawing, colors: Palette) -> Marks:
    marks = Marks()
    for line in drawing.lines:
        points = np.array(line.points, float)
        if len(points) < 2:
            continue
        if line.role == "tipping edge":
            marks.strokes.append(Stroke(points, colors.warning, line_width("tipping_edge")))
            marks.strokes += [Stroke(tooth, colors.warning, 1.2, arrow=1.0) for tooth in teeth(line)]
        elif line.role == "trail":
            marks.strokes.append(Stroke(points, colors.trail, 1.8, dash=(2.0, 3.0)))
        elif line.role == "zero velocity":
            marks.strokes.append(Stroke(points, colors.force, 1.2, 0.7, dash=(6.0, 4.0)))
        else:
            marks.strokes.append(Stroke(points, colors.force, 1.2, 0.7))
    return marks


def teeth(line: Line) -> list[np.ndarray]:
    """Where small triangles along an edge stand and point to, (2, 3) each."""
    if line.outward is None:
        return []
    a, b, outward = np.array(line.points[0]), np.array(line.points[-1]), np.array(line.outward)
    length = float(np.linalg.norm(b - a))
    reach = float(np.linalg.norm(outward))
    if length < NOTHING or reach < NOTHING:
        return []
    feet = [a + (k + 0.5) / TEETH * (b - a) for k in range(TEETH)]
    return [np.array([foot, foot + TOOTH * length * outward / reach]) for foot in feet]


def _forces(drawing: Drawing, size: float, colors: Palette, labels: int) -> Marks:
    marks = Marks()
    loads = [a for a in drawing.arrows if a.role == "load"]  # the weight, then what is pushed besides
    strongest = max((_strength(a) for a in drawing.arrows if a.role != "motion"), default=0.0)
    swiftest = max((_strength(a) for a in drawing.arrows if a.role == "motion"), default=0.0)
    role = {"friction": colors.friction, "load": colors.push, "motion": colors.motion}
    forces = [a for a in drawing.arrows if a.role not in ("motion", "reaction")]  # how strong reactions are is open
    named = sorted(forces, key=lambda a: (a not in loads[1:], -_strength(a)))[: max(labels, 0)]
    for arrow in drawing.arrows:
        most = swiftest if arrow.role == "motion" else strongest
        strength = _strength(arrow)
        if most < NOTHING or strength < 1e-3 * most:
            continue
        along = np.array(arrow.along) / strength
        pushed = arrow in loads[1:]
        shaft = max(HELD if pushed else SHORTEST, LONGEST * strength / most) * size * along
        ends = np.array([arrow.at, arrow.at + shaft]) - (shaft if pushed else 0.0)  # a push ends where it acts
        color = colors.weight if arrow in loads[:1] else role.get(arrow.role, colors.force)
        marks.strokes.append(Stroke(ends, color, line_width("force_arrow"), arrow=1.0))
        if arrow in named:
            known = {"friction": "friction", "load": "push" if pushed else "weight"}
            aside = known.get(arrow.role, _way(along))
            at, y = ends[0 if pushed else 1], BELOW if along[2] < -0.3 and not pushed else ABOVE
            marks.labels.append(Label(0.0, y, force_words(strength), anchor=at, aside=aside, centered=True))
    return marks


def _way(along: np.ndarray) -> str:
    return "up" if along[2] > 0.95 else "down" if along[2] < -0.95 else ""


def _strength(arrow: Arrow) -> float:
    return float(np.linalg.norm(arrow.along))


def _spots(drawing: Drawing, colors: Palette) -> Marks:
    marks = Marks()
    for mark in drawing.marks:
        at = np.array(mark.at, float)
        if mark.role == "pressure":
            marks.dots += [Dot(at, colors.force, 5.5, colors.ground), Dot(at, colors.force, 1.5)]
        elif mark.role == "extended pressure":
            marks.dots.append(Dot(at, colors.force, 3.0, colors.ground))
        elif mark.role == "contact":
            marks.dots.append(Dot(at, colors.patch, 2.0))
        else:
            marks.dots.append(Dot(at, colors.warning, 13.0 if mark.role == "unstable" else 7.0, dashed=True))
    return marks


def _warning(found: Inspection) -> list[Label]:
    """The title, beside what it is about."""
    edges: list[Line] = [line for line in found.drawing.lines if line.role == "tipping edge"]
    marks: list[Mark] = [mark for mark in found.drawing.marks if mark.role not in ("pressure", "contact")]
    areas: list[Outline] = [area for area in found.drawing.outlines if area.role == "patch"]
    places = [edges[0].points[0]] if edges else [marks[0].at] if marks else [areas[0].points[0]] if areas else []
    return [
        Label(0.0, 34.0, found.title, anchor=np.array(place), icon="state.warning", icon_role="ghosted", edge="ghosted",
              centered=True)
        for place in places
    ]  # fmt: skip
