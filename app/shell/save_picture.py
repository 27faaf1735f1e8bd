"""Write a picture where the artist says, and tell how it went."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.shell.studio import Studio


def save_picture(studio: Studio, suggestion: str, write: Callable[[Path], object]) -> None:
    path = studio.questions.picture_to_save(suggestion)
    if path is None:
        return
    try:
        write(path)
    except OSError as error:
        studio.shell.tell(f"{path.name} could not be written: {error.strerror}.", kind="error")
    else:
        studio.shell.say(f"Saved {path.name}.")
