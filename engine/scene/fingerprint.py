"""Fingerprint of what a motion depends on: two scenes with the same one have the same takes. Names, colours, folders
and locks do not count."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from engine.scene.record import Entry
from engine.scene.spec import Body, Scene

LOOKS = frozenset(("name", "color", "hidden", "locked", "group", "extra"))
"""Fields that only the editor needs."""
LATER = {"leaves": "auto"}
"""Fields that older versions did not have: where they say what was true then, the fingerprint is the same."""
PLAIN = frozenset((float, str, bool, int, type(None)))
MOST_KNOWN = 50_000

_known: dict[int, tuple[Entry, str]] = {}


def fingerprint(scene: Scene) -> str:
    """32 characters. Records are values, so what was found out about one is remembered: after an edit only the bodies
    it touched are looked at."""
    digest = hashlib.sha256()
    for body in scene.bodies:
        digest.update(_words(body).encode("utf-8", "surrogatepass"))
    rest = (scene.gravity, scene.ground, scene.ground_material, scene.hints)
    digest.update(words_of(rest).encode("utf-8", "surrogatepass"))
    for later in (scene.joints, scene.arrival_order):  # scenes without keep the fingerprint they had before
        if later:
            digest.update(words_of(later).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]


def _words(record: Entry) -> str:
    known = _known.get(id(record))
    if known is not None and known[0] is record:
        return known[1]
    fields = [words_of(value) for name, value in vars(record).items() if not _is_left_out(name, value)]
    words = f"{type(record).__name__}({','.join(fields)})"
    if isinstance(record, Body):
        words = hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()
    if len(_known) > MOST_KNOWN:
        _known.clear()
    _known[id(record)] = (record, words)
    return words


def _is_left_out(name: str, value: Any) -> bool:
    return name in LOOKS or (name in LATER and value == LATER[name])


def words_of(value: Any) -> str:
    """Floats are written so that every bit counts."""
    kind = type(value)
    if kind in PLAIN or (kind is tuple and value and type(value[0]) is float):
        return repr(value)
    if isinstance(value, Entry):
        return _words(value)
    if isinstance(value, np.ndarray):
        return f"{value.shape}{value.dtype}{hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()}"
    if isinstance(value, (list, tuple)):
        return f"[{','.join(map(words_of, value))}]"
    return repr(value)
