"""LastFrame: draws the picture of "What you get", a little after it was asked for, so that dragging a number stays
smooth."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QSize, QTimer
from PySide6.QtGui import QImage

from app.camera import Camera
from app.export.film_painter import FilmPainter
from app.viewport.offscreen import image_of
from engine.export.settings import Settings

SOON = 60  # ms


class LastFrame(QObject):
    def __init__(self, painter: FilmPainter, camera: Callable[[], Camera], show: Callable[[QImage | None], None],
                 parent: QObject) -> None:  # fmt: skip
        super().__init__(parent)
        self._painter, self._camera, self._show = painter, camera, show
        self._asked: tuple[float, Settings, QSize, float] | None = None
        self._timer = QTimer(self, singleShot=True, interval=SOON)
        self._timer.timeout.connect(self._draw)

    def ask(self, time: float, settings: Settings, room: QSize, ratio: float) -> None:
        """`time` in s of the take; `ratio` device pixels per px."""
        self._asked = (time, settings, room, ratio)
        self._timer.start()

    def release(self) -> None:
        self._timer.stop()
        self._painter.release()

    def _draw(self) -> None:
        """Of a film as it will be, else with all that moves in it."""
        if self._asked is None:
            return
        time, settings, room, ratio = self._asked
        width, height = round(room.width() * ratio), round(room.height() * ratio)
        camera = self._camera()
        if settings.kind.pictures:
            share = min(width / settings.width, height / settings.height)
            width, height = round(share * settings.width), round(share * settings.height)
        else:
            camera = self._painter.framing(time, (width, height), camera)
        drawn = self._painter.pixels(time, (max(1, width), max(1, height)), camera)
        image = image_of(drawn) if drawn is not None else None
        if image is not None:
            image.setDevicePixelRatio(ratio)
        self._show(image)
