"""ToolBar: tools, the few commands used all the time, and at the right the place of the primary button, which is a
progress strip while something runs."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolBar, QToolButton, QWidget

from app.document.document import Document
from app.kit import ProgressStrip
from app.look.look import Look, size
from app.shell.action_set import ActionSet
from app.shell.generate_bar import GenerateBar

TOOLS = ("tool.select", "tool.move", "tool.rotate", "tool.scale")
NAMED = ("tool.sketch", "body.settle", "snap.on")
FOLD_BELOW = 1440  # px: takes, seconds and seed go behind the button
HISTORY = ("edit.undo", "edit.redo")


class ToolButton(QToolButton):
    """A button of an action. One of a tool shows its name only while the tool is active."""

    def __init__(self, action: QAction, words: str, named: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._action, self._words, self._named = action, words, named
        self.setDefaultAction(action)
        self.setIconSize(QSize(size("icon_tool"), size("icon_tool")))
        self.setFixedHeight(size("tool_button"))
        self.setMinimumWidth(size("tool_button"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(words)
        action.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        shown = self._named or (self._action.isCheckable() and self._action.isChecked())
        style = Qt.ToolButtonStyle.ToolButtonTextBesideIcon if shown else Qt.ToolButtonStyle.ToolButtonIconOnly
        self.setToolButtonStyle(style)
        if self.text() != self._words:
            self.setText(self._words)


class ToolBar(QToolBar):
    def __init__(self, document: Document, actions: ActionSet, look: Look, parent: QWidget | None = None) -> None:
        super().__init__("Toolbar", parent)
        self._actions = actions
        self.setObjectName("toolbar")
        self.setMovable(False)
        self.setFloatable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setFixedHeight(size("tool_bar"))
        self._buttons: list[ToolButton] = []
        self._gap(4)  # the style gives 8 of the 12 px at the edge, on all sides
        for key in TOOLS:
            self._add(key, actions[key].text().removesuffix(" tool"), named=False)
        self.addSeparator()
        for key in NAMED:
            self._add(key, actions[key].text(), named=True)
        self.addSeparator()
        for key in HISTORY:
            self._add(key, key.split(".")[1].capitalize(), named=False)
        self._gap(None)
        self.generate = GenerateBar(document, actions, look, self)
        self._generate_action = self.addWidget(self.generate)
        self.strip = ProgressStrip(look, self)
        self._strip_action = self.addWidget(self.strip)
        self._strip_action.setVisible(False)

    def show_strip(self, shown: bool) -> None:
        self._generate_action.setVisible(not shown)
        self._strip_action.setVisible(shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.generate.fold(self.width() < FOLD_BELOW)

    def buttons(self) -> list[ToolButton]:
        return list(self._buttons)

    def _add(self, key: str, words: str, named: bool) -> None:
        button = ToolButton(self._actions[key], words, named, self)
        button.setObjectName(f"button.{key}")
        self.addWidget(button)
        self._buttons.append(button)

    def _gap(self, width: int | None) -> None:
        """Empty room; None: all that is left."""
        gap = QWidget(self)
        if width is None:
            gap.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        else:
            gap.setFixedWidth(max(0, width - 4))  # and the spacing after it
        self.addWidget(gap)
