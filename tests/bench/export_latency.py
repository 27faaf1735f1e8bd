"""Is the window alive while a large take is exported? Not a test (names no threshold): run it by hand,

    python tests/bench/export_latency.py

The real window on a screen of its own shows a take of 3037 balls over 240 frames; the Export dialog is open, and the
worker writes USD, then glTF. Seconds on the clock until the file is there, its size, the longest time in which the
window did nothing, how often progress was told, and the time from Cancel until the window is free again.
"""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QApplication

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "app"))

from bench_screen import on_own_screen

BODIES, FRAMES, FPS = 3037, 240, 60.0
TICK = 5  # ms


class Pulse:
    """The longest time between two turns of the event loop."""

    def __init__(self) -> None:
        self._timer = QTimer()
        self._timer.timeout.connect(self._beat)
        self._timer.start(TICK)
        self.reset()

    def reset(self) -> None:
        self._last, self.longest = time.perf_counter(), 0.0

    def _beat(self) -> None:
        now = time.perf_counter()
        self.longest, self._last = max(self.longest, now - self._last), now


def wait(until: Any, seconds: float = 900.0) -> None:
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end
        QApplication.processEvents()
        time.sleep(0.001)


def taken(window: Any) -> None:
    """Generate the take and show it."""
    from app.document import take_edits
    from engine.scene.fingerprint import fingerprint
    from engine.scene.shot import TakeCard
    from tests.bench.scenes_forward import filled_bins

    studio = window.studio
    studio.document.new(filled_bins(BODIES))
    found: list = []
    order = TakeCard("t1", "Take 01", seconds=(FRAMES - 1) / FPS, quality="preview", arrivals="together")
    job = studio.worker.take(studio.document.scene, order, str(studio.document.takes.folder))
    job.finished.connect(found.append)
    job.failed.connect(found.append)
    wait(lambda: found)
    card = replace(found[0], scene=fingerprint(studio.document.scene))
    studio.document.edit("Generate 1 take", take_edits.add_takes(studio.document.scene, [card]))
    studio.playback.show("t1")


def exported(studio: Any, wish: Any, pulse: Pulse) -> str:
    """Write it once, then stop it half way."""
    pulse.reset()
    begun, told = time.perf_counter(), []
    studio.exporting.start(studio.exporting.subject(), wish)
    studio.job.progressed.connect(lambda share, words: told.append(share))
    wait(lambda: studio.job is None)
    spent, still, size = time.perf_counter() - begun, pulse.longest, wish.path.stat().st_size
    studio.exporting.start(studio.exporting.subject(), wish)
    half = time.perf_counter() + 0.5 * spent
    wait(lambda: time.perf_counter() > half)
    stopping = time.perf_counter()
    studio.job.cancel()
    wait(lambda: studio.job is None)
    return (
        f"{spent:.1f} s, {size / 1e6:.1f} MB, window still for at most {1000 * still:.0f} ms, progress told "
        f"{len(told)} times, cancelled in {1000 * (time.perf_counter() - stopping):.0f} ms"
    )


def measure() -> None:
    from app.document.document import Document
    from app.export.wish import Wish
    from app.look.look import Look
    from app.look.style import apply_style
    from app.session.settings import Settings
    from app.shell.parts import Parts
    from app.shell.window import Window
    from engine.export.settings import preset

    app = QApplication([])
    settings, look = Settings(), Look()
    apply_style(app, look)
    window = Window(Document(), settings, look, Parts())
    window.resize(1600, 1000)
    window.show()
    taken(window)
    studio, pulse = window.studio, Pulse()
    studio.exporting.open()
    opened = time.monotonic()
    wait(lambda: time.monotonic() > opened + 3.0)
    with tempfile.TemporaryDirectory() as folder:
        for format_, suffix in (("usd", ".usdc"), ("glb", ".glb")):
            wish = Wish("blender", preset("blender", format_, fps=FPS), Path(folder) / f"take{suffix}")
            print(f"{format_}: {exported(studio, wish, pulse)}", flush=True)
    studio.questions.keep_changes = lambda title: "discard"
    window.close()
    window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


if __name__ == "__main__":
    on_own_screen(measure, "2200x1400x24")
