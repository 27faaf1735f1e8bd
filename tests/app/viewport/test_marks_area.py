"""Marks over the picture: what they take of it, and that nothing else is painted again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gliding_films as films
import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QRectF
from PySide6.QtGui import QImage, QPainter, QRegion

from app.camera import Camera
from app.session.playback import Playback
from app.tools.tool import Dot, Label, Marks, Stroke
from app.viewport.marks_layer import MarksLayer
from app.viewport.playing import Playing
from engine.scene.spec import Body, Box

BOX = Body("Box", Box((0.1, 0.1, 0.1)), (0.2, 0.0, 0.5))


class Paints(QObject):
    """Listens to what a widget paints."""

    def __init__(self, widget: Any) -> None:
        super().__init__(widget)
        self.region = QRegion()
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.region = self.region.united(event.region())
        return False


def painted(layer: MarksLayer) -> QRectF:
    """The box round all pixels that a layer paints."""
    image = QImage(layer.size(), QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    layer.paint(painter)
    painter.end()
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[:, :, 3]
    y, x = np.nonzero(rows)
    assert len(x), "nothing is painted"
    return QRectF(float(x.min()), float(y.min()), float(np.ptp(x)) + 1.0, float(np.ptp(y)) + 1.0)


def some_marks(rng: np.random.Generator) -> Marks:
    line = rng.normal(0.0, 0.4, (int(rng.integers(2, 6)), 3)) + (0.0, 0.0, 0.5)
    arrow = float(rng.uniform()) if rng.uniform() < 0.5 else None
    stroke = Stroke(line, "#00ff00", float(rng.uniform(1.0, 9.0)), closed=rng.uniform() < 0.3, arrow=arrow)
    area = Stroke(rng.uniform(40.0, 300.0, (3, 2)), "#ff0000", closed=True, filled=True)
    dot = Dot(rng.normal(0.0, 0.3, 3) + (0.0, 0.0, 0.5), "#0000ff", float(rng.uniform(2.0, 8.0)))
    label = Label(*rng.uniform(-40.0, 400.0, 2).tolist(), "Slide 2.1 m/s", aside="0.4", icon="ending", edge="hint")
    return [Marks([stroke]), Marks([area]), Marks(dots=[dot]), Marks(labels=[label])][int(rng.integers(4))]


@pytest.mark.parametrize("seed", range(40))
def test_all_that_is_painted_lies_in_the_area(shown: Callable[..., Any], seed: int) -> None:
    view = shown(BOX).view
    view.set_camera(Camera((0.0, 0.0, 0.5), 3.0).looking("front"))
    view.marks.set_extra("test", some_marks(np.random.default_rng(seed)))
    layer = view.marks.layer
    assert layer.area.contains(painted(layer))
    assert layer.area.width() * layer.area.height() < layer.width() * layer.height()


def test_trails_and_endings_lie_in_the_area(shown: Callable[..., Any]) -> None:
    studio = shown(BOX)
    playback = Playback(studio.document, studio.view)
    Playing(studio.view, playback)
    playback.show(films.with_take(studio.document, films.gliding(studio.document.scene.bodies, (0.4, 0.0, 0.0))))
    studio.selection.set([studio.document.scene.bodies[0].id])
    for frames in (30, 12, 3):
        playback.go_to_frame(playback.ending_frame - frames)
        layer = studio.view.marks.layer
        assert layer.area.contains(painted(layer))


def test_only_where_marks_were_or_are_is_painted_again(shown: Callable[..., Any]) -> None:
    studio = shown(BOX)
    view, layer = studio.view, studio.view.marks.layer
    view.marks.set_extra("test", Marks(labels=[Label(40.0, 40.0, "here")]))
    studio.rest()
    paints, before = Paints(layer), layer.area.toAlignedRect()
    view.marks.set_extra("test", Marks(labels=[Label(300.0, 250.0, "there")]))
    studio.rest()
    after = layer.area.toAlignedRect()
    assert not paints.region.isEmpty() and not after.intersects(before)
    assert QRegion(before).united(QRegion(after)).subtracted(paints.region).isEmpty()
    assert paints.region.subtracted(QRegion(before).united(QRegion(after))).isEmpty()


def test_marks_that_stay_are_not_painted_again(shown: Callable[..., Any]) -> None:
    studio = shown(BOX)
    layer = studio.view.marks.layer
    studio.view.marks.set_extra("test", Marks(labels=[Label(40.0, 40.0, "here")]))
    studio.rest()
    paints = Paints(layer)
    studio.view.refresh()
    studio.rest()
    assert paints.region.isEmpty()
    studio.view.set_camera(studio.view.camera.panned(0, 60, 360))
    studio.rest()
    assert not paints.region.isEmpty()
