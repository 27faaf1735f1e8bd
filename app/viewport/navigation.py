"""Navigation: which button and key move the camera, and how far. No GL.

A preset is a table; a button that is not in it belongs to the tool.
"""

from __future__ import annotations

from enum import Enum

import numpy as np
from PySide6.QtCore import Qt

from app.camera import Camera

Button, Key = Qt.MouseButton, Qt.KeyboardModifier


class Drag(Enum):
    ORBIT = "orbit"
    PAN = "pan"
    ZOOM = "zoom"


PRESETS: dict[str, dict[tuple[Qt.MouseButton, Qt.KeyboardModifier], Drag]] = {
    "blender": {
        (Button.MiddleButton, Key.NoModifier): Drag.ORBIT,
        (Button.MiddleButton, Key.ShiftModifier): Drag.PAN,
        (Button.MiddleButton, Key.ControlModifier): Drag.ZOOM,
    },
    "maya": {
        (Button.LeftButton, Key.AltModifier): Drag.ORBIT,
        (Button.MiddleButton, Key.AltModifier): Drag.PAN,
        (Button.RightButton, Key.AltModifier): Drag.ZOOM,
    },
    "plain": {  # no Alt: many Linux desktops take it for moving windows
        (Button.RightButton, Key.NoModifier): Drag.ORBIT,
        (Button.RightButton, Key.ShiftModifier): Drag.PAN,
        (Button.MiddleButton, Key.NoModifier): Drag.PAN,
        (Button.RightButton, Key.ControlModifier): Drag.ZOOM,
    },
}
KEYS = Key.ShiftModifier | Key.ControlModifier | Key.AltModifier
ORBIT_STEP = np.radians(0.35)  # per px
ZOOM_STEP = 0.0065  # of the distance, per px
WHEEL_NOTCH = 0.86  # distance after one notch forward


def drag_for(preset: str, button: Qt.MouseButton, modifiers: Qt.KeyboardModifier) -> Drag | None:
    """What dragging with this button does; None: it is the tool's."""
    return PRESETS.get(preset, PRESETS["blender"]).get((button, modifiers & KEYS))


def dragged(camera: Camera, drag: Drag, dx: float, dy: float, height: int, toward: np.ndarray | None) -> Camera:
    """The camera after the mouse went (dx, dy) px in a picture `height` high; `toward` is what a zoom closes in on."""
    if drag is Drag.ORBIT:
        return camera.orbited(dx * float(ORBIT_STEP), dy * float(ORBIT_STEP))
    if drag is Drag.PAN:
        return camera.panned(dx, dy, height)
    return camera.zoomed(float(np.exp(ZOOM_STEP * (dy - dx))), toward)


def wheeled(camera: Camera, notches: float, toward: np.ndarray | None) -> Camera:
    """The camera after turning the wheel (forward is positive)."""
    return camera.zoomed(WHEEL_NOTCH**notches, toward)
