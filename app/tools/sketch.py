"""SketchTool: draw how a body came. An arc means it bounced in, a line that it slid in.

The stroke goes from where the body came from to where it rests, or the other way round. A click chooses a hint's curve
or a body; the chosen hint can be taken by its far end and by its top.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt

from app.document.hint_edits import add_hint, body_of, hints_of, put_hint
from app.tools.hint_grip import HintDrag, grab, handle_at, handles, hint_at
from app.tools.hint_marks import hint_marks, raw_stroke
from app.tools.sketch_reading import TOO_SHORT, Reading, SketchError, read_sketch
from app.tools.stage import Stage
from app.tools.tool import Dot, Expect, Marks, Pointer, Tool

CLICK = 4.0  # px the mouse may move and still have clicked
STEP = 1.5  # px between points that are kept
LEAST = 6  # points before the stroke is read while it is drawn
LIVE = 40.0  # px a stroke goes before it is read while it is drawn


class SketchTool(Tool):
    """`tell` is called with words and the id of a body to show, where something is in the way; without it the words go
    to the status bar. `leave` is called by Escape when no stroke is under way: the pencil is laid down."""

    name = "sketch"
    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.tell: Callable[[str, str], None] | None = None
        self.leave: Callable[[], object] | None = None
        self._points: list[tuple[float, float]] = []  # px, while the button is down
        self._straight = False
        self._reading: Reading | None = None
        self._drag: HintDrag | None = None
        self._over: str | None = None  # handle under the mouse

    # -- mouse -------------------------------------------------------------------------------------------------

    def press(self, pointer: Pointer) -> bool:
        if not pointer.buttons & Qt.MouseButton.LeftButton:
            return False
        self._drag = grab(self.stage, pointer.x, pointer.y)
        self._points = [] if self._drag is not None else [(pointer.x, pointer.y)]
        self._straight, self._reading = pointer.shift, None
        self.stage.selection.set_hover(None)
        return True

    def move(self, pointer: Pointer) -> bool:
        if self._drag is not None:
            self._drag.move(pointer)
            return True
        if not self._points:
            return self._hover_at(pointer)
        last = self._points[-1]
        if max(abs(pointer.x - last[0]), abs(pointer.y - last[1])) >= STEP:
            self._points.append((pointer.x, pointer.y))
        self._straight = pointer.shift
        self._read_live()
        self.stage.refresh()
        return True

    def release(self, pointer: Pointer) -> bool:
        if self._drag is not None:
            drag, self._drag = self._drag, None
            drag.finish()
            return True
        if not self._points:
            return False
        points, self._points = [*self._points, (pointer.x, pointer.y)], []
        self._reading = None
        extent = np.ptp(points, axis=0).max()
        if STEP <= extent <= CLICK and self._is_on_hinted(pointer):
            self._refuse(SketchError(TOO_SHORT))
        elif extent <= CLICK:
            self._click(pointer)
        else:
            self._draw(np.array(points), self._straight or pointer.shift, more=pointer.control)
        self.stage.refresh()
        return True

    def double_click(self, pointer: Pointer) -> bool:
        return self.press(pointer)

    def _hover_at(self, pointer: Pointer) -> bool:
        over = handle_at(self.stage, pointer.x, pointer.y)
        self.stage.selection.set_hover(self.stage.pick(pointer.x, pointer.y) if over is None else None)
        changed, self._over = over != self._over, over
        return changed

    def _is_on_hinted(self, pointer: Pointer) -> bool:
        """Is the body of the chosen hint there? Who moves the mouse on it means to draw its hint anew."""
        hint = self.stage.selection.chosen_hint()
        body = body_of(self.stage.document.shown, hint) if hint is not None else None
        return body is not None and self.stage.pick(pointer.x, pointer.y) == body.id

    def _click(self, pointer: Pointer) -> None:
        selection = self.stage.selection
        hint = hint_at(self.stage, pointer.x, pointer.y, self.stage.document.shown.hints)
        if hint:
            selection.choose_hint(hint)
            return
        selection.choose_hint("")
        body = self.stage.pick(pointer.x, pointer.y)
        if body is None:
            selection.clear()
        elif pointer.shift:
            selection.toggle(body)
        else:
            selection.set([body])

    # -- strokes -----------------------------------------------------------------------------------------------

    def _pixels(self) -> np.ndarray:
        points = np.array(self._points)
        return points[[0, -1]] if self._straight and len(points) > 1 else points

    def _read_live(self) -> None:
        """What the stroke says so far; a body that is held, or none yet, is told only at the end."""
        self._reading = None
        if len(self._points) >= LEAST and np.ptp(self._points, axis=0).max() >= LIVE:
            try:
                self._reading = read_sketch(self.stage, np.array(self._points), self._straight)
            except SketchError:
                return

    def _draw(self, pixels: np.ndarray, straight: bool, more: bool) -> None:
        try:
            reading = read_sketch(self.stage, pixels, straight)
        except SketchError as error:
            self._refuse(error)
            return
        scene, name = self.stage.document.scene, reading.body.name
        had = any(hint.kind == reading.hint.kind for hint in hints_of(scene, reading.body.id))
        scene, key = (add_hint if more else put_hint)(scene, reading.hint)
        self.stage.document.edit(f"Sketch a {reading.hint.kind} for {name}", scene)
        self.stage.selection.set([reading.body.id])
        self.stage.selection.choose_hint(key)
        if had and not more:
            self.stage.say(f"The {reading.hint.kind} of {name} is drawn anew. Hold Ctrl to add another one.")

    def _refuse(self, error: SketchError) -> None:
        if error.show and self.tell is not None:
            self.tell(str(error), error.show)
        else:
            self.stage.say(str(error))

    # -- keys and state ----------------------------------------------------------------------------------------

    def key(self, key: int, text: str, modifiers: Qt.KeyboardModifier) -> bool:
        if self.busy():
            return False
        if key == Qt.Key.Key_Escape and self.leave is not None:
            self.leave()
            return True
        chosen = self.stage.selection.chosen_hint()
        if chosen is not None and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not modifiers:
            self.stage.selection.choose_hint("")
            return True
        return False

    @property
    def drawing(self) -> bool:
        """Is a stroke under way?"""
        return bool(self._points)

    def busy(self) -> bool:
        return self.drawing or self._drag is not None

    def cancel(self) -> None:
        if self._drag is not None:
            self._drag.cancel()
        self._drag, self._points, self._reading = None, [], None
        self.stage.refresh()

    def deactivate(self) -> None:
        if self.busy():
            self.cancel()
        self._over = None
        self.stage.selection.set_hover(None)

    def expects(self) -> list[Expect]:
        if self._drag is not None:
            return [Expect("Esc", "cancel")]
        if self._points:
            return [
                Expect("Shift", "straight line"),
                Expect("Ctrl", "one more hint"),
                Expect("Esc", "cancel stroke"),
            ]
        if self._over is not None:
            return [Expect("Drag", "where it came from" if self._over == "start" else "how high it flew")]
        entries = [Expect("Drag", "from where it came to where it rests"), Expect("Shift", "straight line")]
        if self.stage.selection.hint:
            entries += [Expect("Enter", "keep hint"), Expect("Del", "delete hint")]
        return [*entries, Expect("Esc", "put the pencil down")] if self.leave is not None else entries

    def marks(self) -> Marks:
        look = self.stage.look
        if self._points:
            drawn = Marks([raw_stroke(self._pixels(), look)] if len(self._points) > 1 else [])
            if self._reading is None:
                return drawn
            bare = replace(self._reading.hint, stroke=None)
            return drawn + hint_marks(self.stage.document.shown, bare, self._reading.body, look, chosen=True)
        chosen = self.stage.selection.chosen_hint()
        if chosen is None:
            return Marks()
        pink, inside = look.view("hint"), look.view("background_bottom")
        held = self._drag.handle if self._drag is not None else self._over
        return Marks(
            dots=[
                Dot(point, pink, 6.0 if name == held else 5.0, pink if name == held else inside)
                for name, point in handles(self.stage, chosen).items()
            ]
        )
