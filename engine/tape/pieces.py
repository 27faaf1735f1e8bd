"""Blocks put together from the motions of single bodies, which were found one by one and not as they happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engine.model.arrays import State
from engine.tape.block import STATE_PARTS, Block
from engine.tape.reel import Strip, empty_strip

Contacts = tuple[np.ndarray, Strip]
"""(k,) the step of each row, counted from the block's first in forward time; k rows."""

Pushes = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""(k,) the step of each, (k,) int32 the body, (k, 3) v and (k, 3) l: its velocities before the kick."""

NOBODY: Pushes = (np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros((0, 3)), np.zeros((0, 3)))


def block_of_pieces(
    contacts: Sequence[Contacts], pushes: Sequence[Pushes], asleep: np.ndarray, energy: np.ndarray, anchor: State
) -> Block:
    """s steps of a backward run that ends in the state `anchor`. Within a step, rows keep the order of the pieces.
    asleep: (s, n) bool; energy: (s,) J."""
    steps, bodies = asleep.shape
    order, contact_start = _by_step([when for when, _ in contacts], steps)
    arrays = {"contact_start": contact_start}
    for name, columns in zip(Strip._fields, zip(*(strip for _, strip in contacts), strict=True), strict=False):
        column = np.concatenate(columns)[order]
        if column.any():
            arrays[name] = column
    when, *pushed = zip(NOBODY, *pushes, strict=True)
    order, arrays["push_start"] = _by_step(when, steps)
    for name, parts in zip(("push_body", "push_v", "push_l"), pushed, strict=True):
        arrays[name] = np.concatenate(parts)[order]
    arrays |= {"asleep": np.packbits(asleep, axis=1), "energy": energy.copy(), "residual": np.zeros(steps)}
    arrays |= {f"anchor_{name}": part.copy() for name, part in zip(STATE_PARTS, anchor, strict=True)}
    return Block(steps, bodies, arrays)


def strip_of(rows: int, columns: Mapping[str, np.ndarray]) -> Strip:
    """Contacts from such columns as there are; the others are zero."""
    blank = zip(Strip._fields, empty_strip(rows), strict=True)
    return Strip(*(np.asarray(columns.get(name, zeros), zeros.dtype) for name, zeros in blank))


def _by_step(when: Sequence[np.ndarray], steps: int) -> tuple[np.ndarray, np.ndarray]:
    """The order of rows by step, and (steps + 1,) where each step begins."""
    every = np.concatenate([*when, np.zeros(0, np.int64)]).astype(np.int64)
    order = np.argsort(every, kind="stable")
    return order, np.searchsorted(every[order], np.arange(steps + 1)).astype(np.int64)
