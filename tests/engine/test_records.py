"""Records in kernels: by reference, frozen, one kind for equal fields; and kernels bound to others when compiled."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from engine.jit import Kernel, bound, inline, kernel, standalone
from engine.record import Record


class Inner(Record):
    values: np.ndarray
    count: int
    factor: float
    way: tuple[float, float, float]


class Outer(Record):
    table: np.ndarray
    inner: Inner
    marks: np.ndarray
    last: int = 7


def record(rows: int = 4) -> Outer:
    inner = Inner(np.arange(float(rows)), 3, 0.5, (1.0, 2.0, 3.0))
    return Outer(np.zeros((rows, 3)), inner, np.zeros(2, bool))


@inline
def weigh(inner, i, k):
    if i == 0:
        return 0.0
    return inner.values[i] * inner.factor * inner.way[k]


@kernel
def fill(outer):
    inner = outer.inner
    total = 0.0
    for i in range(outer.table.shape[0]):
        for k in range(3):
            outer.table[i, k] = weigh(inner, i, k)
            total += outer.table[i, k]
    outer.marks[0] = inner.count == 3 and outer.last == 7
    return total


@kernel
def step(x):
    return x + 1.0


@standalone
def twice(x):
    return step(step(x))


@kernel
def leap(x):
    return 10.0 * x


class Swapped(Record):
    count: int
    values: np.ndarray


class Plain(Record):
    values: np.ndarray
    count: int


@kernel
def last_of(of, other):
    return of.values[of.count - 1] + other.count


leap_twice = bound(twice, "leap_twice", step=leap)


def test_a_kernel_reads_and_writes_what_a_record_holds() -> None:
    outer = record()
    expected = 0.5 * np.arange(4.0)[:, None] * np.array([1.0, 2.0, 3.0])
    assert fill(outer) == expected.sum()
    assert np.array_equal(outer.table, expected) and outer.marks.tolist() == [True, False]


def test_records_of_any_size_are_one_kind() -> None:
    fill(record(4)), fill(record(9))
    assert isinstance(fill, Kernel)
    assert len(set(map(str, fill.signatures))) == 1


def test_records_of_different_kinds_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, swapped = Plain(np.arange(5.0), 5), Swapped(2, np.arange(5.0))
    assert [last_of(plain, swapped), last_of(swapped, plain), last_of(plain, plain)] == [6.0, 6.0, 9.0]
    # A call whose kinds numba takes for others is looked up by Python, and costs a hundred times as much.
    monkeypatch.setattr(last_of.outer, "_compile_for_args", None)  # type: ignore[attr-defined]
    assert last_of(Plain(np.arange(3.0), 1), Swapped(4, np.arange(9.0))) == 4.0


def test_a_record_is_frozen_and_says_what_it_lacks() -> None:
    outer = record()
    with pytest.raises(AttributeError, match="frozen"):
        outer.last = 8  # type: ignore[misc]
    with pytest.raises(TypeError, match="no others"):
        outer._replace(nothing=1)
    with pytest.raises(AttributeError, match="table"):
        Outer(inner=outer.inner, marks=outer.marks)  # type: ignore[call-arg]
    assert outer._replace(last=8).last == 8 and outer.last == 7
    assert [type(value).__name__ for value in outer] == ["ndarray", "Inner", "ndarray", "int"]


def test_what_no_kernel_can_read_is_refused_before_it_runs() -> None:
    outer = record()
    with pytest.raises(TypeError, match="str"):
        fill(outer._replace(last="seven"))


def test_a_bound_kernel_has_another_stage_and_leaves_the_pattern_alone() -> None:
    assert twice(1.0) == 3.0
    assert leap_twice(1.0) == 100.0
    assert leap_twice.name.endswith("test_records.leap_twice")
    with pytest.raises(NameError, match="walk"):
        bound(twice, "walk_twice", walk=leap)


def test_what_is_inlined_is_not_compiled_by_itself() -> None:
    fill(record())
    assert isinstance(weigh, Kernel) and weigh.signatures == []


def test_a_record_survives_the_way_to_another_process() -> None:
    outer = record()
    fill(outer)
    there = pickle.loads(pickle.dumps(outer))
    assert np.array_equal(there.table, outer.table) and there.inner.way == outer.inner.way
    there.table[:] = 0.0
    assert fill(there) == outer.table.sum(), "it has words of its own"
