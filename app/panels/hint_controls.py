"""The controls of one hint: kind, side, strength, arrival. The last-operation panel and the Body tab share them."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.document.document import Document
from app.document.hint_edits import body_of, change_hint, find_hint, remove_hints
from app.look.look import Look
from app.panels.buttons import IconButton
from app.panels.card import Card
from app.panels.control import space
from app.panels.editing import bind
from app.panels.number_field import NumberField
from app.panels.number_text import editing_text, length_text, number_text
from app.panels.section import LABEL_WIDTH
from app.panels.segments import Segments
from app.panels.slider import RangeSlider
from app.panels.text import Text
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
        side = "" if abs(self._value) in (0.0, 180.0) else " right" if self._value > 0.0 else " left"
        self.unit = f"°{side}"
        words = "From right above" if self._mixed else f"From {editing_text(round(abs(self._value), 2))}°{side}"
        how = "0° is from behind as seen from the front, 90° from the side.\nDrag sideways, or double-click to type"
        self.setToolTip(self._error or f"{words}. {how}")
        self.setAccessibleDescription(self._error or words)

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
        if self._open and not self._error:
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
            self._explain()
            self.update()

    @property
    def is_too_early(self) -> bool:
        return not self._mixed and self._value < 0.0

    def text(self) -> str:
        return f"any {self.unit}" if self._mixed else EARLY if self.is_too_early else super().text()

    def _fitting(self, metrics: QFontMetricsF, width: float) -> str:
        return self.text() if self.is_too_early else super()._fitting(metrics, width)

    def _explain(self) -> None:
        self.unit = "" if self.is_too_early else f"of {self._count}"
        super()._explain()


class HintControls(QWidget):
    """Shows the hint that `show_hint` names; every change is previewed at once and becomes one command."""

    def __init__(self, look: Look, document: Document, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look, self._document, self._selection = look, document, selection
        self._hint_id = ""
        self.kind = Segments(look, KINDS, "Kind of hint", glyphs=GLYPHS)
        self.kind.chosen.connect(self._set_kind)
        self.side = SideField(look)
        self.slider = RangeSlider(look, *STRENGTHS, 2, "Strength")
        self.strength = StrengthField(look)
        self.strength.setFixedWidth(VALUE_WIDTH)
        self.arrives = FrameField(look)
        self.any_time = IconButton(look, "close", "Let each take decide when it arrives")
        self.any_time.clicked.connect(lambda: self._edit("Leave open the arrival of", lambda hint: _timed(hint, None)))
        self.remark = Card(look)
        self.remark.hide()
        self.summary = Text(look, "", "text2", "small")
        self.copy = IconButton(look, "edit.copy", "Copy hint", "Ctrl+C")
        self.copy.clicked.connect(lambda: selection.copy_hint(find_hint(document.scene, self._hint_id)))
        self.delete = IconButton(look, "edit.delete", "Delete hint", "Del")
        self.delete.clicked.connect(self._delete)
        self._bind_fields()
        self._lay_out()

    def _bind_fields(self) -> None:
        document = self._document
        bind(self.side, document, lambda: self._words("Turn"), lambda scene, value: change_hint(
            scene, self._hint_id, lambda hint: from_side(scene, hint, value)))  # fmt: skip
        for field in (self.slider, self.strength):
            bind(field, document, lambda: self._words("Change the strength of"), lambda scene, value: change_hint(
                scene, self._hint_id, lambda hint: at_strength(hint, value)))  # fmt: skip
        bind(self.arrives, document, lambda: self._words("Time"), lambda scene, value: change_hint(
            scene, self._hint_id, lambda hint: _timed(hint, before_end(scene, value))))  # fmt: skip

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space("s") - 2)
        column.addWidget(self.kind)
        column.addSpacing(2)
        for words, fields in (
            ("From", (self.side,)),
            ("Strength", (self.slider, self.strength)),
            ("Arrives", (self.arrives, self.any_time)),
        ):
            row = QHBoxLayout()
            row.setSpacing(space("s"))
            label = Text(self._look, words, "text2", "small")
            label.setFixedWidth(LABEL_WIDTH)
            row.addWidget(label)
            for field in fields:
                row.addWidget(field, 0 if field in (self.strength, self.any_time) else 1)
            column.addLayout(row)
        column.addWidget(self.remark)
        foot = QHBoxLayout()
        foot.setSpacing(0)
        foot.setContentsMargins(0, 2, 0, 0)
        foot.addWidget(self.summary, 1)
        foot.addWidget(self.copy)
        foot.addWidget(self.delete)
        column.addLayout(foot)

    @property
    def hint_id(self) -> str:
        return self._hint_id

    def show_hint(self, hint_id: str) -> None:
        """As it is shown now, so also while something is dragged."""
        self._hint_id = hint_id
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
        verb = dict(KINDS)[kind]
        self._edit(verb, lambda hint: change(self._document.scene, hint))

    def _edit(self, verb: str, change: object) -> None:
        assert callable(change)
        self._document.edit(self._words(verb), change_hint(self._document.scene, self._hint_id, change))

    def _delete(self) -> None:
        self._document.edit(self._words("Delete"), remove_hints(self._document.scene, [self._hint_id]))

    def _words(self, verb: str) -> str:
        """Name of a command."""
        hint = find_hint(self._document.scene, self._hint_id)
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


def _timed(hint: Hint, seconds: float | None) -> Hint:
    return replace(hint, time=seconds)
