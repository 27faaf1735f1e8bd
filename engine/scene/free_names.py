"""Names that no other body has."""

from __future__ import annotations

import re
from collections.abc import Collection

NUMBERED = re.compile(r"^(.*?)[ .]?(\d+)$")


def free_name(wanted: str, taken: Collection[str], counted: dict[str, int] | None = None) -> str:
    """`wanted`, or its stem with the next free number: Brick 7 -> Brick 8. `counted` remembers between calls how far
    each stem got, so that thousands of names at once do not try the same numbers over and over."""
    if wanted not in taken:
        return wanted
    match = NUMBERED.match(wanted)
    stem, number = (match[1], int(match[2])) if match and match[1] else (wanted, 1)
    if counted is not None:
        number = max(number, counted.get(stem, 0))
    while f"{stem} {number}" in taken:
        number += 1
    if counted is not None:
        counted[stem] = number + 1
    return f"{stem} {number}"
