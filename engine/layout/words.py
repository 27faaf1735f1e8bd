"""Names in sentences."""

from __future__ import annotations

from collections.abc import Sequence

MOST_NAMES = 3


def listed(names: Sequence[str]) -> str:
    """ "A", "A and B", "A, B, C and 4 more"."""
    shown = list(names[:MOST_NAMES])
    if len(names) > MOST_NAMES:
        return f"{', '.join(shown)} and {len(names) - MOST_NAMES} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
