"""Exporting: opens the dialog, starts what it asks for, and tells what came of it. One export at a time, as with every
other job; closing the dialog does not end it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices

from app.export import export_words as words
from app.export.place import usual_name
from app.export.subject import Subject
from app.export.wish import Hands, Wish
from app.runs.job import Job
from app.shell.action import needs_quiet
from app.shell.studio import Studio
from engine.work.records import Exported, ExportOrder, KeptTake

if TYPE_CHECKING:
    from app.export.export_dialog import ExportDialog
    from app.export.film_export import FilmExport

WORDS = "Exporting"


class Exporting(QObject):
    def __init__(self, studio: Studio) -> None:
        super().__init__(studio)
        self._studio = studio
        self.dialog: ExportDialog | None = None
        self.last: Wish | None = None  # of this document
        self._proposed = ""  # what the dialog would have called it
        studio.document.replaced.connect(self._forget)
        studio.refreshed.connect(self._follow)

    # -- commands ----------------------------------------------------------------------------------------------------

    def open(self) -> None:
        subject = self.subject()
        if subject is None:
            return
        if self.dialog is not None:
            self.dialog.raise_()
            return
        studio = self._studio
        studio.playback.stop()
        ask_place, why_not = studio.questions.file_to_export, partial(needs_quiet, studio)
        hands = Hands(self.start, ask_place, lambda: studio.view.camera, why_not)
        dialog = studio.parts.export_dialog(
            subject, studio.settings, studio.look, hands, studio.document.path, studio.shell
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.closed.connect(self._closed)
        self.dialog = dialog
        dialog.show()
        dialog.activateWindow()

    def again(self) -> None:
        """The take that is shown, as the last one was exported and to the same place; a name that was made from the
        other take's is made from this one's."""
        subject, wish = self.subject(), self.last
        if subject is None or wish is None:
            return
        if wish.path.stem == self._proposed:
            wish = replace(wish, path=wish.path.with_name(_usual_stem(subject, wish) + wish.path.suffix))
        self.start(subject, wish)

    def _follow(self) -> None:
        if self.dialog is not None:
            self.dialog.hands_changed()

    def subject(self) -> Subject | None:
        document, playback = self._studio.document, self._studio.playback
        card, film = playback.card, playback.film
        if card is None or film is None:
            return None
        return Subject(document.title, document.scene, card, film, playback.stale)

    def why_not(self) -> str:
        """Why the take that is shown cannot be exported."""
        playback = self._studio.playback
        if playback.card is None:
            return "No take is shown." if self._studio.document.scene.takes else "Generate a take first."
        return playback.trouble if playback.film is None else ""

    def why_not_again(self) -> str:
        why = self.why_not() or needs_quiet(self._studio)
        return why or ("" if self.last is not None else "Nothing was exported yet.")

    # -- running -----------------------------------------------------------------------------------------------------

    def start(self, subject: Subject, wish: Wish) -> Job | FilmExport:
        studio = self._studio
        run = self._film(subject, wish) if wish.settings.kind.pictures else self._job(subject, wish)
        run.finished.connect(lambda told: self._finish(subject, wish, told))
        run.failed.connect(lambda reason: self._fail(wish, reason))
        run.cancelled.connect(self._cancelled)
        studio.begin_job(run, WORDS)
        studio.shell.tool_bar.strip.set_progress(0.0, f"{WORDS} {wish.path.name}")
        return run

    def _job(self, subject: Subject, wish: Wish) -> Job:
        take = KeptTake(subject.card, self._studio.document.takes.files)
        order = ExportOrder(str(wish.path), wish.settings.settled(), subject.project, take)
        return self._studio.worker.export(subject.scene, order)

    def _film(self, subject: Subject, wish: Wish) -> FilmExport:
        from app.export.film_export import FilmExport

        studio = self._studio
        shadows = bool(studio.settings.get("view/shadows"))
        return FilmExport(subject, wish.settings, wish.path, studio.view.camera, studio.look, shadows, self)

    def _finish(self, subject: Subject, wish: Wish, told: Exported) -> None:
        self._studio.end_job()
        self.last, self._proposed = wish, _usual_stem(subject, wish)
        ending = words.ending_words(told.exact, subject.card.disorder)
        said = words.summary(told.bodies, told.frames, told.fps, told.size, ending)
        answers = [("Show in folder", lambda: show_folder(wish.path.parent))]
        message = words.done_words(Path(told.path).name, said)
        self._studio.shell.tell(" ".join([message, *told.notes]), answers, kind="warning" if told.notes else "done")
        self._studio.refreshed.emit()

    def _fail(self, wish: Wish, reason: str) -> None:
        """The dialog tells it; without one the window does."""
        self._studio.end_job()
        if self.dialog is None:
            self._studio.shell.tell(words.failed_words(reason), [("Export…", self.open)], kind="error")

    def _cancelled(self) -> None:
        self._studio.end_job()
        if self.dialog is None:
            self._studio.shell.say(words.STOPPED)

    def _closed(self) -> None:
        self.dialog = None

    def _forget(self) -> None:
        self.last = None


def _usual_stem(subject: Subject, wish: Wish) -> str:
    return Path(usual_name(subject.project, subject.card.name, wish.settings.format)).stem


def show_folder(folder: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
