"""The Export dialog: where a take goes, how it is written, and what arrives. It lives while the export runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QFrame, QPushButton, QWidget

from app.export import export_words, place, remembered
from app.export.film_painter import FilmPainter
from app.export.last_frame import LastFrame
from app.export.notes_list import Sign
from app.export.options_form import OptionsForm
from app.export.outcome import Outcome, outcome_of
from app.export.outcome_panel import OutcomePanel
from app.export.scrim import Scrim
from app.export.subject import Subject
from app.export.target_list import TargetList
from app.export.wish import Hands, Run, Wish
from app.kit import PanelScroll, ProgressStrip, Text
from app.kit.layouts import FILL, column, held, row, wide
from app.kit.painting import space
from app.look.fonts import font
from app.look.icons import icon
from app.look.look import Look, size, tokens
from app.makers.dialog_frame import FramelessDialog, separator
from app.session.settings import Settings as Store
from engine.export.find_blender import find_blender
from engine.export.frames import frame_range
from engine.export.settings import FORMATS, TARGETS, exact_rate

WIDTH, HEIGHT = 1000, 716  # px
LEFT, RIGHT = 220, 300  # px, of the outer columns
EDGE = 16  # px that stay free above and below in a small window


class ExportDialog(FramelessDialog):
    """Signals:
    closed()   it is gone, whatever runs
    """

    closed = Signal()

    def __init__(
        self, subject: Subject, store: Store, look: Look, hands: Hands, project: Path | None, parent: QWidget
    ) -> None:
        super().__init__(export_words.title(subject.card.name), parent)
        self.subject, self.look = subject, look
        self._store, self._hands = store, hands
        self._scrim: Scrim | None = None
        self.run: Run | None = None
        self._waits = ""  # why nothing can be exported now
        self._has_blender = find_blender() is not None
        self.target = remembered.recall_target(store)
        self.settings = remembered.recall(store, self.target, subject.scene.request.fps)
        self._settle_format()
        name = place.usual_name(subject.project, subject.card.name, self.settings.format)
        self._folder = remembered.folder(store, project)  # of names that are typed without one
        self.path = self._folder / name
        self.outcome = Outcome(None)
        self._make()
        self._lay_out()
        self._restyle()
        look.changed.connect(self._restyle)
        self.form.place.set_text(place.shown(self.path))
        self.refresh()

    # -- what is asked for -------------------------------------------------------------------------------------------

    @property
    def formats(self) -> list[str]:
        """Those of the target that this machine can be asked for."""
        return [key for key in TARGETS[self.target].formats if not FORMATS[key].program or self._has_blender]

    def choose_target(self, target: str) -> None:
        """What was last chosen for it; frames and rate stay those of the take."""
        old, self.target = self.settings, target
        fresh = remembered.recall(self._store, target, old.fps)
        self.settings = replace(fresh, first=old.first, last=old.last)
        self._settle_format()
        self.targets.set_current(target)
        self._put(place.with_suffix_of(self.path, self.settings.format))

    def choose_format(self, format: str) -> None:
        self.settings = remembered.reformatted(self.settings, format, self.target)
        self._put(place.with_suffix_of(self.path, format))

    def change(self, values: dict[str, Any]) -> None:
        """Some fields of the settings."""
        fps = values.get("fps")
        if fps is not None:
            values = {**values, **self._same_moments(float(fps))}
        self.settings = replace(self.settings, **values)
        self.refresh()

    def type_place(self, text: str) -> None:
        self.path = place.typed(text, self._folder, self.settings.format)
        self.refresh()

    def _show_place(self) -> None:
        """Typing is over: the field shows what will be written, whole."""
        if self.path.name and not self.path.is_dir():
            self._put(self.path)

    def ask_place(self) -> None:
        kind = self.settings.kind
        words = f"{kind.name} ({' '.join('*' + suffix for suffix in kind.suffixes)})"
        chosen = self._hands.ask_place(self.path, words)
        if chosen is not None:
            self._put(place.with_suffix_of(chosen, kind.key))

    def _put(self, path: Path) -> None:
        self.path = path
        self._folder = path.parent
        self.form.place.line.setModified(False)
        self.form.place.set_text(place.shown(path))
        self.refresh()

    def _settle_format(self) -> None:
        if self.settings.format not in self.formats:
            self.settings = remembered.reformatted(self.settings, self.formats[0], self.target)

    def _same_moments(self, fps: float) -> dict[str, int | None]:
        """First and last frame at another rate."""
        scale, end = exact_rate(fps) / exact_rate(self.settings.fps), frame_range(self.subject.span, fps)[2]
        asked = {"first": self.settings.first, "last": self.settings.last}
        return {key: None if value is None else min(end, round(value * scale)) for key, value in asked.items()}

    # -- what is shown -----------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        self.outcome = outcome_of(self.subject, self.settings, self.target, self.path)
        self.targets.set_current(self.target)
        self.form.show_settings(self.settings, self.formats, self.subject.span, self.outcome)
        self.panel.show_outcome(self.settings, self.outcome)
        self._follow_hands()
        self._draw_soon()

    def hands_changed(self) -> None:
        """Something else has begun or ended that keeps exports waiting."""
        if self.run is None and self._waits != self._hands.why_not():
            self._follow_hands()

    def _follow_hands(self) -> None:
        why = self._waits = self._hands.why_not()
        self.export_button.setEnabled(self.outcome.ready and not why)
        errors = [note.words for note in self.outcome.notes if note.kind == "error"]
        self.export_button.setToolTip(why or " ".join(errors))
        self._tell("info" if why else "", f"{why} {export_words.WAITS}" if why else export_words.FOOTER)

    def _tell(self, kind: str, words: str) -> None:
        """At the left of the buttons."""
        self._said_sign.setVisible(bool(kind))
        if kind:
            self._said_sign.show_kind(kind)
        self.said.set_role("text" if kind else "text2")
        self.said.set_text(words)
        self.said.setToolTip(words if kind else "")  # a long reason has more lines than there is room for

    def _draw_soon(self) -> None:
        if self.isVisible() and self.outcome.frames is not None:
            time = float(self.outcome.frames.times[-1])
            self._last_frame.ask(time, self.settings, self.panel.picture_size, self.devicePixelRatioF())

    # -- exporting ---------------------------------------------------------------------------------------------------

    def accept(self) -> None:
        if self.run is not None or not self.export_button.isEnabled():
            return
        wish = Wish(self.target, self.settings, self.path)
        run: Run = self._hands.start(self.subject, wish)
        self.run = run
        self.strip.start(f"Exporting {self.path.name}", run.cancel)
        self._show_running(True)
        run.progressed.connect(self.strip.set_progress)
        run.finished.connect(lambda: remembered.remember(self._store, wish.target, wish.settings, wish.path))
        run.finished.connect(self._finish)
        run.failed.connect(self._fail)
        run.cancelled.connect(self._stopped)

    def reject(self) -> None:
        """Cancel, or Escape: what runs is stopped first."""
        if self.run is not None:
            self.run.cancel()
        else:
            self.done(QDialog.DialogCode.Rejected)

    def _finish(self) -> None:
        self.run = None
        self.done(QDialog.DialogCode.Accepted)

    def _fail(self, reason: str) -> None:
        self._end()
        self._tell("error", export_words.failed_words(reason))

    def _stopped(self) -> None:
        self._end()
        self._tell("info", export_words.STOPPED)

    def _end(self) -> None:
        self.run = None
        self._show_running(False)
        self.refresh()
        self.export_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_running(self, on: bool) -> None:
        for entry in (self.targets, self.form):
            entry.setEnabled(not on)
        self.strip.setVisible(on)
        self.export_button.setVisible(not on)
        self.cancel_button.setFocus(Qt.FocusReason.OtherFocusReason)
        self._close.setToolTip("Close; the export goes on" if on else "Close (Esc)")

    # -- layout ------------------------------------------------------------------------------------------------------

    def _make(self) -> None:
        look = self.look
        self.targets = TargetList(look, list(TARGETS.values()))
        self.form, self.panel = OptionsForm(look), OutcomePanel(look)
        painter = FilmPainter(self.subject, look, bool(self._store.get("view/shadows")))
        self._last_frame = LastFrame(painter, self._hands.camera, self.panel.picture.show_image, self)
        self.strip = ProgressStrip(look, width=340)
        self.strip.stop.hide()  # Cancel stands beside it
        self.strip.hide()
        self.cancel_button, self.export_button = QPushButton("Cancel"), QPushButton("Export")
        self.cancel_button.setFixedHeight(size("button_large"))
        self.export_button.setProperty("primary", True)
        self.export_button.setFixedSize(128, size("button_large"))
        self._said_sign, self.said = Sign(look), Text(look, "", "text2", wraps=True)
        self._close.setFixedSize(size("field"), size("field"))
        self._title.setFont(font("dialog_title"))
        self.targets.chosen.connect(self.choose_target)
        self.form.changed.connect(self.change)
        self.form.format_chosen.connect(self.choose_format)
        self.form.place_typed.connect(self.type_place)
        self.form.place_asked.connect(self.ask_place)
        self.form.place.line.editingFinished.connect(self._show_place)
        self.cancel_button.clicked.connect(self.reject)
        self.export_button.clicked.connect(self.accept)

    def _lay_out(self) -> None:
        """Enter exports: a dialog takes the first button it finds for that, unless one was chosen in it."""
        right = PanelScroll(self.panel)
        right.setFixedWidth(RIGHT)
        columns = row(self._left(), _upright(), wide(PanelScroll(self.form)), _upright(), right, gap=0)
        whole = self._framed("exportFrame", 52, (space("xl"), 0, space("l"), 0), self.close)
        whole.addLayout(columns, 1)
        whole.addWidget(separator())
        whole.addWidget(self._footer())
        window = self.parentWidget().window()  # type: ignore[union-attr]
        self.setFixedSize(min(WIDTH, window.width() - EDGE), min(HEIGHT, window.height() - 2 * EDGE))
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(button is self.export_button)
        self.export_button.setDefault(True)

    def _left(self) -> QWidget:
        heading = row(Text(self.look, "Where does it go?", "text2"), edge=(space("s"), 0, 0, 0))
        edge = (space("m"), space("l"), space("m"), space("l"))
        left = held(column(heading, self.targets, FILL, gap=space("s"), edge=edge))
        left.setFixedWidth(LEFT)
        return left

    def _footer(self) -> QWidget:
        said = column(FILL, self.said, FILL)
        buttons = (self.cancel_button, self.export_button, self.strip)
        edge = (space("xl"), 0, space("xl"), 0)
        footer = held(row(self._said_sign, wide(said), *buttons, gap=space("s"), edge=edge))
        footer.setFixedHeight(60)
        return footer

    def _restyle(self) -> None:
        c, corner = self.look.hex, tokens()["radius"]["dialog"]
        self.setStyleSheet(
            f"QFrame#exportFrame {{ background: {c('panel')}; border: 1px solid {c('line2')};"
            f" border-radius: {corner}px; }}"
            f"QFrame#makerLine, QFrame#exportLine {{ background: {c('line')}; border: none; }}"
        )
        self._close.setIcon(icon(self.look, "close"))
        self._close.setIconSize(QSize(size("icon"), size("icon")))
        self.export_button.setIcon(icon(self.look, "export", "on_accent"))
        self.export_button.setIconSize(QSize(size("icon"), size("icon")))
        self._draw_soon()

    # -- events ------------------------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        window = self.parentWidget().window()  # type: ignore[union-attr]
        if self._scrim is None:
            self._scrim = Scrim(window, self)
        centre = window.mapToGlobal(window.rect().center())
        self.move(centre.x() - self.width() // 2, centre.y() - self.height() // 2)
        self.form.place.setFocus(Qt.FocusReason.OtherFocusReason)
        self._draw_soon()

    def closeEvent(self, event: QCloseEvent) -> None:
        """What runs goes on without it."""
        self.done(QDialog.DialogCode.Rejected)
        event.accept()

    def done(self, result: int) -> None:
        """However it ends, it ends here."""
        self._last_frame.release()
        if self._scrim is not None:
            self._scrim.hide()
            self._scrim.deleteLater()
            self._scrim = None
        super().done(result)
        self.closed.emit()


def _upright() -> QFrame:
    line = QFrame()
    line.setObjectName("exportLine")
    line.setFixedWidth(int(tokens()["line"]["separator"]))
    return line
