"""How long it takes from another frame to its picture. Not a test (names no threshold): run it by hand,

    python tests/bench/scrub_latency.py

The real window, drawn without a graphics card; its view is 1280 x 800. Milliseconds on the clock from
`playback.go_to_frame`, as the timeline calls it, until the view has drawn its picture, and until the window with the
picture in it is on the screen: the screen's server, asked for a pixel of the window once everything has been sent, has
answered. Then milliseconds of processor time until then, all threads of the software renderer counted, which other
programs on the machine disturb less. Then a take plays for some seconds: how far its time is off the clock's, and how
many pictures a second were drawn. What the screen shows is compared with the picture once per scene.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QRect, QSize
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "app"))

from bench_screen import on_own_screen

if TYPE_CHECKING:
    from app.shell.window import Window
    from engine.scene.spec import Scene

SCREEN_ROOM = "2200x1400x24"
VIEW = (1280, 800)  # px
MARKED = 1000  # bodies: the large scenes float above each other, and the view says so
FRAMES = 25
PLAYED = 3.0  # s


def scene_of(kind: str, count: int) -> Scene:
    import scenes

    from engine.scene.spec import Box, Scene, Sphere

    if kind == "bricks":
        return Scene(bodies=scenes.wall(6, count // 6))
    return scenes.many(count, Box((0.1, 0.1, 0.1)) if kind == "boxes" else Sphere(0.1))


def show(window: Window, scene: Scene) -> None:
    import gliding_films as films

    document = window.studio.document
    document.new(scene)
    film = films.gliding(document.scene.bodies, (0.3, 0.1, -0.2), spin=0.4)
    window.studio.playback.show(films.with_take(document, film))
    window.studio.view.frame([])


def settle(window: Window, seconds: float = 0.6) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        QApplication.processEvents()


def scrubbed(window: Window) -> np.ndarray:
    """(3, n) ms until the picture is drawn, until the window is on the screen, and of processor time, for many frames.
    Other work of the window (the timeline's, a check of the scene) falls into these times where it comes first."""
    view, playback = window.studio.view, window.studio.playback
    found = []
    for k in range(FRAMES + 3):
        before, busy, start = view.draws, time.process_time(), time.perf_counter()
        playback.go_to_frame(playback.ending_frame - 20 + k % 17)
        while view.draws == before:
            QApplication.processEvents()  # drawing, composing and sending are one event of the window
        on_screen(window, QPoint(0, 0), QSize(1, 1))
        found.append((view.drawn_at - start, time.perf_counter() - start, time.process_time() - busy))
    if not window.studio.selection.ids and len(window.studio.document.scene.bodies) < MARKED:
        check_screen(window)  # else a trail, or marks of problems, lie over the picture
    return 1000.0 * np.array(found[3:]).T


def on_screen(window: Window, corner: QPoint, size: QSize) -> QImage:
    """A part of the view as the screen has it. The answer comes after everything that was sent before."""
    place = window.studio.view.mapTo(window, corner)
    return window.screen().grabWindow(window.winId(), place.x(), place.y(), size.width(), size.height()).toImage()


def check_screen(window: Window) -> None:
    """Is what was timed really seen?"""
    view = window.studio.view
    corner, size = QPoint(view.width() // 4, view.height() // 4), view.size() / 2  # no pills there
    shown = on_screen(window, corner, size).convertToFormat(QImage.Format.Format_RGB32)
    drawn = view.grabFramebuffer().copy(QRect(corner, size)).convertToFormat(QImage.Format.Format_RGB32)
    pictures = [np.frombuffer(image.constBits(), np.uint8).reshape(-1, 4)[:, :3] for image in (shown, drawn)]
    same = float((pictures[0] == pictures[1]).all(axis=1).mean())
    if same < 0.9:
        raise RuntimeError(f"only {100.0 * same:.0f} % of the picture are on the screen")


def played(window: Window) -> tuple[float, float]:
    """Largest difference between the take's time and the clock's (ms), and pictures per second."""
    view, playback = window.studio.view, window.studio.playback
    playback.loop = False
    playback.go(playback.first)
    settle(window)
    before, first, off = view.draws, playback.time, [0.0]
    playback.play()
    start = time.perf_counter()
    playback.moved.connect(lambda: off.append(abs(playback.time - first - (time.perf_counter() - start))))
    while playback.direction and time.perf_counter() - start < PLAYED:
        QApplication.processEvents()
    gone = time.perf_counter() - start
    playback.stop()
    return 1000.0 * max(off), (view.draws - before) / gone


def measure() -> None:
    from app.document.document import Document
    from app.look.look import Look
    from app.look.style import apply_style
    from app.session.settings import Settings
    from app.shell.parts import Parts
    from app.shell.window import Window

    app = QApplication([])
    settings, look = Settings(), Look()
    settings.set("look/reduce_motion", True)
    apply_style(app, look)
    window = Window(Document(), settings, look, Parts())
    window.resize(2000, 1300)
    window.show()
    settle(window)
    window.resize(window.size() + _missing(window))
    settle(window)
    view = window.studio.view
    print(f"view {view.width()} x {view.height()}, median of {FRAMES} frames (worst)")
    print(f"{'':26}{'drawn ms':>16}{'on screen ms':>16}{'processor ms':>16}{'off clock ms':>14}{'pictures/s':>12}")
    for kind, count in (("bricks", 30), ("boxes", 3000), ("balls", 3000)):
        show(window, scene_of(kind, count))
        chosen = window.studio.document.scene.bodies[count // 2].id
        for words, ids in (("", []), (", one selected", [chosen])):
            window.studio.selection.set(ids)
            settle(window)
            cells = "".join(f"{f'{np.median(ms):.1f} ({ms.max():.0f})':>16}" for ms in scrubbed(window))
            off, rate = played(window)
            print(f"{count} {kind + words:21}{cells}{off:>14.0f}{rate:>12.1f}", flush=True)
    window.studio.questions.keep_changes = lambda title: "discard"  # type: ignore[method-assign]
    window.close()
    window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _missing(window: Window) -> QSize:
    view = window.studio.view
    return QSize(VIEW[0] - view.width(), VIEW[1] - view.height())


if __name__ == "__main__":
    on_own_screen(measure, SCREEN_ROOM)
