"""What every inspector begins with: the body that is meant, and its name in sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.errors import ForegoneError
from engine.model.compile import Model

LookUp = Callable[[], None]
"""Called between pieces of work; it may raise, to stop."""


def go_on() -> None:
    """Nobody wants to stop it."""


def row_of(model: Model, id: str) -> int:
    """The row of the body with this id."""
    if id not in model.ids:
        raise ForegoneError(f'no body has the id "{id}"')
    return model.ids.index(id)


def called(model: Model, row: int) -> str:
    """As sentences name a body; the ground is no body of the scene."""
    return f'"{model.names[row]}"' if row in model.row_of else "the ground"


def called_all(model: Model, rows: Sequence[int]) -> str:
    names = [called(model, row) for row in rows]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def is_jointed(model: Model, row: int) -> bool:
    return bool((model.joints.a == row).any() or (model.joints.b == row).any())
