"""Tests of the studio run in real windows with a real GL context, on a virtual screen; and leave nothing behind."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

SCREEN = "1600x1000x24"


def start_screen(room: str = SCREEN) -> tuple[subprocess.Popen[bytes], str]:
    """Start Xvfb on a free display; returns the process and the display's name."""
    if shutil.which("Xvfb") is None:
        raise RuntimeError("Xvfb is missing: run `make setup`")
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", room, "+extension", "GLX", "-noreset"]
    process = subprocess.Popen(command, pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as answer:
        number = answer.readline().strip()
    if not number:
        raise RuntimeError("Xvfb did not start")
    return process, f":{number}"


@pytest.fixture(scope="session", autouse=True)
def screen(pytestconfig: pytest.Config) -> str:
    """The virtual screen of all tests in this folder. It outlives them: Qt ends the process when its screen goes."""
    process, display = start_screen()

    def stop() -> None:
        process.terminate()
        process.wait()

    pytestconfig.add_cleanup(stop)
    os.environ.update(DISPLAY=display, QT_QPA_PLATFORM="xcb", LIBGL_ALWAYS_SOFTWARE="1", QT_SCALE_FACTOR="1")
    return display


@pytest.fixture(scope="module", autouse=True)
def long_lived(screen: str) -> None:
    """What was imported until now stays: collecting after each test need not go through it. (A compiler that a test has
    loaded is a million objects, and took a second of every test after it.)"""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def qapp(screen: str, qapp: object) -> object:
    """The application, made only once there is a screen."""
    return qapp


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings and journals of a test go to a folder of its own."""
    folder = tmp_path / "home"
    monkeypatch.setenv("FOREGONE_HOME", str(folder))
    return folder


@pytest.fixture(autouse=True)
def nothing_left_behind(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test after which a thread, a child process, a running timer or a window is still there, or the mouse and
    the keyboard are still held: the next test's clicks would not be heard."""
    uses_qt = "qapp" in request.fixturenames or "qtbot" in request.fixturenames
    threads, children, held = set(threading.enumerate()), child_processes(), held_input() if uses_qt else []
    yield
    left = [f"thread {thread.name}" for thread in threading.enumerate() if thread not in threads]
    left += [f"process {name}" for name in sorted(child_processes() - children)]
    if uses_qt:
        left += qt_leftovers() + [what for what in held_input() if what not in held]  # only this test's
    assert left == []


def child_processes() -> set[str]:
    """ "pid name" of this process's children that are not zombies waiting to be reaped."""
    found = set()
    for task in Path("/proc/self/task").iterdir():
        try:
            children = (task / "children").read_text().split()
        except OSError:  # a thread that has just ended
            continue
        for pid in children:
            try:
                stat = Path(f"/proc/{pid}/stat").read_text()
            except OSError:
                continue
            name, state = stat[stat.index("(") + 1 : stat.rindex(")")], stat[stat.rindex(")") + 2]
            if state != "Z":
                found.add(f"{pid} {name}")
    return found


def qt_leftovers() -> list[str]:
    from PySide6.QtCore import QCoreApplication, QEvent, QTimer
    from PySide6.QtWidgets import QApplication

    gc.collect()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()
    windows = [f"window {w!r}" for w in QApplication.topLevelWidgets() if w.isVisible()]
    timers = [f"timer {t!r}" for t in gc.get_objects() if isinstance(t, QTimer) and _running(t)]
    return windows + timers


def held_input() -> list[str]:
    """Buttons pressed and not released, and who keeps the mouse and the keyboard from everybody else."""
    from PySide6.QtGui import QGuiApplication
    from PySide6.QtWidgets import QApplication, QWidget

    keepers = {
        "popup": QApplication.activePopupWidget(),
        "modal": QApplication.activeModalWidget(),
        "mouse grabber": QWidget.mouseGrabber(),
        "keyboard grabber": QWidget.keyboardGrabber(),
        "modal window": QGuiApplication.modalWindow(),
        "cursor": QGuiApplication.overrideCursor(),
    }
    held = [f"{what} {who!r}" for what, who in keepers.items() if who is not None]
    buttons = QGuiApplication.mouseButtons()  # not the modifiers: QTest leaves those of its last key there
    return held + ([f"mouse {buttons!r}"] if buttons.value else [])


def _running(timer: object) -> bool:
    try:
        return bool(timer.isActive())  # type: ignore[attr-defined]
    except RuntimeError:  # deleted on the C++ side
        return False
