"""What was wished and did not come true, in the artist's words, with the reason where somebody knows it: hints, times,
orders, entrances, who stays and who leaves. Read from the finished motion, whoever made it: a wish that a director
forgot is told like any other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.arrivals.brief import Brief
from engine.arrivals.ending import holders_of
from engine.arrivals.follows import PUNCTUAL, STEPS, follows, miss_words
from engine.arrivals.hands import spin_at
from engine.arrivals.stagger import staggered
from engine.arrivals.times import asked_times
from engine.arrivals.unmet import unmet
from engine.model.arrays import State
from engine.rest import REST_OF_ARRIVAL
from engine.scene.entrance import Entrance
from engine.scene.succession import asked_order
from engine.scene.vectors import up_of
from engine.tape.take import Take

NAMED = 3  # bodies of a stagger that are told of by name
OTHERWISE = "comes in otherwise than asked"
ELSEWHERE = "friction and bounces, within the ranges of its material, lead another way"
"""Why a hint is not followed where nobody knows better."""


def unkept(brief: Brief, take: Take, told: Iterable[str] = (), why: Mapping[int, str] | None = None) -> tuple[str, ...]:
    """told: notes of whoever made the take, which say of some wishes better why they were not kept. why: by row, why a
    body does not come as its hint asks."""
    if take.stopped is not None and take.tape.steps < brief.steps:
        return ()  # the part that is missing is told of, and would have held the rest
    return tuple(dict.fromkeys(_Wishes(brief, take, tuple(told), why or {}).broken()))


@dataclass(frozen=True)
class _Wishes:
    brief: Brief
    take: Take
    told: tuple[str, ...]
    why: Mapping[int, str]

    def broken(self) -> list[str]:
        if self._nothing_moves():
            return [*self._hints(), *self._stillness()]
        return [*self._hints(), *self._times(), *self._order(), *self._stagger(), *self._leaving(), *self._entrances()]

    # ---- the motion -----------------------------------------------------------------------------------------------

    @cached_property
    def rests(self) -> np.ndarray:
        """(n,) the state from which on each body rests in its place; 0: it was there all the time; one more than there
        are states: it moves at the ending."""
        tape = self.take.tape
        away = (tape.x != tape.x[-1]).any(axis=2) | (tape.q != tape.q[-1]).any(axis=2)
        last = np.where(away.any(axis=0), len(away) - 1 - np.argmax(away[::-1], axis=0), -1)
        return np.maximum(last + 1, tape.releases.there)

    def seen_to_rest(self, row: int) -> int:
        """The same to the eye of an artist: solvers may leave a body less than a nanometre on its way."""
        x, q = self.take.tape.x[:, row], self.take.tape.q[:, row]
        away = (np.abs(x - x[-1]) > REST_OF_ARRIVAL).any(axis=1) | (np.abs(q - q[-1]) > REST_OF_ARRIVAL).any(axis=1)
        return max(int(np.flatnonzero(np.append(True, away))[-1]), int(self.take.tape.releases.there[row]))

    def before_the_end(self, row: int) -> float:
        """s for which a body rests."""
        return float(self.take.tape.steps - self.rests[row]) * self.brief.params.dt

    @property
    def punctual(self) -> float:
        return max(PUNCTUAL, STEPS * self.brief.params.dt)

    def _nothing_moves(self) -> bool:
        """Of most takes two states tell; the whole tape is opened only for whoever asks when something came."""
        moves, tape = self.brief.moves, self.take.tape
        first, last = tape.state(0), tape.state(tape.steps)
        away = (first.x != last.x).any(axis=1) | (first.q != last.q).any(axis=1) | (tape.releases.there > 0)
        return bool(moves.any()) and not away[moves].any() and not self.rests[moves].any()

    def _is_told(self, row: int, *words: str) -> bool:
        """Whether somebody has said so of a body already, and why."""
        name = f'"{self.name(row)}"'
        return any(note.startswith(name) and any(word in note for word in words) for note in self.told)

    def name(self, row: int) -> str:
        return self.brief.model.names[row]

    # ---- the wishes -----------------------------------------------------------------------------------------------

    def _hints(self) -> list[str]:
        row_of = {body.id: row for row, body in self.brief.bodies.items()}
        found = []
        for report in follows(self.take):
            row = row_of[report.body]
            words = miss_words(report, self.name(row))
            known = self._is_told(row, "stays at rest", "laid by a hand")
            known |= report.only_late and self._is_told(row, "comes to rest")
            if words and not known and row not in self.brief.staying:
                found.append(f"{words}: {self._reason(row)}")
        return found

    def _reason(self, row: int) -> str:
        if row in self.why:
            return self.why[row]
        if not self.rests[row]:
            held = holders_of(self.brief.ending, row, np.array(up_of(self.take.scene.gravity)))
            return f'"{self.name(held[0])}" holds it in place' if held else "it is there from the start"
        if self.take.tape.releases.how[row] == "placed":
            return "a hand lays it"
        return ELSEWHERE

    def _times(self) -> list[str]:
        found = []
        for row, asked in sorted(asked_times(self.take.scene, self.brief.model).items()):
            came = self.before_the_end(row)
            if row in self.brief.staying or self._is_told(row, "comes to rest", "stays at rest", "from the start"):
                continue
            if not self.rests[row]:
                found.append(f'"{self.name(row)}" is there from the start, not {asked:.2f} s before the end')
            elif abs(came - asked) > self.punctual:
                found.append(f'"{self.name(row)}" comes to rest {came:.2f} s before the end, not {asked:.2f} s')
        return found

    def _order(self) -> list[str]:
        row_of = {body.id: row for row, body in self.brief.bodies.items()}
        order = [row_of[key] for key in asked_order(self.take.scene) if row_of[key] not in self.brief.staying]
        found = []
        for earlier, later in zip(order, order[1:], strict=False):
            if self.seen_to_rest(earlier) > self.seen_to_rest(later) + 1 and not self._is_told(
                earlier, "cannot come before"
            ):
                found.append(f'"{self.name(earlier)}" comes to rest after "{self.name(later)}", not before it')
        return found

    def _stagger(self) -> list[str]:
        stagger = self.take.scene.stagger
        if stagger is None:
            return []
        own = {*asked_times(self.take.scene, self.brief.model), *self.brief.launches, *self.brief.staying}
        rows = [int(row) for row in np.flatnonzero(self.brief.moves) if int(row) not in own]
        groups = staggered(self.brief, rows) if rows else None
        late = self.punctual / self.brief.params.dt
        found, times = [], self.rests
        if groups is not None:
            astray = [self.name(row) for first, then in zip(groups, groups[1:], strict=False)
                      for row in first if times[row] > times[then].min() + late]  # fmt: skip
            astray += [self.name(row) for group in groups for row in group if times[row] > times[group].min() + late]
            if astray:
                named = list(dict.fromkeys(astray))[:NAMED]
                some, come = " and ".join(f'"{name}"' for name in named), "come" if len(named) > 1 else "comes"
                found.append(
                    f"not everybody comes {stagger.order}: {some} {come} later, for what carries others comes before "
                    "them, and each needs room"
                )
        if stagger.seconds is not None and stagger.order != "at once" and len(rows) > 1:
            groups = groups or [[row] for row in sorted(rows, key=lambda row: int(times[row]))]
            came = np.sort([times[group].min() for group in groups]) * self.brief.params.dt
            between = float(np.median(np.diff(came))) if len(came) > 1 else stagger.seconds
            if abs(between - stagger.seconds) > self.punctual:
                why = "the take is too short" if between < stagger.seconds else "each needs the time to come in"
                found.append(f"bodies come {between:.2f} s after each other, not {stagger.seconds:.2f} s: {why}")
        return found

    def _leaving(self) -> list[str]:
        found = []
        for row, body in self.brief.bodies.items():
            if body.static:
                continue
            if body.leaves == "never" and self.rests[row]:
                found.append(f'"{self.name(row)}" was pushed on the way, though it is to stay')
            if body.leaves == "free" and not self.rests[row] and not self._is_told(row, ""):
                why = "under others it leaves only when they come one after another"
                found.append(f'"{self.name(row)}" stays at rest: {why}')
        return found

    def _entrances(self) -> list[str]:
        scene = self.take.scene
        if not scene.entrances:
            return []
        up, found = np.array(up_of(scene.gravity)), []
        for row, entrance in self.brief.entrances.items():
            if entrance == Entrance() or row in self.brief.staying or self._is_told(row, "stays at rest", "laid by"):
                continue
            found += [f'"{self.name(row)}" {words}' for words in self._entered(row, entrance, up)]
        return found

    def _entered(self, row: int, entrance: Entrance, up: np.ndarray) -> list[str]:
        tape, model = self.take.tape, self.brief.model
        step, how = int(tape.releases.step[row]), tape.releases.how[row]
        if not self.rests[row]:
            return [] if self._is_told(row, "from the start") else ["is there from the start: no way was found for it"]
        if step == 0:
            asked = entrance.kind not in ("auto", "flight") or _asks(entrance)
            told = self._is_told(row, "too short", "does not")
            return ["is under way from the first frame: it is let go nowhere"] if asked and not told else []
        if entrance.kind == "placed" and how != "placed":
            return ["is not laid by a hand: it comes to rest by itself"]
        if how == "placed" or self._is_told(row, OTHERWISE):
            return []
        let_go = State(*(part[step, row] for part in (tape.x, tape.q, tape.v, tape.l)))
        turning = spin_at(model, row, let_go)
        missed = unmet(entrance, self.take.scene.camera, model.start.x[row], let_go, turning, up)
        return [f"{OTHERWISE}: {words}" for words in missed]

    def _stillness(self) -> list[str]:
        """Why nothing moves at all, where nobody said so."""
        if not self.brief.options.launch or any("at rest" in note or "from the start" in note for note in self.told):
            return []
        stay = " and ".join(f'"{self.name(row)}"' for row in sorted(self.brief.staying)[:NAMED])
        why = f"{stay} stays, with all that carries it" if stay else "no way was found to any place"
        return [f"nothing moves in this take: {why}"]


def _asks(entrance: Entrance) -> bool:
    """Whether anything is asked of where and how a body is let go."""
    asked = (entrance.side, entrance.height, entrance.speed, entrance.spin, entrance.region, entrance.start)
    return entrance.off_camera or any(value is not None for value in asked)
