"""Typed numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.tools.typed import CHARACTERS, Typed, evaluate


@given(st.floats(0, 1e6), st.floats(0.001, 1e3), st.sampled_from("+-*/"))
def test_expressions_are_worth_what_they_say(a: float, b: float, sign: str) -> None:
    wanted = {"+": a + b, "-": a - b, "*": a * b, "/": a / b}[sign]
    assert evaluate(f"{a!r}{sign}{b!r}" if "e" not in f"{a!r}{b!r}" else f"({a:f}){sign}({b:f})") == pytest.approx(
        wanted, rel=1e-6, abs=1e-3
    )


@given(st.text(sorted(CHARACTERS), max_size=40))
def test_no_text_breaks_it(text: str) -> None:
    value = evaluate(text)
    assert value is None or value == value
    typed = Typed()
    typed.type(text)
    typed.values(3, 0.0)


@pytest.mark.parametrize("text", ["", "-", "1..2", "()", "1/0", "2**3", "7//2", "(1)(2)", "*3", "9" * 400])
def test_what_is_no_number(text: str) -> None:
    assert evaluate(text) is None


@pytest.mark.parametrize(("text", "value"), [("007", 7.0), ("1.5-", -1.5), ("-.5", -0.5), ("1,25", 1.25), ("0", 0.0)])
def test_what_is_one(text: str, value: float) -> None:
    assert evaluate(text) == value


def test_letters_are_not_taken() -> None:
    typed = Typed()
    assert not typed.type("a") and not typed.type("") and not typed
    assert typed.type("5") and typed and typed.erase() and not typed
    assert not typed.erase()
