"""One body per letter: prisms made of convex pieces, standing on the ground or lying on it."""

from __future__ import annotations

import numpy as np

from app.makers.convex_pieces import clipped_above, convex_pieces
from app.makers.made import LIMIT, Batch, Made, counted, too_many
from app.makers.regions import signed_area
from app.makers.text_grid import letter_color
from app.makers.text_outline import Letter, Line
from engine.scene.spec import Body, Compound, Hull, Material

CLEARANCE = 0.01  # of the height, least distance between neighbours
FOOT = 0.016  # of the height: round letters are cut off this far up, about what fonts let them dip below the line
NARROW = 0.08  # of the height: what touches the ground with less than this is given a flat foot
SERIF = 0.03  # of the height, thickness of the slab that a letter gets which would tip over on its own foot
BEYOND = 0.04  # of the height: how far that slab reaches past the centre of mass
LETTER = Material(name="Wood", density=650.0, friction=0.45, restitution=0.35)

Pieces = list[np.ndarray]  # convex polygons (n, 2) m


def letter_bodies(line: Line, height: float, depth: float, upright: bool) -> Made:
    """Letters in a row along x, centred on the origin; upright ones face -y."""
    if len(line.letters) > LIMIT:
        return too_many(len(line.letters), "Use a shorter text.")
    shapes = [_pieces(letter) for letter in line.letters]
    kept = [k for k in _in_sight(shapes) if shapes[k]]
    if upright:
        for k in kept:
            shapes[k] = standing(shapes[k], height)
    _spread(shapes, kept, CLEARANCE * height)
    _center(shapes, kept, upright)
    names = _names(line.letters)
    bodies = {k: _body(names[k], shapes[k], depth, upright, letter_color(k)) for k in kept}
    batches = []
    for word, name in enumerate(line.words):
        mine = tuple(bodies[k] for k in range(len(shapes)) if k in bodies and line.letters[k].word == word)
        if mine:
            batches.append(Batch(name, mine))
    pieces = sum(len(shapes[k]) for k in kept)
    summary = f"{counted(len(bodies), 'letter')} of {counted(pieces, 'convex piece')}"
    return Made(tuple(batches), summary)


def _pieces(letter: Letter) -> Pieces:
    return [piece for region in letter.regions for piece in convex_pieces(region)]


def _in_sight(shapes: list[Pieces]) -> list[int]:
    """Numbers of letters from left to right, which need not be the order of the text."""
    left = {k: min(float(p[:, 0].min()) for p in pieces) for k, pieces in enumerate(shapes) if pieces}
    return sorted(left, key=lambda k: left[k])


def _names(letters: tuple[Letter, ...]) -> list[str]:
    """O, then O 2, O 3."""
    seen: dict[str, int] = {}
    names = []
    for letter in letters:
        seen[letter.text] = seen.get(letter.text, 0) + 1
        names.append(letter.text if seen[letter.text] == 1 else f"{letter.text} {seen[letter.text]}")
    return names


def standing(pieces: Pieces, height: float) -> Pieces:
    """A letter set on y = 0. Its lowest part is cut flat where it would touch the ground in little more than a point,
    and where that is what it takes to stand; F, P and their like, which would tip over all the same, get a serif."""
    low = min(float(p[:, 1].min()) for p in pieces)
    grounded = [p - (0.0, low) for p in pieces]
    first, last = foot(grounded)
    narrow = last - first < NARROW * height
    if not narrow and stands(grounded):
        return grounded
    cut = FOOT * height
    clipped = [clipped_above(p, cut) for p in grounded]
    flat = [p - (0.0, cut) for p in clipped if len(p) >= 3 and signed_area(p) > 0.0]
    best = flat if flat and (narrow or stands(flat)) else grounded
    return best if stands(best) else _with_serif(best, height)


def _with_serif(pieces: Pieces, height: float) -> Pieces:
    """A slab under a letter, from its foot to a little past its centre of mass. The letter is cut off where the slab
    is, so that no part of it counts twice; that and the slab pull the centre of mass toward the foot."""
    first, last = foot(pieces)
    middle, top, beyond = float(centroid(pieces)[0]), SERIF * height, BEYOND * height
    left, right = min(first, middle - beyond), max(last, middle + beyond)
    slab = np.array([(left, 0.0), (right, 0.0), (right, top), (left, top)])
    clipped = [clipped_above(p, top) for p in pieces]
    return [slab, *(p for p in clipped if len(p) >= 3 and signed_area(p) > 0.0)]


def foot(pieces: Pieces) -> tuple[float, float]:
    """First and last place (x, m) at which a letter touches y = 0."""
    touching = np.concatenate([p[np.abs(p[:, 1]) < 1e-12, 0] for p in pieces])
    return float(touching.min()), float(touching.max())


def stands(pieces: Pieces) -> bool:
    """Is the centre of mass over the foot?"""
    first, last = foot(pieces)
    return first < centroid(pieces)[0] < last


def centroid(pieces: Pieces) -> np.ndarray:
    """(2,) m, of the area."""
    total, moment = 0.0, np.zeros(2)
    for piece in pieces:
        a, b = piece - piece[0], np.roll(piece, -1, axis=0) - piece[0]
        cross = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
        area = 0.5 * float(cross.sum())
        total += area
        moment += area * piece[0] + ((a + b) * cross[:, None]).sum(axis=0) / 6.0
    return moment / total


def _spread(shapes: list[Pieces], order: list[int], clearance: float) -> None:
    """Move letters right where they come too near to those before them (touching scripts, accents, tails)."""
    shift = 0.0
    for position, k in enumerate(order):
        shapes[k] = [p + (shift, 0.0) for p in shapes[k]]
        near = min((distance_along(shapes[j], shapes[k]) for j in order[max(0, position - 4) : position]), default=1e9)
        if near < clearance:
            shapes[k] = [p + (clearance - near, 0.0) for p in shapes[k]]
            shift += clearance - near


def distance_along(left: Pieces, right: Pieces) -> float:
    """How far `right` could go left before it meets `left`. Between heights of corners both sides are straight, so
    the heights of all corners decide; 1e9 if they would pass each other."""
    heights = np.unique(np.concatenate([p[:, 1] for p in [*left, *right]]))
    gap = _side(right, heights, np.inf) - _side(left, heights, -np.inf)
    finite = gap[np.isfinite(gap)]
    return float(finite.min()) if len(finite) else 1e9


def _side(pieces: Pieces, heights: np.ndarray, beyond: float) -> np.ndarray:
    """x of the left (beyond = inf) or right (beyond = -inf) side at given heights; `beyond` where there is none."""
    p = np.concatenate(pieces)
    q = np.concatenate([np.roll(piece, -1, axis=0) for piece in pieces])
    swap = p[:, 1] > q[:, 1]
    p, q = np.where(swap[:, None], q, p), np.where(swap[:, None], p, q)  # from the lower to the higher end
    rise = q[:, 1] - p[:, 1]
    level = rise == 0.0
    y = heights[:, None]
    along = np.where(level, 0.0, (y - p[:, 1]) / np.where(level, 1.0, rise))
    x = p[:, 0] + along * (q[:, 0] - p[:, 0])  # level edges: their other end belongs to the next edge too
    reached = (p[:, 1] <= y) & (y <= q[:, 1])
    found = np.where(reached, x, beyond)
    return np.asarray(found.min(axis=1) if beyond > 0 else found.max(axis=1))


def _center(shapes: list[Pieces], kept: list[int], upright: bool) -> None:
    corners = np.concatenate([p for k in kept for p in shapes[k]])
    middle = 0.5 * (corners.min(axis=0) + corners.max(axis=0)) * (1.0, 0.0 if upright else 1.0)
    for k in kept:
        shapes[k] = [p - middle for p in shapes[k]]


def _body(name: str, pieces: Pieces, depth: float, upright: bool, color: str) -> Body:
    """The letter as a body whose origin is its centre of mass."""
    center, half = centroid(pieces), 0.5 * depth
    parts = []
    for piece in pieces:
        own = piece - center
        flat = np.repeat(own, 2, axis=0)
        across = np.tile([-half, half], len(own))
        columns = (flat[:, 0], across, flat[:, 1]) if upright else (flat[:, 0], flat[:, 1], across)
        parts.append((Hull(np.stack(columns, axis=1)), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)))
    x, y = float(center[0]), float(center[1])
    shape = parts[0][0] if len(parts) == 1 else Compound(parts)
    return Body(name, shape, (x, 0.0, y) if upright else (x, y, half), material=LETTER, color=color)
