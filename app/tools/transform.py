"""Transform: move, turn or scale the selection, by a handle of the gizmo or by keys. One gesture, one command or none.

The mouse leads until a number is typed. X, Y and Z lock to an axis (with Shift to the plane across it), again to the
body's own axis, and a third time to nothing. Shift slows the mouse down, Ctrl turns snapping round.
"""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import Qt

from app.document import edits
from app.session.selection import who
from app.tools import apply, drag, wording
from app.tools.drag import Sight
from app.tools.gizmo import RING, Handle, Mode
from app.tools.guide import guides
from app.tools.lock import Lock
from app.tools.snap_move import Landing, on_grid, on_surface, to_ground_offset
from app.tools.snapping import snapped
from app.tools.stage import Stage
from app.tools.tool import Expect, Label, Marks, Pointer, Stroke
from app.tools.typed import Typed
from engine.scene.spec import Body, Scene
from engine.shapes.turns import about, rotation_matrix

FINE = 0.1  # how far a thing goes per pixel while Shift is held, against the usual
SCALE_STEP = 0.1  # of factors, when snapping
AXIS_KEYS = {int(Qt.Key.Key_X): 0, int(Qt.Key.Key_Y): 1, int(Qt.Key.Key_Z): 2}
STILL = 1e-6  # px: what is less is rounding, and moves nothing
LABEL_AWAY = 22.0  # px from the mouse to the label
NOTHING = {"move": (0.0, 0.0, 0.0), "rotate": (0.0,), "scale": (1.0, 1.0, 1.0)}


def can_start(stage: Stage) -> bool:
    """Is there something to transform? Says what is in the way if not."""
    bodies = stage.selection.bodies()
    if not bodies:
        stage.say("Select a body first.")
        return False
    if all(body.locked for body in bodies):
        stage.say(wording.locked_message(bodies))
        return False
    return True


def pivot_of(bodies: list[Body]) -> np.ndarray:
    """The middle of the places of bodies: their mean, which other tools call the median point."""
    return np.mean([body.position for body in bodies], axis=0)


class Transform:
    """Under way from its making until `done`. Make one only when `can_start`."""

    def __init__(
        self,
        stage: Stage,
        mode: Mode,
        pointer: Pointer,
        handle: Handle | None = None,
        orientation: str = "global",
        gesture: str = "",
    ) -> None:
        """`handle`: held by the mouse button, whose release confirms. `gesture`: the command joins the one before it
        that has the same (duplicate, then move)."""
        self.stage, self.mode, self.handle, self.done = stage, mode, handle, False
        self._gesture, self._local_first = gesture, orientation == "local"
        self._scene: Scene = stage.document.scene
        self._take_hold()
        self._lock = handle.lock(self._local_first) if handle is not None else Lock()
        self._typed = Typed()
        self._pointer = pointer
        self._mouse = np.array([pointer.x, pointer.y])  # px, slowed down while Shift is held
        # Kept in the world, so that the gesture goes on where it was when the camera moves meanwhile.
        self._start = self._sight().on_view_plane(self._mouse, self._pivot)
        self._swung = 0.0  # rad, counter-clockwise as seen
        self._amounts: tuple[float, ...] = NOTHING[mode]  # m along the axes, degrees, or factors
        self._landing: Landing | None = None  # where snapping takes a move
        self._update()

    def _take_hold(self) -> None:
        """Of what is selected: which bodies it is about, and where its pivot is."""
        self._ids = edits.movable(self._scene, self.stage.selection.ids)
        chosen = set(self._ids)
        self._bodies = [body for body in self._scene.bodies if body.id in chosen]
        self._pivot = pivot_of(self._bodies)
        by_id = {body.id: body for body in self._bodies}
        self._active = [by_id[key] for key in self.stage.selection.ids if key in by_id][-1]

    # -- events ------------------------------------------------------------------------------------------------

    def move(self, pointer: Pointer) -> None:
        before = np.array([self._pointer.x, self._pointer.y])
        after = np.array([pointer.x, pointer.y])
        slow = FINE if pointer.shift else 1.0
        self._mouse = self._mouse + slow * (after - before)
        self._swung += slow * self._swing(before, after)
        self._pointer = pointer
        self._update()

    def key(self, key: int, text: str, modifiers: Qt.KeyboardModifier) -> None:
        """Every key belongs to the gesture while it lasts."""
        if key == Qt.Key.Key_Escape:
            self.cancel()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.confirm()
        elif key in AXIS_KEYS:
            plane = bool(modifiers & Qt.KeyboardModifier.ShiftModifier) and self.mode != "rotate"
            self._lock = self._lock.pressed(AXIS_KEYS[key], plane, self._local_first)
            self._typed.limit(self._components())
            self._update()
        elif key == Qt.Key.Key_Tab:
            self._typed.next(self._components())
            self._update()
        elif (key == Qt.Key.Key_Backspace and self._typed.erase()) or self._typed.type(text):
            self._update()

    def confirm(self) -> None:
        """End in one command, or in none when nothing moved; a text that is no number keeps the gesture going."""
        wrong = self._typed.wrong(self._components())
        if wrong is not None:
            self.stage.say(f"{wrong} is not a number.")
            return
        self.done = True
        scene = self._result()
        if scene is None:
            self.stage.document.preview(None)
        else:
            self.stage.document.edit(self._label(), scene, self._gesture)
        self.stage.refresh()

    def _label(self) -> str:
        return f"{wording.VERBS[self.mode]} {who(self._bodies)}"

    def cancel(self) -> None:
        self.done = True
        self.stage.document.preview(None)
        self.stage.refresh()

    # -- what it shows -----------------------------------------------------------------------------------------

    @property
    def words(self) -> str:
        """ "Move 1.50 m along Z"."""
        if self._typed:
            count = self._components()
            values = self._typed.values(count, NOTHING[self.mode][0])
            return wording.typed_words(self.mode, self._typed.texts(count), self._typed.at, values, self._lock)
        if self.mode == "move":
            places = wording.decimals(self._sight().pixel_size(self._pivot))
            return wording.move_words(self._amounts, self._lock, places)
        if self.mode == "rotate":
            return wording.turn_words(self._amounts[0], self._lock)
        return wording.scale_words(self._amounts, self._lock)

    def marks(self) -> Marks:
        sight = self._sight()
        strokes = guides(sight, self._pivot, self._basis(), self._lock, self.stage.look.view("axis_gizmo"))
        if self.handle is None and self.mode != "move" and not self._typed:
            tether = np.array([sight.pixel(self._pivot), [self._pointer.x, self._pointer.y]])
            strokes.append(Stroke(tether, self.stage.look.hex("text2"), 1.2, 0.8, dash=(4.0, 4.0)))
        label = Label(self._pointer.x + LABEL_AWAY, self._pointer.y + LABEL_AWAY, self.words)
        return Marks(strokes, [label])

    def expects(self) -> list[Expect]:
        amount = {"move": "type a distance", "rotate": "type an angle", "scale": "type a factor"}[self.mode]
        entries = [Expect("X Y Z", "lock to an axis"), Expect("0-9", amount)]
        if self._typed and self._components() > 1:
            entries.append(Expect("Tab", "next number"))
        snaps = bool(self.stage.settings.get("snap/on"))
        entries += [Expect("Ctrl", "do not snap" if snaps else "snap"), Expect("Shift", "slower")]
        confirm = Expect("Enter", "confirm") if self.handle is None else Expect("Release", "confirm")
        return [*entries, confirm, Expect("Esc", "cancel")]

    # -- amounts -----------------------------------------------------------------------------------------------

    def _sight(self) -> Sight:
        return Sight(self.stage.camera, *self.stage.extent)

    def _basis(self) -> np.ndarray:
        return rotation_matrix(self._active.orientation) if self._lock.local else np.eye(3)

    def _components(self) -> int:
        """How many numbers can be typed."""
        return 1 if self.mode == "rotate" else len(self._lock.moving)

    def _snapping(self) -> bool:
        return bool(self.stage.settings.get("snap/on")) != self._pointer.control

    def _update(self) -> None:
        """Take in what the mouse or the keys say now, and show it."""
        before, self._landing = self._landing, None
        amounts = self._typed_amounts() if self._typed else self._mouse_amounts()
        if amounts is None:  # no number yet, or the mouse points into the sky: stay
            self._landing = before
        else:
            self._amounts = amounts
        self.stage.document.preview(self._result())
        self.stage.refresh()

    def _typed_amounts(self) -> tuple[float, ...] | None:
        empty = NOTHING[self.mode][0]
        values = self._typed.values(self._components(), empty)
        if values is None or self.mode == "rotate":
            return None if values is None else tuple(values)
        if self.mode == "scale":
            values = [max(drag.SMALLEST_FACTOR, value) for value in values]
            if not self._typed.several:
                values = values[:1] * len(values)
        amounts = list(NOTHING[self.mode])
        for k, value in zip(self._lock.moving, values, strict=True):
            amounts[k] = value
        return tuple(amounts)

    def _mouse_amounts(self) -> tuple[float, ...] | None:
        sight = self._sight()
        if self.mode == "rotate":
            step = float(self.stage.settings.get("snap/angle")) if self._snapping() else 0.0
            return (snapped(math.degrees(self._swung) * self._facing(), step),)
        start = sight.pixel(self._start)
        if math.hypot(*(self._mouse - start)) < STILL:
            return NOTHING[self.mode]
        if self.mode == "move":
            return self._mouse_offset(sight, start)
        factor = drag.ratio(sight.pixel(self._pivot), start, self._mouse)
        if self._snapping():
            factor = max(SCALE_STEP, snapped(factor, SCALE_STEP))
        return tuple(factor if loose else 1.0 for loose in self._lock.free)

    def _mouse_offset(self, sight: Sight, start: np.ndarray) -> tuple[float, ...] | None:
        lock = self._lock
        target = str(self.stage.settings.get("snap/to")) if self._snapping() else ""
        if target == "surface" and lock.axis is None:
            surface = self.stage.surface_at(float(self._mouse[0]), float(self._mouse[1]), frozenset(self._ids))
            if surface is None:
                return None
            self._landing = on_surface(self._active, surface, bool(self.stage.settings.get("snap/align")))
            return self._landing.along
        along_ground = target == "ground" and not lock.local and lock.free[2]
        if along_ground and lock.axis is None:
            lock = Lock(2, plane=True)
        found = drag.offset(sight, self._pivot, start, self._mouse, self._basis(), lock)
        if found is None:
            return None
        x, y, z = (float(c) for c in found)
        if along_ground:
            return (x, y, to_ground_offset(self._bodies))
        if target == "grid":
            self._landing = on_grid(self._active, (x, y, z), lock, float(self.stage.settings.get("snap/grid")))
            return self._landing.along
        return (x, y, z)

    def _facing(self) -> float:
        """1 when the axis of a turn points to the viewer, -1 when it points away."""
        return 1.0 if float(self._turn_axis() @ self._sight().toward_viewer(self._pivot)) >= 0.0 else -1.0

    def _swing(self, before: np.ndarray, after: np.ndarray) -> float:
        """Angle (rad) that the mouse adds to a turn, counter-clockwise as seen."""
        sight, axis = self._sight(), self._turn_axis()
        edge_on = abs(float(axis @ sight.toward_viewer(self._pivot))) < drag.RING_EDGE_ON
        if self.handle is not None and edge_on:  # the ring is a line in the picture: it rolls under the mouse
            return drag.roll(sight, self._pivot, axis, after - before, RING) * self._facing()
        return drag.swing(sight.pixel(self._pivot), before, after)

    def _turn_axis(self) -> np.ndarray:
        return self._sight().camera.axes()[2] if self._lock.axis is None else self._basis()[:, self._lock.axis]

    def _result(self) -> Scene | None:
        """The scene as it would be now; None when nothing has moved."""
        if self._amounts == NOTHING[self.mode] and (self._landing is None or self._landing.turn is None):
            return None
        basis = self._basis() if self._lock.local else None
        if self.mode == "rotate":
            turn = about(self._turn_axis(), math.radians(self._amounts[0]))
            return edits.turn(self._scene, self._ids, self._pivot.tolist(), turn)
        if self.mode == "scale":
            return apply.scaled(self._scene, self._ids, self._pivot, basis, self._amounts)
        if self._landing is None:
            return apply.moved(self._scene, self._ids, basis, self._amounts)
        return apply.landed(self._scene, self._ids, self._active, basis, self._landing)
