"""Thumbnails: small pictures of takes, all at the same moment before the ending and from the side the view sees them
from, with every moving body in the picture.

They are made one per turn of the event loop, only for takes that are asked for, and the one of the middle of a take is
kept with its motion, so that a project that is opened shows its takes at once."""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from app.camera import Camera
from app.document.difference import Difference
from app.document.document import Document
from app.look.look import Look
from app.session.one_by_one import OneByOne
from app.session.settings import Settings
from app.viewport import past
from app.viewport.draw_list import Batch, only
from app.viewport.grid import grid_spacing
from app.viewport.offscreen import Offscreen, image_of
from app.viewport.renderer import Picture
from app.viewport.scene_cache import NO_POSES, SceneCache
from app.viewport.tones import Tones
from engine.errors import ProjectError
from engine.scene.colors import rgb
from engine.scene.film import Film
from engine.scene.take_files import THUMB

WIDTH, HEIGHT = 258, 148  # px
KEPT = 160  # pictures
MARGIN = 1.2  # how much larger the picture is than what is in it: low cards show only the middle of it


class Moment(NamedTuple):
    """What a picture shows; two with the same moment are the same."""

    before: float | None  # s before the ending; None: in the middle of the take
    version: int  # of scene, camera and theme


class Thumbnails(QObject):
    """Signals:
    ready(str)   the picture of this take is there now
    outdated()   all pictures are to be asked for again: another scene, camera or theme
    """

    ready = Signal(str)
    outdated = Signal()

    def __init__(
        self,
        document: Document,
        settings: Settings,
        look: Look,
        camera: Callable[[], Camera],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._document, self._settings, self._look, self._camera = document, settings, look, camera
        self._cache = SceneCache(look)
        self._cache.set_scene(document.shown)
        self._offscreen = Offscreen()
        self._tones: Tones | None = None
        self._version = 0
        self._images: OrderedDict[str, tuple[Moment, QImage]] = OrderedDict()
        self.queue = OneByOne(self._make, self)
        document.changed.connect(self._follow)
        document.replaced.connect(self._start_over)
        look.changed.connect(self._recolor)

    def request(self, key: str, before: float | None, ratio: float = 1.0) -> QImage | None:
        """The picture of a take at a moment (s before its ending; None: in its middle), for `ratio` device pixels per
        px. Until that one is made: the one before it, or the one kept with the project, or None."""
        moment = Moment(before, self._version)
        known = self._images.get(key)
        if known is None:
            known = self._stored(key)
        if known is None or known[0] != moment:
            self.queue.ask(key, (moment, ratio))
        return known[1] if known is not None else None

    def outdate(self) -> None:
        """The view sees the scene from elsewhere."""
        self._version += 1
        self.outdated.emit()

    def compared(self, first: str, second: str, before: float, size: tuple[int, int], color: str) -> QImage | None:
        """A picture of one take with those bodies of another one as ghosts in `color` that are elsewhere there."""
        film, other = self._film(first), self._film(second)
        if film is None:
            return None
        camera = self._framing([film] if other is None else [film, other], before, size)
        under = self._drawn(film, before, size, camera=camera)
        if under is None or other is None:
            return under
        rows = self._cache.rows(past.apart(film, other, before), unseen=True)
        return self._with_ghosts(under, other, before, rows, camera, size, color) if len(rows) else under

    def release(self) -> None:
        self.queue.clear()
        self._offscreen.release()

    # -- making ------------------------------------------------------------------------------------------------------

    def _make(self, key: str, asked: tuple[Moment, float]) -> None:
        moment, ratio = asked
        if moment.version != self._version:
            return  # who still wants it asks again
        film = self._film(key)
        if film is None:
            return
        before = moment.before if moment.before is not None else middle(film.ending - film.first)
        image = self._drawn(film, before, (round(WIDTH * ratio), round(HEIGHT * ratio)), ratio)
        if image is None:
            return
        self._images[key] = (moment, image)
        self._images.move_to_end(key)
        while len(self._images) > KEPT:
            self._images.popitem(last=False)
        if moment.before is None:
            self._store(key, image)
        self.ready.emit(key)

    def _film(self, key: str) -> Film | None:
        with contextlib.suppress(ProjectError):
            return self._document.takes.film(key)
        return None

    def _drawn(
        self, film: Film, before: float, size: tuple[int, int], ratio: float = 1.0, camera: Camera | None = None
    ) -> QImage | None:
        """Seen by `camera`; without one so that all of it is seen."""
        camera = camera if camera is not None else self._framing([film], before, size)
        self._pose(film, before)
        shadows = bool(self._settings.get("view/shadows"))
        return self._offscreen.draw(self._picture(self._cache.batches, camera, size, ratio, shadows))

    def _framing(self, films: list[Film], before: float, size: tuple[int, int]) -> Camera:
        """From the view's side, round where the moving bodies are and where they end: never closer than the ending
        alone, so that pictures of calm takes are alike."""
        lows, highs = [], []
        for film in films:
            self._pose(film, before)
            every, seen = (self._cache.rows(film.bodies, unseen) for unseen in (True, False))
            for layout, rows in ((self._cache.ending, every), (self._cache.layout, seen)):
                lows.append(layout.low[rows])
                highs.append(layout.high[rows])
        low, high = np.concatenate(lows), np.concatenate(highs)
        if not len(low):
            return self._camera()  # all of its bodies are gone or hidden
        return self._camera().framing(low.min(axis=0), high.max(axis=0), size[0] / max(size[1], 1), MARGIN)

    def _pose(self, film: Film, before: float) -> None:
        if before <= 0.0 and film.last == film.ending:
            self._cache.set_poses(*NO_POSES)
            return
        time = film.ending - before
        self._cache.set_poses(film.bodies, *film.at(time), film.shown_at(time))

    def _picture(
        self, batches: list[Batch], camera: Camera, size: tuple[int, int], ratio: float, shadows: bool
    ) -> Picture:
        if self._tones is None or self._tones.pixel_ratio != ratio:
            self._tones = Tones(self._look, ratio)
        return Picture(
            batches=batches,
            bounds=self._cache.bounds(),
            camera=camera,
            width=size[0],
            height=size[1],
            spacing=grid_spacing(camera.span() / max(size[1], 1)),
            ground=self._document.shown.ground,
            tones=self._tones,
            shadows=shadows,
        )

    def _with_ghosts(
        self,
        under: QImage,
        other: Film,
        before: float,
        rows: np.ndarray,
        camera: Camera,
        size: tuple[int, int],
        color: str,
    ) -> QImage | None:
        """Ghosts lie over everything, so that none hides behind a body of the other take."""
        self._pose(other, before)
        tinted = [_tinted(batch, color) for batch in only(self._cache.batches, rows)]
        ghosts = self._offscreen.draw(self._picture(tinted, camera, size, 1.0, shadows=False))
        empty = self._offscreen.draw(self._picture([], camera, size, 1.0, shadows=False))
        if ghosts is None or empty is None:
            return under
        opacity = float(self._look.view("ghost_opacity_nearest_first")[0])
        below, above, nothing = (_pixels(image) for image in (under, ghosts, empty))
        there = np.abs(above.astype(np.int16) - nothing).max(axis=2, keepdims=True) > 2
        mixed = (1.0 - opacity) * below + opacity * above
        return image_of(np.where(there, mixed, below).round().astype(np.uint8))

    # -- keeping -----------------------------------------------------------------------------------------------------

    def _stored(self, key: str) -> tuple[Moment, QImage] | None:
        """What was kept with the project; made anew once it is asked for, as the camera may be another one."""
        data = None
        with contextlib.suppress(ProjectError):
            data = self._document.takes.part(key, THUMB)
        image = QImage.fromData(data) if data else QImage()
        if image.isNull():
            return None
        self._images[key] = (Moment(-1.0, -1), image)
        return self._images[key]

    def _store(self, key: str, image: QImage) -> None:
        path = self._document.takes.folder / THUMB.format(key)
        part = path.with_suffix(".part")  # a save may be reading the old one
        if image.save(str(part), "PNG"):  # type: ignore[call-overload]
            part.replace(path)

    # -- following ---------------------------------------------------------------------------------------------------

    def _follow(self, change: Difference) -> None:
        if change.bodies or change.settings:
            self._cache.set_scene(self._document.shown, change)
            self.outdate()

    def _start_over(self) -> None:
        self.queue.clear()
        self._images.clear()
        self._cache.set_scene(self._document.shown)
        self.outdate()

    def _recolor(self) -> None:
        self._tones = None
        self._cache.recolor()
        self.outdate()


def middle(seconds: float) -> float:
    """s before the ending that a picture shows while playback stands at the ending, where all takes look alike."""
    return 0.5 * seconds


def _tinted(batch: Batch, color: str) -> Batch:
    instances = batch.instances.copy()
    instances[:, 12:15] = rgb(color)
    return replace(batch, instances=instances)


def _pixels(image: QImage) -> np.ndarray:
    """(height, width, 3)"""
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), plain.bytesPerLine())
    return rows[:, : 3 * plain.width()].reshape(plain.height(), plain.width(), 3).copy()
