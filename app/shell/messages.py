"""Messages that want something: a float at the bottom of the view that stays until it is answered or closed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QWidget

from app.kit import tool_button
from app.kit.layouts import row, wide
from app.look.icons import icon
from app.look.look import Look, size
from app.shell.details import Details
from app.shell.studio import Answer

GAP = 16  # px to the sides of the view
LOWEST = 12 + size("button") + 8  # px to its bottom: the pill about the take and the size of the grid stand there
KINDS = {
    "info": ("state.info", "text2"),
    "done": ("state.ok", "exact"),
    "warning": ("state.warning", "ghosted"),
    "error": ("state.error", "assisted"),
}


class MessageFloat(QFrame):
    """One message at a time: the newest matters, and the old one is still in the log if it was an error."""

    def __init__(self, look: Look, over: QWidget) -> None:
        super().__init__(over)
        self._look, self._over, self._kind = look, over, "info"
        self.setProperty("surface", "float")
        self.setObjectName("message")
        self._icon = QLabel(self)
        self.label = QLabel(self)
        self.label.setWordWrap(True)
        self.label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        extent = (size("min_hit"), size("min_hit"))
        self.close_button = tool_button("Close the message", "Close (Esc)", 14, extent, self)
        self.close_button.clicked.connect(self.hide)
        self._row = row(self._icon, wide(self.label), self.close_button, of=self, gap=10, edge=(14, 9, 8, 9))
        self.buttons: list[QPushButton] = []
        over.installEventFilter(self)
        look.changed.connect(self._recolor)
        self.hide()

    def tell(self, message: str, answers: Sequence[Answer] = (), kind: str = "info", details: str = "") -> None:
        for button in self.buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = []
        offered = list(answers)
        if details:
            offered.append(("Details", lambda: Details(message, details, self.window()).show()))
        for words, act in offered:
            self._add_button(words, act, stays=words == "Details")
        self._kind = kind
        self.label.setText(message)
        self.setAccessibleName(message)
        self._recolor()
        self._place()
        self.show()
        self.raise_()

    def _add_button(self, words: str, act: Callable[[], None], stays: bool) -> None:
        button = QPushButton(words, self)

        def answer() -> None:
            if not stays:
                self.hide()
            act()

        button.clicked.connect(answer)
        self._row.insertWidget(self._row.count() - 1, button)
        button.show()  # now: hidden ones take no room in what is measured next
        self.buttons.append(button)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._over and event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        """At the bottom in the middle; long words wrap instead of leaving the view."""
        room = self._over.width() - 2 * GAP
        self.label.setMinimumWidth(0)
        wish = self.label.fontMetrics().horizontalAdvance(self.label.text()) + 4
        others = self._row.sizeHint().width() - self.label.sizeHint().width()
        self.label.setMinimumWidth(max(40, min(wish, room - others)))
        width = min(room, others + self.label.minimumWidth())
        height = max(self.sizeHint().height(), self._row.heightForWidth(width))
        self.setGeometry((self._over.width() - width) // 2, self._over.height() - height - LOWEST, width, height)

    def _recolor(self) -> None:
        name, role = KINDS.get(self._kind, KINDS["info"])
        self._icon.setPixmap(icon(self._look, name, role).pixmap(16, 16))
        self.close_button.setIcon(icon(self._look, "close"))
