"""Ages: when something was done, as one says it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path


def age_words(path: Path, now: float) -> str:
    """When a file was written, as one says it: "today, 12:41", "yesterday", "11 Nov"."""
    try:
        when = datetime.fromtimestamp(path.stat().st_mtime)
    except OSError:
        return "missing"  # moved away, or on a disk that is not there
    days = (datetime.fromtimestamp(now).date() - when.date()).days
    if days <= 0:
        return f"today, {when:%H:%M}"
    return "yesterday" if days == 1 else f"{when.day} {when:%b}" + (f" {when.year}" if days > 300 else "")
