"""kill -9: of the program in the middle of editing, and of its worker in the middle of settling."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hand import LONG, Hand
from PySide6.QtWidgets import QPushButton

from app.document.lines import lines
from app.document.rescue import find_orphans
from engine.scene.spec import Body, Box, Scene

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 60.0  # s


class Program:
    """`python -m app`, used through the X server as any program is."""

    def __init__(self, started: list[Program]) -> None:
        self.process = subprocess.Popen([sys.executable, "-m", "app"], cwd=ROOT, stderr=subprocess.PIPE)
        started.append(self)  # at once, so that it is ended even when no window comes
        self.window = ""
        wait_for(self._seen, "a window")
        xdotool(f"windowfocus --sync {self.window} sleep 0.5")

    def _seen(self) -> bool:
        assert self.process.poll() is None, self.process.stderr and self.process.stderr.read().decode()
        search = f"search --onlyvisible --pid {self.process.pid} --name Foregone"
        found = subprocess.run(["xdotool", *search.split()], capture_output=True, text=True)
        self.window = found.stdout.strip().split("\n")[0]
        return bool(self.window)

    def children(self) -> list[int]:
        me = self.process.pid
        return [int(pid) for pid in Path(f"/proc/{me}/task/{me}/children").read_text().split()]

    def kill(self) -> None:
        """And see that its worker goes too."""
        workers = self.children()
        self.process.kill()
        self.process.wait()
        assert self.process.stderr is not None
        errors = self.process.stderr.read().decode()
        self.process.stderr.close()
        assert errors == ""
        wait_for(lambda: not any(map(alive, workers)), "the worker's end")


def wait_for(condition: Callable[[], object], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.05)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def xdotool(line: str) -> None:
    subprocess.run(["xdotool", *line.split()], check=True, timeout=PATIENCE)


def commands(recovery: Path) -> int:
    """How many commands are on disk."""
    return sum("state" not in row for file in recovery.glob("*/changes-*") for row in lines(file))


@pytest.fixture
def started() -> Iterator[list[Program]]:
    programs: list[Program] = []
    yield programs
    for program in programs:
        program.process.kill()
        program.process.wait()
        assert program.process.stderr is not None
        program.process.stderr.close()


def compose(program: Program, recovery: Path) -> None:
    """Three commands, each on disk as soon as it is made, and a fourth that never ends."""
    xdotool("key ctrl+n sleep 0.5 mousemove 760 520 sleep 0.2 key shift+a sleep 0.5 key Down key Return sleep 0.3")
    xdotool("mousemove 740 540 sleep 0.1 mousemove 742 542 sleep 0.2 click 1")
    for number, keys in enumerate(["", "g z 1 period 5 Return", "r z 4 5 Return"], 1):
        xdotool(" ".join(["sleep 0.1", *(f"key {key}" for key in keys.split())]))
        wait_for(lambda number=number: commands(recovery) == number, f"command {number}")
    xdotool("key g key x key 2 sleep 0.3")


def recover_button(hand: Hand) -> QPushButton:
    assert hand.window.welcome_shown
    return next(b for b in hand.window.welcome.findChildren(QPushButton) if b.isVisible() and b.text() == "Recover")


def test_killed_while_editing_the_work_is_offered_again(program, started, own_home: Path) -> None:
    """Killed, started, recovered, killed at once, started, recovered: not one finished command is lost."""
    recovery = own_home / "recovery"
    Program(started)
    compose(started[0], recovery)
    started[0].kill()
    (orphan,) = find_orphans(recovery)

    hand = program()  # the offer is not in the way, and stays until somebody decides
    button = recover_button(hand)
    place = button.mapToGlobal(button.rect().center())
    hand.window.close()
    assert [found.folder for found in find_orphans(recovery)] == [orphan.folder]

    Program(started)
    xdotool(f"mousemove {place.x()} {place.y()} sleep 0.2 click 1")
    wait_for(lambda: not orphan.folder.exists(), "the recovery")
    started[1].kill()

    hand = program()
    hand.click(recover_button(hand))
    document = hand.window.studio.document
    hand.wait(lambda: document.dirty)
    assert not hand.window.welcome_shown
    (box,) = document.scene.bodies
    assert isinstance(box.shape, Box) and box.position[2] == pytest.approx(0.1 + 1.5, abs=1e-9)
    assert box.orientation == pytest.approx((0.92388, 0, 0, 0.38268), abs=1e-5)


def dice(count: int) -> Scene:
    places = [(0.3 * (i % 6), 0.3 * (i // 6 % 6), 0.2 + 0.3 * (i // 36)) for i in range(count)]
    return Scene(bodies=[Body(f"Die {i}", Box((0.1, 0.08, 0.06)), p) for i, p in enumerate(places)])


def test_killed_while_settling_the_worker_costs_a_message_only(program, tmp_path: Path) -> None:
    dice(80).save(tmp_path / "dice.foregone")
    hand = program(tmp_path / "dice.foregone")
    window, studio = hand.window, hand.window.studio
    before = studio.document.scene
    hand.keys("Ctrl+T")
    victims: list[int] = []

    def kill() -> None:
        """At the first sign of work: a moment later it may be done."""
        if not victims:
            victims.append(studio.worker.process_id)
            os.kill(victims[0], signal.SIGKILL)

    studio.job.progressed.connect(kill)
    hand.wait(lambda: bool(victims), LONG)
    (killed,) = victims
    hand.wait(window.message.isVisible)
    assert window.message.label.text() == "Settling stopped unexpectedly. Your scene is safe."
    assert studio.document.scene is before is studio.document.shown and not studio.document.dirty
    assert studio.job is None
    hand.wait(lambda: not window.tool_bar.strip.isVisible())  # the bar is laid out a moment later

    hand.click(next(button for button in window.message.buttons if button.text() == "Try again"))
    hand.wait(lambda: studio.worker.process_id not in (0, killed))
    hand.wait(lambda: studio.job is None, LONG)
    assert studio.document.history.undoText() == "Settle 80 bodies" and not window.message.isVisible()
    assert max(body.position[2] for body in studio.document.scene.bodies) < 0.5
