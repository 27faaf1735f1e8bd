"""A stage without a picture: bodies are found by casting rays at spheres and turned boxes, one by one."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QRectF, Qt

from app.camera import Camera, Ray
from app.document.document import Document
from app.look.look import Look
from app.session.selection import Selection
from app.session.settings import Settings
from app.tools.stage import Surface
from app.tools.tool import Pointer, Tool
from engine.scene.spec import Body, Box, Scene, Sphere
from engine.shapes.turns import rotation_matrix

LEFT, RIGHT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.NoButton
NO_KEYS = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


class FakeStage:
    def __init__(self, scene: Scene) -> None:
        self.document = Document()
        self.document.new(scene)
        self.selection = Selection(self.document)
        self.settings = Settings()
        self.look = Look()
        self.camera = Camera((0.0, 0.0, 0.3), 4.0)
        self.extent = (800, 600)
        self.said: list[str] = []
        self.refreshed = self.endings_shown = 0

    def _cast(self, x: float, y: float, without: frozenset[str]) -> tuple[float, Surface] | None:
        ray, hits = self.camera.ray(x, y, *self.extent), []
        for body in self.document.shown.bodies:
            if body.id not in without and not body.hidden and (hit := cast_at_body(ray, body)) is not None:
                hits.append(hit)
        if self.document.shown.ground and (point := ray.meet_plane(np.zeros(3), np.array([0.0, 0.0, 1.0]))) is not None:
            hits.append((float(np.linalg.norm(point - ray.origin)), Surface(point, np.array([0.0, 0.0, 1.0]), None)))
        return min(hits, key=lambda hit: hit[0], default=None)

    def pick(self, x: float, y: float) -> str | None:
        hit = self._cast(x, y, frozenset())
        return hit[1].body if hit is not None else None

    def pick_inside(self, area: QRectF) -> list[str]:
        """Those whose middle is inside: enough for tests."""
        found = []
        for body in self.document.shown.bodies:
            x, y = self.pixel(body.position)
            if area.contains(x, y) and not body.hidden:
                found.append(body.id)
        return found

    def surface_at(self, x: float, y: float, without: frozenset[str] = frozenset()) -> Surface | None:
        hit = self._cast(x, y, without)
        return hit[1] if hit is not None else None

    def refresh(self) -> None:
        self.refreshed += 1

    def say(self, message: str) -> None:
        self.said.append(message)

    def show_ending(self) -> None:
        self.endings_shown += 1

    # -- for tests ---------------------------------------------------------------------------------------------

    def pixel(self, point: Sequence[float]) -> tuple[float, float]:
        ((x, y),) = self.camera.project(np.array([point]), *self.extent)[0]
        return float(x), float(y)

    def position(self, key: str) -> tuple[float, float, float]:
        body = self.document.scene.find(key)
        assert body is not None
        return body.position


def cast_at_body(ray: Ray, body: Body) -> tuple[float, Surface] | None:
    """Where a ray first meets a sphere or a turned box."""
    turn, at = rotation_matrix(body.orientation), np.array(body.position)
    origin, direction = turn.T @ (ray.origin - at), turn.T @ ray.direction
    if isinstance(body.shape, Sphere):
        b, c = float(origin @ direction), float(origin @ origin) - body.shape.radius**2
        if b * b < c or (t := -b - math.sqrt(b * b - c)) < 0.0:
            return None
        normal = (origin + t * direction) / body.shape.radius
    else:
        assert isinstance(body.shape, Box)
        with np.errstate(divide="ignore"):
            sides = (np.array([[-1.0], [1.0]]) * np.array(body.shape.half) - origin) / direction
        near, far = sides.min(axis=0), sides.max(axis=0)
        k = int(np.argmax(near))
        t = float(near[k])
        if t < 0.0 or t > far.min():
            return None
        normal = -np.sign(direction[k]) * np.eye(3)[k]
    return t, Surface(ray.origin + t * ray.direction, turn @ normal, body.id)


class Hand:
    """Drives a tool as the view does."""

    def __init__(self, tool: Tool) -> None:
        self.tool, self.x, self.y = tool, 0.0, 0.0

    def to(self, x: float, y: float, buttons: Qt.MouseButton = NONE, **held: bool) -> Hand:
        self.x, self.y = x, y
        self.tool.move(Pointer(x, y, buttons, **held))
        return self

    def press(self, button: Qt.MouseButton = LEFT, **held: bool) -> Hand:
        self.tool.press(Pointer(self.x, self.y, button, **held))
        return self

    def release(self, **held: bool) -> Hand:
        self.tool.release(Pointer(self.x, self.y, NONE, **held))
        return self

    def click(self, x: float, y: float, **held: bool) -> Hand:
        return self.to(x, y, **held).press(**held).release(**held)

    def drag(self, start: Sequence[float], end: Sequence[float], **held: bool) -> Hand:
        self.to(*start, **held).press(**held)
        for part in (0.25, 0.5, 0.75, 1.0):
            x, y = (a + part * (b - a) for a, b in zip(start, end, strict=True))
            self.to(x, y, LEFT, **held)
        return self.release(**held)

    def keys(self, text: str) -> Hand:
        """Characters as typed; "\\n" is Enter, "\\t" Tab, "\\b" Backspace, "\\x1b" Escape; capitals come with Shift."""
        special = {"\n": Qt.Key.Key_Return, "\t": Qt.Key.Key_Tab, "\b": Qt.Key.Key_Backspace, "\x1b": Qt.Key.Key_Escape}
        for character in text:
            key = int(special.get(character, ord(character.upper())))
            self.tool.key(key, character, SHIFT if character.isupper() else NO_KEYS)
        return self
