"""The picture on its way to the screen: the same on every way, and only where it changed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QLabel
from view_studio import Studio

from app.camera import Camera
from app.viewport import sheet
from app.viewport.sheet import CardSheet, MemorySheet
from engine.scene.spec import Body, Box, Sphere

Show = Callable[..., "object"]
TURN = (1.0, 0.0, 0.0, 0.0)
TABLE = Body("Table", Box((0.8, 0.4, 0.1)), (0.4, 0.0, 0.1), static=True)
BALL = Body("Ball", Sphere(0.2), (-0.3, -0.2, 0.9), color="#c02020")


def bytes_of(image: QImage) -> np.ndarray:
    rows = image.convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(rows.constBits(), np.uint8).reshape(rows.height(), rows.width(), 4)[:, :, :3].astype(int)


def put(studio, place: tuple[float, float, float]) -> None:
    studio.view.set_poses({studio.document.scene.bodies[1].id: (place, TURN)})


def keep_moving(studio) -> None:
    """No finer picture in between."""
    studio.view._refinement.setInterval(60_000)


def test_without_a_card_no_widget_of_the_window_is_drawn_by_gl(shown: Show) -> None:
    studio = shown(BALL)
    assert isinstance(studio.view._sheet, MemorySheet)
    assert studio.view.grabFramebuffer().size() == studio.view.size()


def test_both_sheets_show_the_same_picture(qtbot, monkeypatch: pytest.MonkeyPatch) -> None:
    pictures = []
    for software, kind in ((True, MemorySheet), (False, CardSheet)):
        monkeypatch.setattr(sheet, "machine_is_software", lambda software=software: software)
        studio = Studio(qtbot).show()
        assert isinstance(studio.view._sheet, kind)
        studio.document.new(type(studio.document.scene)(bodies=[TABLE, BALL]))
        studio.view.set_camera(Camera((0.0, 0.0, 0.4), 4.0))
        studio.rest()
        pictures.append(bytes_of(studio.view.grabFramebuffer()))
        studio.view.close()
    assert (pictures[0] == pictures[1]).all()


def test_what_is_drawn_in_part_is_the_whole_picture(shown: Show) -> None:
    """A ball flies over a table: no trace of it stays, nor of its shadows, its outline and its ghosts."""
    studio = shown(TABLE, BALL)
    studio.settings.set("view/smooth_edges", False)
    studio.view.set_camera(Camera((0.0, 0.0, 0.4), 4.5, 0.7, 0.5))
    studio.rest()
    ways = [(-0.3, -0.2, 0.9), (0.2, -0.1, 0.6), (0.5, 0.0, 0.4), (0.9, 0.3, 0.7), (-0.9, 0.3, 0.3), (0.4, 0.1, 1.4)]
    for number, place in enumerate(ways):
        if number == 3:
            studio.selection.set([studio.document.scene.bodies[1].id])
        put(studio, place)
        part = bytes_of(studio.view.grabFramebuffer())
        studio.view._renderer._drawn = None  # as if nothing had been drawn before
        put(studio, place)
        whole = bytes_of(studio.view.grabFramebuffer())
        wrong = np.abs(part - whole).max(axis=2) > 10  # finer: where texels of the shadow map lie
        assert wrong.mean() < 1e-4, (number, int(wrong.sum()))


def test_only_what_changed_is_painted_again(shown: Show) -> None:
    """A label in a corner of the view, far from the ball, is left alone."""
    studio = shown(TABLE, BALL)
    painted: list[QRect] = []

    class Watcher(QLabel):
        def paintEvent(self, event) -> None:
            painted.append(event.rect())

    label = Watcher(studio.view)
    label.setGeometry(5, studio.view.height() - 25, 60, 20)
    label.show()
    studio.view.set_camera(Camera((0.0, 0.0, 0.4), 9.0, 0.7, 0.5))
    studio.rest()
    keep_moving(studio)
    put(studio, (-0.3, -0.2, 0.81))
    studio.qtbot.waitUntil(lambda: not studio.view._stale)
    QApplication.processEvents()
    painted.clear()
    put(studio, (-0.25, -0.2, 0.82))
    studio.qtbot.waitUntil(lambda: not studio.view._stale)
    QApplication.processEvents()
    assert painted == []
    studio.view.set_camera(Camera((0.0, 0.0, 0.4), 8.0, 0.7, 0.5))
    studio.qtbot.waitUntil(lambda: not studio.view._stale)
    QApplication.processEvents()
    assert painted


def test_several_changes_at_once_are_one_picture(shown: Show) -> None:
    studio = shown(TABLE, BALL)
    keep_moving(studio)
    before = studio.view.draws
    for x in (0.0, 0.1, 0.2):
        put(studio, (x, 0.0, 0.7))
    studio.qtbot.waitUntil(lambda: not studio.view._stale)
    assert studio.view.draws == before + 1


def test_a_hidden_view_draws_nothing_until_it_is_seen(shown: Show) -> None:
    studio = shown(TABLE, BALL)
    studio.view.hide()
    before = studio.view.draws
    put(studio, (0.0, 0.0, 0.7))
    QApplication.processEvents()
    assert studio.view.draws == before
    studio.view.show()
    studio.qtbot.waitUntil(lambda: studio.view.draws > before)
