"""OutcomePanel: the right of the dialog. The last frame as a picture, four numbers, and what to know."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QImage, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from app.export.export_words import grouped, rate_number, size_words
from app.export.notes_list import NotesList
from app.export.outcome import Outcome
from app.kit import Painted, Text
from app.kit.layouts import FILL, column
from app.kit.painting import CENTRE, plate, radius, space, write
from app.look.fonts import font
from app.look.look import Look
from app.makers.dialog_frame import separator
from engine.export.settings import Settings

PICTURE_HEIGHT = 142  # px: with the width of the column 16 to 9
KEY_WORDS = {"csv": "rows", "json": "poses", "npz": "poses", "houdini": "poses", "alembic": "poses"}


class FramePicture(Painted):
    """A picture with round corners and a label in its corner."""

    def __init__(self, look: Look, words: str) -> None:
        super().__init__(look)
        self._words = words
        self.image: QImage | None = None
        self.setFixedHeight(PICTURE_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(f"Picture of the {words}")

    def show_image(self, image: QImage | None) -> None:
        self.image = image
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        area, outline = QRectF(self.rect()), QPainterPath()
        outline.addRoundedRect(area, radius("button"), radius("button"))
        painter.setClipPath(outline)
        painter.fillRect(area, self._look.color("well"))
        if self.image is None:
            return
        size = self.image.deviceIndependentSize()
        share = min(area.width() / size.width(), area.height() / size.height())
        shown = QRectF(0, 0, share * size.width(), share * size.height())
        shown.moveCenter(area.center())
        painter.drawImage(shown, self.image)
        painter.setFont(font("small"))
        width = painter.fontMetrics().horizontalAdvance(self._words) + 14
        label = QRectF(8, area.height() - 28, width, 20)
        plate(painter, label, radius("key_cap"), self._look.color("panel", 0.9))
        write(painter, label, self._words, self._look.color("text2"), CENTRE)


class Figure(QWidget):
    """A number, and what it counts below it."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.value, self.words = Text(look, "", "text", "figure"), Text(look, "", "text2", "small")
        column(self.value, self.words, of=self, gap=0)

    def show_number(self, value: str, words: str) -> None:
        self.value.set_text(value)
        self.words.set_text(words)
        self.setAccessibleName(f"{value} {words}")


LONG_RATE = 3  # characters


class OutcomePanel(QWidget):
    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.picture = FramePicture(look, "last frame")
        self.figures = [Figure(look) for _ in range(4)]
        self.notes = NotesList(look)
        numbers = QGridLayout()
        numbers.setContentsMargins(0, 0, 0, 0)
        numbers.setHorizontalSpacing(space("m"))
        numbers.setVerticalSpacing(space("m"))
        for place, figure in enumerate(self.figures):
            numbers.addWidget(figure, place // 2, place % 2)
        for side in (0, 1):
            numbers.setColumnStretch(side, 1)
        heading, edge = Text(look, "What you get", "text2"), (space("xl"), space("l"), space("xl"), space("l"))
        entries = (heading, self.picture, numbers, separator(), self.notes, FILL)
        column(*entries, of=self, gap=space("m"), edge=edge)

    @property
    def picture_size(self) -> QSize:
        """Of the widest picture there is room for, in px."""
        return QSize(max(1, self.width() - 2 * space("xl")), PICTURE_HEIGHT)

    def show_outcome(self, settings: Settings, outcome: Outcome) -> None:
        first, second, third, fourth = self.figures
        first.show_number(grouped(outcome.bodies), f"{'body' if outcome.bodies == 1 else 'bodies'}, "
                          f"{grouped(outcome.moving)} {'moves' if outcome.moving == 1 else 'move'}")  # fmt: skip
        count = outcome.frames.count if outcome.frames is not None else 0
        rate = rate_number(settings.fps)
        joint = " at " if len(rate) <= LONG_RATE else ", "  # there is room for so much
        second.show_number(grouped(count), f"frames{joint}{rate} fps")
        third.show_number(*self._third(settings, outcome, count))
        files = f"{grouped(count)} files" if settings.format == "png" else "one file"
        fourth.show_number(size_words(outcome.size), f"{files}, estimated")
        self.notes.show_notes(outcome.notes)

    def _third(self, settings: Settings, outcome: Outcome, count: int) -> tuple[str, str]:
        if settings.kind.pictures:
            return f"{count / settings.fps:.1f} s", f"{settings.width} × {settings.height} px"
        if settings.kind.keys:
            return grouped(outcome.keys), "keys at most" if settings.thin is not None else "rotation keys"
        return grouped(outcome.bodies * count), KEY_WORDS[settings.format]
