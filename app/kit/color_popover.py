"""The chip before a body's name, and the palette that opens from it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from app.kit.buttons import Pressable, WordButton
from app.kit.color_chip import paint_chip
from app.kit.layouts import centred, column
from app.kit.painting import plate, radius, space
from app.look.look import Look, size, tokens

CHIP = 16  # px
COLUMNS = 4


class Chip(Pressable):
    """A square of colour that can be pressed; `marked` has a ring round it."""

    def __init__(self, look: Look, color: QColor, name: str) -> None:
        super().__init__(look)
        self.color, self.marked = color, False
        self.setFixedSize(size("min_hit"), size("min_hit"))
        self.setAccessibleName(name)
        self.setToolTip(name)

    def set_color(self, color: QColor) -> None:
        if color != self.color:
            self.color = color
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = QRectF(self.rect())
        if self.hovered or self.marked:
            edge = self.look.color("text" if self.marked else "line2")
            plate(painter, area, radius("field"), None, edge)
        inset = (self.width() - CHIP) / 2
        paint_chip(painter, area.adjusted(inset, inset, -inset, -inset), self.color, self.look)
        self.paint_ring(painter, area, radius("field"))


class ColorPopover(QWidget):
    """Signals:
    chosen(str)   "#rrggbb", or "" for the colour by place in the list
    """

    chosen = Signal(str)

    def __init__(self, look: Look, current: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self._look = look
        self.chips: list[Chip] = []
        grid = QGridLayout()
        grid.setSpacing(space("xs"))
        for number, entry in enumerate(tokens()["body_palette"]["colors"]):
            chip = Chip(look, QColor(entry["hex"]), entry["name"].capitalize())
            chip.marked = entry["hex"] == current.lower()
            chip.clicked.connect(lambda color=entry["hex"]: self._choose(color))
            grid.addWidget(chip, number // COLUMNS, number % COLUMNS)
            self.chips.append(chip)
        automatic = WordButton(look, "Automatic", plain=True)
        automatic.clicked.connect(lambda: self._choose(""))
        column(grid, centred(automatic), of=self, edge=(space("m"), space("m"), space("m"), space("s")))

    def open_under(self, widget: QWidget) -> None:
        self.move(widget.mapToGlobal(QPoint(0, widget.height() + 4)))
        self.show()
        next((chip for chip in self.chips if chip.marked), self.chips[0]).setFocus()

    def paintEvent(self, event: QPaintEvent) -> None:
        area = QRectF(self.rect())
        plate(QPainter(self), area, radius("float"), self._look.color("overlay"), self._look.color("line2"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            int(Qt.Key.Key_Left): -1,
            int(Qt.Key.Key_Right): 1,
            int(Qt.Key.Key_Up): -COLUMNS,
            int(Qt.Key.Key_Down): COLUMNS,
        }
        at = next((i for i, chip in enumerate(self.chips) if chip.hasFocus()), 0)
        by = steps.get(event.key())
        if by is None:
            super().keyPressEvent(event)
        elif 0 <= at + by < len(self.chips):
            self.chips[at + by].setFocus(Qt.FocusReason.TabFocusReason)

    def _choose(self, color: str) -> None:
        self.close()
        self.chosen.emit(color)
