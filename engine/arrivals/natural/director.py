"""From a brief to a tape, each body as it suits it: what stands alone on level ground is dropped, by real drops of the
library; what rests on others, or anywhere else, or in something that encloses it, finds its way by look-ahead; what
joints hold together goes back at once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from engine.arrivals.ahead import director as ahead
from engine.arrivals.brief import Brief, Stopped
from engine.arrivals.dropped.assemble import tape_of
from engine.arrivals.dropped.choose import Wish
from engine.arrivals.dropped.placing import Placing
from engine.arrivals.dropped.released import Released, Search, released_drops
from engine.arrivals.entering import Coming, entered
from engine.arrivals.meeting import director as meeting
from engine.arrivals.natural.later import let_go_as_drawn, let_go_together, richer
from engine.arrivals.natural.loose import come_loosely
from engine.arrivals.natural.rests import latest_rest, rest_of_one, rests_of_many
from engine.arrivals.natural.tuning import RICHER
from engine.arrivals.overhead import Overhead
from engine.arrivals.strategy import Made
from engine.arrivals.together import director as together
from engine.contact.tiers import GHOSTED
from engine.scene.entrance import Camera, Entrance


def make(brief: Brief) -> Made:
    if not brief.lets_go or not brief.moves.any():
        return together.go_back(brief)
    if len(brief.model.joints.kind) and brief.model.gravity.any():
        return come_loosely(brief)
    if brief.unsettled:
        return _in_motion(brief)
    placing = Placing(brief)
    moving = {int(row) for row in np.flatnonzero(brief.moves)} - brief.staying
    if moving and moving <= set(placing.stands) and not brief.ways_out:
        return _dropped(brief, placing, sorted(moving))
    return let_go_as_drawn(brief, together.go_back(brief)) if ahead.unsuited(brief) else ahead.look_ahead(brief)


def _in_motion(brief: Brief) -> Made:
    """What moves at its ending, or touches nothing there. With more energy authored materials hold for longer, with
    less nobody needs to be ignored: the first of these takes in which nobody is, and all are let go."""
    best: tuple[tuple[int, int], Made] | None = None
    for share in RICHER:
        made = let_go_together(brief, together.go_back(brief, richer(brief, share)))
        ignored = int((made.tape.contact_column("tier") >= GHOSTED).sum())
        under_way = int((made.tape.releases.step[brief.moves] == 0).sum())
        if best is None or (ignored, under_way) < best[0]:
            best = (ignored, under_way), made
        if best[0] == (0, 0) or made.stopped is not None:
            break
    assert best is not None
    return best[1]


def meet(brief: Brief) -> Made:
    """Bodies that collide on their way in; let go where the scene asks for entrances."""
    made = meeting.meet(brief)
    return let_go_together(brief, made) if brief.lets_go else made


def _dropped(brief: Brief, placing: Placing, rows: list[int]) -> Made:
    """Everybody stands alone: real drops."""
    wishes = {row: wish for row in rows if (wish := _wish(brief, brief.entrances[row])) is not None}
    try:
        found, rests = (_one if len(rows) == 1 else _many)(brief, placing, rows, wishes)
    except Stopped:
        tape = tape_of(brief.model, placing.params, brief.steps, {}, {})
        return Made(tape, (), brief.stopped_after(0))
    if found.why:
        return ahead.look_ahead(brief)
    names = brief.model.names
    hows = {row: "toss" if brief.entrances[row].kind == "toss" else "drop" for row in rows}
    tape = tape_of(brief.model, placing.params, brief.steps, found.arrivals, rests, hows)
    comings = []
    for row, came in found.arrivals.items():
        begin = rests[row] - came.motion.steps
        states = came.states if begin >= 0 else type(came.states)(*(part[-begin:] for part in came.states))
        comings.append(Coming(row, max(begin, 0), states, hows[row]))
    tape, told = entered(brief, tape, comings)
    notes = [*brief.notes, *told]
    notes += [f'"{names[row]}" is there from the start: the take is too short' for row in rows if rests[row] == 0]
    for row, missed in sorted(found.missed.items()):
        notes += [f'"{names[row]}" comes in otherwise than asked: {_words(what, by)}' for what, by in missed.items()]
    return Made(tape, tuple(notes), None)


def _one(
    brief: Brief, placing: Placing, rows: list[int], wishes: Mapping[int, Wish]
) -> tuple[Released, dict[int, int]]:
    """Any drop, and then when: nobody else asks for the time."""
    (row,) = rows
    found = released_drops(brief, rows, rest_of_one(brief, row), wishes, placing=placing)
    lasts = found.arrivals[row].motion.steps if row in found.arrivals else None
    return found, rest_of_one(brief, row, lasts)


def _many(
    brief: Brief, placing: Placing, rows: list[int], wishes: Mapping[int, Wish]
) -> tuple[Released, dict[int, int]]:
    """Whoever has a long drop rests late; so few drops are too long for their take."""
    search = Search(brief, placing, rows, wishes, overhead=Overhead(brief))
    rests = rests_of_many(brief, rows, search.lengths(latest_rest(brief)))
    return search.drops(rests), rests


def _wish(brief: Brief, entrance: Entrance) -> Wish | None:
    """What an entrance asks of a drop; None: nothing."""
    camera = brief.scene.camera
    allowed = None if not entrance.off_camera or camera is None else partial(_is_unseen, camera)
    wish = Wish(
        side=entrance.sector(camera), height=entrance.height, speed=entrance.speed, spin=entrance.spin,
        region=entrance.region, allowed=allowed,
    )  # fmt: skip
    return None if wish == Wish() else wish


def _is_unseen(camera: Camera, x: np.ndarray) -> bool:
    return not bool(camera.sees(np.asarray(x)[None])[0])


UNITS = {"side": "degrees", "height": "m", "speed": "m/s", "spin": "rad/s", "region": "m"}


def _words(what: str, by: float) -> str:
    return "the camera sees where it is let go" if what == "allowed" else f"its {what} is {by:.2g} {UNITS[what]} off"
