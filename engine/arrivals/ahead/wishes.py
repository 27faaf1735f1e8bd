"""What the artist asks of the order of arrival: times, who comes after whom, who may leave under others, who stays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace

from engine.arrivals.brief import Brief
from engine.arrivals.hints import chain_of
from engine.arrivals.structure import Structure
from engine.arrivals.times import asked_times
from engine.scene.spec import Body, Scene
from engine.scene.succession import asked_order, lawful, too_early


@dataclass(frozen=True)
class Wishes:
    """Bodies by row."""

    times: Mapping[int, float] = field(default_factory=dict)  # s before the end at which they come to rest
    given: frozenset[int] = frozenset()  # whose times are the artist's, and not drawn
    order: tuple[int, ...] = ()  # of some of them, the first to arrive first
    free: frozenset[int] = frozenset()  # may leave, seen backward, although others stand on them
    staying: frozenset[int] = frozenset()  # never leave

    def carriers(self, structure: Structure) -> dict[int, frozenset[int]]:
        """What must be there before each body comes to rest."""
        return {row: carriers - self.free for row, carriers in enumerate(structure.carriers)}

    def carried(self, structure: Structure) -> list[frozenset[int]]:
        """What each body carries and cannot leave under."""
        return [frozenset() if row in self.free else carried for row, carried in enumerate(structure.carried)]

    def waits_for(self, structure: Structure, staying: Set[int]) -> list[frozenset[int]]:
        """Who must have left, seen backward, before each body does. The order is one of those who leave at all."""
        waits = self.carried(structure)
        order = [row for row in self.order if row not in staying]
        for earlier, later in zip(order, order[1:], strict=False):
            waits[earlier] |= {later}
        return waits

    def bound(self, structure: Structure, bodies: Iterable[int]) -> Wishes:
        """The wishes without the freedom of these bodies, on which others turned out to depend."""
        less = replace(self, free=self.free - set(bodies))
        return replace(less, order=tuple(lawful(self.order, less.carriers(structure))))


def wishes_of(brief: Brief) -> tuple[Wishes, list[str]]:
    """Wishes that agree with who carries whom, and what could not be kept."""
    scene, names = brief.scene, brief.model.names
    bodies = {row: body for row, body in brief.bodies.items() if not body.static}
    row_of = {body.id: row for row, body in bodies.items()}
    order = [row_of[key] for key in asked_order(scene)]
    drawn = [(row, launch) for row, launch in brief.launches.items() if chain_of(scene, bodies[row])]
    times = asked_times(scene, brief.model)
    timed = {row for row, _ in drawn if _is_timed(scene, bodies[row])}
    free = frozenset(row for row, body in bodies.items() if body.leaves == "free")
    bound = {*order, *(row for row, carried in enumerate(brief.structure.carried) if carried and row not in free)}
    times |= {row: launch.time for row, launch in drawn if row not in bound or row in timed}
    given = frozenset({*asked_times(scene, brief.model), *timed})
    wishes = Wishes(times, given, (), free, brief.staying)
    carriers = wishes.carriers(brief.structure)
    notes = [
        f'"{names[row]}" cannot come before "{names[carrier]}", which carries it'
        for row, carrier in too_early(order, carriers)
    ]
    return replace(wishes, order=tuple(lawful([row for row in order if row not in brief.staying], carriers))), notes


def _is_timed(scene: Scene, body: Body) -> bool:
    """Whether the time of a hinted arrival is the artist's, and not drawn."""
    return body.arrival is not None or any(hint.time is not None for hint in chain_of(scene, body))
