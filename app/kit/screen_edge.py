"""Drags that go on at the other side when the mouse meets the edge of the screen."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QWidget


def carried_over(widget: QWidget, at: QPoint, x: float) -> float:
    """Where the drag counts from now on (x on the screen): `x`, or the far side to which the mouse was moved. Some
    systems do not let programs move the mouse; then nothing changes."""
    screen = widget.screen().geometry()
    if screen.left() < at.x() < screen.right():
        return x
    far = screen.right() - 2 if at.x() <= screen.left() else screen.left() + 2
    QCursor.setPos(far, at.y())
    return float(far) if QCursor.pos().x() == far else x
