"""Text on a panel, painted in a role of the theme: one line that ends in an ellipsis, or a paragraph that wraps."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from app.kit.lettering import BOLD, letters
from app.kit.painted import Painted
from app.look.look import Look, tokens


class Text(Painted):
    """A line that does not fit shows an ellipsis and the whole of it as tooltip; `wraps` makes it a paragraph."""

    def __init__(
        self,
        look: Look,
        text: str = "",
        role: str = "text",
        size: str = "body",
        wraps: bool = False,
        strong: bool = False,
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    ) -> None:
        super().__init__(look)
        self._role, self._wraps = role, wraps
        self._align = align
        self._line = int(tokens()["font"]["sizes"][size]["line"])
        self.setFont(letters(size, BOLD if strong else None))
        policy = QSizePolicy(
            QSizePolicy.Policy.Preferred, QSizePolicy.Policy.MinimumExpanding if wraps else QSizePolicy.Policy.Fixed
        )
        policy.setHeightForWidth(wraps)
        self.setSizePolicy(policy)
        self.text = ""
        self._room: tuple[str, ...] = ()
        self._kept: dict[int, int] = {}  # height of the highest of `_room`, by width
        self.set_text(text)

    def set_text(self, text: str) -> None:
        if text != self.text:
            self.text = text
            self.setAccessibleName(text)
            self._explain()
            self.updateGeometry()
            self.update()

    def keep_room(self, texts: Iterable[str]) -> None:
        """Be as high as the highest of these, whichever is shown: what stands below stays where it is."""
        room = tuple(dict.fromkeys(texts))
        if room != self._room:
            self._room, self._kept = room, {}
            self.updateGeometry()

    def set_role(self, role: str) -> None:
        if role != self._role:
            self._role = role
            self.update()

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self.text) + 1
        return QSize(min(width, 240), self.heightForWidth(240)) if self._wraps else QSize(width, self._line)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._line)

    def hasHeightForWidth(self) -> bool:
        return self._wraps

    def heightForWidth(self, width: int) -> int:
        if not self._wraps:
            return self._line
        if width not in self._kept:
            self._kept[width] = max((self._height(text, width) for text in self._room), default=0)
        return max(self._kept[width], self._height(self.text, width))

    def _height(self, text: str, width: int) -> int:
        if not text:
            return 0
        found = self.fontMetrics().boundingRect(QRect(0, 0, max(1, width), 10_000), self._flags(), text)
        lines = max(1, round(found.height() / self.fontMetrics().lineSpacing()))
        return max(found.height(), lines * self._line)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._explain()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self._look.color(self._role if self.isEnabled() else "disabled"))
        text = self.text
        if not self._wraps:
            text = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), self._flags(), text)

    def _flags(self) -> int:
        if self._wraps:
            return int(self._align) | int(Qt.AlignmentFlag.AlignTop) | int(Qt.TextFlag.TextWordWrap)
        return int(self._align) | int(Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextSingleLine)

    def _explain(self) -> None:
        """The whole line as tooltip, only where it is cut."""
        if not self._wraps:
            cut = self.fontMetrics().horizontalAdvance(self.text) > self.width()
            self.setToolTip(self.text if cut else "")
