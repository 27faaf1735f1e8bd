"""Names that a program accepts, as close to the artist's as they can be, and no two alike."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence

LONGEST_BLENDER = 63  # bytes of UTF-8; longer names are cut there


def legal_names(names: Sequence[str], rule: str, taken: Collection[str] = ()) -> list[str]:
    """One for each, in order: "any" (glTF, tables), "blender", or "identifier" (USD, Maya, Houdini).

    Names that are fine stay; only then others are bent, so that none takes the place of one that fits."""
    wanted = [_legal(name, rule) for name in names]
    used = set(taken)
    found = [""] * len(names)
    for exact in (True, False):
        for i, (name, close) in enumerate(zip(names, wanted, strict=True)):
            if (name == close) == exact:
                found[i] = _free(close, used, rule)
                used.add(found[i])
    return found


def _legal(name: str, rule: str) -> str:
    if rule == "identifier":
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
        plain = re.sub(r"\W", "_", plain, flags=re.ASCII)
        if not plain.strip("_"):
            return "Body"
        return f"_{plain}" if plain[0].isdigit() else plain
    text = "".join(c if c.isprintable() else " " for c in name).strip()
    text = text.encode("utf-8", "replace").decode()  # halves of characters cannot be written
    if rule == "blender":
        text = _cut(text, LONGEST_BLENDER)
    return text or "Body"


def _free(name: str, used: Collection[str], rule: str) -> str:
    number, free = 1, name
    while free in used:
        number += 1
        tail = f"_{number}" if rule == "identifier" else f".{number:03d}" if rule == "blender" else f" {number}"
        free = (_cut(name, LONGEST_BLENDER - len(tail)) if rule == "blender" else name) + tail
    return free


def _cut(text: str, most: int) -> str:
    return text.encode("utf-8")[:most].decode("utf-8", "ignore").rstrip()
