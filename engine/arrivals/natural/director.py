"""From a brief to a tape, each body as it suits it: what stands alone on level ground is dropped, by real drops of the
library; what rests on others, or anywhere else, finds its way by look-ahead; what joints hold together goes back at
once."""

from __future__ import annotations

import numpy as np

from engine.algebra import norm
from engine.arrivals.ahead import director as ahead
from engine.arrivals.brief import Brief, Stopped
from engine.arrivals.dropped.assemble import tape_of
from engine.arrivals.dropped.choose import Wish
from engine.arrivals.dropped.placing import Placing
from engine.arrivals.dropped.released import released_drops
from engine.arrivals.entering import Coming, entered
from engine.arrivals.meeting import director as meeting
from engine.arrivals.natural.later import let_go_as_drawn, let_go_together
from engine.arrivals.natural.loose import come_loosely
from engine.arrivals.natural.tuning import EARLY, FALL, HAND
from engine.arrivals.scale import scale_of
from engine.arrivals.stagger import staggered
from engine.arrivals.strategy import Made
from engine.arrivals.times import FIRST_REST, asked_times, in_order
from engine.arrivals.together import director as together
from engine.decide.chance import draws
from engine.scene.entrance import Entrance


def make(brief: Brief) -> Made:
    if not brief.lets_go or not brief.moves.any():
        return together.go_back(brief)
    if len(brief.model.joints.kind) and brief.model.gravity.any():
        return come_loosely(brief)
    if ahead.unsettled(brief):
        return let_go_together(brief, together.go_back(brief))
    placing = Placing(brief)
    moving = {int(row) for row in np.flatnonzero(brief.moves)} - brief.staying
    if moving and moving <= set(placing.stands):
        return _dropped(brief, placing, sorted(moving))
    return let_go_as_drawn(brief, together.go_back(brief)) if ahead.unsuited(brief) else ahead.look_ahead(brief)


def meet(brief: Brief) -> Made:
    """Bodies that collide on their way in; let go where the scene asks for entrances."""
    made = meeting.meet(brief)
    return let_go_together(brief, made) if brief.lets_go else made


def _dropped(brief: Brief, placing: Placing, rows: list[int]) -> Made:
    """Everybody stands alone: real drops."""
    rests = _rests(brief, rows)
    wishes = {row: wish for row in rows if (wish := _wish(brief, brief.entrances[row])) is not None}
    try:
        found = released_drops(brief, rows, rests, wishes, placing=placing)
    except Stopped:
        tape = tape_of(brief.model, placing.params, brief.steps, {}, {})
        return Made(tape, (), brief.stopped_after(0))
    if found.why:
        return ahead.look_ahead(brief)
    if len(rows) == 1:
        rests = _soon(brief, rests, found.arrivals[rows[0]].motion.steps, rows[0])
    names = brief.model.names
    hows = {row: "toss" if brief.entrances[row].kind == "toss" else "drop" for row in rows}
    tape = tape_of(brief.model, placing.params, brief.steps, found.arrivals, rests, hows)
    comings = []
    for row, came in found.arrivals.items():
        begin = rests[row] - came.motion.steps
        states = came.states if begin >= 0 else type(came.states)(*(part[-begin:] for part in came.states))
        comings.append(Coming(row, max(begin, 0), states, hows[row]))
    tape, notes = entered(brief, tape, comings)
    notes += [f'"{names[row]}" is there from the start: the take is too short' for row in rows if rests[row] == 0]
    for row, missed in sorted(found.missed.items()):
        notes += [f'"{names[row]}" comes in otherwise than asked: {_words(what, by)}' for what, by in missed.items()]
    return Made(tape, tuple(notes), None)


def _wish(brief: Brief, entrance: Entrance) -> Wish | None:
    """What an entrance asks of a drop; None: nothing."""
    camera = brief.scene.camera
    allowed = None
    if entrance.off_camera and camera is not None:
        allowed = lambda x: not bool(camera.sees(np.asarray(x)[None])[0])  # noqa: E731
    wish = Wish(
        side=entrance.sector(camera), height=entrance.height, speed=entrance.speed, spin=entrance.spin,
        region=entrance.region, allowed=allowed,
    )  # fmt: skip
    return None if wish == Wish() else wish


UNITS = {"side": "degrees", "height": "m", "speed": "m/s", "spin": "rad/s", "region": "m"}


def _words(what: str, by: float) -> str:
    return "the camera sees where it is let go" if what == "allowed" else f"its {what} is {by:.2g} {UNITS[what]} off"


def _soon(brief: Brief, rests: dict[int, int], steps: int, row: int) -> dict[int, int]:
    """A single body comes in as soon as a hand has had the time to bring it, or not much later: a take that begins
    empty is longer than it needs to be. steps: of its drop."""
    hand = round(HAND * scale_of(float(brief.model.bodies.size[row]), norm(brief.model.gravity)).time / brief.params.dt)
    if row in asked_times(brief.scene, brief.model) or brief.entrances[row].start is not None:
        return rests
    latest = max(brief.steps - round(FIRST_REST / brief.params.dt), 0)
    soonest = min(steps + hand, latest)
    return {row: soonest + round(EARLY * float(draws(brief.seed, "rests").uniform()) * (latest - soonest))}


def _rests(brief: Brief, rows: list[int]) -> dict[int, int]:
    """First step at rest, by row: one after another over the take, by chance or in the order asked for."""
    model, seconds = brief.model, brief.steps * brief.params.dt
    slowest = float(model.bodies.size[rows].max())
    soonest = min((HAND + FALL) * scale_of(slowest, norm(model.gravity)).time, 0.8 * seconds)
    left = max(seconds - soonest - FIRST_REST, 0.0)
    asked = asked_times(brief.scene, model)
    rng = draws(brief.seed, "rests")
    groups = staggered(brief, rows)
    if len(rows) == 1:
        times = {rows[0]: FIRST_REST}  # or sooner, once its drop is known
    elif groups is not None:
        between = left / max(len(groups) - 1, 1)
        if brief.scene.stagger is not None and brief.scene.stagger.seconds is not None:
            between = min(between, brief.scene.stagger.seconds)
        last = FIRST_REST + between * (len(groups) - 1)
        times = {row: last - between * i for i, group in enumerate(groups) for row in group}
    else:
        dealt = rng.permutation(len(rows))
        times = {row: FIRST_REST + left * float(dealt[i]) / (len(rows) - 1) for i, row in enumerate(rows)}
    for row in rows:
        if brief.entrances[row].start is not None:  # a hand is to leave its start in time: it rests as late as it can
            times[row] = FIRST_REST
    times = in_order(brief.scene, model, {row: time for row, time in times.items() if row not in asked}) | {
        row: time for row, time in asked.items() if row in rows
    }
    steps = {row: brief.steps - round(time / brief.params.dt) for row, time in times.items()}
    return {row: max(min(step, brief.steps - 1), 0) for row, step in steps.items()}
