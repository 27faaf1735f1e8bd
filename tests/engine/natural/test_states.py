"""Contact states before rest: what is counted, compared, and made by a Markov chain."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from engine.arrivals.dropped import splice
from engine.arrivals.dropped.drop import ROW, Dropper
from engine.arrivals.dropped.motion import Motion
from engine.arrivals.dropped.raster import NOTHING, raster, shipped
from engine.arrivals.dropped.splice import continued, start_energy, tail
from engine.arrivals.dropped.standard import SHAPES, SIDES, standard
from engine.arrivals.dropped.states import BINS, Counter, difference, durations, events, shares, transitions
from engine.arrivals.dropped.tuning import TUNING
from engine.cli import main
from engine.contact.tiers import TUNED
from engine.model.arrays import copy_state
from tests.bench.markov import draw_state, markov_run

DT = 1 / 480


@pytest.fixture(scope="module")
def box() -> tuple[Dropper, list[Motion]]:
    dropper = Dropper(standard("box"))
    runs = [dropper.run(dropper.start(4, number)) for number in range(8)]
    return dropper, [run.motion for run in runs if run.motion is not None]


def test_runs_that_are_alike_do_not_differ_and_others_do() -> None:
    flying, resting = [np.zeros(480, np.int8)] * 3, [np.full(480, 3, np.int8)] * 2
    assert difference(flying, flying, DT).marginal == 0.0
    assert difference(flying, resting, DT).marginal == 1.0
    half = [np.concatenate([np.zeros(240, np.int8), np.full(240, 3, np.int8)])]
    assert difference(flying, half, DT).marginal == pytest.approx(0.5)
    assert difference(flying, half, DT).by_time == pytest.approx(0.5)


def test_shares_are_aligned_at_rest() -> None:
    table = shares([np.array([2] * 24 + [0] * 456, np.int8), np.array([2] * 24, np.int8)], DT)
    assert table.shape == (BINS, 4)
    assert table[0, 2] == 1.0 and (table[1:, 0] == 1.0).all()


def test_durations_and_events() -> None:
    run = np.array([2, 2, 0, 0, 0, 1, 0, 2, 2], np.int8)
    found = durations([run], DT)
    assert sorted(np.round(found[0] / DT).astype(int)) == [1, 3]
    assert np.round(found[1] / DT).astype(int).tolist() == [1]
    assert np.round(found[2] / DT).astype(int).tolist() == [2]  # the first of the run may have begun before it
    assert events([run], DT).tolist() == [3]


def test_a_box_flies_first_and_touches_last(box: tuple[Dropper, list[Motion]]) -> None:
    dropper, motions = box
    counter = Counter(dropper.model, ROW)
    for motion in motions:
        run = counter.run(motion.flown(dropper.params, dropper.model.bodies, ROW))
        assert len(run) == motion.steps and run[-1] == 0 and run[0] >= 2


def test_transitions_are_those_of_the_runs() -> None:
    table = transitions([np.array([3, 3, 2, 0, 0], np.int8)])
    assert table[3].tolist() == [0.0, 0.0, 0.5, 0.5] and table[2].tolist() == [1.0, 0.0, 0.0, 0.0]
    assert table[0].tolist() == [1.0, 0.0, 0.0, 0.0] and table[1].tolist() == [0.0, 0.0, 0.0, 0.0]


def test_the_chain_only_lets_go() -> None:
    table = np.full((4, 4), 0.25)
    rng = np.random.default_rng(0)
    found = [draw_state(table, 2, False, 1.0, rng.uniform(size=8)) for _ in range(3000)]
    assert np.abs(np.bincount(found, minlength=3) / 3000 - 1 / 3).max() < 0.04
    rare = [draw_state(table, 2, False, 0.25, rng.uniform(size=8)) for _ in range(3000)]
    assert np.mean(np.array(rare) < 2) == pytest.approx(0.25 * 2 / 3, abs=0.03)
    assert all(draw_state(table, 2, True, 0.0, rng.uniform(size=8)) < 2 for _ in range(20))


def test_a_chain_run_leaves_rest_and_is_the_same_again(box: tuple[Dropper, list[Motion]]) -> None:
    dropper, motions = box
    rest = copy_state(dropper.model.start)
    rest.x[ROW], rest.q[ROW] = motions[0].x, motions[0].q
    table = np.array([[1, 0, 0, 0], [0.2, 0.8, 0, 0], [0.02, 0.05, 0.93, 0], [0, 0.02, 0.25, 0.73]])
    first, again = (markov_run(dropper.model, dropper.params, rest, table, 120, 5, pivot=True) for _ in range(2))
    assert np.array_equal(first.states.x, again.states.x)
    assert np.array_equal(first.states.x[-1], rest.x[ROW]) and np.abs(first.states.x[0] - rest.x[ROW]).max() > 1e-3


@pytest.mark.parametrize("seconds", [0.2, 0.5])
def test_a_tail_is_cut_in_flight_and_continued_lawfully(seconds: float, box: tuple[Dropper, list[Motion]]) -> None:
    dropper, motions = box
    energy = float(np.mean([start_energy(dropper, motion) for motion in motions]))
    made = 0
    for motion in motions:
        end = tail(motion, seconds, DT)
        assert 0.65 * seconds <= end.steps * DT and end.step[0] > 0
        whole = motion.flown(dropper.params, dropper.model.bodies, ROW)
        part = end.flown(dropper.params, dropper.model.bodies, ROW)
        assert np.array_equal(part.x, whole.x[-len(part.x) :])
        longer = continued(dropper.model, dropper.params, ROW, end, 480, energy, tuned=True)
        if longer is not None:
            made += 1
            assert longer.steps == 480 and longer.contacts["tier"].max() <= TUNED
            assert np.array_equal(longer.flown(dropper.params, dropper.model.bodies, ROW).x[-len(part.x) :], part.x)
    assert made >= 1


def test_less_room_for_energy_is_tried_where_more_is_not_lawful(
    box: tuple[Dropper, list[Motion]], monkeypatch: pytest.MonkeyPatch
) -> None:
    dropper, motions = box
    energy = float(np.mean([start_energy(dropper, motion) for motion in motions]))
    ends = [tail(motion, 0.3, DT) for motion in motions]
    made = []
    for rooms in (TUNING.rooms[:1], TUNING.rooms):
        monkeypatch.setattr(splice, "TUNING", TUNING._replace(rooms=rooms))
        made.append([continued(dropper.model, dropper.params, ROW, end, 480, energy, tuned=True) for end in ends])
    once, again = made
    assert sum(each is not None for each in again) > sum(each is not None for each in once)
    for before, after in zip(once, again, strict=True):
        if before is not None:
            assert after is not None and np.array_equal(before.step, after.step), "what was found first is kept"


def test_a_raster_is_sorted_and_says_where_there_is_nothing() -> None:
    table = raster([np.array([2, 0], np.int8), np.array([1, 1, 1, 1], np.int8)], 3)
    assert table.tolist() == [[1, 1, 1], [2, 0, NOTHING]]


def test_standard_bodies_are_those_of_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("engine.arrivals.dropped.library.cache_folder", lambda: tmp_path / "cache")
    assert set(SIDES) == set(SHAPES) == {"box", "brick", "capsule", "cylinder"}
    out = tmp_path / "figure.png"
    assert main(["statistics", "--shape", "box", "--runs", "3", "--out", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["forward_runs"] == 3 and 0.5 < sum(told["shares"]) <= 1.0 + 1e-9  # none of three may be a second long
    with Image.open(out) as picture:
        assert picture.width > 1000
    assert main(["statistics", "--shape", "teapot", "--out", str(out)]) == 2


@pytest.mark.parametrize("name", SHAPES)
def test_shipped_states_are_shares_and_chances(name: str) -> None:
    kept = shipped(name)
    assert kept.forward.shape == (200, 480) and set(np.unique(kept.forward)) <= {0, 1, 2, 3, NOTHING}
    assert np.allclose(kept.shares.sum(1), 1.0)
    assert np.allclose(kept.transitions.sum(1)[kept.transitions.any(1)], 1.0)
    assert (np.diagonal(kept.transitions)[:3] > 0.5).all()  # what is, mostly was
