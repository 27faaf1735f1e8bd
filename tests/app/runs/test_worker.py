"""The worker: a real process behind real signals. One is shared by most tests; loading the engine takes seconds."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEventLoop, QTimer
from pytestqt.qtbot import QtBot

from app.document import edits, fixes
from app.runs.job import Job
from app.runs.worker import Worker
from app.shell.settle_commands import settled_words
from engine.scene.reach_map import pose_of
from engine.scene.settled import Settled
from engine.scene.shot import TakeCard
from engine.scene.spec import Body, Box, Scene, Sphere
from engine.scene.take_files import TakeFiles
from engine.work.records import KeptTake, Question

LONG = 600_000  # ms: the first test of a fresh checkout compiles the engine
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def worker(qapp: object) -> Iterator[Worker]:
    worker = Worker()
    loop = QEventLoop()
    worker.ready.connect(loop.quit)
    worker.lost.connect(loop.quit)
    worker.start()
    loop.exec()
    assert worker.running, worker.details
    yield worker
    worker.stop()


def result_of(job: Job, qtbot: QtBot) -> Any:
    with qtbot.waitSignal(job.finished, timeout=LONG) as blocker:
        pass
    return blocker.args[0]


def tower(count: int = 6) -> Scene:
    return Scene(bodies=[Body(f"Brick {i}", Box((0.1, 0.05, 0.03)), (0, 0, 0.05 + 0.07 * i)) for i in range(count)])


def dice(count: int) -> Scene:
    """So many that settling takes a while."""
    places = [(0.3 * (i % 12), 0.3 * (i // 12 % 12), 0.2 + 0.3 * (i // 144)) for i in range(count)]
    return Scene(bodies=[Body(f"Die {i}", Box((0.1, 0.08, 0.06)), p) for i, p in enumerate(places)])


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_body_is_thrown_and_snapped_where_a_throw_ends(worker: Worker, qtbot: QtBot) -> None:
    scene = Scene(
        [Body("Die", Box((0.05, 0.05, 0.05)), (0.0, 0.0, 0.05)), Body("Post", Box((0.02, 0.02, 0.2)), (0.3, 0, 0.2))]
    )
    die, job, told = scene.bodies[0], worker.reach(scene, scene.bodies[0].id, 120, 0), []
    job.progressed.connect(lambda share, text: told.append((share, text)))
    found = result_of(job, qtbot)
    assert len(found.rested) > 100 and told[-1][1].endswith("of 120 throws")
    settled = result_of(worker.snap(scene, found.nearest_to(die)), qtbot)
    place, turn = settled.poses[die.id]
    assert not settled.restless and found.distances(pose_of(place, turn)).min() < 0.005


def test_settled_bodies_rest_and_the_check_agrees(worker: Worker, qtbot: QtBot) -> None:
    scene = tower()
    floating = result_of(worker.check(scene), qtbot)
    assert [item.code for item in floating] == ["floating"] * 6
    assert floating[0].message == "Brick 0 hangs 2 cm above the ground." and floating[0].fix == fixes.DROP
    job = worker.settle(scene)
    told, seen = [], []
    job.progressed.connect(lambda share, text: told.append((share, text)))
    job.posed.connect(seen.append)
    assert worker.busy
    settled = result_of(job, qtbot)
    assert isinstance(settled, Settled) and not worker.busy and settled_words(scene, settled) == "6 bodies at rest."
    assert told and all(0 <= share <= 1 and text.startswith("Settling · ") for share, text in told)
    assert set(settled.poses) == {body.id for body in scene.bodies}
    heights = [settled.poses[body.id][0][2] for body in scene.bodies]
    assert heights == pytest.approx([0.03 + 0.06 * i for i in range(6)], abs=1e-6)
    assert result_of(worker.check(edits.place(scene, settled.poses)), qtbot) == []


def test_only_what_is_asked_for_moves(worker: Worker, qtbot: QtBot) -> None:
    scene = Scene(bodies=[Body("Shelf", Box((0.5, 0.5, 0.02)), (0, 0, 1.0)), Body("Ball", Sphere(0.1), (0, 0, 1.3))])
    settled = result_of(worker.settle(scene, ["b2"]), qtbot)
    assert list(settled.poses) == ["b2"]
    assert settled.poses["b2"][0] == pytest.approx((0, 0, 1.12), abs=1e-6)


def test_what_cannot_rest_is_named(worker: Worker, qtbot: QtBot) -> None:
    scene = Scene(ground=False, bodies=[Body("Lamp", Sphere(0.1), (0, 0, 1))])
    settled = result_of(worker.settle(scene), qtbot)
    assert settled.restless == ("b1",)
    assert settled_words(scene, settled) == "Lamp falls away: there is nothing below."
    assert settled.poses["b1"][0] == (0, 0, 1)


def test_cancel_is_heard_and_the_next_job_runs(worker: Worker, qtbot: QtBot) -> None:
    job = worker.settle(dice(600))
    with qtbot.waitSignal(job.progressed, timeout=LONG):
        pass
    ended: list[str] = []
    job.cancelled.connect(lambda: ended.append("cancelled"))
    job.finished.connect(lambda _: ended.append("finished"))
    job.failed.connect(ended.append)
    job.cancel()
    assert ended == ["cancelled"] and not worker.busy
    began = time.monotonic()
    assert result_of(worker.check(Scene()), qtbot)[0].code == "nothing-moves"
    waited = time.monotonic() - began
    assert waited < 1.0, f"the next job waited {waited:.2f} s"
    assert ended == ["cancelled"]


def test_a_bad_scene_is_told_in_words(worker: Worker, qtbot: QtBot) -> None:
    scene = Scene(bodies=[Body("Ball", Sphere(-1.0))])
    with qtbot.waitSignal(worker.settle(scene).failed, timeout=LONG) as blocker:
        pass
    assert "Ball" in blocker.args[0]
    (told,) = result_of(worker.check(Scene(bodies=[Body("Ball", Sphere("no"))])), qtbot)  # type: ignore[arg-type]
    assert told.severity == "error" and "Ball" in told.message


def test_a_program_that_is_no_worker_is_lost_not_awaited(qtbot: QtBot) -> None:
    for command in ([sys.executable, "-c", "print('hello' * 9, flush=True); input()"], ["/nonexistent/program"]):
        worker = Worker(command=command)
        failed = []
        with qtbot.waitSignal(worker.lost, timeout=5000):
            worker.check(Scene()).failed.connect(failed.append)
        assert failed == ["Checking stopped unexpectedly. Your scene is safe."]
        worker.stop()


def test_the_worker_goes_when_the_window_dies(qtbot: QtBot) -> None:
    """stdin closed in the middle of loading, which keeps the main thread of the worker busy for long."""
    child = subprocess.Popen([sys.executable, "-m", "engine.work.child"], cwd=ROOT, stdin=subprocess.PIPE,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    time.sleep(1.5)
    assert child.poll() is None and child.stdin is not None
    child.stdin.close()
    assert child.wait(timeout=2.0) == 0


def test_a_large_scene_never_holds_up_the_window(worker: Worker, qtbot: QtBot) -> None:
    """What one turn of the event loop computes at most, while 3000 bodies travel to the worker and poses back."""
    scene = Scene(bodies=[replace(body, shape=Sphere(0.1)) for body in dice(3000).bodies])
    turns = [time.thread_time()]
    ticker = QTimer()
    ticker.setInterval(1)
    ticker.timeout.connect(lambda: turns.append(time.thread_time()))
    ticker.start()
    job = worker.settle(scene)
    with qtbot.waitSignal(job.posed, timeout=LONG):
        pass
    ticker.stop()
    job.cancel()
    longest = max(b - a for a, b in pairwise(turns))
    assert longest < 0.05, f"{longest * 1e3:.0f} ms"


def test_the_stack_is_told(worker: Worker, qtbot: QtBot) -> None:
    scene, (low, high) = edits.add(
        Scene(), [Body("Low", Box((0.1, 0.1, 0.1)), (0, 0, 0.1)), Body("High", Box((0.1, 0.1, 0.1)), (0, 0, 0.3))]
    )
    told = result_of(worker.stacking(scene), qtbot)
    assert [(seat.id, seat.free, seat.below, seat.above) for seat in told.seats] == [
        (low, False, (), (high,)),
        (high, True, (low,), ()),
    ]
    assert told.troubles == ()
    broken = replace(scene, bodies=[replace(scene.bodies[0], shape=Box((0.0, 0.1, 0.1)))])
    assert result_of(worker.stacking(broken), qtbot).seats == ()


def test_inspectors_answer_for_an_ending_and_for_a_moment_of_a_take(
    worker: Worker, qtbot: QtBot, tmp_path: Path
) -> None:
    scene, (key,) = edits.add(Scene(), [Body("Die", Box((0.1, 0.1, 0.1)), (0, 0, 0.1))])
    contact, consistency = result_of(worker.inspect(scene, Question(key, ("contact", "consistency"))), qtbot)
    assert (contact.title, consistency.level) == ("Rests", "fine")
    (stands,) = result_of(worker.inspect(scene, Question(key, ("stability",))), qtbot)
    assert stands.level == "fine" and [check.holds for check in stands.checks] == [True, True, True]
    (tips,) = result_of(worker.inspect(scene, Question(key, ("stability",), push=(1e4, 0.0, 0.0))), qtbot)
    assert tips.level == "bad" and tips.motion is not None
    assert 0.0 < result_of(worker.loads(scene, key), qtbot).turn_that_holds < 180.0
    (tmp_path / "takes").mkdir()
    (tmp_path / "films").mkdir()
    order = TakeCard("t1", "Take 01", seed=1, seconds=0.4, quality="preview")
    card = result_of(worker.take(scene, order, str(tmp_path)), qtbot)
    assert card.id == "t1" and card.asked() == order.asked()
    files = TakeFiles(folder=tmp_path)
    asked = Question(key, ("contact",), take=KeptTake(card, files), time=0.4)
    (rests,) = result_of(worker.inspect(scene, asked), qtbot)
    assert rests.title == "Rests" and rests.plots
    order = replace(order, id="t2", disorder=0.004)
    card = result_of(worker.take(scene, order, str(tmp_path)), qtbot)
    assert card.disorder == 0.004
    asked = replace(asked, take=KeptTake(card, files))
    (rests,) = result_of(worker.inspect(scene, asked), qtbot)
    assert rests.title == "Rests", "a little off its place"
    broken = replace(scene, bodies=[replace(scene.bodies[0], shape=Box((0.0, 0.1, 0.1)))])
    assert result_of(worker.inspect(broken, Question(key, ("contact",))), qtbot) == ()
    assert result_of(worker.survey(scene), qtbot) == ()


def test_a_killed_worker_fails_its_job_and_the_next_one_works(worker: Worker, qtbot: QtBot) -> None:
    job = worker.settle(dice(600))
    with qtbot.waitSignal(job.progressed, timeout=LONG):
        pass
    words: list[str] = []
    job.failed.connect(words.append)
    with qtbot.waitSignal(worker.lost, timeout=5000):
        os.kill(worker.process_id, signal.SIGKILL)
    assert words == ["Settling stopped unexpectedly. Your scene is safe."]
    assert not worker.busy and not worker.running
    assert len(result_of(worker.settle(tower(2)), qtbot).poses) == 2

    pid, job = worker.process_id, worker.settle(dice(600))
    with qtbot.waitSignal(job.progressed, timeout=LONG):
        pass
    began = time.monotonic()
    with qtbot.waitSignal(job.cancelled, timeout=1000):
        worker.stop()
    assert time.monotonic() - began < 0.6 and not alive(pid), "stopping in the middle of a job leaves nothing behind"
    worker.stop()  # twice does no harm
