"""Stacking: which bodies of an ending are free to have arrived last, what holds the others, who carries whom."""

from __future__ import annotations

import numpy as np

from engine.analysis.asked import LookUp, called, go_on
from engine.analysis.leaving import way_out
from engine.analysis.stability.findings import unsteady
from engine.analysis.touch import touch_of
from engine.arrivals.ahead.order import courses
from engine.arrivals.ahead.standing import Remainders
from engine.arrivals.ending import ending_of, is_constrained
from engine.arrivals.structure import Structure, structure_of
from engine.model.compile import compile_scene
from engine.params import DEFAULT_DT, make_params
from engine.scene.seat import Seat, Stacking, Trouble, contradictions
from engine.scene.spec import Scene

MOST_STANDING = 64  # bodies up to which every remainder is asked whether it stands: each is a solve of its own
STEEP = 0.7  # cosine within which a direction is called up or down


def free_bodies(scene: Scene) -> dict[str, bool]:
    """Moving bodies by name: True when nothing holds the body from the other side, or nothing touches it at all."""
    model = compile_scene(scene)
    ending = ending_of(model)
    return {body.name: not is_constrained(ending, model.index(body)) for body in scene.bodies if not body.static}


def report(scene: Scene, look_up: LookUp = go_on) -> Stacking:
    """How every moving body sits, in an order in which they can have arrived, and what is wrong with the stack.

    `look_up` is called between bodies and may raise, to stop."""
    model = compile_scene(scene)
    structure, ending = structure_of(model), ending_of(model)
    rows = [int(row) for body, row in zip(scene.bodies, model.row_of, strict=True) if not body.static]
    course = courses(structure)
    seats = []
    for row in sorted(rows, key=lambda row: (course[row], model.names[row])):
        look_up()
        by_rule = not is_constrained(ending, row)
        way = _way_out(structure, row)
        seats.append(
            Seat(
                id=model.ids[row],
                name=model.names[row],
                free=way is not None,
                by_rule=by_rule,
                reason=f"{_pair(structure, row)}." if way is None else _leaves(structure, row, way, by_rule),
                below=_ids(structure, structure.carriers[row]),
                above=_ids(structure, structure.carried[row]),
                course=course[row],
            )
        )
    return Stacking(tuple(seats), (*_weights(scene, structure, course), *contradictions(seats, scene)))


def _ids(structure: Structure, rows: frozenset[int]) -> tuple[str, ...]:
    return tuple(structure.model.ids[row] for row in sorted(rows))


def _way_out(structure: Structure, row: int) -> np.ndarray | None:
    model = structure.model
    arms = structure.contacts.point[structure.rows_of[row]] - model.start.x[row]
    return way_out(structure.normals_toward(row), arms / max(float(model.bodies.size[row]), 1e-9), structure.up)


def _leaves(structure: Structure, row: int, way: np.ndarray, by_rule: bool) -> str:
    if not len(structure.rows_of[row]):
        return "It touches nothing."
    lift = float(way[:3] @ structure.up)
    speed = float(np.linalg.norm(way[:3]))
    how = "upward" if lift > STEEP * speed else "sideways" if lift > -STEEP * speed else "downward"
    if np.linalg.norm(way[3:]) > 2.0 * speed:
        how = "by turning"
    if by_rule:
        return f"Nothing holds it: it can leave {how}."
    return f"{_pair(structure, row)}, yet it can leave {how}."


def _pair(structure: Structure, row: int) -> str:
    """The two contacts that oppose each other most, in words."""
    normals, others = structure.normals_toward(row), structure.others_of(row)
    i, j = np.unravel_index(int(np.argmin(normals @ normals.T)), (len(normals), len(normals)))
    lift = normals @ structure.up
    upper, lower = (i, j) if lift[i] <= lift[j] else (j, i)
    above, below = called(structure.model, int(others[upper])), called(structure.model, int(others[lower]))
    if lift[upper] < -STEEP:
        return f"{above} presses on it from above and {below} carries it"
    return f"It sits between {above} and {below}" if above != below else f"It sits inside {above}"


def _weights(scene: Scene, structure: Structure, course: list[int]) -> list[Trouble]:
    """Bodies that stand only because others weigh them down, found by taking the structure apart from its top."""
    model = structure.model
    if int(structure.moves.sum()) > MOST_STANDING or not model.gravity.any():
        return []
    remainders = Remainders(structure, make_params(DEFAULT_DT, scene.gravity))
    resting = structure.moves.copy()
    troubles = []
    fallen = sorted(unsteady(touch_of(model)))
    for row in fallen:
        why = "it would slide or tip" if len(structure.rows_of[row]) else "it hangs in the air"
        troubles.append(Trouble((model.ids[row],), f'"{model.names[row]}" does not stand where it is: {why}.'))
    if fallen:
        return troubles
    staying: set[int] = set()
    for row in sorted((int(i) for i in np.flatnonzero(resting)), key=lambda i: (-course[i], model.names[i])):
        if structure.carried[row] & staying:
            staying.add(row)
            continue
        resting[row] = False
        falls = remainders.standing(resting).falls
        if falls:
            resting[row] = True
            staying.add(row)
            for each in falls:
                words = f'"{model.names[each]}" stands only because "{model.names[row]}" weighs it down.'
                troubles.append(Trouble((model.ids[each], model.ids[row]), words))
    return troubles
