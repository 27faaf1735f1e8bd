"""The tools of the toolbar."""

from __future__ import annotations

from collections.abc import Callable

from app.shell.action import Action, Run
from app.shell.studio import Studio


def uses(name: str) -> Run:
    return lambda studio: studio.use_tool(name)


def in_use(name: str) -> Callable[[Studio], bool]:
    return lambda studio: studio.tool_name == name


ACTIONS = (
    Action("tool.select", "Select", "Edit/Tool", "Click bodies or drag a frame round them.", uses("select"),
           ("W",), maya_keys=("Q",), icon="tool.select", checked=in_use("select"), line=True),
    Action("tool.move", "Move tool", "Edit/Tool", "Select, and move with arrows.", uses("move"),
           ("Shift+G",), maya_keys=("W",), icon="tool.move", checked=in_use("move")),
    Action("tool.rotate", "Rotate tool", "Edit/Tool", "Select, and turn with rings.", uses("rotate"),
           ("Shift+R",), maya_keys=("E",), icon="tool.rotate", checked=in_use("rotate")),
    Action("tool.scale", "Scale tool", "Edit/Tool", "Select, and size with handles.", uses("scale"),
           ("Shift+S",), maya_keys=("R",), icon="tool.scale", checked=in_use("scale")),
)  # fmt: skip
