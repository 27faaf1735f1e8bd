"""Moment: the frame in large digits, of how many, and how long before the ending that is. Click the number to type."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.kit import Clickable, TypedLine, letters, measures
from app.kit.painting import MIDDLE, RIGHT, write
from app.look.look import Look, size
from app.session.playback import Playback
from app.timeline.words import before_ending

GAP = 14  # px around the line between frame and words
LONGEST = "00.00 s before the ending"


class Moment(Clickable):
    """Its width depends on the take, not on the moment, so that nothing beside it moves while it plays."""

    def __init__(self, playback: Playback, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._playback = playback
        self._wordy, self._last = True, -1
        self.setFixedHeight(size("field"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName("Frame")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        playback.moved.connect(self.update)
        playback.changed.connect(self._follow)
        self.clicked.connect(self.type_frame)
        self._follow()

    @property
    def frame_words(self) -> str:
        return f"{self._playback.frame} / {self._playback.last_frame}"

    @property
    def words(self) -> str:
        return before_ending(self._playback.ending - self._playback.time)

    def set_wordy(self, wordy: bool) -> None:
        """Whether the words are beside the number, or only its tooltip."""
        if wordy != self._wordy:
            self._wordy = wordy
            self.updateGeometry()

    def wordy_width(self) -> int:
        return self._number_width() + 2 * GAP + round(measures("small").horizontalAdvance(LONGEST))

    def _number_width(self) -> int:
        digits = "0" * len(str(max(10, self._playback.last_frame)))
        large = measures("dialog_title").horizontalAdvance(digits)
        return round(large + measures("body").horizontalAdvance(f" / {digits}")) + 12

    def sizeHint(self) -> QSize:
        return QSize(self.wordy_width() if self._wordy else self._number_width(), size("field"))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def type_frame(self) -> None:
        area = QRect(0, 0, max(64, self._number_width()), self.height())
        TypedLine(self, area, str(self._playback.frame), "Frame", self._take)

    def _take(self, text: str) -> None:
        """A whole number goes to that frame; anything else changes nothing."""
        try:
            frame = round(float(text))
        except (ValueError, OverflowError):
            return
        self._playback.stop()
        self._playback.go_to_frame(min(max(frame, 0), self._playback.last_frame))

    def _follow(self) -> None:
        if self._playback.last_frame != self._last:
            self._last = self._playback.last_frame
            self.updateGeometry()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        look = self.look
        number, rest = str(self._playback.frame), f" / {self._playback.last_frame}"
        after = measures("body").horizontalAdvance(rest)
        left = self._number_width() - 6 - after
        write(painter, QRectF(0, 0, left, self.height()), number, look.color("text"), RIGHT, letters("dialog_title"))
        write(painter, QRectF(left, 1, after + 2, self.height()), rest, look.color("text2"), MIDDLE, letters("body"))
        if self._wordy:
            x = self._number_width() + GAP - 6
            painter.fillRect(QRectF(x, 5, 1, self.height() - 10), look.color("line2"))
            area = QRectF(x + GAP, 0, self.width(), self.height())
            write(painter, area, self.words, look.color("text2"), MIDDLE, letters("small"))
        self.paint_ring(painter, QRectF(0, 0, self._number_width(), self.height()), 5)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            self.setToolTip(f"Frame {self.frame_words}, {self.words}\nClick to type a frame")
        return super().event(event)
