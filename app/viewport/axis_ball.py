"""The axis ball: which way the world lies. Click an end to look from there, drag to orbit, arrow keys turn."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.camera import Camera
from app.kit import Control
from app.look.look import Look
from app.viewport.navigation import ORBIT_STEP

SIZE = 72  # px
ARM, END, BACK_END = 25.0, 7.5, 4.5  # px: length of an axis, radii of the balls at its ends
CLICK = 4.0  # px the mouse may move within a click
TURN = math.radians(15.0)  # of an arrow key
ENDS = {"right": (0, 1), "left": (0, -1), "back": (1, 1), "front": (1, -1), "top": (2, 1), "bottom": (2, -1)}
"""View -> axis and sign of the end it looks from."""


class AxisBall(Control):
    """Signals:
    chosen(str)            "front", "top", ...
    dragged(float, float)  px to orbit by
    """

    chosen = Signal(str)
    dragged = Signal(float, float)

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(look, parent)
        self._camera = Camera()
        self._hover: str | None = None
        self._pressed: QPointF | None = None
        self._moved = False
        self.setFixedSize(QSize(SIZE, SIZE))
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName("Axis ball")
        self.setAccessibleDescription("Arrow keys turn the view. X, Y, Z look along an axis, with Shift from behind.")
        self.setToolTip("Click an axis to look along it, drag to orbit")

    def show_camera(self, camera: Camera) -> None:
        before, self._camera = self._camera, camera
        if (camera.azimuth, camera.elevation) != (before.azimuth, before.elevation):
            self.update()

    def ends(self) -> dict[str, tuple[QPointF, float]]:
        """Where each end is drawn, and how near it is (1: toward the viewer)."""
        right, up, back = self._camera.axes()
        middle = 0.5 * SIZE
        found = {}
        for name, (axis, sign) in ENDS.items():
            d = sign * np.eye(3)[axis]
            found[name] = (QPointF(middle + ARM * float(d @ right), middle - ARM * float(d @ up)), float(d @ back))
        return found

    def end_at(self, place: QPointF) -> str | None:
        """The end under the mouse, the nearest one to the viewer first."""
        for name, (at, _) in sorted(self.ends().items(), key=lambda entry: -entry[1][1]):
            reach = (END if ENDS[name][1] > 0 else BACK_END) + 2.5
            if math.hypot(place.x() - at.x(), place.y() - at.y()) <= reach:
                return name
        return None

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = QPointF(0.5 * SIZE, 0.5 * SIZE)
        active = self._hover is not None or self._pressed is not None or self.underMouse()
        painter.setPen(QPen(self.look.color("focus"), 2.0) if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.setBrush(self.look.color("overlay", 0.85 if active else 0.6))
        painter.drawEllipse(middle, 0.5 * SIZE - 1.0, 0.5 * SIZE - 1.0)
        for name, (at, near) in sorted(self.ends().items(), key=lambda entry: entry[1][1]):
            self._paint_end(painter, name, at, near, middle)

    def _paint_end(self, painter: QPainter, name: str, at: QPointF, near: float, middle: QPointF) -> None:
        axis, sign = ENDS[name]
        letters = self.look.view("axis_gizmo")
        color = QColor(letters["xyz"[axis]])
        color.setAlphaF(1.0 if near > -0.2 else 0.7)
        if sign < 0:
            painter.setPen(QPen(self.look.color("text"), 1.5) if name == self._hover else QPen(color, 1.3))
            painter.setBrush(self.look.color("overlay"))
            painter.drawEllipse(at, BACK_END, BACK_END)
            return
        painter.setPen(QPen(color, 2.0))
        painter.drawLine(middle, at)
        painter.setPen(QPen(self.look.color("text"), 1.5) if name == self._hover else Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawEllipse(at, END, END)
        font = self.font()
        font.setPixelSize(11)
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QColor(letters["letter"]))
        box = self.rect().toRectF()
        box.moveCenter(at)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "XYZ"[axis])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._moved = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        if self._pressed is not None:
            step = place - self._pressed
            if self._moved or math.hypot(step.x(), step.y()) > CLICK:
                self._moved, self._pressed = True, place
                self.dragged.emit(step.x(), step.y())
            return
        self._set_hover(self.end_at(place))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._pressed is None:
            return
        self._pressed = None
        end = self.end_at(event.position())
        if not self._moved and end is not None:
            self.chosen.emit(end)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._hover = None
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        turn = {
            Qt.Key.Key_Left: (-TURN, 0.0),
            Qt.Key.Key_Right: (TURN, 0.0),
            Qt.Key.Key_Up: (0.0, -TURN),
            Qt.Key.Key_Down: (0.0, TURN),
        }.get(Qt.Key(event.key()))
        ends = {Qt.Key.Key_X: ("right", "left"), Qt.Key.Key_Y: ("front", "back"), Qt.Key.Key_Z: ("top", "bottom")}
        if turn is not None:
            self.dragged.emit(turn[0] / float(ORBIT_STEP), turn[1] / float(ORBIT_STEP))
        elif event.key() in ends:
            behind = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.chosen.emit(ends[Qt.Key(event.key())][behind])
        else:
            super().keyPressEvent(event)

    def _set_hover(self, name: str | None) -> None:
        if name != self._hover:
            self._hover = name
            self.update()
