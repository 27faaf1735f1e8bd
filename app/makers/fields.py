"""Fields of maker dialogs: numbers with a unit, segments, drop-downs and toggles in the studio's look."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from PySide6.QtCore import QLocale, QRect, Qt, Signal, SignalInstance
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QButtonGroup,
    QComboBox,
    QDoubleSpinBox,
    QFrame,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from app.kit.layouts import row, wide
from app.look.icons import icon
from app.look.look import Look, size

Number = TypeVar("Number", QSpinBox, QDoubleSpinBox)


def length_field(
    value: float, low: float = 0.001, high: float = 1000.0, step: float = 0.05, unit: str = "m", name: str = ""
) -> QDoubleSpinBox:
    """A number with a unit, three decimals, arrow keys step."""
    suffix = f" {unit}" if unit else ""
    return _plain(QDoubleSpinBox(decimals=3, minimum=low, maximum=high, singleStep=step, value=value, suffix=suffix),
                  name)  # fmt: skip


def count_field(value: int, low: int = 1, high: int = 1000, name: str = "") -> QSpinBox:
    return _plain(QSpinBox(minimum=low, maximum=high, value=value), name)


def _plain(field: Number, name: str) -> Number:
    field.setLocale(QLocale.c())
    # Buttons of no size from the style sheet: without any, Qt 6.11 gives the styled field a width of one pixel.
    field.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.PlusMinus)
    field.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    field.lineEdit().setTextMargins(0, 0, 6, 0)
    field.setAccessibleName(name)
    return field


class Segments(QFrame):
    """Two to five choices side by side; arrow keys move between them.

    Signals:
        chosen(str)   the key of another choice
    """

    chosen = Signal(str)

    def __init__(self, choices: Sequence[tuple[str, str]], current: str, name: str) -> None:
        """`choices`: (key, words)."""
        super().__init__()
        self.setObjectName("makerSegments")
        self.setAccessibleName(name)
        line = row(of=self, gap=2, edge=(2, 2, 2, 2))
        self._group = QButtonGroup(self)
        self._buttons: dict[str, QPushButton] = {}
        for key, words in choices:
            button = QPushButton(words)
            button.setObjectName("makerSegment")
            button.setCheckable(True)
            button.setAutoDefault(False)
            button.setAccessibleName(f"{name}: {words}")
            button.setChecked(key == current)
            self._group.addButton(button)
            self._buttons[key] = button
            line.addWidget(button, 1)
        self._group.buttonToggled.connect(self._toggled)
        self.setFixedHeight(size("field"))

    @property
    def current(self) -> str:
        return next(key for key, button in self._buttons.items() if button.isChecked())

    def choose(self, key: str) -> None:
        self._buttons[key].setChecked(True)

    def button(self, key: str) -> QPushButton:
        return self._buttons[key]

    def _toggled(self, _button: QPushButton, checked: bool) -> None:
        if checked:
            self.chosen.emit(self.current)


class Choice(QComboBox):
    """A drop-down with the look's own caret; long entries are elided in the field and whole in the tooltip."""

    def __init__(self, look: Look, entries: Sequence[str], current: str, name: str) -> None:
        super().__init__()
        self._look = look
        self.addItems(list(entries))
        self.setCurrentText(current)
        self.setAccessibleName(name)
        self.setMaxVisibleItems(16)
        self.setMinimumContentsLength(4)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setToolTip(self.currentText())
        self.currentTextChanged.connect(self.setToolTip)
        look.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        side = size("icon") - 4
        area = QRect(self.width() - side - 8, (self.height() - side) // 2, side, side)
        icon(self._look, "field.open").paint(QPainter(self), area)


class Toggle(QPushButton):
    """On or off, with a check mark."""

    def __init__(self, look: Look, words: str, on: bool = False) -> None:
        super().__init__(words)
        self.setObjectName("makerToggle")
        self.setCheckable(True)
        self.setAutoDefault(False)
        self.setChecked(on)
        self._look = look
        self._mark()
        self.toggled.connect(self._mark)
        look.changed.connect(self._mark)

    def _mark(self) -> None:
        self.setIcon(icon(self._look, "check.on" if self.isChecked() else "check.off", "text2", "accent"))


def side_by_side(*fields: QWidget) -> QWidget:
    """Fields of equal width in one row."""
    holder = QWidget()
    row(*map(wide, fields), of=holder, gap=6)
    return holder


def change_of(field: QWidget) -> list[SignalInstance]:
    """The signals that say that something else was chosen in a field, or in those that it holds."""
    if isinstance(field, Segments):
        return [field.chosen]
    if isinstance(field, Choice):
        return [field.currentTextChanged]
    if isinstance(field, Toggle):
        return [field.toggled]
    if isinstance(field, (QSpinBox, QDoubleSpinBox)):
        return [field.valueChanged]
    if isinstance(field, QLineEdit):
        return [field.textChanged]
    return [change for inner in field.children() if isinstance(inner, QWidget) for change in change_of(inner)]
