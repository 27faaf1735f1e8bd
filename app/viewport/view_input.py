"""Mouse and keys of the view: navigation takes its share, the tool in use gets the rest."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent

from app.tools.tool import Pointer
from app.viewport.navigation import Drag, drag_for, dragged, wheeled

if TYPE_CHECKING:
    from app.viewport.view import View

CLICK = 4.0  # px a right click may move and still open the menu
NOTCH = 120.0  # Qt's units per notch of a wheel


class ViewInput:
    def __init__(self, view: View) -> None:
        self._view = view
        self._drag: Drag | None = None
        self._drag_button = Qt.MouseButton.NoButton
        self._last = QPointF()
        self._toward: np.ndarray | None = None
        self._right_press: QPointF | None = None  # a right click that may become a menu

    def press(self, event: QMouseEvent) -> None:
        view, button = self._view, event.button()
        view.setFocus(Qt.FocusReason.MouseFocusReason)
        self._right_press = None
        if view.tool.busy() and button == Qt.MouseButton.RightButton:
            view.tool.cancel()
            view.refresh()
            return
        if button == Qt.MouseButton.RightButton:
            self._right_press = event.position()
        drag = drag_for(view.settings.get("view/navigation"), button, event.modifiers())
        if drag is not None and self._drag is None:
            self._start(drag, event)
        elif view.tool.press(_pointer(event, button)):
            self._right_press = None
            view.refresh()

    def _start(self, drag: Drag, event: QMouseEvent) -> None:
        place = event.position()
        self._drag, self._drag_button, self._last = drag, event.button(), place
        self._toward = self._view.zoom_point(place.x(), place.y()) if drag is Drag.ZOOM else None
        self._view.selection.set_hover(None)

    def move(self, event: QMouseEvent) -> None:
        view, place = self._view, event.position()
        if self._right_press is not None and _apart(place, self._right_press) > CLICK:
            self._right_press = None
        if self._drag is not None and event.buttons() & self._drag_button:
            step = place - self._last
            self._last = place
            view.set_camera(dragged(view.camera, self._drag, step.x(), step.y(), view.height(), self._toward))
        elif view.tool.move(_pointer(event, event.buttons())):
            view.refresh()

    def release(self, event: QMouseEvent) -> None:
        view = self._view
        menu = event.button() == Qt.MouseButton.RightButton and self._right_press is not None
        if self._drag is not None and event.button() == self._drag_button:
            self._drag = None
        elif view.tool.release(_pointer(event, event.button())):
            menu = False
            view.refresh()
        if menu:
            self._right_press = None
            view.menu_requested.emit(event.globalPosition().toPoint())

    def double_click(self, event: QMouseEvent) -> None:
        """Navigation and unused double clicks are two presses."""
        taken = drag_for(self._view.settings.get("view/navigation"), event.button(), event.modifiers()) is not None
        if not taken and self._view.tool.double_click(_pointer(event, event.button())):
            self._view.refresh()
        else:
            self.press(event)

    def wheel(self, event: QWheelEvent) -> None:
        notches = event.angleDelta().y() / NOTCH
        if notches:
            view, place = self._view, event.position()
            view.set_camera(wheeled(view.camera, notches, view.zoom_point(place.x(), place.y())))
        event.accept()

    def key(self, event: QKeyEvent) -> bool:
        """Used?"""
        view = self._view
        if event.key() == Qt.Key.Key_Escape and view.tool.busy():
            view.tool.cancel()
        elif not view.tool.key(event.key(), event.text(), event.modifiers()):
            return False
        view.refresh()
        return True


def _pointer(event: QMouseEvent, buttons: Qt.MouseButton) -> Pointer:
    """Presses and releases carry the button they are about, moves all that are down."""
    keys, place = event.modifiers(), event.position()
    return Pointer(
        place.x(),
        place.y(),
        buttons,
        shift=bool(keys & Qt.KeyboardModifier.ShiftModifier),
        control=bool(keys & Qt.KeyboardModifier.ControlModifier),
        alt=bool(keys & Qt.KeyboardModifier.AltModifier),
    )


def _apart(a: QPointF, b: QPointF) -> float:
    return math.hypot(a.x() - b.x(), a.y() - b.y())
