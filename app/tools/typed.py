"""Numbers typed during a gesture. No Qt.

Each component (x, y, z) has a text of its own; Tab goes to the next. A text may be a sum, product or quotient. A minus
at the end turns the sign round, as in other 3D tools, so that "1.5-" can be typed when the direction was wrong.
"""

from __future__ import annotations

from app.kit.expressions import ExpressionError
from app.kit.expressions import evaluate as value_of

CHARACTERS = frozenset("0123456789.,+-*/()")
LONGEST = 40  # characters; more would not fit into the label


def evaluate(text: str) -> float | None:
    """The value of a typed text; None when it is not (or not yet) a number."""
    plain = text.replace(",", ".").strip()
    turned = len(plain) > 1 and plain.endswith("-")
    try:
        value = value_of(plain[:-1] if turned else plain)
    except ExpressionError:
        return None
    return -value if turned else value


class Typed:
    """The texts of up to three components."""

    def __init__(self) -> None:
        self._texts = ["", "", ""]
        self.at = 0  # the component being typed

    def __bool__(self) -> bool:
        """Has anything been typed? Then the mouse has no say."""
        return any(self._texts)

    @property
    def text(self) -> str:
        return self._texts[self.at]

    def texts(self, count: int) -> list[str]:
        return self._texts[:count]

    @property
    def several(self) -> bool:
        """Has more than the first component been typed?"""
        return any(self._texts[1:])

    def type(self, characters: str) -> bool:
        """Add characters; False when they do not belong to a number."""
        if not characters or not CHARACTERS.issuperset(characters):
            return False
        self._texts[self.at] = (self.text + characters)[:LONGEST]
        return True

    def erase(self) -> bool:
        """Take the last character away; False when nothing is typed."""
        if not self:
            return False
        if not self.text and self.at:
            self.at -= 1
        else:
            self._texts[self.at] = self.text[:-1]
        return True

    def next(self, count: int) -> None:
        """On to the next of `count` components, round and round."""
        self.at = (self.at + 1) % count

    def limit(self, count: int) -> None:
        """There are fewer components now: what was typed for the others is dropped."""
        if self.at >= count:  # what is being typed goes on as the last one left
            self._texts[count - 1], self.at = self.text, count - 1
        self._texts[count:] = [""] * (3 - count)

    def values(self, count: int, empty: float) -> list[float] | None:
        """Values of the components, `empty` for those without a text; None when one is not a number."""
        found = [empty if text in ("", "-", "+") else evaluate(text) for text in self._texts[:count]]
        return None if None in found else [value for value in found if value is not None]

    def wrong(self, count: int) -> str | None:
        """A text that is no number."""
        texts = (text for text in self._texts[:count] if text not in ("", "-", "+"))
        return next((text for text in texts if evaluate(text) is None), None)
