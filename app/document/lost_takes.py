"""Motions that a program left behind when it died: found again by their fingerprint, or swept away."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from app.document.session_lock import is_abandoned
from app.document.take_store import PREFIX
from engine.scene.film import UNREADABLE
from engine.scene.shot import TakeCard
from engine.scene.take_files import PARTS, TAPE


def dead_folders(root: Path) -> Iterator[Path]:
    """Folders of takes whose program lives no more."""
    for folder in sorted(root.glob(f"{PREFIX}*")):
        if folder.is_dir() and is_abandoned(folder):
            yield folder


def reclaim(root: Path, cards: Sequence[TakeCard], target: Path) -> int:
    """Move the motions of these takes to `target`, where a dead program had them; returns how many were found. Ids
    repeat from project to project, so the hash of the motion decides."""
    wanted = {card.id: card.hash for card in cards if card.hash}
    found = 0
    for folder in dead_folders(root):
        for key, hash_ in list(wanted.items()):
            if _hash_of(folder / TAPE.format(key)) == hash_:
                for part in PARTS:
                    source = folder / part.format(key)
                    if source.is_file():
                        os.replace(source, target / part.format(key))
                found += 1
                del wanted[key]
    return found


def _hash_of(tape: Path) -> str:
    try:
        with np.load(tape, allow_pickle=False) as arrays:
            return str(arrays["hash"])
    except UNREADABLE:
        return ""


def sweep(root: Path) -> None:
    """Remove what nobody asked for."""
    for folder in dead_folders(root):
        shutil.rmtree(folder, ignore_errors=True)
