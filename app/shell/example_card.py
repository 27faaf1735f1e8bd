"""ExampleCard: the picture of an example with its name, which can show how it came about; a click opens a copy."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QLinearGradient, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.kit.painting import CENTRE, plate, write
from app.look.fonts import font
from app.look.look import Look, tokens
from app.shell.examples import Example

WORDS_HEIGHT = 48
LEAST = (150, 168)
BADGE = "Open a copy"
FRAMES, RATE = 32, 18.0  # of a strip (tools/make-example-scenes), 1/s
HELD = 14  # frames that the ending is shown before the picture comes back


class ExampleCard(QAbstractButton):
    def __init__(self, example: Example, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.example, self._look = example, look
        self._picture: QPixmap | None = None
        self._strip: QPixmap | None = None
        self._frame: int | None = None  # that is shown of its strip; None: the picture
        self.setText(example.title)
        self.setToolTip(f"{example.title}\n{example.words}")
        self.setAccessibleName(f"Open a copy of {example.title}")
        self.setAccessibleDescription(example.words)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(*LEAST)
        look.changed.connect(self.update)

    @property
    def playing(self) -> bool:
        return self._frame is not None

    def step(self) -> bool:
        """Show the next frame of its take; False when it is over."""
        if self._strip is None:  # read when first seen
            self._strip = QPixmap(str(self.example.motion))
        self._frame = 0 if self._frame is None else self._frame + 1
        over = self._strip.isNull() or self._frame >= FRAMES + HELD
        if over:
            self._frame = None
        self.update()
        return not over

    def rest(self) -> None:
        """Show the picture."""
        self._frame = None
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(262, 236 + WORDS_HEIGHT)

    def keyPressEvent(self, event: object) -> None:
        key = event.key()  # type: ignore[attr-defined]
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)  # type: ignore[arg-type]

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        frame = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -WORDS_HEIGHT - 1.5)
        focused, hovered = self.hasFocus(), self.underMouse()
        self._paint_picture(painter, frame)
        self._paint_edge(painter, frame, focused, hovered)
        if focused or hovered:
            self._paint_badge(painter, frame, focused)
        self._paint_words(painter)

    def _paint_picture(self, painter: QPainter, frame: QRectF) -> None:
        if self._picture is None:  # read when first seen
            self._picture = QPixmap(str(self.example.picture))
        outline = _outline(frame)
        ground = QLinearGradient(frame.topLeft(), frame.bottomLeft())
        ground.setColorAt(0.0, self._look.view_color("background_top"))
        ground.setColorAt(1.0, self._look.view_color("background_bottom"))
        painter.fillPath(outline, ground)
        shown, source = self._picture, QRectF(self._picture.rect())
        if self._strip is not None and self._frame is not None and self._frame < FRAMES:
            width = self._strip.width() / FRAMES
            shown, source = self._strip, QRectF(self._frame * width, 0.0, width, self._strip.height())
        if not shown.isNull():
            painter.save()
            painter.setClipPath(outline)
            scale = max(frame.width() / source.width(), frame.height() / source.height())
            width, height = scale * source.width(), scale * source.height()
            center = frame.center()
            target = QRectF(center.x() - 0.5 * width, center.y() - 0.5 * height, width, height)
            painter.drawPixmap(target, shown, source)
            painter.restore()

    def _paint_edge(self, painter: QPainter, frame: QRectF, focused: bool, hovered: bool) -> None:
        """The ring is where the keyboard is: Enter opens that card, whichever the mouse rests on."""
        role = "focus" if focused else "control_edge" if hovered else "line"
        painter.setPen(QPen(self._look.color(role), 2.0 if focused else 1.0))
        painter.drawPath(_outline(frame))

    def _paint_badge(self, painter: QPainter, frame: QRectF, focused: bool) -> None:
        painter.setFont(font("small"))
        width = painter.fontMetrics().horizontalAdvance(BADGE) + 22
        badge = QRectF(frame.left() + 10, frame.bottom() - 36, width, 26)
        plate(painter, badge, 5, self._look.color("accent" if focused else "overlay"))
        write(painter, badge, BADGE, self._look.color("on_accent" if focused else "text"), CENTRE)

    def _paint_words(self, painter: QPainter) -> None:
        room = QRectF(2, self.height() - WORDS_HEIGHT + 6, self.width() - 4, WORDS_HEIGHT - 6)
        count = f"{self.example.bodies} bodies" if self.example.bodies != 1 else "1 body"
        top = Qt.AlignmentFlag.AlignTop
        write(painter, room, count, self._look.color("text3"), top | Qt.AlignmentFlag.AlignRight, font("small"))
        taken = painter.fontMetrics().horizontalAdvance(count) + 10
        words = painter.fontMetrics().elidedText(self.example.words, Qt.TextElideMode.ElideRight, int(room.width()))
        write(painter, room.adjusted(0, 20, 0, 0), words, self._look.color("text2"), top)
        painter.setFont(font("body"))
        title = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, int(room.width() - taken))
        write(painter, room, title, self._look.color("text"), top)


def _outline(frame: QRectF) -> QPainterPath:
    radius, outline = float(tokens()["radius"]["card"]), QPainterPath()
    outline.addRoundedRect(frame, radius, radius)
    return outline
