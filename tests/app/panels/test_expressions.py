"""Expressions typed into fields: values, units, and what is told about mistakes."""

from __future__ import annotations

import math
import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.kit.expressions import LONGEST, ExpressionError, evaluate


@pytest.mark.parametrize(
    ("text", "quantity", "value"),
    [
        ("1.5", "length", 1.5),
        (" 2 + 3 * 4 ", "", 14.0),
        ("(2 + 3) * 4", "", 20.0),
        ("-3 - -2", "", -1.0),
        ("--2", "", 2.0),
        ("8 / 4 / 2", "", 1.0),
        ("10 - 3 - 2", "", 5.0),
        (".5e1", "", 5.0),
        ("20 cm", "length", 0.2),
        ("20cm", "length", 0.2),
        ("1.5 + 20 cm", "length", 1.7),
        ("3 * 25mm", "length", 0.075),
        ("(1 + 2) km", "length", 3000.0),
        ("1 ft", "length", 0.3048),
        ("10 in", "length", 0.254),
        ("6 m / 2 m", "length", 3.0),
        ("pi rad", "angle", 180.0),
        ("45°", "angle", 45.0),
        ("45 deg", "angle", 45.0),
        ("250 g + 1 kg", "mass", 1.25),
        ("1\u202f900", "", 1900.0),
        ("−4 × 2 ÷ 8", "", -1.0),
    ],
)
def test_values(text: str, quantity: str, value: float) -> None:
    assert evaluate(text, quantity) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "quantity", "words"),
    [
        ("", "", "Type a number."),
        ("   ", "", "Type a number."),
        ("abc", "", "'abc' is not a number."),
        ("1 +", "", "missing at the end"),
        ("(1 + 2", "", "')' is missing"),
        ("1)", "", "')' does not fit"),
        ("1 2", "", "'2' does not fit"),
        ("1/0", "", "divide by zero"),
        ("1,5", "", "with a dot"),
        ("3 deg", "length", "deg measures an angle, this is a length."),
        ("3 m", "", "m measures a length, this is a plain number."),
        ("3 parsec", "length", "'parsec' is not a unit"),
        ("2 m * 3 m", "length", "not a length"),
        ("1 / 2 m", "length", "not a length"),
        ("(2 m) m", "length", "one unit too many"),
        ("1e999", "", "too large"),
        ("1e300 * 1e300", "", "too large"),
        ("__import__('os')", "", "has no meaning here"),
        ("2 ** 3", "", "'*' is not a number"),
        ("(" * (LONGEST + 1), "", "too long"),
        ("(" * LONGEST, "", "missing"),
    ],
)
def test_mistakes_are_told(text: str, quantity: str, words: str) -> None:
    with pytest.raises(ExpressionError, match=None) as caught:
        evaluate(text, quantity)
    assert words in str(caught.value)


@given(st.text(max_size=40))
def test_any_text_is_a_number_or_a_mistake(text: str) -> None:
    try:
        assert math.isfinite(evaluate(text, "length"))
    except ExpressionError as error:
        assert str(error).endswith(".")


SIGNS = {"+": operator.add, "-": operator.sub, "*": operator.mul}
NUMBERS = st.integers(0, 999).map(lambda n: (str(n), float(n)))


def joined(parts: st.SearchStrategy) -> st.SearchStrategy:
    return st.tuples(parts, st.sampled_from(sorted(SIGNS)), parts).map(
        lambda t: (f"({t[0][0]} {t[1]} {t[2][0]})", SIGNS[t[1]](t[0][1], t[2][1]))
    )


@given(st.recursive(NUMBERS, joined, max_leaves=12))
def test_sums_and_products_agree_with_python(case: tuple[str, float]) -> None:
    text, value = case
    if len(text) <= LONGEST:
        assert evaluate(text) == value
