"""Curves: how the energy of every take goes, thinned for small pictures. Only these few numbers of a film are read."""

from __future__ import annotations

import io
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor

from app.document.document import Document
from app.session.one_by_one import OneByOne
from engine.errors import ProjectError
from engine.scene.film import UNREADABLE
from engine.scene.take_files import FILM

POINTS = 400  # of a curve at most


class Curve(NamedTuple):
    before: np.ndarray  # (n,) s before the ending, falling; negative after it
    energy: np.ndarray  # (n,) J


class Line(NamedTuple):
    """A curve as a plot shows it."""

    curve: Curve
    color: QColor
    strong: bool = True
    dashed: bool = False


class Curves(QObject):
    """Signals:
    ready(str)   the curve of this take is there now
    """

    ready = Signal(str)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._known: dict[str, Curve | None] = {}
        self._queue = OneByOne(self._read, self)
        document.replaced.connect(self._start_over)

    def request(self, key: str) -> Curve | None:
        """The curve, or None until `ready` (for good when its motion is gone)."""
        if key not in self._known:
            self._queue.ask(key, None)
            return None
        return self._known[key]

    def _read(self, key: str, _: None) -> None:
        try:
            data = self._document.takes.part(key, FILM)
            self._known[key] = read_curve(data) if data is not None else None
        except ProjectError:
            self._known[key] = None
        self.ready.emit(key)

    def _start_over(self) -> None:
        self._known.clear()
        self._queue.clear()


def read_curve(data: bytes) -> Curve | None:
    """None for anything that has no curve."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            times, energy, ending = archive["times"], archive["energy"], float(archive["ending"])
    except UNREADABLE:
        return None
    if times.ndim != 1 or times.shape != energy.shape or not len(times):
        return None
    if not (np.isfinite(times).all() and np.isfinite(energy).all()):
        return None
    rows = np.unique(np.linspace(0, len(times) - 1, POINTS).round().astype(int))
    return Curve(ending - times[rows], energy[rows].astype(float))
