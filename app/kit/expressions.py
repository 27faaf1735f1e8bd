"""What may be typed into a number field: sums and products of numbers with units. Never evaluated as code.

A number without a unit counts in the unit of the field, so "1.5 + 20 cm" in a field of metres is 1.7. Units carry a
power through products, so that "30 cm * 2 cm" is told to be no length instead of giving a wrong one.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

LONGEST = 200  # characters; also bounds how deep parentheses nest

UNITS: dict[str, tuple[str, float]] = {
    "m": ("length", 1.0),
    "cm": ("length", 0.01),
    "mm": ("length", 0.001),
    "km": ("length", 1000.0),
    "in": ("length", 0.0254),
    "ft": ("length", 0.3048),
    "deg": ("angle", 1.0),
    "°": ("angle", 1.0),
    "rad": ("angle", 180.0 / math.pi),
    "kg": ("mass", 1.0),
    "g": ("mass", 0.001),
    "s": ("time", 1.0),
    "ms": ("time", 0.001),
}
"""Word of a unit -> what it measures and how many of the base unit (m, degree, kg, s) it is."""

QUANTITIES = {"length": "a length", "angle": "an angle", "mass": "a mass", "time": "a time", "": "a plain number"}

TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z°]+)|(.))")


class ExpressionError(ValueError):
    """What is wrong with the text, as a sentence for the artist."""


@dataclass(frozen=True)
class _Value:
    number: float
    power: int  # of the field's unit


def evaluate(text: str, quantity: str = "") -> float:
    """The value of a text in the base unit of a quantity ("length", "angle", "mass", "time", "" for none)."""
    if len(text) > LONGEST:
        raise ExpressionError("This is too long.")
    value = _Parser(_tokens(text), quantity).whole()
    if value.power not in (0, 1):
        raise ExpressionError(f"The result is not {QUANTITIES[quantity]}.")
    if not math.isfinite(value.number):
        raise ExpressionError("The result is too large.")
    return value.number


def _tokens(text: str) -> list[str]:
    """Numbers, words and signs; spaces that group digits (as fields show them) are dropped."""
    plain = re.sub(r"(?<=\d)[\u2009\u202f](?=\d)", "", text).replace("−", "-").replace("×", "*").replace("÷", "/")
    found = []
    for match in TOKEN.finditer(plain.strip()):
        number, word, sign = match.groups()
        if sign == ",":
            raise ExpressionError("Write decimals with a dot: 1.5.")
        if sign is not None and sign not in "+-*/()":
            raise ExpressionError(f"'{sign}' has no meaning here.")
        found.append(number or word or sign)
    return found


class _Parser:
    """Recursive descent over the tokens: sums of products of signed atoms."""

    def __init__(self, tokens: list[str], quantity: str) -> None:
        self._tokens, self._at, self._quantity = tokens, 0, quantity

    def whole(self) -> _Value:
        if not self._tokens:
            raise ExpressionError("Type a number.")
        value = self._sum()
        if self._next() is not None:
            raise ExpressionError(f"'{self._next()}' does not fit here.")
        return value

    def _next(self) -> str | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _take(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1]

    def _sum(self) -> _Value:
        left = self._product()
        while self._next() in ("+", "-"):
            sign = self._take()
            right = self._product()
            if left.power != right.power and not {left.power, right.power} <= {0, 1}:
                raise ExpressionError("These cannot be added.")
            number = left.number + right.number if sign == "+" else left.number - right.number
            left = _Value(number, max(left.power, right.power))
        return left

    def _product(self) -> _Value:
        left = self._signed()
        while self._next() in ("*", "/"):
            sign = self._take()
            right = self._signed()
            if sign == "*":
                left = _Value(left.number * right.number, left.power + right.power)
            elif right.number == 0.0:
                raise ExpressionError("Cannot divide by zero.")
            else:
                left = _Value(left.number / right.number, left.power - right.power)
        return left

    def _signed(self) -> _Value:
        negative = False
        while self._next() in ("+", "-"):
            negative ^= self._take() == "-"
        value = self._atom()
        return _Value(-value.number, value.power) if negative else value

    def _atom(self) -> _Value:
        token = self._next()
        if token is None:
            raise ExpressionError("A number is missing at the end.")
        if token == "(":
            self._take()
            inside = self._sum()
            if self._next() != ")":
                raise ExpressionError("A ')' is missing.")
            self._take()
            return self._with_unit(inside)
        if token == "pi":
            self._take()
            return self._with_unit(_Value(math.pi, 0))
        if not (token[0].isdigit() or token[0] == "."):
            raise ExpressionError(f"'{token}' is not a number.")
        return self._with_unit(_Value(float(self._take()), 0))

    def _with_unit(self, value: _Value) -> _Value:
        word = self._next()
        if word is None or not (word[0].isalpha() or word == "°"):
            return value
        if word not in UNITS:
            raise ExpressionError(f"'{word}' is not a unit known here.")
        quantity, factor = UNITS[word]
        if quantity != self._quantity:
            raise ExpressionError(f"{word} measures {QUANTITIES[quantity]}, this is {QUANTITIES[self._quantity]}.")
        if value.power != 0:
            raise ExpressionError(f"'{word}' is one unit too many.")
        self._take()
        return _Value(value.number * factor, 1)
