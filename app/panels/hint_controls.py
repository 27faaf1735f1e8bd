"""The controls of one hint: kind, side, strength, arrival. The last-operation panel and the Body tab share them."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetricsF

from app.document.document import Document
from app.document.hint_edits import body_of, change_hint, find_hint, remove_hints
from app.kit import Card, IconButton, NumberField, RangeSlider, Segments, Text, labelled
from app.kit.layouts import column, row, wide
from app.kit.painting import space
from app.look.look import Look
from app.look.number_text import editing_text, length_text, number_text
from app.panels.item_controls import ItemControls
from app.session.selection import Selection
from app.tools.hint_changes import as_kind, at_strength, from_side, is_open, side_of, speed_of, strength_of
from engine.scene.spec import Hint, Scene

KINDS = (("bounce", "Bounce"), ("slide", "Slide"))
GLYPHS = {"bounce": "hint.bounce", "slide": "hint.slide"}
STRENGTHS = (0.02, 0.98)
EARLY = "before the start"
TOO_EARLY = ("Arrives before the take begins.", "Make the take longer, or let it arrive later.")
OPEN_SPEED = "This hint does not say how fast the body came. Drag to say so."
VALUE_WIDTH = 48  # px, of the number behind the slider


class SideField(NumberField):
    """Degrees from behind, with the side in words: "78° right"."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, "", "°", "angle", 0, 1.0, -180.0, 180.0, name="From")

    def text(self) -> str:
        return super().text().removeprefix("-")

    def _fitting(self, metrics: QFontMetricsF, width: float) -> str:
        return self.text()

    def _unit_width(self) -> float:
        return QFontMetricsF(self.font()).horizontalAdvance(self.unit)

    def _explain(self) -> None:
        side = "" if abs(self.value) in (0.0, 180.0) else " right" if self.value > 0.0 else " left"
        self.unit = f"°{side}"
        words = "From right above" if self.mixed else f"From {editing_text(round(abs(self.value), 2))}°{side}"
        how = "0° is from behind as seen from the front, 90° from the side.\nDrag sideways, or double-click to type"
        self.setToolTip(self.error or f"{words}. {how}")
        self.setAccessibleDescription(self.error or words)

    def sizeHint(self) -> QSize:
        return QSize(120, super().sizeHint().height())


class StrengthField(NumberField):
    """Says so when the hint leaves the speed open."""

    def __init__(self, look: Look) -> None:
        self._open = False
        super().__init__(look, "", "", "", 2, 0.01, *STRENGTHS, framed=False, name="Strength")

    def set_open(self, left_open: bool) -> None:
        self._open = left_open
        self._explain()

    def _explain(self) -> None:
        super()._explain()
        if self._open and not self.error:
            self.setToolTip(OPEN_SPEED)
            self.setAccessibleDescription(OPEN_SPEED)


class FrameField(NumberField):
    """A frame of as many as there are; without one, any. A frame before the first is told in words."""

    def __init__(self, look: Look) -> None:
        self._count = 0
        super().__init__(look, "", "", "", 0, 1.0, 0.0, name="Arrives at frame")

    def set_count(self, count: int) -> None:
        if self._count != count:
            self._count = count
            self.set_range(0.0, float(count))
            self._show_anew()

    @property
    def is_too_early(self) -> bool:
        return not self.mixed and self.value < 0.0

    def text(self) -> str:
        return f"any {self.unit}" if self.mixed else EARLY if self.is_too_early else super().text()

    def _fitting(self, metrics: QFontMetricsF, width: float) -> str:
        return self.text() if self.is_too_early else super()._fitting(metrics, width)

    def _explain(self) -> None:
        self.unit = "" if self.is_too_early else f"of {self._count}"
        super()._explain()


class HintControls(ItemControls[Hint]):
    """Shows the hint that `show_hint` names."""

    def __init__(self, look: Look, document: Document, selection: Selection) -> None:
        super().__init__(look, document, "hint", change_hint, remove_hints)
        self.kind = Segments(look, KINDS, "Kind of hint", glyphs=GLYPHS)
        self.kind.chosen.connect(self._set_kind)
        self.side = SideField(look)
        self.slider = RangeSlider(look, *STRENGTHS, 2, "Strength")
        self.strength = StrengthField(look)
        self.strength.setFixedWidth(VALUE_WIDTH)
        self.arrives = FrameField(look)
        self.any_time = IconButton(look, "close", "Let each take decide when it arrives")
        self.any_time.clicked.connect(
            lambda: self._edit("Leave open the arrival of", lambda hint: replace(hint, time=None))
        )
        self.remark = Card(look)
        self.remark.hide()
        self.summary = Text(look, "", "text2", "small")
        self.copy = IconButton(look, "edit.copy", "Copy hint", "Ctrl+C")
        self.copy.clicked.connect(lambda: selection.copy_hint(find_hint(document.scene, self.key)))
        self._bind(self.side, "Turn", from_side)
        for field in (self.slider, self.strength):
            self._bind(field, "Change the strength of", lambda scene, hint, value: at_strength(hint, value))
        self._bind(self.arrives, "Time", lambda scene, hint, value: replace(hint, time=before_end(scene, value)))
        self._lay_out()

    def _lay_out(self) -> None:
        lines = (
            labelled(self._look, "From", self.side),
            labelled(self._look, "Strength", self.slider, self.strength),
            labelled(self._look, "Arrives", self.arrives, self.any_time),
        )
        foot = row(wide(self.summary), self.copy, self.delete, gap=0, edge=(0, 2, 0, 0))
        column(self.kind, 2, *lines, self.remark, foot, of=self, gap=space("s") - 2)

    def show_hint(self, hint_id: str) -> None:
        """As it is shown now, so also while something is dragged."""
        self.key = hint_id
        scene = self._document.shown
        hint = find_hint(scene, hint_id)
        if hint is None:
            return
        self.kind.set_current(hint.kind if hint.kind in GLYPHS else None)
        side = side_of(scene, hint)
        self.side.set_value(round(side, 4) if side is not None else 0.0, side is None)
        self._show_strength(hint)
        frames = frames_of(scene)
        self.arrives.set_count(frames)
        arrival = frames - (hint.time or 0.0) * scene.request.fps
        self.arrives.set_value(round(arrival, 2), hint.time is None)
        self.any_time.setVisible(hint.time is not None)
        self.remark.show_words(*TOO_EARLY, severity="warning")
        self.remark.setVisible(self.arrives.is_too_early)
        self.summary.set_text(summary(hint))

    def _show_strength(self, hint: Hint) -> None:
        """Hints of older projects may leave the speed open: a bounce then has the usual one, a slide any."""
        left_open = is_open(hint)
        for field in (self.slider, self.strength):
            field.setEnabled(left_open or speed_of(hint) > 0.0)
            field.set_value(round(strength_of(hint), 4), left_open and hint.kind == "slide")
        self.strength.set_open(left_open)
        self.slider.setToolTip(OPEN_SPEED if left_open else "")

    def _set_kind(self, kind: str) -> None:
        change = as_kind(kind)
        self._edit(dict(KINDS)[kind], lambda hint: change(self._document.scene, hint))

    def _words(self, verb: str) -> str:
        """Name of a command."""
        hint = find_hint(self._document.scene, self.key)
        body = body_of(self._document.scene, hint) if hint is not None else None
        name = body.name if body is not None else "a body"
        return f"{verb} {name}" if verb in dict(KINDS).values() else f"{verb} the hint of {name}"


def frames_of(scene: Scene) -> int:
    """Frames of the takes that are asked for."""
    return max(1, round(scene.request.seconds * scene.request.fps))


def before_end(scene: Scene, frame: float) -> float:
    """s before the end at a frame."""
    return max(0.0, (frames_of(scene) - frame) / scene.request.fps)


def summary(hint: Hint) -> str:
    """ "0.72 m high · 4.1 m/s in"."""
    parts = []
    if hint.height is not None:
        parts.append(f"{_length(hint.height)} high")
    elif hint.distance is not None:
        parts.append(f"{_length(hint.distance)} long")
    if speed_of(hint) > 0.0:
        parts.append(f"{number_text(speed_of(hint), 1)} m/s in")
    return " · ".join(parts)


def _length(metres: float) -> str:
    return f"{number_text(metres, 2)} m" if metres >= 0.1 else length_text(metres)
