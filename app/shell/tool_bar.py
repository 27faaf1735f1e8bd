"""ToolBar: tools, the few commands used all the time, and at the right the place of the primary button, which is a
progress strip while something runs."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QSizePolicy, QToolBar, QToolButton, QWidget

from app.look.look import Look, size
from app.shell.action_set import ActionSet
from app.shell.progress_strip import ProgressStrip

TOOLS = ("tool.select", "tool.move", "tool.rotate", "tool.scale")
NAMED = ("body.settle", "snap.on")
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
    def __init__(self, actions: ActionSet, look: Look, parent: QWidget | None = None) -> None:
        super().__init__("Toolbar", parent)
        self._look, self._actions = look, actions
        self.setObjectName("toolbar")
        self.setMovable(False)
        self.setFloatable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setFixedHeight(size("tool_bar"))
        self._icons: list[tuple[ToolButton, str]] = []
        for key in TOOLS:
            self._add(key, actions[key].text().removesuffix(" tool"), named=False)
        self.addSeparator()
        for key in NAMED:
            self._add(key, actions[key].text(), named=True)
        self.addSeparator()
        for key in HISTORY:
            self._add(key, key.split(".")[1].capitalize(), named=False)
        gap = QWidget(self)
        gap.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(gap)
        self.strip = ProgressStrip(look, self)
        self._strip_action = self.addWidget(self.strip)
        self._strip_action.setVisible(False)

    def show_strip(self, shown: bool) -> None:
        self._strip_action.setVisible(shown)

    def buttons(self) -> list[ToolButton]:
        return [button for button, _ in self._icons]

    def _add(self, key: str, words: str, named: bool) -> None:
        button = ToolButton(self._actions[key], words, named, self)
        button.setObjectName(f"button.{key}")
        self.addWidget(button)
        self._icons.append((button, key))
