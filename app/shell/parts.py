"""Parts: where the pieces of the window come from. Imported when they are needed, so that the window is up soon."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
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
        tool=_tool,
        place_tool=_place_tool,
        dialog=_dialog,
        open_mesh=_open_mesh,
        open_layout=_open_layout,
        export_dialog=_export_dialog,
        new_body=_new_body,
        drop=_drop,
        to_ground=_to_ground,
    )


def _tool(name: str, stage: Stage) -> Tool:
    from app.tools import select, sketch

    kinds: Mapping[str, type[Tool]] = {
        "select": select.SelectTool,
        "move": select.MoveTool,
        "rotate": select.RotateTool,
        "scale": select.ScaleTool,
        "sketch": sketch.SketchTool,
    }
    return kinds[name](stage)


def _place_tool(stage: Stage, make: Callable[[], Body], finished: Callable[[], None]) -> Tool:
    from app.tools.place import PlaceTool

    return PlaceTool(stage, make, finished)


def _dialog(name: str) -> Callable[..., QDialog]:
    if name == "text":
        from app.makers.text_dialog import TextDialog

        return TextDialog
    if name == "wall":
        from app.makers.wall_dialog import WallDialog

        return WallDialog
    from app.makers.array_dialog import ArrayDialog

    return ArrayDialog


def _open_mesh(*arguments: Any) -> QDialog:
    from app.makers.mesh_dialog import MeshDialog

    return MeshDialog.opened(*arguments)


def _open_layout(*arguments: Any) -> LayoutDialog:
    from app.makers.layout_dialog import LayoutDialog

    return LayoutDialog.opened(*arguments)


def _export_dialog(*arguments: Any) -> ExportDialog:
    from app.export.export_dialog import ExportDialog

    return ExportDialog(*arguments)


def _new_body(kind: str) -> Body:
    from app.panels.new_bodies import new_body

    return new_body(kind)


def _drop(scene: Scene, ids: Collection[str]) -> Scene:
    from app.tools.snapping import drop

    return drop(scene, ids)


def _to_ground(scene: Scene, ids: Collection[str]) -> Scene:
    from app.tools.snapping import to_ground

    return to_ground(scene, ids)
