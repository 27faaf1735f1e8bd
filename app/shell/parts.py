"""Parts: where the pieces of the window come from. Imported when they are needed, so that the window is up soon."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QDialog, QWidget

from app.document.document import Document
from app.look.look import Look
from app.session.selection import Selection
from app.session.settings import Settings
from app.tools.stage import Stage
from app.tools.tool import Tool
from engine.scene.spec import Body, Scene

if TYPE_CHECKING:
    from app.export.export_dialog import ExportDialog
    from app.makers.layout_dialog import LayoutDialog
    from app.panels.inspector import Inspector
    from app.panels.outliner_panel import OutlinerPanel
    from app.panels.shelf_panel import ShelfPanel
    from app.runs.generation import Pool
    from app.runs.worker import Worker
    from app.viewport.view import View


@dataclass(frozen=True)
class Parts:
    """Makers of the pieces. Tests of the window put simple ones in their place."""

    view: Callable[[Document, Selection, Settings, Look], View]
    outliner: Callable[[Document, Selection, Look], OutlinerPanel]
    shelf: Callable[[Look], ShelfPanel]
    inspector: Callable[[Document, Selection, Settings, Look], Inspector]
    worker: Callable[[QWidget], Worker]
    pool: Callable[[QWidget], Pool]
    tool: Callable[[str, Stage], Tool]
    place_tool: Callable[[Stage, Callable[[], Body], Callable[[], None]], Tool]  # the last: when it is done
    dialog: Callable[[str], Callable[..., QDialog]]
    open_mesh: Callable[..., QDialog]  # path, then as a dialog
    open_layout: Callable[..., LayoutDialog]  # the same
    export_dialog: Callable[..., ExportDialog]
    new_body: Callable[[str], Body]
    drop: Callable[[Scene, Collection[str]], Scene]
    to_ground: Callable[[Scene, Collection[str]], Scene]


def real_parts() -> Parts:
    from app.panels.inspector import Inspector
    from app.panels.outliner_panel import OutlinerPanel
    from app.panels.shelf_panel import ShelfPanel
    from app.runs.generation import Pool
    from app.runs.worker import Worker
    from app.viewport.view import View

    return Parts(
        view=View,
        outliner=OutlinerPanel,
        shelf=ShelfPanel,
        inspector=Inspector,
        worker=Worker,
        pool=Pool,
        tool=lambda name, stage: late(TOOLS[name])(stage),
        place_tool=late("app.tools.place:PlaceTool"),
        dialog=lambda name: late(DIALOGS[name]),
        open_mesh=late("app.makers.mesh_dialog:MeshDialog.opened"),
        open_layout=late("app.makers.layout_dialog:LayoutDialog.opened"),
        export_dialog=late("app.export.export_dialog:ExportDialog"),
        new_body=late("app.panels.new_bodies:new_body"),
        drop=late("app.tools.snapping:drop"),
        to_ground=late("app.tools.snapping:to_ground"),
    )


TOOLS = {
    "select": "app.tools.select:SelectTool",
    "move": "app.tools.select:MoveTool",
    "rotate": "app.tools.select:RotateTool",
    "scale": "app.tools.select:ScaleTool",
    "sketch": "app.tools.sketch:SketchTool",
}
DIALOGS = {
    "text": "app.makers.text_dialog:TextDialog",
    "wall": "app.makers.wall_dialog:WallDialog",
    "array": "app.makers.array_dialog:ArrayDialog",
}


def late(place: str) -> Callable[..., Any]:
    """What stands at "module:name", imported when it is called."""
    module, _, name = place.partition(":")
    return lambda *arguments: attrgetter(name)(import_module(module))(*arguments)
