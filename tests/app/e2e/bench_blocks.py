"""How long the window's event loop is held up at most: while the engine compiles, bodies settle, and with 3000 bodies.

    python tests/app/e2e/bench_blocks.py [--blind] [compile settle open edit copy]

Prints, for each, the longest gap between two turns of a 5 ms timer: on the clock; without the time in which other
programs had the processor (Linux counts it), which is what a machine with nothing else to do would show; and what this
thread computed in it. `--blind` leaves out the view's pictures, which without a graphics card are painted by the
processor. Needs a display.
"""

from __future__ import annotations

import argparse
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
    window.studio.worker.compiling.connect(lambda done, total: told.append(f"{done} of {total}"))
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


def opening(window: Any, blocks: Blocks) -> None:
    from app.shell.file_commands import open_path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.foregone"
        wall(60, BODIES // 60).save(path)
        window.studio.document.new()
        took = blocks.watch(lambda: open_path(window.studio, path), lambda: not window.studio.worker.busy)
    blocks.row(f"opening {BODIES} bodies", took)


def editing(window: Any, blocks: Blocks) -> None:
    studio, run = window.studio, window.actions_by_id.run
    studio.document.new(wall(60, BODIES // 60))
    idle = lambda: not studio.worker.busy and not window.checking._pause.isActive()  # noqa: E731
    blocks.watch(lambda: None, idle, 1.0)
    for words, key in (("select", "select.all"), ("hide", "body.hide"), ("undo hide of", "edit.undo"),
                       ("select again", "select.all"), ("group", "body.group"), ("undo group of", "edit.undo"),
                       ("delete", "edit.delete"), ("undo delete of", "edit.undo"), ("redo delete of", "edit.redo"),
                       ("undo delete again of", "edit.undo")):  # fmt: skip
        blocks.row(f"{words} {BODIES}", blocks.watch(lambda key=key: run(key), idle))


def copying(window: Any, blocks: Blocks) -> None:
    studio = window.studio
    studio.document.new(wall(60, BODIES // 60))
    first = studio.document.scene.bodies[0]
    bodies = [replace(first, name="Other"), *studio.document.scene.bodies[1:]]
    idle = lambda: not studio.worker.busy and not window.checking._pause.isActive()  # noqa: E731
    blocks.watch(lambda: None, idle, 1.0)
    changed = replace(studio.document.scene, bodies=bodies)
    blocks.row("one edit, its journal, and sync", blocks.watch(lambda: studio.document.edit("x", changed), idle, 1.5))
    blocks.row(f"autosave of {BODIES}", blocks.watch(window._safety._autosave._make_copy, idle, 1.5))


SCENARIOS = {"compile": compiling, "settle": settling, "open": opening, "edit": editing, "copy": copying}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--blind", action="store_true")
    parser.add_argument("scenarios", nargs="*", default=list(SCENARIOS))
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ["FOREGONE_HOME"] = home
        from PySide6.QtWidgets import QApplication

        from app.document.document import Document
        from app.look.look import Look
        from app.look.style import apply_style
        from app.session.settings import Settings
        from app.shell.parts import real_parts
        from app.shell.start import begin
        from app.shell.window import Window
        from app.viewport.view import View

        if asked.blind:
            View.paintGL = lambda view: None  # type: ignore[method-assign]
        app = QApplication([])
        look = Look()
        apply_style(app, look)
        window = Window(Document(), Settings(), look, real_parts())
        window.studio.questions.keep_changes = lambda title: "discard"  # type: ignore[method-assign]
        begin(window, None)
        window.hide_welcome()
        print(f"{'':34} {'gap, ms':>8} {'alone':>8} {'computed':>10} {'> 50 ms':>8} {'took, s':>8}")
        Blocks().watch(window.studio.worker.stop, lambda: True, 1.5)
        for name in asked.scenarios:
            SCENARIOS[name](window, Blocks())
        window.close()


if __name__ == "__main__":
    main()
