"""JSON that people can read and compare: one field per line, lists of plain values on one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from json.encoder import encode_basestring
from typing import Any


def pretty(value: Any, indent: str = "") -> str:
    """The text of a tree. Thousands of bodies make a hundred thousand values, so the kinds that nearly all of them are
    of are written at once; everything else as json.dumps writes it."""
    known = PLAIN.get(type(value))
    if known is not None:
        return known(value)
    if isinstance(value, dict) and value:
        deeper = indent + "  "
        rows = [f"{deeper}{_key(key)}: {pretty(entry, deeper)}" for key, entry in value.items()]
        return "{\n" + ",\n".join(rows) + f"\n{indent}}}"
    if isinstance(value, (list, tuple)):
        if any(isinstance(entry, (dict, list, tuple)) for entry in value):
            deeper = indent + "  "
            return "[\n" + ",\n".join([deeper + pretty(entry, deeper) for entry in value]) + f"\n{indent}]"
        return "[" + ", ".join([pretty(entry) for entry in value]) + "]"
    return json.dumps(value, ensure_ascii=False)


def _float(value: float) -> str:
    # NaN and the infinities have other names in JSON; they alone differ from themselves after subtraction.
    return repr(value) if value - value == 0.0 else json.dumps(value)


def _key(key: Any) -> str:
    return encode_basestring(key) if type(key) is str else json.dumps(key, ensure_ascii=False)


PLAIN: dict[type, Callable[[Any], str]] = {
    float: _float,
    int: repr,
    str: encode_basestring,
    bool: {True: "true", False: "false"}.__getitem__,
    type(None): lambda _: "null",
}
