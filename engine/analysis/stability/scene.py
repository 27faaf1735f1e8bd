"""Will it stand? The answer for one body of a scene, and for all of them."""

from __future__ import annotations

import math

import numpy as np

from engine.analysis.asked import LookUp, called, go_on, is_jointed, row_of
from engine.analysis.let_go import Loosened
from engine.analysis.stability import words
from engine.analysis.stability.escapes import Bracket, escape, escape_without_sliding
from engine.analysis.stability.findings import (
    FALLS,
    MOST_AT_ONCE,
    GroupStanding,
    Margins,
    Push,
    hardest_pushes,
    margins_of,
    push_factor,
    stand,
    stay,
    stay_all,
)
from engine.analysis.stability.margins import MOST_FRICTION, friction_needed, friction_wanted
from engine.analysis.stability.picture import cones, forces, gravity_cone, load_arrows, mark, played, plots
from engine.analysis.stability.supports import groups_of
from engine.analysis.touch import Touch, touch_of
from engine.model.arrays import State
from engine.model.compile import compile_scene
from engine.scene.inspection import Arrow, Check, Drawing, Inspection, Level, Number, Point
from engine.scene.spec import Scene
from engine.scene.vectors import as_vector

TOPIC = "stability"
FRICTION, TILT, PUSH = "Friction it could lose", "Tilt it can take", "Push it can take"
MORE = "More friction would hold it"
ROUND = "Not proven for round friction cones: nearly so means pyramids about them (Pang and Trinkle 1998, law 5)"
THEOREM_3 = "Weakly unstable without sliding: so it is with any more friction (Pang and Trinkle 1998, theorem 3)"
SLIM = 0.8  # share of the friction needed, above which standing is a matter of luck
LEVEL = math.radians(1.0)  # tilt below which it is, too
LEAST_START = 1e-3  # m/s^2 with which a body sets out that sets out at once
FREE_FALL = 9.81  # m/s^2, the acceleration as which a motion is played of which only the way is known


def inspect_body(
    scene: Scene,
    id: str,
    load: tuple[Point, Point] | None = None,
    look_up: LookUp = go_on,
    state: State | None = None,
) -> Inspection:
    """How the body with this id stands, among all that it touches: under gravity, and under a force an artist applies,
    (newtons, place in the scene).

    `look_up` is called between pieces of work and may raise, to stop. `state`: not the ending but these poses."""
    touch = touch_of(compile_scene(scene), state)
    row = row_of(touch.model, id)
    name = called(touch.model, row)
    if row not in touch.moving:
        return Inspection(TOPIC, (id,), "unknown", "Static", f"{name} is static: it never moves.")
    push = None if load is None else Push(row, np.array(load[0], float), np.array(load[1], float))
    bodies = next(each for each in groups_of(touch) if row in each)
    if len(bodies) > MOST_AT_ONCE:
        sentence = f"{name} stands among {len(bodies)} bodies that hold each other: too many to be asked at once."
        return Inspection(TOPIC, (id,), "unknown", "Too many at once", sentence)
    found = stay(touch, bodies, look_up) if push is None else stand(touch, bodies, push)
    if not found.balance.proven:
        return _too_close(name, (id,))
    if row in found.falls:
        return _falling(touch, found, row, push, look_up)
    if found.falls:
        return _beside_falling(touch, found, row, push)
    if found.loose is not None and row in found.loose.moved:
        return _loose(touch, found, row, found.loose)
    if found.unsteady:
        return _beside_falling(touch, found, row, push)
    return _standing(touch, found, row, look_up) if push is None else _pushed(touch, found, row, push, look_up)


def inspect_scene(scene: Scene, look_up: LookUp = go_on, state: State | None = None) -> tuple[Inspection, ...]:
    """How everything stands, and then each body that does not."""
    touch = touch_of(compile_scene(scene), state)
    if not len(touch.moving):
        return (Inspection(TOPIC, (), "unknown", "Nothing moves", "No body of the scene can move."),)
    found = stay_all(touch, look_up)
    if not all(each.balance.proven for each in found):
        return (_too_close("everything", tuple(touch.model.ids[int(row)] for row in touch.moving)),)
    falls = [(each, row) for each in found for row in each.unsteady]
    arrows = tuple(arrow for each in found for arrow in forces(touch, each))
    if falls:
        names = [called(touch.model, row) for _, row in falls]
        drawing = Drawing(arrows, marks=tuple(mark(touch, row) for _, row in falls))
        single = [
            _falling(touch, each, row, None, look_up)
            if each.falls or each.loose is None
            else _loose(touch, each, row, each.loose)
            for each, row in falls
        ]
        words_of_all = single[0].sentence if len(falls) == 1 else words.several(names)
        ids = tuple(touch.model.ids[row] for _, row in falls)
        counts = (Number("Bodies that do not stand", len(falls)), Number("Contacts", touch.count))
        return (Inspection(TOPIC, ids, "bad", "Does not stand", words_of_all, counts, drawing), *single)
    lucky = [each for each in found if each.may_move is not None]
    if lucky:
        return _scene_by_luck(touch, lucky, arrows)
    rest = margins_of(touch, found, look_up, least=True)
    one = called(touch.model, touch.moving[0])
    name = "Everything" if len(found) > 1 else "The structure" if len(touch.moving) > 1 else one
    numbers = (*_numbers(touch, rest), Number("Contacts", touch.count))
    sentence = words.standing(name, rest.friction, _least(rest), "it" if len(touch.moving) == 1 else "some of it")
    ids = tuple(touch.model.ids[int(row)] for row in touch.moving)
    level: Level = "warning" if _slim(rest) else "fine"
    return (Inspection(TOPIC, ids, level, "Stands", sentence, numbers, Drawing(arrows), plots(rest, None)),)


def _scene_by_luck(touch: Touch, lucky: list[GroupStanding], arrows: tuple[Arrow, ...]) -> tuple[Inspection, ...]:
    ids = tuple(touch.model.ids[int(row)] for each in lucky for row in each.group.bodies)
    name = called(touch.model, int(lucky[0].group.bodies[0])) if len(ids) == 1 else "Some of it"
    return (Inspection(TOPIC, ids, "warning", "Can stand", words.uncertain(name), (), Drawing(arrows)),)


def _standing(touch: Touch, found: GroupStanding, row: int, look_up: LookUp) -> Inspection:
    name, lone = called(touch.model, row), len(found.group.bodies) == 1
    sure = escape(found, look_up)
    moves = _may_move(found, row, sure)
    if moves is not None:
        return _standing_by_luck(touch, found, row, sure, moves, None, look_up)
    rest = margins_of(touch, [found], look_up)
    hardest = hardest_pushes(found, row, rest.ways, look_up)
    must = _must(rest.friction == 0.0, sure)
    numbers = (*_numbers(touch, rest), Number(PUSH, float(hardest.min()), "N", "level, at its centre"))
    sentence = words.standing(name, rest.friction, _least(rest), "it" if lone else "the stack")
    if not must:
        sentence = words.unproven(sentence)
    level: Level = "warning" if _slim(rest) else "fine"
    outlines = (*cones(touch, row), *gravity_cone(touch, row, rest))
    drawing = Drawing((*forces(touch, found, row), *load_arrows(touch, row, None)), outlines)
    ids, checks = (touch.model.ids[row],), _checks(True, must, rest.friction == 0.0, sure)
    return Inspection(TOPIC, ids, level, "Stands", sentence, numbers, drawing, plots(rest, hardest), checks=checks)


def _may_move(found: GroupStanding, row: int, sure: Bracket | None) -> np.ndarray | None:
    """(6,) an acceleration of the body that the law allows although it can stand."""
    if sure is not None and sure.motion is not None:
        return sure.motion.acceleration[found.group.six(row)]
    if found.may_move is None:
        return None
    return np.asarray(found.may_move[int(np.flatnonzero(found.group.bodies == row)[0])])


def _standing_by_luck(
    touch: Touch,
    found: GroupStanding,
    row: int,
    sure: Bracket | None,
    moves: np.ndarray,
    push: Push | None,
    look_up: LookUp,
) -> Inspection:
    """Of a body that only forces hold which nothing brings about: it has nothing to lose."""
    note = "it need not stand at all"
    numbers = tuple(
        Number(label, 0.0, unit, note)
        for label, unit in ((FRICTION, "%"), (TILT, "°"), (PUSH, "N"))
        if push is None or label == FRICTION
    )
    drawing = Drawing((*forces(touch, found, row), *load_arrows(touch, row, push)), cones(touch, row))
    title = "Can stand" if push is None else "Can hold"
    name, rolls = called(touch.model, row), _goes_without_sliding(found, row, look_up)
    known = bool(rolls) or found.may_move is not None  # not of pyramids alone
    sentence = words.uncertain(name) if push is None else words.uncertain_push(name)
    if not known:
        sentence = words.nearly(name) if push is None else words.nearly_push(name)
    ids, checks = (touch.model.ids[row],), _checks(True, False if known else None, False, sure)
    if rolls:
        sentence = words.whatever_friction(sentence, rolls)
        checks = (*checks, Check(MORE, False, "", THEOREM_3))
    motion = played(moves) if moves.any() else None
    return Inspection(TOPIC, ids, "warning", title, sentence, numbers, drawing, motion=motion, checks=checks)


def _pushed(touch: Touch, found: GroupStanding, row: int, push: Push, look_up: LookUp) -> Inspection:
    """Of a body that takes the push, as all others do."""
    name = called(touch.model, row)
    sure = escape(found, look_up)
    moves = _may_move(found, row, sure)
    if moves is not None:
        return _standing_by_luck(touch, found, row, sure, moves, push, look_up)
    factor = push_factor(found, look_up)
    needed = friction_needed(found.group.supports, found.load, look_up)
    note = "any force in this direction" if factor == math.inf else ""
    numbers = (
        Number("Force it takes", None if factor == math.inf else factor, "times this one", note),
        Number(FRICTION, 100.0 * (1.0 - needed), "%", "under this force"),
    )
    drawing = Drawing((*forces(touch, found, row), *load_arrows(touch, row, push)), cones(touch, row))
    must = _must(needed == 0.0, sure)
    level: Level = "warning" if needed > SLIM else "fine"
    sentence = words.pushed(name, factor) if must else words.unproven(words.pushed(name, factor))
    ids, checks = (touch.model.ids[row],), _checks(True, must, needed == 0.0, sure)
    return Inspection(TOPIC, ids, level, "Holds", sentence, numbers, drawing, checks=checks)


def _must(frictionless: bool, sure: Bracket | None) -> bool | None:
    """Whether it is proven that nothing moves that can stand: without friction it always is (Pang and Trinkle 1998,
    theorem 1), else by the search."""
    return True if frictionless or (sure is not None and sure.proven) else None


def _checks(can: bool, must: bool | None, frictionless: bool, sure: Bracket | None = None) -> tuple[Check, ...]:
    """Weak, strong and frictionless stability, as an artist asks for them."""
    note = "no other motion" if must else "it can move, too" if can else "it moves"
    if must is None:
        note = "not proven" if sure is None else sure.note
    return (
        Check("Can stand", can, "forces exist" if can else "nothing holds it"),
        Check("Must stand", must, note, ROUND if sure is not None and not sure.proven else ""),
        Check("Stands without friction", can and frictionless, "" if frictionless else "slips"),
    )


def _falling(touch: Touch, found: GroupStanding, row: int, push: Push | None, look_up: LookUp) -> Inspection:
    name, model = called(touch.model, row), touch.model
    moves = found.falls[row]
    contacts, jointed = len(touch.rows_of(row)), is_jointed(touch.model, row)
    goes = None if found.loose is None else found.loose.acceleration[row]
    if goes is not None and np.linalg.norm(goes[:3]) > LEAST_START:
        moves = goes  # as the run begins: of all motions that forces may leave the one that the law makes of them
    elif len(found.falls) == 1 and contacts and not jointed:
        alone = escape(found, look_up)  # a motion that obeys the law
        if alone is not None and alone.motion is not None:
            moves = alone.motion.acceleration[found.group.six(row)]
    rolls = _goes_without_sliding(found, row, look_up) if contacts else ""
    times = friction_wanted(found.group.supports, found.load, look_up) if contacts and not rolls else None
    numbers = (
        Number("Friction that would hold it", times, "times as much", "" if times else "no friction would"),
        Number("Acceleration", float(np.linalg.norm(moves[:3])), "m/s²"),
    )
    sentence = words.falling(name, moves, float(model.bodies.size[row]), contacts, jointed)
    if push is not None and stand(touch, found.group.bodies).holds:
        verb = words.how_it_falls(moves, float(model.bodies.size[row]), contacts, jointed)
        sentence = f"{name} does not take this force: it would {verb}."
    if rolls:
        sentence = words.whatever_friction(sentence, rolls)
    motion = played(moves)
    at = as_vector(model.start.x[row])
    arrows = (
        *forces(touch, found, row),
        *load_arrows(touch, row, push),
        Arrow("motion", at, motion[0], model.ids[row]),
    )
    drawing = Drawing(arrows, cones(touch, row), marks=(mark(touch, row),))
    title = "Does not hold" if push is not None else "Does not stand"
    checks = _checks(False, False, False)
    if contacts:
        note = "" if rolls else f"not even {MOST_FRICTION:.0f} times" if times is None else f"{times:.3g} times as much"
        checks = (*checks, Check(MORE, times is not None, note, THEOREM_3 if rolls else ""))
    return Inspection(TOPIC, (model.ids[row],), "bad", title, sentence, numbers, drawing, motion=motion, checks=checks)


def _goes_without_sliding(found: GroupStanding, row: int, look_up: LookUp) -> str:
    """Who may move so, in words; nobody that is known."""
    sure = escape_without_sliding(found, look_up)
    if sure is None or sure.motion is None:
        return ""
    own = sure.motion.acceleration[found.group.six(row)]
    return "it" if np.linalg.norm(own) > FALLS * np.linalg.norm(sure.motion.acceleration) else "what it leans on"


def _loose(touch: Touch, found: GroupStanding, row: int, gone: Loosened) -> Inspection:
    """Of a body that could be held, and goes when it is let go."""
    name, model = called(touch.model, row), touch.model
    moves = np.r_[gone.way[row], gone.turn[row]]
    contacts = len(touch.rows_of(row))
    sentence = words.loose(name, moves, float(model.bodies.size[row]), contacts, is_jointed(model, row))
    motion = played(moves * (FREE_FALL / max(float(np.linalg.norm(moves[:3])), 1e-12)))
    arrow = Arrow("motion", as_vector(model.start.x[row]), motion[0], model.ids[row])
    drawing = Drawing((arrow,), cones(touch, row), marks=(mark(touch, row),))
    checks = (Check("Can stand", True, "if it is squeezed"), Check("Must stand", False, "let go, it moves"))
    ids = (model.ids[row],)
    return Inspection(TOPIC, ids, "bad", "Does not stay", sentence, (), drawing, motion=motion, checks=checks)


def _beside_falling(touch: Touch, found: GroupStanding, row: int, push: Push | None) -> Inspection:
    name, other = called(touch.model, row), called(touch.model, next(iter(found.unsteady)))
    sentence = f"{name} would stand, but {other}, which it leans on or carries, does not."
    if push is not None and stand(touch, found.group.bodies).holds:
        sentence = f"{name} takes this force, but {other} gives way."
    marks = tuple(mark(touch, each) for each in found.unsteady)
    drawing = Drawing((*forces(touch, found, row), *load_arrows(touch, row, push)), marks=marks)
    return Inspection(TOPIC, (touch.model.ids[row],), "bad", "Among falling bodies", sentence, (), drawing)


def _too_close(name: str, ids: tuple[str, ...]) -> Inspection:
    return Inspection(TOPIC, ids, "unknown", "Not known", f"Whether {name} stands is too close to call.")


def _least(rest: Margins) -> float | None:
    return None if rest.tilt is None else float(rest.tilt.min())


def _slim(rest: Margins) -> bool:
    tilt = _least(rest)
    return rest.friction > SLIM or (tilt is not None and tilt < LEVEL)


def _numbers(touch: Touch, rest: Margins) -> tuple[Number, ...]:
    note = "it needs none" if rest.friction == 0.0 else ""
    if rest.first is not None:
        note = f"{called(touch.model, rest.first)} would go first"
    tilt = _least(rest)
    shown = None if tilt is None or tilt >= words.STEEP else math.degrees(tilt)
    why = "nothing pulls" if tilt is None else "" if shown is not None else "none moves it"
    return (
        Number(FRICTION, 100.0 * (1.0 - rest.friction), "%", note),
        Number(TILT, shown, "°", why),
    )
