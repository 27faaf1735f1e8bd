"""The words of gestures: labels beside the mouse, names of commands, messages. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

from app.tools.lock import Lock
from engine.scene.spec import Body

VERBS = {"move": "Move", "rotate": "Rotate", "scale": "Scale"}


def locked_message(bodies: Sequence[Body]) -> str:
    return f"{bodies[0].name} is locked." if len(bodies) == 1 else f"All {len(bodies)} bodies are locked."


def decimals(pixel_size: float) -> int:
    """How many decimals of a metre a pixel can tell apart, at least two."""
    return 2 if pixel_size > 2e-3 else 3 if pixel_size > 2e-4 else 4


def number(value: float, places: int) -> str:
    """With a fixed number of decimals, and no minus before a zero."""
    text = f"{value:.{places}f}"
    return text.removeprefix("-") if float(text) == 0.0 else text


def move_words(along: Sequence[float], lock: Lock, places: int) -> str:
    values = ", ".join(number(along[k], places) for k in lock.moving)
    return f"Move {values} m{lock.words}"


def turn_words(degrees: float, lock: Lock) -> str:
    about = lock.words.replace(" along", " about") if not lock.plane else ""
    return f"Rotate {number(degrees, 1)}°{about}"


def scale_words(factors: Sequence[float], lock: Lock) -> str:
    values = [number(factors[k], 2) for k in lock.moving]
    same = len(set(values)) == 1
    return f"Scale {values[0] if same else ', '.join(values)}{lock.words}"


def typed_words(mode: str, texts: Sequence[str], at: int, values: Sequence[float] | None, lock: Lock) -> str:
    """What is being typed, with a caret, and its value where that is not plain to see."""
    shown = [f"{text or '0'}{'|' if k == at else ''}" for k, text in enumerate(texts)]
    result = ""
    if values is not None and any(mark in text.lstrip("-") for text in texts for mark in "+-*/("):
        result = " = " + ", ".join(f"{value:.6g}" for value in values)
    unit = {"move": " m", "rotate": "°", "scale": ""}[mode]
    about = lock.words.replace(" along", " about") if mode == "rotate" else lock.words
    return f"{VERBS[mode]} {', '.join(shown)}{result}{unit}{about}"
