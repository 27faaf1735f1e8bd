"""FilmPainter: single frames of a take, drawn by the renderer of the view without the view."""

from __future__ import annotations

import numpy as np
from OpenGL.error import GLError

from app.camera import Camera
from app.export.subject import Subject
from app.look.look import Look
from app.viewport.grid import grid_spacing
from app.viewport.offscreen import Offscreen
from app.viewport.renderer import Picture
from app.viewport.scene_cache import NO_POSES, SceneCache
from app.viewport.tones import Tones

Size = tuple[int, int]  # px, width and height
LINES_AT = 720.0  # px: in pictures of this height lines are as wide as in the view; they grow with it
MARGIN = 1.3  # how much larger the picture is than what is in it, where no camera is given


class FilmPainter:
    """Nobody selected, nothing hovered, no ghosts: what the take shows."""

    def __init__(self, subject: Subject, look: Look, shadows: bool = True) -> None:
        self._subject, self._look, self._shadows = subject, look, shadows
        self._cache = SceneCache(look)
        self._cache.set_scene(subject.scene)
        self._offscreen = Offscreen()

    def pixels(self, time: float, size: Size, camera: Camera) -> np.ndarray | None:
        """(height, width, 3) bytes; None where nothing can be drawn."""
        self._pose(time)
        try:
            return self._offscreen.pixels(self._picture(size, camera))
        except (GLError, MemoryError):  # larger than this machine's graphics can
            return None

    def framing(self, time: float, size: Size, camera: Camera) -> Camera:
        """From the side of a camera, round the bodies that move."""
        self._pose(time)
        rows = self._cache.rows(self._subject.film.bodies)
        bounds = self._cache.bounds(rows if len(rows) else None)
        return camera.framing(*bounds, size[0] / max(size[1], 1), MARGIN) if bounds is not None else camera

    def release(self) -> None:
        self._offscreen.release()

    def _pose(self, time: float) -> None:
        """At the ending the authored poses, not those of the film, which has fewer digits; unless the take was not
        made for these, or ends a little off them."""
        film, subject = self._subject.film, self._subject
        if time == film.ending and not subject.card.disorder and not subject.stale:
            self._cache.set_poses(*NO_POSES)
        else:
            self._cache.set_poses(film.bodies, *film.at(time), film.shown_at(time))

    def _picture(self, size: Size, camera: Camera) -> Picture:
        return Picture(
            batches=self._cache.batches,
            bounds=self._cache.bounds(),
            camera=camera,
            width=size[0],
            height=size[1],
            spacing=grid_spacing(camera.span() / LINES_AT),
            ground=self._subject.scene.ground,
            tones=Tones(self._look, max(1.0, size[1] / LINES_AT)),
            shadows=self._shadows,
        )
