"""What every benchmark has in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

Tell: TypeAlias = Callable[[str, int, int], None]
"""Called with (what, done, in all)."""

Row: TypeAlias = dict[str, Any]
"""One line of a table: numbers and short texts by the name of their column; None where there is nothing to tell."""


def silent(what: str, done: int, total: int) -> None:
    """Tell nobody."""
