"""ProblemItem: one thing wrong with the ending, as panels show it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class ProblemItem:
    severity: str  # "error" or "warning"
    code: str  # stable short name of the rule
    bodies: tuple[str, ...]  # ids
    message: str  # what is wrong, one sentence
    fix_words: str = ""  # on the button; "" when there is no one-click fix
    fix: Callable[[], None] | None = None  # what the button does; None leaves it to whoever hears `fix_requested`
    advice: str = ""  # a second sentence: what to do by hand
