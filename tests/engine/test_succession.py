"""Orders of arrival: what the support makes of them, against an oracle that tries every order."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from engine.scene.seat import Seat, contradictions, sequence
from engine.scene.spec import Body, Box, Scene
from engine.scene.succession import asked_order, lawful, shifted, threaded, too_early

BODIES = range(5)
loads = st.dictionaries(st.sampled_from(BODIES), st.frozensets(st.sampled_from(BODIES)), max_size=5).map(
    lambda table: {key: frozenset(each for each in below if each < key) for key, below in table.items()}
)


def holds(order: tuple[int, ...], carriers: dict[int, frozenset[int]]) -> bool:
    """Every body comes after everything that stands under it, over any number of bodies between."""
    under = {key: set(carriers.get(key, ())) for key in BODIES}
    for _ in BODIES:
        under = {key: below.union(*(under[each] for each in below)) for key, below in under.items()}
    place = {key: number for number, key in enumerate(order)}
    return all(place[each] < place[key] for key in order for each in under[key] if each in place)


@given(st.permutations(BODIES), st.integers(0, 5), loads)
def test_an_order_becomes_lawful_and_a_lawful_one_stays(order, count, carriers) -> None:
    some = tuple(order[:count])
    made = tuple(lawful(some, carriers))
    assert sorted(made) == sorted(some) and holds(made, carriers)
    assert (made == some) == holds(some, carriers) == (too_early(some, carriers) == [])


def test_every_order_of_a_gate() -> None:
    gate = {2: frozenset({0, 1})}
    allowed = [order for order in permutations(range(3)) if not too_early(order, gate)]
    assert allowed == [(0, 1, 2), (1, 0, 2)]
    assert too_early((2, 0, 1), gate)[0] == (2, 0)
    assert too_early((2, 0), {2: {1}, 1: {0}}) == [(2, 0)], "over a body that is not in the order"


@given(st.permutations(BODIES), st.frozensets(st.sampled_from(BODIES), min_size=1), st.integers(0, 5))
def test_some_are_moved_as_they_follow_each_other(order, moved, before) -> None:
    made = shifted(order, moved, before)
    assert sorted(made) == list(BODIES)
    assert [key for key in made if key not in moved] == [key for key in order if key not in moved]
    first = made.index(next(key for key in made if key in moved))
    assert made[first : first + len(moved)] == [key for key in order if key in moved]
    assert first == sum(key not in moved for key in order[:before])


def test_an_order_of_some_is_threaded_into_all() -> None:
    assert threaded("abcd", "ca") == ["c", "b", "a", "d"]
    assert threaded("abcd", "xdb") == ["a", "d", "c", "b"], "who is unknown has no turn"
    assert threaded("abcd", "") == list("abcd")


def three(**fields: object) -> tuple[Scene, tuple[Seat, ...]]:
    scene = Scene([Body(name, Box((0.1, 0.1, 0.1))) for name in ("one", "two", "top")], **fields)  # type: ignore[arg-type]
    seats = (
        Seat("b1", "one", False, False, "", (), ("b3",), 0),
        Seat("b2", "two", True, True, "", (), (), 0),
        Seat("b3", "top", True, True, "", ("b1",), (), 1),
    )
    return scene, seats


def test_bodies_are_named_by_id_or_name_once() -> None:
    scene, seats = three(arrival_order=["top", "b1", "b3", "nobody", "two"])
    assert asked_order(scene) == ["b3", "b1", "b2"]
    assert [seat.name for seat in sequence(seats, scene)] == ["one", "top", "two"]
    scene.bodies[1].static = True
    assert asked_order(scene) == ["b3", "b1"]


def test_contradictions_are_told_once_and_in_words() -> None:
    scene, seats = three(arrival_order=["top", "one"])
    (trouble,) = contradictions(seats, scene)
    assert trouble.ids == ("b3", "b1") and trouble.words == '"top" cannot come before "one", which carries it.'
    scene.bodies[0].leaves = "free"
    assert contradictions(seats, scene) == []
    scene, seats = three(arrival_order=["one", "two"])
    scene.bodies[0].arrival, scene.bodies[1].arrival = 0.2, 0.5
    (trouble,) = contradictions(seats, scene)
    assert trouble.words == (
        '"two" cannot come to rest 0.5 s before the end: "one", which comes before it, comes to rest 0.2 s before the '
        "end."
    )
    scene.bodies[0].arrival = 0.9
    assert contradictions(seats, scene) == []
