"""PlaceTool: a new body follows the mouse, standing on what is under it, until a click leaves it there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt

from app.document import edits
from app.look.look import body_palette
from app.tools.snapping import rested, snapped
from app.tools.stage import Stage, Surface
from app.tools.tool import Expect, Label, Marks, Pointer, Tool
from app.tools.wording import number
from engine.scene.spec import Body, Scene

DARKER = 0.88  # of a palette colour, each time the palette is used up


def next_color(scene: Scene) -> str:
    """The palette's colour for one more body, "#rrggbb"."""
    palette = body_palette()
    rounds, index = divmod(len(scene.bodies), len(palette))
    shade = DARKER**rounds
    red, green, blue = (round(shade * int(palette[index][k : k + 2], 16)) for k in (1, 3, 5))
    return f"#{red:02x}{green:02x}{blue:02x}"


def placed_on(body: Body, surface: Surface, grid: float = 0.0, align: bool = False) -> Body:
    """A body standing on a surface, over its point: its lowest point along the normal touches. `grid` (m): its place
    comes to lie on multiples of it in x and y, sliding along the surface's plane."""
    body = rested(body, surface.point, surface.normal, align)
    if grid <= 0.0:
        return body
    x, y, z = body.position
    dx, dy = snapped(x, grid) - x, snapped(y, grid) - y
    nx, ny, nz = (float(c) for c in surface.normal)
    if abs(nz) < 0.1:  # upright: sliding to the grid would mean far up or down
        return body
    return replace(body, position=(x + dx, y + dy, z - (nx * dx + ny * dy) / nz))


class PlaceTool(Tool):
    """`make` gives the body to place; `finished` is called once, when it has been placed or given up, for the window to
    go back to the tool before."""

    name = "place"
    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, stage: Stage, make: Callable[[], Body], finished: Callable[[], None]) -> None:
        super().__init__(stage)
        self._body, self._finished = make(), finished
        self._scene: Scene | None = None
        self._ids: list[str] = []
        self._pointer: Pointer | None = None
        self._over = False  # told to have finished: the window takes the tool away in a moment

    def move(self, pointer: Pointer) -> bool:
        if self._over:
            return False
        self._pointer = pointer
        # The body under way has the id that it will keep; looking for a surface must not find it itself.
        surface = self.stage.surface_at(pointer.x, pointer.y, frozenset(self._ids))
        self._scene, self._ids = self._standing(surface) if surface is not None else (None, [])
        self.stage.document.preview(self._scene)
        self.stage.refresh()
        return True

    def _standing(self, surface: Surface) -> tuple[Scene, list[str]]:
        assert self._pointer is not None
        settings, scene = self.stage.settings, self.stage.document.scene
        snaps = bool(settings.get("snap/on")) != self._pointer.control
        grid = float(settings.get("snap/grid")) if snaps and settings.get("snap/to") == "grid" else 0.0
        colored = replace(self._body, color=self._body.color or next_color(scene))
        return edits.add(scene, [placed_on(colored, surface, grid, bool(settings.get("snap/align")))])

    def press(self, pointer: Pointer) -> bool:
        if self._over:
            return False
        if pointer.buttons & Qt.MouseButton.RightButton:
            self.cancel()
        elif pointer.buttons & Qt.MouseButton.LeftButton:
            self.move(pointer)
            self._confirm()
        return True

    def release(self, pointer: Pointer) -> bool:
        return True

    def key(self, key: int, text: str, modifiers: Qt.KeyboardModifier) -> bool:
        if key == Qt.Key.Key_Escape:
            self.cancel()
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._confirm()
            return True
        return False

    def _confirm(self) -> None:
        if self._scene is None:
            self.stage.say("Point at the ground or at a body.")
            return
        scene, ids, self._scene, self._ids = self._scene, self._ids, None, []
        self.stage.document.edit(f"Add {self._body.name.lower()}", scene)
        self.stage.selection.set(ids)
        self._end()

    def busy(self) -> bool:
        """Until the end: Escape must end the tool, not clear the selection."""
        return not self._over

    def cancel(self) -> None:
        self._scene = None
        self.stage.document.preview(None)
        self._end()

    def _end(self) -> None:
        self.stage.refresh()
        if not self._over:
            self._over = True
            self._finished()

    def deactivate(self) -> None:
        if self._scene is not None:
            self._scene = None
            self.stage.document.preview(None)

    def expects(self) -> list[Expect]:
        snaps = bool(self.stage.settings.get("snap/on"))
        return [
            Expect("Click", f"place the {self._body.name.lower()}"),
            Expect("Ctrl", "do not snap" if snaps else "snap"),
            Expect("Esc", "cancel"),
        ]

    def marks(self) -> Marks:
        body = self._scene.bodies[-1] if self._scene is not None else None
        if body is None or self._pointer is None:
            return Marks()
        words = f"{self._body.name} at {', '.join(number(c, 2) for c in body.position)} m"
        return Marks(labels=[Label(self._pointer.x + 22.0, self._pointer.y + 22.0, words)])
