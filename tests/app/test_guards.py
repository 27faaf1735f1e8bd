"""The guards of the studio's tests guard: each kind of leftover fails the test that left it. And None lives on."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from PySide6.QtWidgets import QWidget

ROOT = Path(__file__).resolve().parents[2]

CARELESS = '''
import subprocess, threading
import pytest

tidy_up = []


@pytest.fixture(autouse=True)
def tidy():
    """What the test before left, so that each is judged by itself."""
    while tidy_up:
        tidy_up.pop()()


def test_clean(qtbot):
    from PySide6.QtWidgets import QWidget
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()


def test_thread():
    event = threading.Event()
    threading.Thread(target=event.wait, name="left").start()
    tidy_up.append(event.set)


def test_process():
    process = subprocess.Popen(["sleep", "60"])
    tidy_up.append(lambda: (process.kill(), process.wait()))


def test_timer(qtbot):
    from PySide6.QtCore import QTimer
    timer = QTimer()
    timer.start(60000)
    tidy_up.append(timer.stop)


def test_window(qtbot):
    from PySide6.QtWidgets import QWidget
    widget = QWidget()
    widget.show()
    tidy_up.append(widget.close)


def test_button(qtbot):
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication, QWidget
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    QTest.mousePress(widget.windowHandle(), Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    def release():
        other = QWidget()
        other.show()
        QTest.mouseRelease(other.windowHandle(), Qt.MouseButton.LeftButton)
        QApplication.processEvents()
        other.close()
    tidy_up.append(release)


def test_grab(qtbot):
    from PySide6.QtWidgets import QWidget
    widget = QWidget()
    widget.grabMouse()
    tidy_up.append(widget.releaseMouse)


def test_warning(qtbot):
    from PySide6.QtCore import qWarning
    qWarning("something is wrong")


def test_exception_in_a_slot(qtbot):
    from PySide6.QtCore import QTimer
    def fail():
        raise ValueError("in a slot")
    QTimer.singleShot(0, fail)
    qtbot.wait(20)


def test_clean_again(qtbot):
    pass
'''


def test_every_kind_of_leftover_fails_its_test(tmp_path: Path) -> None:
    shutil.copy(ROOT / "tests" / "app" / "conftest.py", tmp_path)
    (tmp_path / "test_careless.py").write_text(CARELESS)
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT), "-rA",
               "-p", "no:cacheprovider", str(tmp_path)]  # fmt: skip
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    told = set(re.findall(r"^(FAILED|ERROR) .*::test_(\w+)", ran.stdout, re.MULTILINE))
    expected = {("ERROR", name) for name in ("thread", "process", "timer", "window", "button", "grab")}
    assert told == expected | {("FAILED", "warning"), ("FAILED", "exception_in_a_slot")}, ran.stdout
    for words in ("thread left", "sleep", "timer <PySide6.QtCore.QTimer", "window <PySide6.QtWidgets.QWidget",
                  "mouse <MouseButton.LeftButton", "mouse grabber <"):  # fmt: skip
        assert words in ran.stdout


def test_none_keeps_its_references(qtbot) -> None:
    """Some versions of PySide take one from None with every call that returns it, until Python dies of it."""
    widget = QWidget()
    qtbot.addWidget(widget)
    before = sys.getrefcount(None)
    for _ in range(500):
        widget.update()
    assert sys.getrefcount(None) > before - 50
