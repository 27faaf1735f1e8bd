"""How long the window's event loop is held up at most: while the engine compiles, bodies settle, and with 3000 bodies.

    python tests/app/e2e/bench_blocks.py [--blind] [--lone] [compile settle open save edit duplicate drag place copy]

Prints, for each, the longest gap between two turns of a 5 ms timer: on the clock; without the time in which other
programs had the processor (Linux counts it), which is what a machine with nothing else to do would show; and what this
thread computed in it. `--blind` leaves out the view's pictures, which without a graphics card are painted by the
processor. `--lone` leaves out the worker process, which takes minutes to get ready on a fresh checkout. Needs a
display.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))
BODIES = 3000
COMPILING = 20.0  # s


class Blocks:
    """Gaps of a timer that wants to run every 5 ms."""

    def __init__(self) -> None:
        from PySide6.QtCore import Qt, QTimer

        self._timer = QTimer(timerType=Qt.TimerType.PreciseTimer, interval=5)
        self._timer.timeout.connect(self._turn)
        self._last = times()
        self.gaps: list[tuple[float, float, float]] = []

    def watch(self, act: Callable[[], object], until: Callable[[], bool], quiet: float = 0.5) -> float:
        """Do something, then turn the loop until a condition has held for a while; returns how long it took, s."""
        from PySide6.QtWidgets import QApplication

        app = QApplication.instance()
        assert app is not None
        self.gaps, self._last = [], times()
        begin = time.perf_counter()
        self._timer.start()
        act()
        held = time.perf_counter()
        while time.perf_counter() - held < quiet:
            app.processEvents()
            app.sendPostedEvents(None, 52)  # DeferredDelete, as exec() would
            if not until():
                held = time.perf_counter()
            time.sleep(0.0005)
        self._timer.stop()
        return time.perf_counter() - begin - quiet

    def _turn(self) -> None:
        now = times()
        clock, computed, waited = (b - a for a, b in zip(self._last, now, strict=True))
        self.gaps.append((clock, clock - waited, computed))
        self._last = now

    def row(self, name: str, took: float) -> None:
        clock, alone, computed = (1e3 * max(gap[k] for gap in self.gaps) for k in range(3))
        over = sum(gap[1] > 0.05 for gap in self.gaps)
        print(f"{name:34} {clock:8.0f} {alone:8.0f} {computed:10.0f} {over:8} {took:8.1f}", flush=True)


def times() -> tuple[float, float, float]:
    """Clock, what this thread computed, and how long it was ready but others had the processor; s."""
    waited = int(Path("/proc/thread-self/schedstat").read_text().split()[1])
    return time.perf_counter(), time.thread_time(), 1e-9 * waited


def wall(columns: int, rows: int) -> Any:
    """Bricks that hang a little over each other."""
    from engine.scene.spec import Body, Box, Scene

    bricks = [
        Body(f"Brick {r}.{c}", Box((0.12, 0.06, 0.04)), (0.25 * c + 0.125 * (r % 2), 0.0, 0.05 + 0.09 * r))
        for r in range(rows)
        for c in range(columns)
    ]
    return Scene(bodies=bricks)


def compiling(window: Any, blocks: Blocks) -> None:
    window.studio.worker.stop()
    told: list[str] = []
    window.studio.worker.compiling.connect(lambda done, total, left: told.append(f"{done} of {total}, {left:.0f} s"))
    before = os.environ.get("FOREGONE_CACHE")
    with tempfile.TemporaryDirectory() as cache:
        os.environ["FOREGONE_CACHE"] = cache
        end = time.perf_counter() + COMPILING
        blocks.row("compiling", blocks.watch(window.studio.worker.start, lambda: time.perf_counter() > end, 0.1))
        print(f"    told: {told[-1:]}")
        window.studio.worker.stop()
    os.environ.pop("FOREGONE_CACHE") if before is None else os.environ.update(FOREGONE_CACHE=before)


def settling(window: Any, blocks: Blocks) -> None:
    studio = window.studio
    studio.document.new(wall(10, 10))
    blocks.watch(lambda: studio.worker.start(), lambda: not studio.worker.busy, 1.0)
    took = blocks.watch(lambda: window.actions_by_id.run("body.settle"), lambda: studio.job is None)
    blocks.row("settling a wall of 100 bricks", took)


def many() -> Path:
    """A project of many bodies."""
    path = Path(os.environ["FOREGONE_HOME"]) / "many.foregone"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        wall(60, BODIES // 60).save(path)
    return path


def show_many(document: Any) -> None:
    from app.document.reading import read_project

    document.show_project(read_project(many()), many())


def opening(window: Any, blocks: Blocks) -> None:
    from app.shell.file_commands import open_path

    path = many()
    window.studio.document.new()
    shown = lambda: not window.studio.worker.busy and bool(window.studio.document.scene.bodies)  # noqa: E731
    blocks.row(f"opening {BODIES} bodies", blocks.watch(lambda: open_path(window.studio, path), shown))


def saving(window: Any, blocks: Blocks) -> None:
    from app.document import edits

    studio = window.studio
    show_many(studio.document)
    studio.document.edit("Delete", edits.remove(studio.document.scene, ["b1"]))
    blocks.watch(lambda: None, idle(window), 1.0)
    took = blocks.watch(lambda: window.actions_by_id.run("file.save"), lambda: not studio.document.dirty)
    many().unlink()
    blocks.row(f"saving {BODIES} bodies", took)


def idle(window: Any) -> Callable[[], bool]:
    return lambda: not window.studio.worker.busy and not window.checking._pause.isActive()


def editing(window: Any, blocks: Blocks) -> None:
    studio, run = window.studio, window.actions_by_id.run
    show_many(studio.document)
    blocks.watch(lambda: None, idle(window), 1.0)
    for words, key in (("select", "select.all"), ("hide", "body.hide"), ("undo hide of", "edit.undo"),
                       ("select again", "select.all"), ("group", "body.group"), ("undo group of", "edit.undo"),
                       ("delete", "edit.delete"), ("undo delete of", "edit.undo"), ("redo delete of", "edit.redo"),
                       ("undo delete again of", "edit.undo")):  # fmt: skip
        blocks.row(f"{words} {BODIES}", blocks.watch(lambda key=key: run(key), idle(window)))


def duplicating(window: Any, blocks: Blocks) -> None:
    """Copies follow the mouse until Enter."""
    studio, run = window.studio, window.actions_by_id.run
    show_many(studio.document)
    studio.selection.set(body.id for body in studio.document.scene.bodies)
    blocks.watch(lambda: None, idle(window), 1.0)
    blocks.row(f"duplicate {BODIES}", blocks.watch(lambda: run("edit.duplicate"), idle(window)))
    blocks.row("confirm the copies", blocks.watch(lambda: press(window, "Key_Return"), idle(window)))
    blocks.row(f"undo duplicate of {BODIES}", blocks.watch(lambda: run("edit.undo"), idle(window)))


def dragging(window: Any, blocks: Blocks) -> None:
    """G, then the mouse goes across the view, a movement every 30 ms."""
    from PySide6.QtCore import QPoint, QTimer
    from PySide6.QtTest import QTest

    studio, view = window.studio, window.studio.view
    show_many(studio.document)
    studio.selection.set(body.id for body in studio.document.scene.bodies)
    QTest.mouseMove(view, QPoint(300, 300))
    blocks.watch(lambda: None, idle(window), 1.0)
    blocks.row(f"begin to move {BODIES}", blocks.watch(lambda: press(window, "Key_G"), idle(window)))
    places = iter([QPoint(300 + 5 * k, 300 + 2 * k) for k in range(20)])
    timer = QTimer(interval=30)

    def step() -> None:
        place = next(places, None)
        QTest.mouseMove(view, place) if place is not None else timer.stop()

    timer.timeout.connect(step)
    blocks.row(f"20 steps of moving {BODIES}", blocks.watch(timer.start, lambda: not timer.isActive()))
    blocks.row(f"confirm moving {BODIES}", blocks.watch(lambda: press(window, "Key_Return"), idle(window)))


def placing(window: Any, blocks: Blocks) -> None:
    """Poses of a settling scene on their way, and its end; bodies dropped onto what is below."""
    from app.document import edits
    from app.tools.snapping import drop

    document = window.studio.document
    show_many(document)
    blocks.watch(lambda: None, idle(window), 1.0)
    poses = {body.id: ((*body.position[:2], body.position[2] + 0.01), body.orientation)
             for body in document.scene.bodies}  # fmt: skip
    took = blocks.watch(lambda: document.preview(edits.place(document.scene, poses)), idle(window))
    blocks.row(f"preview of {BODIES} poses", took)
    took = blocks.watch(lambda: document.edit("Settle", edits.place(document.scene, poses)), idle(window))
    blocks.row(f"{BODIES} poses for good", took)
    for count in (100, 500):
        few = [body.id for body in document.scene.bodies[:count]]
        took = blocks.watch(lambda few=few: document.edit("Drop", drop(document.scene, few)), idle(window))
        blocks.row(f"drop of {count}", took)


def press(window: Any, key: str) -> None:
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    QTest.keyClick(window.studio.view, getattr(Qt.Key, key))


def copying(window: Any, blocks: Blocks) -> None:
    studio = window.studio
    show_many(studio.document)
    first = studio.document.scene.bodies[0]
    bodies = [replace(first, name="Other"), *studio.document.scene.bodies[1:]]
    blocks.watch(lambda: None, idle(window), 1.0)
    changed = replace(studio.document.scene, bodies=bodies)
    took = blocks.watch(lambda: studio.document.edit("x", changed), idle(window), 1.5)
    blocks.row("one edit, its journal, and sync", took)
    blocks.row(f"autosave of {BODIES}", blocks.watch(window._safety._autosave._make_copy, idle(window), 1.5))


SCENARIOS = {
    "compile": compiling,
    "settle": settling,
    "open": opening,
    "save": saving,
    "edit": editing,
    "duplicate": duplicating,
    "drag": dragging,
    "place": placing,
    "copy": copying,
}


def without_worker() -> None:
    """Nobody answers, and nobody is waited for."""
    from app.runs.worker import Worker

    Worker.start = lambda worker: None  # type: ignore[method-assign]
    Worker.busy = False  # type: ignore[method-assign, assignment]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--blind", action="store_true")
    parser.add_argument("--lone", action="store_true")
    parser.add_argument("scenarios", nargs="*", default=list(SCENARIOS))
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ["FOREGONE_HOME"] = home
        from PySide6.QtWidgets import QApplication

        from app.document.document import Document
        from app.look.look import Look
        from app.look.style import apply_style
        from app.session.settings import Settings
        from app.shell.parts import Parts
        from app.shell.start import begin
        from app.shell.window import Window
        from app.viewport.view import View

        if asked.blind:
            View.paint = lambda view, framebuffer: False  # type: ignore[method-assign]
        if asked.lone:
            without_worker()
        app = QApplication([])
        look = Look()
        apply_style(app, look)
        window = Window(Document(), Settings(), look, Parts())
        window.studio.questions.keep_changes = lambda title: "discard"  # type: ignore[method-assign]
        begin(window, None)
        gc.freeze()  # as the program does
        window.hide_welcome()
        print(f"{'':34} {'gap, ms':>8} {'alone':>8} {'computed':>10} {'> 50 ms':>8} {'took, s':>8}")
        Blocks().watch(window.studio.worker.stop, lambda: True, 1.5)
        for name in asked.scenarios:
            SCENARIOS[name](window, Blocks())
        window.close()


if __name__ == "__main__":
    main()
