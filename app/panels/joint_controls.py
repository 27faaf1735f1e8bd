"""The controls of one joint: kind, anchor, axis, limits. The last-operation panel and the Body tab share them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import Qt

from app.document.document import Document
from app.document.joint_edits import bodies_of, change_joint, find_joint, remove_joints
from app.document.joint_words import MEANINGS, called
from app.kit import AXES, NumberField, Segments, Text, Toggle, axis_fields, beside, field_label
from app.kit.layouts import column, row, wide
from app.kit.painting import space
from app.look.look import Look
from app.panels.body_model import replaced
from app.panels.item_controls import ItemControls
from engine.scene.joint_rules import WITH_LIMITS
from engine.scene.spec import Joint, Scene
from engine.shapes.joint_places import moved_to

KINDS = (("ball", "Ball"), ("hinge", "Hinge"), ("fixed", "Fixed"), ("slider", "Slider"))
USUAL = {"hinge": 0.5 * math.pi, "slider": 0.5}  # rad or m to each side, when limits are switched on
MOST = {"hinge": math.radians(270.0), "slider": 1e4}
STRAIGHT = 1.0 - 1e-9  # cosine between an axis and the one it is said to lie along


class PlaceField(NumberField):
    """Says with which body the joint goes."""

    def __init__(self, look: Look, axis: str) -> None:
        self._owner = ""
        super().__init__(look, axis, "", "length", 3, 0.01, name=f"Anchor {axis}")

    def set_owner(self, name: str) -> None:
        if name != self._owner:
            self._owner = name
            self._explain()

    def _explain(self) -> None:
        super()._explain()
        if self._owner and not self.error:
            self.setToolTip(f"{self.toolTip()}\nMoving {self._owner} takes the anchor and the axis along.")


class JointControls(ItemControls[Joint]):
    """Shows the joint that `show_joint` names."""

    def __init__(self, look: Look, document: Document) -> None:
        super().__init__(look, document, "joint", change_joint, remove_joints)
        self.kind = Segments(look, KINDS, "Kind of joint")
        self.kind.chosen.connect(self._set_kind)
        self.anchor = [PlaceField(look, axis) for axis in AXES]
        self.axis = axis_fields(look, "Axis", decimals=3, step=0.01, minimum=-1.0, maximum=1.0, trim=True)
        self.along = Segments(look, [(axis, axis) for axis in AXES], "Axis along")
        self.along.setToolTip("Along an axis of the world.")
        self.along.chosen.connect(self._set_along)
        self.limited = Toggle(look, "Limits", "It stops there, and bounces a little.")
        self.limited.toggled.connect(self._set_limited)
        self.ends = [NumberField(look, name, name=name) for name in ("From", "To")]
        self.bounce = NumberField(look, "", "", "", 2, 0.01, 0.0, 1.0, name="Bounce at the limits")
        self.meaning = Text(look, "", "text2", "small", wraps=True)
        self._bind_fields()
        self._lay_out()

    def _bind_fields(self) -> None:
        for k, (place, way) in enumerate(zip(self.anchor, self.axis, strict=True)):
            self._bind(place, "Move", partial(_anchored, k=k))
            self._bind(way, "Turn", partial(_turned, k=k))
        for field, end in zip(self.ends, ("lo", "hi"), strict=True):
            self._bind(field, "Limit", partial(_ended, end=end))
        self._bind(self.bounce, "Change the bounce of", lambda _, joint, value: replace(joint, restitution=value))

    def _lay_out(self) -> None:
        look = self._look
        self._axis_rows = [beside(field_label(look, "Axis"), self.along), beside(*self.axis)]
        self._limit_rows = [beside(*self.ends), beside(field_label(look, "Bounce"), self.bounce)]
        unit = Text(look, "m", "text3", "small", align=Qt.AlignmentFlag.AlignRight)
        anchor_rows = (beside(field_label(look, "Anchor"), unit), beside(*self.anchor))
        foot = row(wide(self.meaning), self.delete)
        rows = (*anchor_rows, *self._axis_rows, self.limited, *self._limit_rows)
        column(self.kind, foot, *rows, of=self, gap=space("s") - 2)

    def show_joint(self, joint_id: str) -> None:
        """As it is shown now, so also while something is dragged."""
        self.key = joint_id
        scene = self._document.shown
        joint = find_joint(scene, joint_id)
        if joint is None:
            return
        self.kind.set_current(joint.kind)
        self.meaning.set_text(f"It {MEANINGS[joint.kind]}." if joint.kind in MEANINGS else "")
        owner = bodies_of(scene, joint)
        for k in range(3):
            self.anchor[k].set_owner(owner[0].name if owner else "")
            self.anchor[k].set_value(joint.anchor[k])
            self.axis[k].set_value(joint.axis[k])
        self.along.set_current(along_axis(joint))
        for entry in (*self._axis_rows, self.limited):
            entry.setVisible(joint.kind in WITH_LIMITS)
        self._show_limits(joint)

    def _show_limits(self, joint: Joint) -> None:
        limited = joint.lo is not None or joint.hi is not None
        self.limited.set_on(limited)
        for entry in self._limit_rows:
            entry.setVisible(limited and joint.kind in WITH_LIMITS)
        if joint.kind not in WITH_LIMITS:
            return
        hinge = joint.kind == "hinge"
        shown: Callable[[float], float] = math.degrees if hinge else float
        for field, value, sign in zip(self.ends, (joint.lo, joint.hi), (-1.0, 1.0), strict=True):
            field.set_kind(*(("°", "angle", 1, 1.0) if hinge else ("m", "length", 3, 0.01)))
            far = shown(sign * MOST[joint.kind])
            unit = "°" if hinge else " m"
            why = f"Up to {far:g}{unit}, and not past 0{unit}: there the ending stands, between both limits."
            field.set_range(min(0.0, far), max(0.0, far), why)
            field.set_value(round(shown(sign * USUAL[joint.kind] if value is None else value), 9), value is None)
        self.bounce.set_value(joint.restitution)

    def _set_kind(self, kind: str) -> None:
        """Limits are angles for a hinge and lengths for a slider: another kind begins without."""
        self._edit(f"Make a {dict(KINDS)[kind].lower()} of", lambda joint: replace(joint, kind=kind, lo=None, hi=None))

    def _set_along(self, axis: str) -> None:
        x, y, z = (1.0 if axis == name else 0.0 for name in AXES)
        self._edit("Turn", lambda joint: replace(joint, axis=(x, y, z)))

    def _set_limited(self, on: bool) -> None:
        def change(joint: Joint) -> Joint:
            usual = USUAL[joint.kind]
            return replace(joint, lo=-usual if on else None, hi=usual if on else None)

        self._edit("Limit" if on else "Free", change)

    def _words(self, verb: str) -> str:
        """Name of a command."""
        joint = find_joint(self._document.scene, self.key)
        return f"{verb} {called(self._document.scene, joint)}" if joint is not None else verb


def _anchored(_: Scene, joint: Joint, value: float, k: int) -> Joint:
    return moved_to(joint, replaced(joint.anchor, k, value))


def _turned(_: Scene, joint: Joint, value: float, k: int) -> Joint:
    return replace(joint, axis=replaced(joint.axis, k, value))


def _ended(_: Scene, joint: Joint, value: float, end: str) -> Joint:
    fields: dict[str, Any] = {end: math.radians(value) if joint.kind == "hinge" else value}
    return replace(joint, **fields)


def along_axis(joint: Joint) -> str | None:
    """The world's axis that a joint's lies along, in either direction."""
    length = math.hypot(*joint.axis)
    if length == 0.0:
        return None
    return next((AXES[k] for k in range(3) if abs(joint.axis[k]) >= STRAIGHT * length), None)
