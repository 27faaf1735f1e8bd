"""Is this body wedged between what it touches? The answer for one body of a scene, everything else held.

Where contacts have different friction, figures are those of the roughest, and all change together."""

from __future__ import annotations

import math

import numpy as np

from engine.analysis.asked import LookUp, called, go_on, is_jointed, row_of
from engine.analysis.patch_hull import hull_of
from engine.analysis.stability.findings import unsteady
from engine.analysis.touch import Touch, Wrenches, touch_of
from engine.analysis.wedged.rigid import Wedge, rigid
from engine.model.arrays import State
from engine.model.compile import compile_scene
from engine.scene.inspection import Arrow, Drawing, Inspection, Level, Mark, Number, Point
from engine.scene.spec import Scene
from engine.scene.vectors import as_vector

WEDGED = "Wedged"
ONE_PLANE = 1e-4  # m between contacts of one patch, and of unit normals
SLIGHT = 1e-4  # of all reactions together: less is not drawn
SAME = 1e-3  # frictions closer than this are one
SHOWN_SPEED = 0.2  # of its own size, that a body is shown to move in a second


def inspect_body(scene: Scene, body: str, look_up: LookUp = go_on, state: State | None = None) -> Inspection:
    """The body with this id, where it ends, or in another state of the scene's model.

    `look_up` is called between pieces of work and may raise, to stop."""
    model = compile_scene(scene)
    row = row_of(model, body)
    touch, name = touch_of(model, state), called(model, row)
    if row not in touch.moving:
        return _answer(body, "unknown", "Does not move", f"{name} is fixed: nothing needs to hold it.")
    if is_jointed(model, row):
        words = f"{name} hangs on a joint. What joints hold is not asked here."
        return _answer(body, "unknown", "Held by a joint", words)
    rows = corners(touch, row)
    if not len(rows):
        return _answer(body, "fine", "Touches nothing", f"{name} touches nothing that could hold it.")
    wrenches = _of_rows(touch.on_body(row), rows)
    friction = float(wrenches.mu.max())
    ratios = wrenches.mu / friction if friction > 0.0 else np.ones(len(rows))
    wedge = rigid(wrenches.Wn, wrenches.Wt, wrenches.Wo, ratios, look_up)
    level, title, sentence = _verdict(name, wedge, friction, bool(np.ptp(wrenches.mu) > SAME))
    if title == WEDGED and row in unsteady(touch, row, look_up):
        title, sentence = "Wedged once pushed in", f"{sentence} Placed here without a push it would not stay."
    return Inspection(
        "wedged",
        (body,),
        level,
        title,
        sentence,
        _numbers(wedge, friction),
        _drawing(touch, row, wrenches, wedge, wedge.stays <= friction),
        motion=_motion(touch, row, wrenches, wedge),
    )


def corners(touch: Touch, body: int) -> np.ndarray:
    """Contacts of a body at the corners of its patches: where it lies flat on another one, the rest adds nothing."""
    kept: list[int] = []
    rows = touch.rows_of(body)
    others = touch.others_of(body)
    left = list(range(len(rows)))
    while left:
        first = rows[left[0]]
        normal = touch.normal[first]
        patch = [
            k
            for k in left
            if others[k] == others[left[0]]
            and np.abs(touch.normal[rows[k]] - normal).max() < ONE_PLANE
            and abs(normal @ (touch.point[rows[k]] - touch.point[first])) < ONE_PLANE
        ]
        left = [k for k in left if k not in patch]
        axes = np.stack([touch.tangent[first], touch.other[first]])
        points = touch.point[rows[patch]] @ axes.T
        for corner in hull_of(points).corners:
            kept.append(int(rows[patch[int(np.argmin(np.linalg.norm(points - corner, axis=1)))]]))
    return np.array(sorted(kept), np.int64)


def _of_rows(all_of: Wrenches, rows: np.ndarray) -> Wrenches:
    at = np.searchsorted(all_of.rows, rows)
    parts = (all_of.Wn[:, at], all_of.Wt[:, at], all_of.Wo[:, at])
    return Wrenches(rows, *parts, all_of.mu[at], all_of.mass, all_of.gravity)


def _verdict(name: str, wedge: Wedge, friction: float, mixed: bool) -> tuple[Level, str, str]:
    if wedge.stays <= friction:
        if wedge.stays < SAME:
            return "warning", WEDGED, f"{name} is wedged: pushed in, it stays, even without friction."
        share = 100.0 * wedge.stays / friction
        loss = f"if all friction fell to {share:.0f} %" if mixed else f"below a friction of {wedge.stays:.2f}"
        return "warning", WEDGED, f"{name} is wedged: pushed in, it stays. It would come loose {loss}."
    if not wedge.proven:
        words = f"Whether {name} is wedged could not be settled: it touches too much at once."
        return "unknown", "Not proven", words
    if wedge.holds <= friction:
        more = f", unless {_wanted(wedge.stays, friction, mixed)}" if math.isfinite(wedge.stays) else ""
        words = f"{name} is not wedged: squeezed by its neighbours it holds, but pushed in it slips back{more}."
        return "fine", "Snug, not wedged", words
    if math.isfinite(wedge.stays):
        words = f"{name} is not wedged: it slips out. It would jam if {_wanted(wedge.stays, friction, mixed)}."
        return "fine", "Not wedged", words
    return "fine", "Not wedged", f"{name} is not wedged: nothing it touches can hold it from two sides."


def _wanted(wanted: float, friction: float, mixed: bool) -> str:
    if mixed and friction > 0.0:
        return f"all friction were {wanted / friction:.1f} times as large"
    return f"friction were {wanted:.2f} instead of {friction:.2f}"


def _numbers(wedge: Wedge, friction: float) -> tuple[Number, ...]:
    def least(label: str, value: float) -> Number:
        if math.isfinite(value):
            return Number(label, value)
        return Number(label, None, note="no friction would do")

    margin = friction - wedge.stays
    return (
        least("Stays when pushed in, from a friction of", wedge.stays),
        least("Holds when squeezed, from a friction of", wedge.holds),
        Number("Friction here", friction),
        Number(
            "Friction to spare", margin if math.isfinite(margin) else None, note="" if margin > 0.0 else "too little"
        ),
    )


def _drawing(touch: Touch, body: int, wrenches: Wrenches, wedge: Wedge, is_wedged: bool) -> Drawing:
    """Reactions that balance each other, as strong as if the body were pressed with its own weight."""
    if wedge.reactions is None:
        return Drawing(marks=tuple(Mark("contact", as_vector(touch.point[row])) for row in wrenches.rows))
    strength = float(np.linalg.norm(wrenches.gravity)) or 1.0
    side = touch.side(body, wrenches.rows)[:, None]
    frames = np.stack([way[wrenches.rows] for way in (touch.normal, touch.tangent, touch.other)], axis=1)
    forces = side * strength * np.einsum("ci,cij->cj", wedge.reactions, frames)
    name = touch.model.ids[body]
    arrows = [
        Arrow("reaction", as_vector(touch.point[row]), as_vector(force), name)
        for row, force in zip(wrenches.rows, forces, strict=True)
        if np.linalg.norm(force) > SLIGHT * strength
    ]
    marks = [Mark("wedged", arrow.at, name) for arrow in arrows] if is_wedged else []
    return Drawing(arrows=tuple(arrows), marks=tuple(marks))


def _motion(touch: Touch, body: int, wrenches: Wrenches, wedge: Wedge) -> tuple[Point, Point] | None:
    """How it was pushed in: its contacts move slowly."""
    if wedge.motion is None:
        return None
    arms = touch.point[wrenches.rows] - touch.model.start.x[body]
    fastest = float(np.linalg.norm(wedge.motion[:3] + np.cross(wedge.motion[3:], arms), axis=1).max())
    motion = wedge.motion * SHOWN_SPEED * float(touch.model.bodies.size[body]) / max(fastest, 1e-12)
    return as_vector(motion[:3]), as_vector(motion[3:])


def _answer(body: str, level: Level, title: str, sentence: str) -> Inspection:
    return Inspection("wedged", (body,), level, title, sentence)
