"""FilmExport: a film or a sequence of pictures of a take, drawn in the window's process one frame per turn of the event
loop, so that the window answers between them. To others it is like a job of the worker."""

from __future__ import annotations

import math
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.camera import Camera
from app.export.film_painter import FilmPainter
from app.export.subject import Subject
from app.look.look import Look
from engine.errors import ExportError
from engine.export.frames import frames_of
from engine.export.settings import Settings
from engine.export.video import FrameWriter, frame_name, frame_writer, leftovers, picture_size
from engine.work.records import Exported

CANNOT_DRAW = "Pictures of this size cannot be drawn here. Choose a smaller one. Nothing was written."


class FilmExport(QObject):
    """Exactly one of finished, failed and cancelled comes, then nothing more; not before the next turn of the loop.

    Signals:
        progressed(share, text)   share from 0 to 1
        finished(Exported)
        failed(message)
        cancelled()
    """

    progressed = Signal(float, str)
    finished = Signal(object)
    failed = Signal(str)
    cancelled = Signal()

    def __init__(self, subject: Subject, settings: Settings, path: Path, camera: Camera, look: Look, shadows: bool,
                 parent: QObject | None = None) -> None:  # fmt: skip
        super().__init__(parent)
        self._subject, self._settings, self._path, self._camera = subject, settings, path, camera
        self._painter = FilmPainter(subject, look, shadows)
        self._film: FrameWriter | None = None
        self._at, self.over = 0, False
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._step)
        self._timer.start()

    def cancel(self) -> None:
        if not self.over:
            self._end(abandon=True)
            self.cancelled.emit()

    def _step(self) -> None:
        try:
            if self._film is None:
                self._begin()
            elif self._at < self._frames.count:
                self._draw()
            else:
                self._finish()
        except ExportError as error:
            self._end(abandon=False)
            self.failed.emit(str(error))

    def _begin(self) -> None:
        settings = self._settings.settled()
        self._frames = frames_of(self._subject.span, settings)
        self._film = frame_writer(self._path, settings, int(self._frames.numbers[0]))

    def _draw(self) -> None:
        assert self._film is not None
        times = self._frames.times
        drawn = self._painter.pixels(float(times[self._at]), picture_size(self._settings), self._camera)
        if drawn is None:
            self._end(abandon=True)
            self.failed.emit(CANNOT_DRAW)
            return
        self._film.add(drawn)
        self._at += 1
        share = self._at / len(times)
        self.progressed.emit(share, f"Exporting {self._path.name} · {math.floor(100.0 * share)} %")

    def _finish(self) -> None:
        assert self._film is not None
        self._film.finish()
        self._end(abandon=False)
        self.finished.emit(self._told())

    def _told(self) -> Exported:
        first, count = int(self._frames.numbers[0]), self._frames.count
        files, notes = [self._path], []
        if self._settings.format == "png":
            files = [self._path.with_name(frame_name(self._path, first + k)) for k in range(count)]
            old = leftovers(self._path, first, count)
            if old:
                notes.append(f"{old[0].name} and what else is there of this name are of an earlier export.")
        exact = self._frames.ending is not None and not self._subject.card.disorder and not self._subject.stale
        size = sum(file.stat().st_size for file in files)
        bodies = self._subject.bodies
        return Exported(str(files[-1]), size, bodies, count, self._frames.fps, exact, tuple(notes))

    def _end(self, abandon: bool) -> None:
        self.over = True
        self._timer.stop()
        if abandon and self._film is not None:
            self._film.abandon()
        self._painter.release()
