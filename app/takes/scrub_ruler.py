"""ScrubRuler: the frames of the shown take as a slim ruler; pressing and dragging shows another one."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen

from app.kit import Control
from app.kit.painting import CENTRE, plate, radius, write
from app.look.fonts import font
from app.look.look import Look, tokens
from app.session.playback import Playback

EDGE = 34  # px at both sides, for the marks
APART = 90  # px between numbers, at least
STEPS = (1, 2, 5, 6, 12, 24, 48, 96, 240, 480, 960)  # frames
CLEAR = 34  # px round a mark without a number
HEIGHT = 46
KEYS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class ScrubRuler(Control):
    def __init__(self, look: Look, playback: Playback) -> None:
        super().__init__(look)
        self._playback = playback
        self.setFont(font("small"))
        self.be_field("Frame", 480, 0, HEIGHT)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        playback.moved.connect(self._follow)
        playback.changed.connect(self._follow)

    def x_of(self, frame: float) -> float:
        return EDGE + (self.width() - 2 * EDGE) * frame / max(1, self._playback.last_frame)

    def frame_at(self, x: float) -> int:
        part = (x - EDGE) / max(1.0, self.width() - 2.0 * EDGE)
        return min(self._playback.last_frame, max(0, round(part * self._playback.last_frame)))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        base = self.height() - 10.0
        painter.setPen(QPen(self.look.color("line2"), 1.0))
        painter.drawLine(QPointF(EDGE, base), QPointF(self.width() - EDGE, base))
        self._paint_numbers(painter, base)
        ending = self._playback.ending_frame
        self._paint_mark(painter, self.x_of(ending), "Ending", "text", "panel", base)
        if self._playback.frame != ending:
            words = str(self._playback.frame)
            self._paint_mark(painter, self.x_of(self._playback.frame), words, "accent", "on_accent", base)
        self.paint_ring(painter, QRectF(self.rect()), radius("button"))

    def _paint_numbers(self, painter: QPainter, base: float) -> None:
        last = max(1, self._playback.last_frame)
        per_frame = (self.width() - 2.0 * EDGE) / last
        step = next((frames for frames in STEPS if frames * per_frame >= APART), STEPS[-1])
        painter.setPen(self.look.color("text2"))
        marks = [self.x_of(frame) for frame in (self._playback.frame, self._playback.ending_frame)]
        for frame in range(0, last + 1, step):
            x = self.x_of(frame)
            painter.drawLine(QPointF(x, base - 8), QPointF(x, base))
            if min(abs(x - mark) for mark in marks) < CLEAR:
                continue
            area = QRectF(x - 40, base - 27, 80, 18)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, str(frame))

    def _paint_mark(self, painter: QPainter, x: float, words: str, role: str, on: str, base: float) -> None:
        width = QFontMetricsF(self.font()).horizontalAdvance(words) + 16
        left = min(max(0.0, x - width / 2), self.width() - width)
        area = QRectF(left, base - 28, width, 19)
        painter.setPen(QPen(self.look.color(role), float(tokens()["line"]["playhead"])))
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x, base + 4))
        plate(painter, area, radius("key_cap"), self.look.color(role))
        write(painter, area, words, self.look.color(on), CENTRE)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.ring = False
            self._go(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event.position().x())

    def _go(self, x: float) -> None:
        self._playback.stop()
        self._playback.go_to_frame(self.frame_at(x))

    def uses_key(self, event: QKeyEvent) -> bool:
        return event.key() in KEYS

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.uses_key(event):
            return super().keyPressEvent(event)
        frames = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        self._playback.stop()
        self._playback.go_to_frame(self._playback.frame + frames * KEYS[Qt.Key(event.key())])

    def _follow(self) -> None:
        self.setAccessibleDescription(f"{self._playback.frame} of {self._playback.last_frame}")
        self.update()
