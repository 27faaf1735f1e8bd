"""How commands speak: answers on stdout (text, or exactly one JSON object), everything else on stderr."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np


def say(text: str) -> None:
    """A line of the answer."""
    sys.stdout.write(text + "\n")


def note(text: str) -> None:
    """A line about what is being done, beside the answer."""
    sys.stderr.write(text + "\n")


def complain(text: str) -> None:
    """A line about what went wrong."""
    sys.stderr.write(f"foregone: {text}\n")


def answer(result: Mapping[str, Any]) -> None:
    """The one JSON object of a run with --json."""
    sys.stdout.write(json.dumps(plain(result), indent=2, allow_nan=False, ensure_ascii=False) + "\n")


def plain(value: Any) -> Any:
    """What JSON can say: numpy numbers become numbers; what is not finite becomes null."""
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(entry) for entry in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns with one space between them; the first is text, the others are numbers."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    lines = []
    for row in (head, *rows):
        cells = [
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "-" * max(len(line) for line in lines))
    return "\n".join(lines)
