"""Takes from the pool: real processes, real engine. A crash costs one take, cancelling takes effect at once, and the
answer does not depend on how many processes there are."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.document.take_store import TakeStore
from app.runs.generation import Generation, Pool
from engine.scene.fingerprint import fingerprint
from engine.scene.request import Request
from engine.scene.shot import TakeCard
from engine.scene.spec import Body, Box, Scene, Sphere
from engine.scene.take_files import FILM, TAPE
from engine.work.clock import time_words

LONG = 600_000  # ms: the first test of a fresh checkout compiles the engine


@pytest.fixture
def pool(qapp: object) -> Iterator[Pool]:
    pool = Pool(size=2)
    yield pool
    pool.stop()


@pytest.fixture
def store(tmp_path: Path) -> TakeStore:
    return TakeStore(tmp_path)


def orders(count: int, seconds: float = 0.5) -> list[TakeCard]:
    asked = Request(seconds=seconds, quality="preview")
    return [TakeCard(f"t{i}", f"Take {i:02d}", **asked.asked(seed=7 + i)) for i in range(1, count + 1)]


def scene() -> Scene:
    return Scene(bodies=[Body("Box", Box((0.1, 0.1, 0.1)), (0, 0, 0.1)), Body("Ball", Sphere(0.1), (0.5, 0, 0.1))])


def finish(generation: Generation, qtbot: QtBot) -> None:
    with qtbot.waitSignal(generation.ended, timeout=LONG):
        generation.start()


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_takes_come_with_their_motion_and_end_on_the_pose(pool: Pool, store: TakeStore, qtbot: QtBot) -> None:
    generation = pool.generate(scene(), orders(4), str(store.folder))
    shares: list[float] = []
    generation.progressed.connect(lambda share, words: shares.append(share))
    finish(generation, qtbot)
    assert [card.id for card in sorted(generation.cards, key=lambda card: card.id)] == ["t1", "t2", "t3", "t4"]
    assert not generation.losses and shares == sorted(shares) and shares[-1] == 1.0
    for card in generation.cards:
        assert card.scene == fingerprint(scene()) and card.seed == 7 + int(card.id[1:]) and card.hash
        assert sum(card.tiers) == pytest.approx(1.0)
        film = store.film(card.id)
        assert film is not None and film.bodies == ("b1", "b2") and film.ending == film.last == 0.5
        assert film.energy[0] == pytest.approx(card.energy) and film.energy[-1] == pytest.approx(0.0, abs=1e-9)
        for row, body in enumerate(scene().bodies):
            assert np.allclose(film.at(film.ending)[0][row], body.position, atol=1e-7)
        assert store.fresh(card.id, TAPE) is not None
    assert len({card.hash for card in generation.cards}) == 4, "seeds differ, so do the takes"


def test_one_process_gives_the_same_takes_as_two(pool: Pool, store: TakeStore, tmp_path: Path, qtbot: QtBot) -> None:
    both = pool.generate(scene(), orders(3), str(store.folder))
    finish(both, qtbot)
    alone = Pool(size=1)
    try:
        other = TakeStore(tmp_path / "b")
        single = alone.generate(scene(), orders(3), str(other.folder))
        finish(single, qtbot)
    finally:
        alone.stop()
    assert {c.id: (c.hash, c.energy) for c in both.cards} == {c.id: (c.hash, c.energy) for c in single.cards}


def test_cancel_of_64_takes_is_heard_at_once(pool: Pool, store: TakeStore, qtbot: QtBot) -> None:
    generation = pool.generate(scene(), orders(64, 8.0), str(store.folder))
    with qtbot.waitSignal(generation.came, timeout=LONG):
        generation.start()
    pids = pool.process_ids
    assert len(pids) == 2 and all(map(alive, pids))
    began = time.monotonic()
    with qtbot.waitSignal(generation.ended, timeout=1000):
        generation.cancel()
    took = time.monotonic() - began
    assert took <= 0.3 and generation.cancelled and pool.process_ids == []
    assert not any(map(alive, pids)), "no process is left"
    assert 1 <= len(generation.cards) < 64
    assert all(store.film(card.id) is not None for card in generation.cards), "finished takes are kept"
    again = pool.generate(scene(), orders(1), str(store.folder))
    finish(again, qtbot)
    assert len(again.cards) == 1


def test_a_killed_process_costs_its_take_only(pool: Pool, store: TakeStore, qtbot: QtBot) -> None:
    generation = pool.generate(scene(), orders(4, 2.0), str(store.folder))
    generation.start()
    with qtbot.waitSignal(generation.advanced, timeout=LONG):
        pass
    victim = pool.process_ids[0]
    with qtbot.waitSignal(generation.lost, timeout=LONG) as blocker:
        os.kill(victim, signal.SIGKILL)
    loss = blocker.args[0]
    assert loss.reason == "The take stopped unexpectedly. Your scene is safe."
    with qtbot.waitSignal(generation.ended, timeout=LONG):
        pass
    kept = {card.id for card in generation.cards}
    assert kept == {order.id for order in generation.orders} - {loss.order.id} and len(kept) == 3
    assert store.fresh(loss.order.id, FILM) is None


def test_what_the_engine_refuses_is_told_in_its_words(pool: Pool, store: TakeStore, qtbot: QtBot) -> None:
    inside = Scene(bodies=[Body("A", Box((0.1, 0.1, 0.1)), (0, 0, 0.1)), Body("B", Box((0.1, 0.1, 0.1)), (0, 0, 0.15))])
    generation = pool.generate(inside, orders(2), str(store.folder))
    finish(generation, qtbot)
    assert not generation.cards and len(generation.losses) == 2
    assert generation.losses[0].reason == "A overlaps B by 150 mm. Move them apart."


def test_words() -> None:
    assert time_words(5.2) == "6 s" and time_words(0.1) == "1 s" and time_words(200.0) == "3 min"
