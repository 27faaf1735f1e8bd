"""Wrapped: a painted widget that gets higher where it is narrow."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.kit.painted import Painted
from app.look.look import Look


def grow_with_width(widget: QWidget) -> None:
    policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    policy.setHeightForWidth(True)
    widget.setSizePolicy(policy)


class Wrapped(Painted):
    """`heightForWidth` is given by what is painted."""

    USUAL = 200  # px wide

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        grow_with_width(self)

    def hasHeightForWidth(self) -> bool:
        return True

    def sizeHint(self) -> QSize:
        return QSize(self.USUAL, self.heightForWidth(max(self.width(), self.USUAL)))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)
