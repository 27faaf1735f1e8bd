"""Fingerprint of what a motion depends on: two scenes with the same one have the same takes. Names, colours, folders
and locks do not count."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.scene.entrance import Entrance
from engine.scene.nearest import entrances_of
from engine.scene.record import Entry
from engine.scene.spec import Body, Scene

LOOKS = frozenset(("name", "color", "hidden", "locked", "group", "extra", "who"))
"""Fields that only the editor needs. (Groups, and whom an entrance names, say which one each body has: that counts.)"""
LATER = {"leaves": "auto"}
"""Fields that older versions did not have: where they say what was true then, the fingerprint is the same."""
PLAIN = frozenset((float, str, bool, int, type(None)))
MOST_KNOWN = 50_000

NOTHING_ASKED = Entrance()

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
    for words in _entering(scene):
        digest.update(words.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]


def _entering(scene: Scene) -> Iterator[str]:
    """What is asked of how bodies come in; nothing of a scene that asks for nothing."""
    if scene.entrances:
        nothing = _words(NOTHING_ASKED)
        for number, entrance in enumerate(entrances_of(scene, scene.bodies)):
            if (words := _words(entrance)) != nothing:
                yield f"{number}:{words}"
    for record in (scene.stagger, scene.stage, scene.camera):
        if record is not None:
            yield words_of(record)


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
