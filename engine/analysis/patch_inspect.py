"""Where does a body press? The answer for one body at one moment of a take, or of an ending at rest."""

from __future__ import annotations

import numpy as np

from engine.analysis.asked import LookUp, called, called_all, go_on, row_of
from engine.analysis.nearly import Nearly, nearly
from engine.analysis.patch_check import violation_of
from engine.analysis.patch_contacts import Moment, Patch, footprints, moment_of_ending, moment_of_take, patches
from engine.analysis.patch_hull import perp
from engine.analysis.patch_trail import pressure_plots, trail_of, trail_plots
from engine.model.compile import compile_scene
from engine.scene.inspection import Arrow, Drawing, Inspection, Level, Line, Mark, Number, Outline, Plot
from engine.scene.spec import Scene
from engine.scene.vectors import as_vector
from engine.tape.take import Take

ON_THE_BRINK = 0.05  # of the way from the middle of a footprint to its side: nearer to the side it is about to tip
PATCH_HIT_SPEED = 0.1  # m/s: what comes faster hits
LOADS = -0.5  # cosine between normals under which a patch weighs on a body instead of holding it
TANGENT = 0.4  # radii to either side that the tangent of a rim is drawn
REACH = 1.5  # radii of the patch that lines are drawn to, either way

WORDS = {
    "sticking": ("Rests", "{body} rests on {other}."),
    "sliding": ("Slides", "{body} slides on {other}."),
    "tipping": ("Tips", "{body} tips over this edge."),
    "slide-tipping": ("Tips and slides", "{body} tips over this edge, and slides along {other} as it does."),
    "breaking": ("Comes off", "{body} comes off {other}: it touches without pressing."),
}
CENTRE = "Distance of the centre of pressure from the border of the area of support"
CONDITION = "Relative violation of the planar condition (de Mont-Marin and others, 2025)"
ON_A_POINT = {"tipping": ("Rolls", "{body} rolls on {other}: it turns about the point where it touches."),
              "slide-tipping": ("Rolls and slides", "{body} rolls on {other} and slides as it does.")}  # fmt: skip


def inspect_contact(what: Take | Scene, body: str, step: int | None = None) -> Inspection:
    """Of the body with this id: in a step of a take (the last one), or in a scene, in which everything rests."""
    model = compile_scene(what) if isinstance(what, Scene) else what.model
    row = row_of(model, body)
    if isinstance(what, Scene):
        return _inspection(moment_of_ending(model, row), row, None, 0)
    step = what.tape.steps - 1 if step is None else step
    return _inspection(moment_of_take(what, step, row), row, what, step)


def inspect_contacts(scene: Scene, look_up: LookUp = go_on) -> list[Inspection]:
    """Of every moving body of a scene, in which everything rests: for a list of what is wrong with it."""
    return [_inspection(ending, row, None, 0) for ending, row in _all_at_rest(scene, look_up)]


def levels_of(scene: Scene, look_up: LookUp = go_on) -> dict[str, Level]:
    """How well every moving body of a scene stands, by id; what touches nothing does not."""
    return {
        ending.model.ids[row]: "bad" if row in ending.falls else _inspection(ending, row, None, 0).level
        for ending, row in _all_at_rest(scene, look_up)
    }


def _all_at_rest(scene: Scene, look_up: LookUp) -> list[tuple[Moment, int]]:
    model = compile_scene(scene)
    ending = moment_of_ending(model, look_up=look_up)
    return [(ending, int(row)) for row in model.row_of if model.bodies.inverse_mass[row] > 0.0]


def _inspection(moment: Moment, row: int, take: Take | None, step: int) -> Inspection:
    pairs, feet = patches(moment, row), footprints(moment, row)
    name = called(moment.model, row)
    near = nearly(take, step, row) if take is not None and not pairs else None
    if near is not None:
        return _nearly(moment, row, near)
    if not pairs:
        return _answer(moment, row, "fine", "Touches nothing", f"{name} touches nothing here.")
    if moment.model.bodies.inverse_mass[row] == 0.0:
        drawing = Drawing(outlines=_outlines(pairs, feet))
        return _answer(moment, row, "fine", "Fixed", f"{name} is fixed, and bears whatever touches it.", (), drawing)
    if moment.falls.get(row, row) != row:
        other = called(moment.model, moment.falls[row])
        drawing = Drawing(outlines=_outlines(pairs, feet))
        words = f"{name} would stand, but {other}, which it leans on or carries, does not."
        return _answer(moment, row, "bad", "Among falling bodies", words, drawing=drawing)
    if row in moment.falls:
        edge = _edge_under(moment, feet)
        words = f"{name} does not stand here: it would {'tip over this edge' if edge else 'slide or fall'}."
        drawing = Drawing(outlines=_outlines(pairs, feet), lines=(edge,) if edge else ())
        return _answer(moment, row, "bad", "Does not stand", words, drawing=drawing)
    main = feet[0]
    free = all(foot.axes[2] @ main.axes[2] < LOADS for foot in feet[1:])
    level, title, words, edge = _verdict(moment, main, free)
    trail: tuple[Line, ...] = ()
    ends = main.flat(np.array(edge.points)) if edge is not None else None
    plots = pressure_plots(main, ends)
    if take is not None:
        path = trail_of(take, step, row, main)
        plots = trail_plots(path, ends)
        trail = (Line("trail", tuple(as_vector(p) for p in path.places)),) if len(path.places) > 1 else ()
    return _answer(moment, row, level, title, words, _numbers(main, pairs), _drawing(moment, pairs, feet, edge, trail),
                   plots, main.reading.regime)  # fmt: skip


def _answer(
    moment: Moment,
    row: int,
    level: Level,
    title: str,
    sentence: str,
    numbers: tuple[Number, ...] = (),
    drawing: Drawing = Drawing(),  # noqa: B008  frozen
    plots: tuple[Plot, ...] = (),
    state: str = "",
) -> Inspection:
    ids = (moment.model.ids[row],)
    return Inspection("contact", ids, level, title, sentence, numbers, drawing, plots, state=state)


def _nearly(moment: Moment, row: int, near: Nearly) -> Inspection:
    """Of a body in the air, close to a contact."""
    name, other = called(moment.model, row), called(moment.model, near.other)
    title, words = "Just left", f"{name} has just left {other}: here it pressed last."
    gap = Number("Gap", near.gap, "m")
    numbers: tuple[Number, ...] = (gap,)
    if near.seconds is not None:
        title, words = "About to touch", f"{name} is about to touch {other}: here it will press first."
        numbers = (gap, Number("Touches in", near.seconds, "s"))
    marks = tuple(Mark("extended pressure", as_vector(p), moment.model.ids[row]) for p in near.places)
    return _answer(moment, row, "fine", title, words, numbers, Drawing(marks=marks))


def _verdict(moment: Moment, main: Patch, free: bool) -> tuple[Level, str, str, Line | None]:
    """How bad, a few words, a sentence, and the edge of which it speaks. free: nothing holds it from the side."""
    body, other = called(moment.model, main.body), called_all(moment.model, main.others)
    reading = main.reading
    if main.approach > PATCH_HIT_SPEED:
        return "fine", "Hits", f"{body} hits {other} at {main.approach:.2g} m/s.", None
    regime = reading.regime
    single = len(reading.hull.corners) == 1
    title, words = ON_A_POINT[regime] if single and regime in ON_A_POINT else WORDS[regime]
    level: Level = "fine"
    edge = None
    if regime in ("tipping", "slide-tipping") and not single:
        edge = _tipping_edge(moment, main)
    elif regime in ("sticking", "sliding") and _share(main) < ON_THE_BRINK:
        edge = _nearest_edge(main)
        if edge is not None and free:
            level, title = "warning", "About to tip"
            words = "{body} is about to tip over this edge."
        elif edge is not None:
            words = words[:-1] + ", and presses at the very edge of it."
    if regime == "sticking" and main.wrench[1] == 0.0:
        title, words = "Touches", "{body} touches {other} without pressing on it."
    return level, title, words.format(body=body, other=other), edge


def _share(patch: Patch) -> float:
    """How far the centre of pressure is from the nearest side, as a share of what the middle of the patch is; 1 for a
    point or a segment, on which that is no question."""
    side, margin = patch.reading.nearest_side, patch.reading.margin
    if side is None or margin is None:
        return 1.0
    hull = patch.reading.hull
    middle = float(-(hull.normals @ hull.centre - hull.offsets).max())
    return margin / middle if middle > 0.0 else 1.0


def _nearest_edge(patch: Patch) -> Line | None:
    side = patch.reading.nearest_side
    return None if side is None else _edge(patch, *side)


def _edge(patch: Patch, one: np.ndarray, two: np.ndarray, outward: np.ndarray) -> Line:
    """Of a rim, which has no edges, the tangent there."""
    if len(patch.rim):
        middle, along = 0.5 * (one + two), perp(outward)
        reach = max(0.5 * float(np.linalg.norm(two - one)), TANGENT * patch.reading.hull.radius)
        one, two = middle - reach * along, middle + reach * along
    ends = patch.place(np.array([one, two]))
    return Line("tipping edge", (as_vector(ends[0]), as_vector(ends[1])), as_vector(outward @ patch.axes[:2]))


def _tipping_edge(moment: Moment, patch: Patch) -> Line | None:
    """The side of the hull on the zero-velocity line. Once a body has tipped a little only that side still touches; it
    then falls away from where its centre of mass is."""
    line, hull = patch.reading.zero_line, patch.reading.hull
    if line is None:
        return None
    corners = hull.corners
    if hull.is_area:
        away = np.abs(corners @ perp(line[1]) - line[0] @ perp(line[1]))
        one, two = sorted(np.argsort(away)[:2].tolist())
        side = two if (one, two) == (0, len(corners) - 1) else one
        return _edge(patch, corners[side], corners[(side + 1) % len(corners)], hull.normals[side])
    centre = (moment.x[patch.body] - patch.origin) @ patch.axes[:2].T
    outward = perp(corners[1] - corners[0])
    outward /= np.linalg.norm(outward)
    return _edge(patch, corners[0], corners[1], -outward if outward @ (centre - corners[0]) > 0.0 else outward)


def _edge_under(moment: Moment, feet: list[Patch]) -> Line | None:
    """The side of the footprint beyond which the centre of mass hangs, seen along gravity."""
    gravity, foot = moment.model.gravity, feet[0]
    down = float(gravity @ foot.axes[2])
    if len(feet) > 1 or down >= 0.0 or not foot.reading.hull.is_area:
        return None
    centre = moment.x[foot.body]
    below = centre - gravity * float((centre - foot.origin) @ foot.axes[2]) / down
    beyond = foot.reading.hull.excess((below - foot.origin) @ foot.axes[:2].T)
    side = int(np.argmax(beyond))
    corners = foot.reading.hull.corners
    if beyond[side] <= 0.0:
        return None
    return _edge(foot, corners[side], corners[(side + 1) % len(corners)], foot.reading.hull.normals[side])


def _numbers(main: Patch, pairs: list[Patch]) -> tuple[Number, ...]:
    _, f_N, _, f_T = main.wrench
    margin, area = main.reading.margin, main.reading.hull.is_area
    share = _share(main)
    asked = [found for patch in pairs if (found := violation_of(patch)) is not None]
    none = "" if area else "it touches in a point or along a line"
    note = none or ("no force" if margin is None else "")
    return (
        Number("Presses with", f_N, "N", term="Normal force"),
        Number("Friction force", float(np.linalg.norm(f_T)), "N"),
        Number("Pressure to nearest edge", margin if area else None, "m", note, CENTRE),
        Number("Margin before tipping", 100.0 * share if area and margin is not None else None, "%", note),
        Number(
            "Off the law of contact by", max(asked, default=None), "", "" if asked else "some points bounce", CONDITION
        ),
    )


def _drawing(
    moment: Moment, pairs: list[Patch], feet: list[Patch], edge: Line | None, trail: tuple[Line, ...]
) -> Drawing:
    arrows, marks, lines = [], [], list(trail)
    body = moment.model.ids[pairs[0].body]
    for patch in pairs:
        reading = patch.reading
        if reading.cop is None:
            marks += [Mark("extended pressure", as_vector(p), body) for p in patch.place(reading.extended_cop)]
            continue
        at = as_vector(patch.place(reading.cop))
        _, f_N, _, f_T = patch.wrench
        marks.append(Mark("pressure", at, body))
        arrows.append(Arrow("normal", at, as_vector(f_N * patch.axes[2]), body))
        if np.linalg.norm(f_T) > 1e-6 * f_N:
            arrows.append(Arrow("friction", at, as_vector(f_T @ patch.axes[:2]), body))
    zero = feet[0].reading.zero_line
    if zero is not None and len(feet[0].reading.hull.corners) > 1:
        reach = REACH * feet[0].reading.hull.radius
        ends = feet[0].place(np.array([zero[0] - reach * zero[1], zero[0] + reach * zero[1]]))
        lines.append(Line("zero velocity", (as_vector(ends[0]), as_vector(ends[1]))))
    if edge is not None:
        lines.append(edge)
    return Drawing(tuple(arrows), _outlines(pairs, feet), tuple(lines), tuple(marks))


def _outlines(pairs: list[Patch], feet: list[Patch]) -> tuple[Outline, ...]:
    """The hull of every patch, and of several in one plane together."""
    whole = [foot for foot in feet if len(foot.others) > 1]
    found = [(role, p) for role, group in (("patch", pairs), ("hull", whole)) for p in group if p.reading.hull.is_area]
    return tuple(
        Outline(role, tuple(as_vector(p) for p in patch.place(patch.reading.hull.corners)))  # type: ignore[arg-type]
        for role, patch in found
    )
