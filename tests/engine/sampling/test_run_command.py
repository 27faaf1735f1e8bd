"""`foregone run` with several processes: the same answer, and Ctrl-C at any moment."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.cli import main
from engine.commands.demo_scenes import die_shows_six
from engine.work.interrupts import uninterrupted
from tests.bench.scenes_director import bonded_wall

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.commands.run.write_best", lambda *args: None)


def test_jobs_give_the_same_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    die_shows_six().save(tmp_path / "die.foregone")
    command = ["run", str(tmp_path / "die.foregone"), "--takes", "3", "--seconds", "0.2", "--dt", "1/240"]
    command += ["--manner", "preview"]
    answers = []
    for jobs in ("1", "2"):
        assert main([*command, "--jobs", jobs, "--out", str(tmp_path / jobs), "--json"]) == 0
        answers.append(json.loads(capsys.readouterr().out))
    assert all(take.pop("seconds_cpu") > 0.0 for answer in answers for take in answer["takes"])
    assert answers[0] == answers[1] and len(answers[0]["takes"]) == 3
    told = answers[0]["spread"]
    assert told["takes"] == 3 and told["bodies"] == 1 and told["starts_m"] > 0.0
    assert main([*command, "--out", str(tmp_path / "text")]) == 0
    assert "How they differ: starting points spread by" in capsys.readouterr().out


def test_jobs_and_a_farm_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "x", "--jobs", "2", "--farm", "tcp://127.0.0.1:1", "--out", "o"]) == 2
    assert "not allowed with" in capsys.readouterr().err


@pytest.fixture
def hears_ctrl_c() -> Iterator[None]:
    """Whoever started the tests in the background may have told them to ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_waits_for_the_end_of_a_block(hears_ctrl_c: None) -> None:
    """An interrupt inside a lock would leave it closed."""
    steps = []
    with pytest.raises(KeyboardInterrupt):
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
            steps.append("went on")
        steps.append("not reached")
    assert steps == ["went on"] and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with pytest.raises(ZeroDivisionError), uninterrupted():
        raise ZeroDivisionError
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
            assert heard == [signal.SIGINT], "whoever has a way of their own keeps it"
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("moment", ["starting", "running", "half done"])
def test_ctrl_c_ends_two_jobs(moment: str, tmp_path: Path, hears_ctrl_c: None) -> None:
    """Sent to the whole group, as a terminal does."""
    bonded_wall(1, 1).save(tmp_path / "wall.foregone")
    out = tmp_path / "out"
    command = ["run", str(tmp_path / "wall.foregone"), "--takes", "2000", "--seconds", "1", "--jobs", "2", "--json"]
    run = subprocess.Popen(
        [sys.executable, "-m", "engine", *command, "--out", str(out)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    limit = time.monotonic() + 120.0
    while not (out.exists() if moment != "half done" else len(list(out.glob("take-*.npz"))) >= 2):
        assert run.poll() is None and time.monotonic() < limit
        time.sleep(0.01)
    time.sleep(0.7 if moment == "running" else 0.0)
    os.killpg(run.pid, signal.SIGINT)
    said, complaint = run.communicate(timeout=60.0)
    assert run.returncode == 130, complaint.decode()
    if moment != "starting":  # when there may be no answer yet
        result = json.loads(said)
        assert result["interrupted"] and len(result["takes"]) == len(list(out.glob("take-*.npz")))
        assert moment != "half done" or len(result["takes"]) >= 2
    limit = time.monotonic() + 60.0
    while subprocess.run(["pgrep", "-g", str(run.pid)], stdout=subprocess.PIPE).returncode == 0:
        assert time.monotonic() < limit, "workers are left behind"
        time.sleep(0.05)
