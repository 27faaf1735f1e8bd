"""Subject: what is exported. One take as it was when the dialog opened, and what can be counted of its film."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from app.export.estimate import points_of
from engine.export.frames import Frames, Span
from engine.export.settings import FAST_TURN
from engine.scene.dice import is_die
from engine.scene.film import Film
from engine.scene.shot import TakeCard
from engine.scene.spec import Scene
from engine.shapes.surface import shape_key


@dataclass(frozen=True, eq=False)
class Subject:
    project: str  # its name
    scene: Scene
    card: TakeCard
    film: Film
    stale: bool = False  # the scene is another one by now

    @property
    def span(self) -> Span:
        return Span(self.film.first, self.film.ending, self.film.last)

    @property
    def bodies(self) -> int:
        return len(self.scene.bodies)

    @cached_property
    def points(self) -> int:
        """Of the surfaces of all bodies."""
        return sum(map(points_of, self.scene.bodies))

    @cached_property
    def shared_points(self) -> int:
        """The same, surfaces that look alike counted once."""
        looks = {(shape_key(body.shape), is_die(body)): body for body in self.scene.bodies}
        return sum(map(points_of, looks.values()))

    def moving(self, frames: Frames) -> int:
        """Bodies that are not at the same pose in all of these frames."""
        first, last = np.searchsorted(self.film.times, [frames.times.min() - 1e-9, frames.times.max() + 1e-9])
        x, q = self.film.positions[first:last], self.film.orientations[first:last]
        if len(x) < 2:
            return 0
        return int(((x != x[-1]).any(axis=(0, 2)) | (q != q[-1]).any(axis=(0, 2))).sum())

    def poses(self, frames: Frames) -> int:
        """Poses, of all bodies and frames, that are not those of the frame before."""
        place = np.interp(frames.times, self.film.times, np.arange(len(self.film.times))).round().astype(np.int64)
        x, q = self.film.positions[place], self.film.orientations[place]
        return int(((x[1:] != x[:-1]).any(axis=2) | (q[1:] != q[:-1]).any(axis=2)).sum())

    def appearing(self, frames: Frames) -> int:
        """Bodies that are not to be seen in the first of these frames."""
        return int((~self.film.shown_at(float(frames.times[0]))).sum())

    def spinning(self, frames: Frames) -> int:
        """Bodies that turn more than FAST_TURN from one frame to the next."""
        if frames.count < 2 or not len(self.film.bodies):
            return 0
        place = np.interp(frames.times, self.film.times, np.arange(len(self.film.times)))
        below = np.minimum(place.astype(np.int64), max(0, len(self.film.times) - 2))
        share = (place - below)[:, None]
        after = self._turned[np.minimum(below + 1, len(self._turned) - 1)]
        turned = (1.0 - share) * self._turned[below] + share * after
        return int((np.diff(turned, axis=0) > FAST_TURN).any(axis=0).sum())

    @cached_property
    def _turned(self) -> np.ndarray:
        """(F, m) rad that every body has turned since the first sample."""
        q = self.film.orientations.astype(float)
        cosine = np.abs((q[1:] * q[:-1]).sum(axis=2)).clip(0.0, 1.0)
        turned = np.zeros(q.shape[:2])
        np.cumsum(2.0 * np.arccos(cosine), axis=0, out=turned[1:])
        return turned
