"""The compact tape: what is flown again is what was stepped, to the bit, and room and chunks do not show."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.arrivals.brief import Brief
from engine.arrivals.options import Options
from engine.arrivals.together.plan import plan_run
from engine.certificate.audit import certify
from engine.model.arrays import copy_state
from engine.run import backward, forward
from engine.scene.spec import Body, Box, Scene, Sphere
from engine.step import scratch
from engine.step.backward import backward_step
from engine.step.forward import forward_step
from engine.step.scratch import enlarge, make_scratch
from engine.tape import drive, recorder, spool
from engine.tape.block import Block
from engine.tape.spool import Spool
from engine.tape.store import load_take, save_take
from tests.bench import scenes

DT = 1 / 240


def busy() -> Scene:
    """Sliding, bouncing, sleeping and waking in one scene."""
    return Scene(bodies=[*scenes.scattered_boxes(3, 5).bodies, Body("ball", Sphere(0.1), (3.0, 0, 0.1))])


def test_a_backward_tape_is_the_steps_to_the_bit() -> None:
    together = Options(arrivals="together")
    take = backward(busy(), 0.6, DT, seed=2, options=together)
    plan = plan_run(Brief(take.scene, take.model, take.tape.params, take.tape.steps, 0.6, 2, together))[0]
    s, state = make_scratch(take.model), copy_state(take.model.start)
    steps = take.tape.steps
    assert steps > 2 * 64, "several blocks"
    for k in range(steps):
        before = copy_state(state)
        while status := backward_step(s, plan, (k + 1) * DT, take.tape.params, state, before)[0]:
            s = enlarge(s, status)
        for mine, taped in zip(before, take.tape.state(steps - 1 - k), strict=True):
            assert np.array_equal(mine, taped)
        state = before
    assert take.tape.asleep.any() and take.tape.start[-1] > 0


def test_a_forward_tape_is_the_steps_to_the_bit() -> None:
    box = Body("box", Box((0.1, 0.1, 0.1)), (0, 0, 0.4), velocity=(0.5, 0, 0), angular_velocity=(3, 1, 2))
    take = forward(Scene([box]), 1.5, DT)
    s = make_scratch(take.model)
    state, came_from = copy_state(take.model.start), copy_state(take.model.start)
    for k in range(take.tape.steps):
        after = copy_state(state)
        while status := forward_step(s, take.tape.params, came_from, state, after, False)[0]:
            s = enlarge(s, status)
        for mine, taped in zip(after, take.tape.state(k + 1), strict=True):
            assert np.array_equal(mine, taped)
        state, came_from = after, state


def test_room_and_chunks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every buffer starts too small and grows; every call makes one step: the same take."""
    scene = scenes.wall(2, 2)
    expected = backward(scene, 0.6, DT, seed=1)
    for name in ("LEAST_CONTACTS", "CONTACTS_PER_BODY", "ISLAND_BODIES", "ISLAND_CONTACTS", "PAIRS_PER_PART"):
        monkeypatch.setattr(scratch, name, 1)
    monkeypatch.setattr(recorder, "CONTACTS_AT_FIRST", 1)
    monkeypatch.setattr(recorder, "PUSHES_AT_FIRST", 0)
    monkeypatch.setattr(drive, "CHUNK_SECONDS", 0.0)
    monkeypatch.setattr(spool, "MEMORY_LIMIT", 0)
    again = backward(scene, 0.6, DT, seed=1)
    assert again.hash() == expected.hash()
    assert certify(again).summary() == certify(expected).summary()


def test_blocks_beyond_the_limit_wait_in_a_file() -> None:
    rng = np.random.default_rng(1)
    blocks = [Block(2, 3, {"a": rng.normal(size=(100, 3)), "b": np.arange(i)}) for i in range(6)]
    kept = Spool(limit=3 * blocks[0].nbytes)
    for block in blocks:
        kept.append(block)
    assert len(kept) == 6 and kept.nbytes == sum(block.nbytes for block in blocks)
    kept.reverse()
    for mine, block in zip(kept, reversed(blocks), strict=True):
        assert (mine.steps, mine.bodies) == (2, 3) and list(mine.arrays) == ["a", "b"]
        assert all(np.array_equal(mine.arrays[name], block.arrays[name]) for name in block.arrays)
    assert sum(isinstance(entry, Block) for entry in kept._kept) < 6, "some are in the file"


def test_sleep_and_flight_cost_next_to_nothing(tmp_path: Path) -> None:
    """Ten boxes at rest for four seconds, and one ball in flight: kilobytes."""
    scene = Scene(bodies=[*scenes.scattered_boxes(0, 10).bodies])
    scene.bodies.append(Body("ball", Sphere(0.1), (0, 0, 200.0), velocity=(0, 0, 1), angular_velocity=(1, 2, 3)))
    take = backward(scene, 4.0, DT, options=Options(launch=False))
    dense = 13 * 8 * 11 * take.tape.steps
    assert take.tape.blocks.nbytes < dense / 10
    save_take(tmp_path / "take.npz", take)
    assert (tmp_path / "take.npz").stat().st_size < dense / 10
    assert load_take(tmp_path / "take.npz", scene).hash() == take.hash()


def test_a_spread_tape_is_the_same_tape() -> None:
    take = backward(busy(), 0.4, DT, seed=4)
    spread = take.tape.spread()
    for name in ("x", "q", "v", "l", "start", "energy", "asleep", "residual"):
        assert np.array_equal(getattr(spread, name), getattr(take.tape, name)), name
    assert np.array_equal(spread.contact_column("gap"), take.tape.contact_column("gap"))


def test_a_run_of_no_step_has_one_state() -> None:
    fast = Body("ball", Sphere(0.1), (0, 0, 5.0), velocity=(1e6, 0, 0))
    take = backward(Scene([fast]), 1.0, DT)
    assert take.stopped is not None and take.tape.steps == 0
    assert take.positions.shape == (1, 1, 3) and take.energy.shape == (1,)
    assert certify(take).contact_steps == 0
