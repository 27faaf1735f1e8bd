"""The one table of everything the artist can ask for, in the order of the menus."""

from __future__ import annotations

from app.shell import (
    add_commands,
    body_commands,
    edit_commands,
    file_commands,
    generate_commands,
    help_commands,
    hint_commands,
    inspect_commands,
    joint_commands,
    play_commands,
    settle_commands,
    take_commands,
    tool_commands,
    view_commands,
    window_commands,
)
from app.shell.action import Action

ACTIONS: tuple[Action, ...] = (
    *file_commands.ACTIONS,
    *edit_commands.ACTIONS,
    *body_commands.ACTIONS,
    *settle_commands.ACTIONS,
    *tool_commands.ACTIONS,
    *add_commands.ACTIONS,
    *joint_commands.ACTIONS,
    *hint_commands.ACTIONS,
    *generate_commands.ACTIONS,
    *play_commands.ACTIONS,
    *take_commands.ACTIONS,
    *inspect_commands.ACTIONS,
    *view_commands.ACTIONS,
    *window_commands.ACTIONS,
    *help_commands.ACTIONS,
)

MENUS = ("File", "Edit", "Add", "Hint", "Takes", "Inspect", "View", "Window", "Help")
"""Menus of the bar. Without mnemonics: Alt alone goes to the bar, and Alt with a letter is free for shortcuts."""


def action(key: str) -> Action:
    return next(entry for entry in ACTIONS if entry.id == key)


def path_words(entry: Action) -> str:
    """ "View > Colour by"."""
    return " > ".join(entry.menu.split("/"))
