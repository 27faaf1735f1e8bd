"""Lines of a journal: JSON with a checksum in front. A line that was cut off or damaged ends what can be trusted."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LONGEST = 256 << 20  # bytes of one line


def line(value: dict[str, Any]) -> bytes:
    text = json.dumps(value, separators=(",", ":")).encode("utf-8", "surrogatepass")
    return b"%08x " % zlib.crc32(text) + text + b"\n"


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """Whole lines from the start; the first that is not as it was written ends them."""
    with path.open("rb") as stream:
        while (data := stream.readline(LONGEST)).endswith(b"\n"):
            value = _value(data)
            if value is None:
                return
            yield value


def intact(path: Path) -> bool:
    """Is the file made of whole lines only?"""
    with path.open("rb") as stream:
        return sum(len(line(value)) for value in lines(path)) == stream.seek(0, 2)


def _value(data: bytes) -> dict[str, Any] | None:
    try:
        if int(data[:8], 16) != zlib.crc32(data[9:-1]) or data[8:9] != b" ":
            return None
        value = json.loads(data[9:-1].decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
