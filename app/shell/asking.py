"""Asking: the worker is asked after a pause in editing; what is no longer wanted is cancelled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer

from app.runs.job import Job


class Asking(QObject):
    """Who knows what to ask starts the pause, and asks in `_ask`."""

    def __init__(self, pause: int, parent: QObject) -> None:
        """`pause` in ms."""
        super().__init__(parent)
        self._job: Job | None = None
        self._pause = QTimer(self, singleShot=True, interval=pause)
        self._pause.timeout.connect(self._ask)

    def stop(self) -> None:
        self._pause.stop()
        self._drop_job()

    def _ask(self) -> None:
        raise NotImplementedError

    def _forget(self) -> None:
        """A job was dropped: nobody will hear its answer."""

    def _run(self, job: Job, take: Callable[[Any], None], give_up: Callable[..., None]) -> None:
        self._job = job
        job.finished.connect(take)
        job.failed.connect(give_up)

    def _drop_job(self) -> None:
        job, self._job = self._job, None
        if job is not None:
            self._forget()
            job.cancel()
