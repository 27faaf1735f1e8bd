"""Parts: where the pieces of the window come from. Dialogs are imported when they are asked for, so that the window is
up soon."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QDialog, QWidget

from app.document.document import Document
from app.look.look import Look
from app.panels.inspector import Inspector
from app.panels.new_bodies import new_body
from app.panels.outliner_panel import OutlinerPanel
from app.panels.shelf_panel import ShelfPanel
from app.runs.generation import Pool
from app.runs.worker import Worker
from app.session.selection import Selection
from app.session.settings import Settings
from app.tools import select, snapping
from app.tools.place import PlaceTool
from app.tools.sketch import SketchTool
from app.tools.stage import Stage
from app.tools.tool import Tool
from app.viewport.view import View
from engine.scene.spec import Body, Scene

if TYPE_CHECKING:
    from app.export.export_dialog import ExportDialog
    from app.makers.layout_dialog import LayoutDialog

TOOLS = (select.SelectTool, select.MoveTool, select.RotateTool, select.ScaleTool, SketchTool)


def new_tool(name: str, stage: Stage) -> Tool:
    return next(kind for kind in TOOLS if kind.name == name)(stage)


def late(place: str) -> Callable[..., Any]:
    """What stands at "module:name", imported when it is called."""
    module, _, name = place.partition(":")
    return lambda *arguments: attrgetter(name)(import_module(module))(*arguments)


DIALOGS = {
    "text": late("app.makers.text_dialog:TextDialog"),
    "wall": late("app.makers.wall_dialog:WallDialog"),
    "array": late("app.makers.array_dialog:ArrayDialog"),
}


@dataclass(frozen=True)
class Parts:
    """Makers of the pieces. Tests of the window put simple ones in their place."""

    view: Callable[[Document, Selection, Settings, Look], View] = View
    outliner: Callable[[Document, Selection, Look], OutlinerPanel] = OutlinerPanel
    shelf: Callable[[Look], ShelfPanel] = ShelfPanel
    inspector: Callable[[Document, Selection, Look], Inspector] = Inspector
    worker: Callable[[QWidget], Worker] = Worker
    pool: Callable[[QWidget], Pool] = Pool
    tool: Callable[[str, Stage], Tool] = new_tool
    place_tool: Callable[[Stage, Callable[[], Body], Callable[[], None]], Tool] = PlaceTool  # the last: when it is done
    dialog: Callable[[str], Callable[..., QDialog]] = DIALOGS.__getitem__
    open_mesh: Callable[..., QDialog] = late("app.makers.mesh_dialog:MeshDialog.opened")  # path, then as a dialog
    open_layout: Callable[..., LayoutDialog] = late("app.makers.layout_dialog:LayoutDialog.opened")  # the same
    export_dialog: Callable[..., ExportDialog] = late("app.export.export_dialog:ExportDialog")
    new_body: Callable[[str], Body] = new_body
    drop: Callable[[Scene, Collection[str]], Scene] = snapping.drop
    to_ground: Callable[[Scene, Collection[str]], Scene] = snapping.to_ground
