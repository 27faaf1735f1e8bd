"""TopBar: menus, the document's name in the middle of the window, and the box that finds commands."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QLabel, QMenuBar, QSizePolicy, QWidget

from app.document.document import Document
from app.kit import Painted, label, set_surface, tool_button
from app.kit.layouts import FILL, Put, row
from app.look.fonts import font
from app.look.icons import icon
from app.look.look import Look, size

FIND_WIDTH = 174
FIND_HEIGHT = 24
MARGIN = 12
LEAST_NAME = 48  # px


class Mark(Painted):
    """The sign of the program: an arc that ends in a body on the ground."""

    def __init__(self, look: Look, height: int, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.setFixedSize(round(1.2 * height), height)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        unit = self.height() / 20.0
        text = self._look.color("text")
        pen = QPen(text, 2.2 * unit, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([1.3, 0.9])
        painter.setPen(pen)
        painter.drawArc(QRectF(2 * unit, 3 * unit, 15 * unit, 22 * unit), 60 * 16, 120 * 16)
        painter.setPen(QPen(text, 2.0 * unit))
        painter.drawLine(QPointF(0.5 * unit, 18.8 * unit), QPointF(23.5 * unit, 18.8 * unit))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.color("accent"))
        painter.drawRoundedRect(QRectF(12.5 * unit, 9.3 * unit, 8.2 * unit, 8.2 * unit), unit, unit)


class TopBar(QWidget):
    def __init__(self, document: Document, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._look = document, look
        set_surface(self, "panel")
        self.setFixedHeight(size("menu_bar"))
        self.menu_bar = QMenuBar(self)
        self.menu_bar.setNativeMenuBar(False)
        self.menu_bar.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        words, extent = "Find a command", (FIND_WIDTH, FIND_HEIGHT)
        self.find_button = tool_button(words, f"{words} (F3, Ctrl+Shift+P)", 14, extent, self)
        self.find_button.setObjectName("find_command")
        self.find_button.setText(words)
        self.find_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.find_button.setFont(font("small"))
        key = label("F3", "caption", "keycap", self.find_button)
        key.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        key.setFixedHeight(16)
        row(FILL, Put(key, align=Qt.AlignmentFlag.AlignVCenter), of=self.find_button, edge=(0, 0, 5, 0))
        self._title = QLabel(self)
        self._title.setTextFormat(Qt.TextFormat.RichText)
        self._title.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        entries = (Mark(look, 16, self), self.menu_bar, FILL, self.find_button)
        row(*entries, of=self, gap=6, edge=(MARGIN, 0, MARGIN, 1))
        document.named.connect(self.refresh)
        document.replaced.connect(self.refresh)
        look.changed.connect(self._recolor)
        self._recolor()

    def words(self) -> tuple[str, str]:
        """The name, and what follows it."""
        return self._document.title, ".foregone" + (" · edited" if self._document.dirty else "")

    def refresh(self) -> None:
        """Write the name, in the middle of the window or as near to it as the menus leave room; shortened where that is
        little, and without what follows it where it is less."""
        name, rest = self.words()
        left = self.menu_bar.x() + self.menu_bar.sizeHint().width() + MARGIN  # its width may be out of date
        right = self.width() - FIND_WIDTH - 2 * MARGIN
        metrics = QFontMetrics(self._title.font())
        rest = rest if right - left >= metrics.horizontalAdvance(rest) + LEAST_NAME else ""
        room = max(LEAST_NAME, right - left - metrics.horizontalAdvance(rest) - 4)
        shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room)
        escaped = shown.replace("&", "&amp;").replace("<", "&lt;")
        self._title.setText(
            f'<span style="color:{self._look.hex("text")};font-weight:500">{escaped}</span>'
            f'<span style="color:{self._look.hex("text3")}">{rest}</span>'
        )
        self._title.setToolTip(str(self._document.path or "Not saved yet"))
        self._title.setAccessibleName(name + rest)
        self._title.adjustSize()
        middle = (self.width() - self._title.width()) // 2
        self._title.move(max(left, min(middle, right - self._title.width())),
                         (self.height() - self._title.height()) // 2)  # fmt: skip

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # the menus have another width now
            self.refresh()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.refresh()

    def _recolor(self) -> None:
        self.find_button.setIcon(icon(self._look, "command.find", "text3"))
        self.find_button.setStyleSheet(
            f"QToolButton {{ background: {self._look.hex('well')}; border: 1px solid {self._look.hex('line2')};"
            f" color: {self._look.hex('text2')}; text-align: left; padding: 0px 6px; }}"
            f"QToolButton:hover {{ border-color: {self._look.hex('control_edge')}; }}"
        )
        self.refresh()
