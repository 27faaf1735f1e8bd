"""What the artist asks of the order of arrival: times, turns, who may leave under others, who stays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace

from engine.arrivals.ahead.structure import Structure
from engine.arrivals.hints import chain_of
from engine.decide.launch import Launch
from engine.model.compile import Model
from engine.scene.spec import Body, Scene
from engine.scene.succession import asked_order, lawful, too_early


@dataclass(frozen=True)
class Wishes:
    """Bodies by row."""

    times: Mapping[int, float] = field(default_factory=dict)  # s before the end at which they come to rest
    turns: tuple[int, ...] = ()  # in this order, the first to arrive first
    free: frozenset[int] = frozenset()  # may leave, seen backward, although others stand on them
    staying: frozenset[int] = frozenset()  # never leave

    def carriers(self, structure: Structure) -> dict[int, frozenset[int]]:
        """What must be there before each body comes to rest."""
        return {row: below - self.free for row, below in enumerate(structure.below)}

    def held_by(self, structure: Structure) -> list[frozenset[int]]:
        """What each body carries and cannot leave under."""
        return [frozenset() if row in self.free else above for row, above in enumerate(structure.above)]

    def waits_for(self, structure: Structure, staying: Set[int]) -> list[frozenset[int]]:
        """Who must have left, seen backward, before each body does. The order is one of those who leave at all."""
        waits = self.held_by(structure)
        turns = [row for row in self.turns if row not in staying]
        for earlier, later in zip(turns, turns[1:], strict=False):
            waits[earlier] |= {later}
        return waits

    def bound(self, structure: Structure, bodies: Iterable[int]) -> Wishes:
        """The wishes without the freedom of these bodies, on which others turned out to depend."""
        less = replace(self, free=self.free - set(bodies))
        return replace(less, turns=tuple(lawful(self.turns, less.carriers(structure))))


def wishes_of(
    scene: Scene, model: Model, structure: Structure, launches: Mapping[int, Launch]
) -> tuple[Wishes, list[str]]:
    """Wishes that agree with who carries whom, and what could not be kept."""
    bodies = {int(row): body for body, row in zip(scene.bodies, model.row_of, strict=True) if not body.static}
    row_of = {body.id: row for row, body in bodies.items()}
    staying = frozenset(row for row, body in bodies.items() if body.leaves == "never")
    turns = [row_of[key] for key in asked_order(scene)]
    times = {row: launch.time for row, launch in launches.items() if row not in turns or _is_timed(scene, bodies[row])}
    times |= {row: float(body.arrival) for row, body in bodies.items() if body.arrival is not None and row not in times}
    wishes = Wishes(times, (), frozenset(row for row, body in bodies.items() if body.leaves == "free"), staying)
    carriers = wishes.carriers(structure)
    notes = [
        f'"{model.names[row]}" cannot come before "{model.names[carrier]}", which carries it'
        for row, carrier in too_early(turns, carriers)
    ]
    return replace(wishes, turns=tuple(lawful([row for row in turns if row not in staying], carriers))), notes


def _is_timed(scene: Scene, body: Body) -> bool:
    """Whether the time of a hinted arrival is the artist's, and not drawn."""
    return body.arrival is not None or any(hint.time is not None for hint in chain_of(scene, body))
