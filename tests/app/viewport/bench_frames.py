"""How much a picture costs. Not a test (names no threshold): run it by hand,

    python tests/app/viewport/bench_frames.py

It prints milliseconds of processor time per picture at 1280 x 800, all threads of a software renderer counted: while
the camera turns, while bodies play back, while one and all of them are dragged, on hover, and per pick.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench_screen import on_own_screen

FRAMES = 12


def cpu(action: Callable[[int], None], count: int = FRAMES) -> float:
    """ms of processor time per call."""
    action(-1)
    start = time.process_time()
    for k in range(count):
        action(k)
    return 1000.0 * (time.process_time() - start) / count


def measure() -> None:
    import scenes
    from PySide6.QtWidgets import QApplication

    from app.document import edits
    from app.document.document import Document
    from app.look.look import Look
    from app.session.selection import Selection
    from app.session.settings import Settings
    from app.viewport.view import View
    from engine.scene.spec import Box, Sphere

    app = QApplication.instance() or QApplication([])
    document, look, settings = Document(), Look(), Settings()
    selection = Selection(document)
    view = View(document, selection, settings, look)
    view.resize(1280, 800)
    view.show()

    def orbit(_: int) -> None:
        view.set_camera(view.camera.orbited(0.03, 0.0))
        view.grabFramebuffer()

    def replay(k: int) -> None:
        poses = {b.id: ((b.position[0], b.position[1], b.position[2] + 0.001 * k), b.orientation) for b in bodies}
        view.set_poses(poses)
        view.grabFramebuffer()

    def drag(k: int, ids: list[str]) -> None:
        if k < 0:
            view.set_poses(None)
        selection.set(ids)
        document.preview(edits.translate(document.scene, ids, (0.0, 0.0, 0.001 * k)))
        view.grabFramebuffer()

    def one(k: int) -> None:
        drag(k, [bodies[len(bodies) // 2].id])

    def every(k: int) -> None:
        drag(k, [body.id for body in bodies])

    def hover(k: int) -> None:
        selection.set_hover(bodies[k % len(bodies)].id)
        view.grabFramebuffer()

    def pick(k: int) -> None:
        view.pick(400.0 + 30 * k, 380.0 + 5 * k)

    cases = {
        "45 bricks and all shapes": scenes.every_shape(),
        "3000 boxes": scenes.many(3000, Box((0.1, 0.1, 0.1))),
        "3000 spheres": scenes.many(3000, Sphere(0.1)),
    }
    print(f"{'':28}{'orbit':>8}{'replay':>8}{'one':>8}{'all':>8}{'hover':>8}{'pick':>8}")
    for name, scene in cases.items():
        document.new(scene)
        bodies = scene.bodies
        settings.set("look/reduce_motion", True)
        view.frame()
        for shadows, smooth in ((True, True), (True, False), (False, False)):
            settings.set("view/shadows", shadows)
            settings.set("view/smooth_edges", smooth)
            view.apply_settings()
            app.processEvents()
            row = "".join(f"{cpu(action):8.1f}" for action in (orbit, replay, one, every, hover, pick))
            view.set_poses(None)
            document.preview(None)
            selection.clear()
            selection.set_hover(None)
            print(f"{name:28}{row}  {'shadows ' if shadows else ''}{'smooth' if smooth else ''}")
        settings.set("view/shadows", True)
        settings.set("view/smooth_edges", True)
    app.processEvents()
    before, start = view.draws, time.process_time()
    end = time.monotonic() + 2.0
    while time.monotonic() < end:
        app.processEvents()
        time.sleep(0.02)
    print(f"idle for 2 s: {view.draws - before} pictures, {1000.0 * (time.process_time() - start):.0f} ms")
    view.close()


if __name__ == "__main__":
    on_own_screen(measure)
