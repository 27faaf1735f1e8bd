"""SelectTool and its kin with a gizmo: choose bodies, hints and joints, and move, turn or scale them."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt

from app.document import edits
from app.document.hint_edits import with_bodies
from app.tools.drag import Sight
from app.tools.gizmo import Gizmo, Handle, Mode, Palette
from app.tools.hint_grip import hint_at
from app.tools.joint_grip import JointTransform, joint_at, sound_joints
from app.tools.stage import Stage
from app.tools.tool import Expect, Marks, Pointer, Stroke, Tool
from app.tools.transform import Transform, can_start, pivot_of
from engine.shapes.turns import rotation_matrix

DRAG_STARTS = 4.0  # px the mouse goes before a click becomes a box
TRANSFORM_KEYS: dict[int, Mode] = {
    int(Qt.Key.Key_G): "move",
    int(Qt.Key.Key_R): "rotate",
    int(Qt.Key.Key_S): "scale",
}
SWITCH_KEYS: dict[int, str] = {
    int(Qt.Key.Key_Q): "select",
    int(Qt.Key.Key_W): "move",
    int(Qt.Key.Key_E): "rotate",
    int(Qt.Key.Key_R): "scale",
}


class SelectTool(Tool):
    """Click selects a body, the curve of a hint or the anchor of a joint, Shift adds or takes away, dragging selects in
    a box, a double click the body's group. While a joint is chosen, moving and turning are for its anchor and axis.

    Attributes:
        orientation   "global" or "local": along whose axes the gizmo lies
        switch_to     called with the name of the tool that W, E, R (and Q) ask for in the "maya" key preset; where
                      there is none these keys are left to the window
    """

    name = "select"
    gizmo_mode: ClassVar[Mode | None] = None

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.orientation = "global"
        self.switch_to: Callable[[str], None] | None = None
        self._pointer: Pointer | None = None  # where the mouse was seen last
        self._pressed: Pointer | None = None  # where the button went down, until it comes up
        self._boxing = False
        self._hover: Handle | None = None
        self._transform: Transform | None = None

    # -- transforms --------------------------------------------------------------------------------------------

    def start(self, mode: Mode, handle: Handle | None = None, gesture: str = "") -> bool:
        """Move, turn or scale the selection with the mouse, at once. `gesture` joins the command to the one before it
        that has the same, such as that of duplicating."""
        joint = self.stage.selection.chosen_joint()
        if joint is not None and mode == "scale":
            self.stage.say("A joint has no size. Click a body to scale it.")
            return False
        if self._transform is not None or (joint is None and not can_start(self.stage)):
            return False
        self._pressed, self._boxing = None, False
        self.stage.show_ending()
        self.stage.selection.set_hover(None)
        kind = Transform if joint is None else JointTransform
        self._transform = kind(self.stage, mode, self._where(), handle, self.orientation, gesture)
        return True

    def _where(self) -> Pointer:
        """The mouse, or the pivot when it has not been seen yet."""
        if self._pointer is not None:
            return self._pointer
        joint = self.stage.selection.chosen_joint()
        pivot = pivot_of(self.stage.selection.bodies()) if joint is None else np.array(joint.anchor)
        x, y = self._sight().pixel(pivot)
        return Pointer(float(x) + 40.0, float(y))

    def _forget_done(self) -> None:
        if self._transform is not None and self._transform.done:
            self._transform = None
            self.stage.refresh()

    # -- mouse -------------------------------------------------------------------------------------------------

    def press(self, pointer: Pointer) -> bool:
        self._pointer = pointer
        if self._transform is not None:
            if pointer.buttons & Qt.MouseButton.RightButton:
                self._transform.cancel()
            elif pointer.buttons & Qt.MouseButton.LeftButton:
                self._transform.move(pointer)
                self._transform.confirm()
            self._forget_done()
            return True
        if not pointer.buttons & Qt.MouseButton.LeftButton:
            return False
        handle = self._handle_at(pointer)
        if handle is not None and not pointer.shift:
            self._hover = handle
            return self.start(handle.mode, handle)
        self._pressed = pointer
        return True

    def move(self, pointer: Pointer) -> bool:
        self._pointer = pointer
        if self._transform is not None:
            self._transform.move(pointer)
            return True
        if self._pressed is None:
            self._hover_at(pointer)
            return False
        away = max(abs(pointer.x - self._pressed.x), abs(pointer.y - self._pressed.y))
        if self._boxing or away >= DRAG_STARTS:
            self._boxing = True
            self.stage.selection.set_hover(None)
            self.stage.refresh()
        return True

    def release(self, pointer: Pointer) -> bool:
        self._pointer = pointer
        if self._transform is not None:
            if self._transform.handle is None:  # moved by keys: the button that will confirm has not come down yet
                return True
            self._transform.move(pointer)
            self._transform.confirm()
            if not self._transform.done:  # a typed text that is no number: nothing holds the handle any more
                self._transform.cancel()
            self._forget_done()
            self._hover_at(pointer)
            return True
        if self._pressed is None:
            return False
        if self._boxing:
            self._select_box(pointer)
        else:
            self._click(pointer)
        self._pressed, self._boxing = None, False
        self.stage.refresh()
        return True

    def double_click(self, pointer: Pointer) -> bool:
        key = self.stage.pick(pointer.x, pointer.y)
        body = self.stage.document.shown.find(key) if key is not None and self._transform is None else None
        if body is None:
            return self.press(pointer)
        self._pressed = None
        chosen = edits.members(self.stage.document.shown, body.group) if body.group else []
        ids = [entry for entry in chosen if entry != body.id] + [body.id]
        if pointer.shift:
            self.stage.selection.add(ids)
        else:
            self.stage.selection.set(ids)
        return True

    def _click(self, pointer: Pointer) -> None:
        selection, plain = self.stage.selection, not pointer.shift and not pointer.control
        shown = [hint for hint, _ in with_bodies(self.stage.document.shown, selection.ids)]
        hint = hint_at(self.stage, pointer.x, pointer.y, shown) if plain and shown else ""
        joints = sound_joints(self.stage.document.shown, selection.ids) if plain and not hint else []
        joint = joint_at(self.stage, pointer.x, pointer.y, joints) if joints else ""
        selection.choose_hint(hint)
        selection.choose_joint(joint)
        if hint or joint:
            return
        key = self.stage.pick(pointer.x, pointer.y)
        if key is None:
            if not pointer.shift and not pointer.control:
                self.stage.selection.clear()
        elif pointer.shift:
            self.stage.selection.toggle(key)
        elif pointer.control:
            self.stage.selection.set(entry for entry in self.stage.selection.ids if entry != key)
        else:
            self.stage.selection.set([key])

    def _box(self) -> QRectF:
        assert self._pressed is not None and self._pointer is not None
        a, b = QPointF(self._pressed.x, self._pressed.y), QPointF(self._pointer.x, self._pointer.y)
        return QRectF(a, b).normalized()

    def _select_box(self, pointer: Pointer) -> None:
        selection, inside = self.stage.selection, self.stage.pick_inside(self._box())
        if pointer.shift:
            selection.add(inside)
        elif pointer.control:
            gone = set(inside)
            selection.set(key for key in selection.ids if key not in gone)
        else:
            selection.set(inside)

    def _hover_at(self, pointer: Pointer) -> None:
        handle = self._handle_at(pointer)
        self.stage.selection.set_hover(self.stage.pick(pointer.x, pointer.y) if handle is None else None)
        if handle != self._hover:
            self._hover = handle
            self.stage.refresh()

    # -- keys and state ----------------------------------------------------------------------------------------

    def key(self, key: int, text: str, modifiers: Qt.KeyboardModifier) -> bool:
        if self._transform is not None:
            if not self._change_mode(key, modifiers):
                self._transform.key(key, text, modifiers)
            self._forget_done()
            return True
        if key == Qt.Key.Key_Escape and self.busy():
            self.cancel()
            return True
        if modifiers & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        if self.stage.settings.get("view/keys") == "maya":
            if key in SWITCH_KEYS and self.switch_to is not None:
                self.switch_to(SWITCH_KEYS[key])
                return True
            return False
        if key in TRANSFORM_KEYS:
            self.start(TRANSFORM_KEYS[key])
            return True
        return False

    def _change_mode(self, key: int, modifiers: Qt.KeyboardModifier) -> bool:
        """G, R or S during another of them: that one starts instead."""
        assert self._transform is not None
        mode = TRANSFORM_KEYS.get(key) if self.stage.settings.get("view/keys") == "blender" else None
        if mode is None or modifiers or self._transform.handle is not None or mode == self._transform.mode:
            return False
        self.cancel()
        return self.start(mode)

    def busy(self) -> bool:
        return self._transform is not None or self._boxing

    def cancel(self) -> None:
        if self._transform is not None:
            self._transform.cancel()
            self._transform = None
        self._pressed, self._boxing = None, False
        self.stage.refresh()

    def deactivate(self) -> None:
        if self.busy():
            self.cancel()
        self._pressed, self._hover, self._pointer = None, None, None
        self.stage.selection.set_hover(None)

    def expects(self) -> list[Expect]:
        if self._transform is not None:
            return self._transform.expects()
        if self._boxing:
            return [Expect("Shift", "add to the selection"), Expect("Ctrl", "take away"), Expect("Esc", "cancel")]
        if self._hover is not None:
            return [Expect("Drag", HANDLE_WORDS[self._hover.mode, self._hover.kind])]
        entries = [Expect("Click", "select a body"), Expect("Drag", "select in a box")]
        if self.stage.selection.ids:
            maya = self.stage.settings.get("view/keys") == "maya"
            does = ("move the ending", "rotate", "scale")
            if self.stage.selection.joint:
                does = ("move the anchor", "turn the axis", "")
            for key, words in zip("WER" if maya else "GRS", filter(None, does), strict=False):
                entries.append(Expect(key, words))
            entries.append(Expect("F", "frame it"))
        return entries

    # -- gizmo and marks ---------------------------------------------------------------------------------------

    def _sight(self) -> Sight:
        return Sight(self.stage.camera, *self.stage.extent)

    def gizmo(self) -> Gizmo | None:
        """The gizmo where it is now; None when this tool has none or nothing can be moved."""
        mode = self.gizmo_mode if self._transform is None else self._transform.mode
        joint = self.stage.selection.chosen_joint()
        if joint is not None:
            fits = mode is not None and mode != "scale"
            return Gizmo(mode, np.array(joint.anchor, float), np.eye(3), self._sight()) if mode and fits else None
        bodies = [body for body in self.stage.selection.bodies() if not body.locked]
        if mode is None or not bodies:
            return None
        basis = rotation_matrix(bodies[-1].orientation) if self.orientation == "local" else np.eye(3)
        return Gizmo(mode, pivot_of(bodies), basis, self._sight())

    def _handle_at(self, pointer: Pointer) -> Handle | None:
        gizmo = self.gizmo()
        return gizmo.hit(pointer.x, pointer.y) if gizmo is not None else None

    def marks(self) -> Marks:
        if self._transform is not None:
            marks = self._transform.marks()
            gizmo = self.gizmo() if self._transform.handle is not None else None
            if gizmo is not None:
                marks.strokes += gizmo.strokes(self._palette(), held=self._transform.handle)
            return marks
        gizmo = self.gizmo()
        strokes = gizmo.strokes(self._palette(), self._hover) if gizmo is not None and not self._boxing else []
        return Marks([*strokes, *self._box_strokes()])

    def _palette(self) -> Palette:
        look = self.stage.look
        return Palette(look.view("axis_gizmo"), look.hex("text"), look.view("selection_halo"))

    def _box_strokes(self) -> list[Stroke]:
        if not self._boxing:
            return []
        box, accent = self._box(), self.stage.look.hex("accent")
        corners = np.array(
            [[box.left(), box.top()], [box.right(), box.top()], [box.right(), box.bottom()], [box.left(), box.bottom()]]
        )
        return [
            Stroke(corners, accent, 1.0, 0.08, closed=True, filled=True),
            Stroke(corners, accent, 1.3, 1.0, closed=True, dash=(4.0, 3.0)),
        ]


HANDLE_WORDS = {
    ("move", "axis"): "move along this axis",
    ("move", "plane"): "move in this plane",
    ("move", "all"): "move freely",
    ("rotate", "axis"): "turn about this axis",
    ("rotate", "all"): "turn in the picture",
    ("scale", "axis"): "scale along this axis",
    ("scale", "all"): "scale on all sides",
}


class MoveTool(SelectTool):
    name = "move"
    gizmo_mode = "move"


class RotateTool(SelectTool):
    name = "rotate"
    gizmo_mode = "rotate"


class ScaleTool(SelectTool):
    name = "scale"
    gizmo_mode = "scale"
