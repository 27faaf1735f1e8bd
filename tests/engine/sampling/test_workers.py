"""Workers: errands done elsewhere, cancelled while they run, done again after a death; and never a wait without end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, wait
from pathlib import Path

import pytest

from engine.errors import ForegoneError, SceneError
from engine.scene.spec import Problem
from engine.work.process import ONE_THREAD
from engine.work.workers import Workers
from tests.engine.sampling import errands

LONG = 60.0  # s: nothing takes that long unless it hangs


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    with Workers(2) as both:
        yield both


def until(true: Callable[[], bool]) -> None:
    limit = time.monotonic() + LONG
    while not true():
        assert time.monotonic() < limit
        time.sleep(0.01)


def gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    try:  # not yet buried by its parent
        return "Z" in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2]
    except OSError:
        return True


def test_errands_are_done_elsewhere(workers: Workers) -> None:
    sums = [workers.submit(errands.add, i, b=1) for i in range(5)]
    assert [each.result(LONG) for each in sums] == [1, 2, 3, 4, 5]
    assert list(workers.map(errands.add, [1, 2], [3, 4])) == [4, 6]
    assert workers.submit(os.getpid).result(LONG) != os.getpid()


def test_linear_algebra_has_one_thread(workers: Workers) -> None:
    assert {name: workers.submit(errands.environment, name).result(LONG) for name in ONE_THREAD} == ONE_THREAD


def test_what_goes_wrong_there_is_told_here(workers: Workers) -> None:
    with pytest.raises(ZeroDivisionError, match="by nothing"):
        workers.submit(errands.raise_, ZeroDivisionError("by nothing")).result(LONG)
    overlap = Problem("error", "overlap", "crate", '"crate" overlaps "chest".', "Move it.")
    with pytest.raises(SceneError, match='error: "crate" overlaps') as told:
        workers.submit(errands.raise_, SceneError([overlap])).result(LONG)
    assert told.value.problems == [overlap]
    with pytest.raises(RuntimeError, match="cannot be sent"):
        workers.submit(errands.a_function_of_its_own).result(LONG)
    with pytest.raises(Exception, match="pickle"):
        workers.submit(lambda: None).result(LONG)
    assert workers.submit(errands.add, 1, 1).result(LONG) == 2 and workers.redone == 0


def test_a_running_errand_is_cancelled_with_its_process(tmp_path: Path) -> None:
    mark = tmp_path / "process"
    with Workers(1) as one:
        endless, after = one.submit(errands.report_and_wait, str(mark)), one.submit(errands.add, 1, 1)
        until(mark.exists)
        assert endless.running() and not after.done()
        assert endless.cancel() and endless.cancelled()
        assert wait([endless], LONG).done == {endless}
        with pytest.raises(CancelledError):
            endless.result(LONG)
        assert after.result(LONG) == 2 and one.redone == 0, "cancelling is no accident"
        until(lambda: gone(int(mark.read_text())))
    with pytest.raises(RuntimeError, match="gone home"):
        one.submit(errands.add, 1, 1)


def test_a_death_costs_one_errand_which_is_done_again(tmp_path: Path) -> None:
    with Workers(2) as both:
        unlucky = both.submit(errands.die_unless, str(tmp_path / "died"))
        others = [both.submit(errands.add, i, i) for i in range(6)]
        assert unlucky.result(LONG) == "done" and [each.result(LONG) for each in others] == [0, 2, 4, 6, 8, 10]
        assert both.redone == 1


def test_an_errand_that_always_kills_is_given_up() -> None:
    with Workers(1) as one:
        deadly, after = one.submit(errands.die), one.submit(errands.add, 1, 1)
        with pytest.raises(ForegoneError, match="3 worker processes died over it, the last with exit code -9"):
            deadly.result(LONG)
        assert after.result(LONG) == 2


def test_leaving_by_an_error_ends_everything(tmp_path: Path) -> None:
    """At any moment of the processes' lives, with errands running and waiting."""
    before = threading.active_count()
    for number in range(8):
        mark = tmp_path / f"process{number}"

        def interrupted(mark: Path = mark, number: int = number) -> None:
            try:
                with Workers(2) as both:
                    for _ in range(4):
                        both.submit(errands.report_and_wait, str(mark))
                    if number % 4 == 3:
                        until(mark.exists)
                    else:
                        time.sleep(0.1 * (number % 4))
                    raise KeyboardInterrupt
            except KeyboardInterrupt:
                pass

        thread = threading.Thread(target=interrupted, daemon=True)
        thread.start()
        thread.join(LONG)
        assert not thread.is_alive(), "shutting down hangs"
        assert threading.active_count() == before
        if mark.exists():
            until(lambda mark=mark: gone(int(mark.read_text())))  # type: ignore[misc]


def test_workers_do_not_outlive_whom_they_work_for(tmp_path: Path) -> None:
    mark = tmp_path / "process"
    script = f"""
        from engine.work.workers import Workers
        from tests.engine.sampling import errands
        Workers(1).submit(errands.report_and_wait, {str(mark)!r}).result()
        """
    root = Path(__file__).resolve().parents[3]
    boss = subprocess.Popen([sys.executable, "-c", textwrap.dedent(script)], cwd=root)
    until(mark.exists)
    boss.send_signal(signal.SIGKILL)
    boss.wait(LONG)
    until(lambda: gone(int(mark.read_text())))


def test_there_must_be_workers() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Workers(0)
