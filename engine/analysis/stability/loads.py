"""Which loads at the centre of a body its contacts withstand, direction by direction over the sphere of forces (Pang
and Trinkle 1998, figures 3 to 6 and 8). The load is all that pulls at the body, its weight included, and as strong
as its weight; bodies it holds together with keep their own."""

from __future__ import annotations

import math

import numpy as np

from engine.analysis.asked import LookUp, called, go_on, row_of
from engine.analysis.stability.balance import nearest_balance
from engine.analysis.stability.cones import Pyramids, balance_by_edges
from engine.analysis.stability.escapes import INNER, WORK, pyramids
from engine.analysis.stability.everywhere import counterexample
from engine.analysis.stability.findings import MOST_AT_ONCE, stand
from engine.analysis.stability.margins import holds_with
from engine.analysis.stability.modes import rolling_motion_under
from engine.analysis.stability.sectors import no_motion, within
from engine.analysis.stability.supports import groups_of
from engine.analysis.touch import touch_of
from engine.errors import ForegoneError
from engine.model.compile import compile_scene
from engine.scene.load_map import COULD, GOES, NEVER, SMOOTH, SURELY, LoadMap
from engine.scene.spec import Scene

ROWS, COLUMNS, SLICE = 12, 24, 72  # directions over the sphere, and around a vertical plane
LIMIT = WORK // 4  # nodes of a search, shared by the contacts
MOST_LUCK = 2000  # nodes of the search for a load that could hold and could move: a fraction of a second


def load_map(scene: Scene, id: str, look_up: LookUp = go_on) -> LoadMap:
    touch = touch_of(compile_scene(scene))
    row = row_of(touch.model, id)
    if row not in touch.moving:
        raise ForegoneError(f"{called(touch.model, row)} is fixed in place: any push leaves it there")
    bodies = next(each for each in groups_of(touch) if row in each)
    if len(bodies) > MOST_AT_ONCE:
        raise ForegoneError(
            f"{called(touch.model, row)} stands among {len(bodies)} bodies: too many to be asked at once"
        )
    found = stand(touch, bodies)
    s, p, six = found.group.supports, pyramids(found), found.group.six(row)
    inner = None if p is None else within(p, INNER)
    limit = 0 if p is None else LIMIT // p.J.shape[2]
    strength = float(touch.model.bodies.mass[row]) * (float(np.linalg.norm(touch.model.gravity)) or 1.0)

    def kind(way: np.ndarray) -> int:
        look_up()
        load = found.group.gravity.copy()
        load[six] = np.r_[strength * way, np.zeros(3)]
        if p is None or inner is None:
            return SMOOTH if holds_with(s, load, 0.0) else COULD if nearest_balance(s, load).holds else GOES
        if balance_by_edges(p.J[0], p.root, load).inside:
            return SMOOTH
        # Pyramids about the cones and within them settle most loads; about octagons of round rims they settle none.
        far = not found.group.rims and not _held_by(p, load)
        if not far and (_held_by(inner, load) or nearest_balance(s, load).holds):
            return SURELY if no_motion(p, load, limit, look_up).proven else COULD
        return NEVER if rolling_motion_under(inner, load, limit, look_up).motion is not None else GOES

    ways = sphere(ROWS, COLUMNS)
    angle = 2.0 * math.pi * np.arange(SLICE) / SLICE
    around = np.stack([np.cos(angle), np.zeros(SLICE), np.sin(angle)], axis=1)
    kinds = np.array([[kind(way) for way in circle] for circle in ways])
    slices = np.array([kind(way) for way in around])
    return LoadMap(called(touch.model, row), ways, kinds, around, slices, None if p is None else no_luck(p, look_up))


def no_luck(p: Pyramids, look_up: LookUp = go_on) -> bool | None:
    """Whether every load that can be balanced is sure to be (theorem 4), of pyramids about the friction cones."""
    found = counterexample(p, MOST_LUCK, look_up)
    return False if found.load is not None else True if found.proven else None


def _held_by(p: Pyramids, load: np.ndarray) -> bool:
    return balance_by_edges(p.edges.reshape(len(load), -1), p.root, load).inside


def sphere(rows: int, columns: int) -> np.ndarray:
    """(rows, columns, 3) unit vectors, each for the same area of the sphere."""
    height = ((2 * np.arange(rows) + 1) / rows - 1.0)[:, None]
    angle = 2.0 * math.pi * (np.arange(columns)[None] + 0.5) / columns
    level = np.sqrt(1.0 - height**2)
    return np.stack(np.broadcast_arrays(level * np.cos(angle), level * np.sin(angle), height), axis=2)
