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
    from app.runs.worker import Worker
    from app.viewport.view import View

TOOLS = ("select", "move", "rotate", "scale")
DIALOGS = ("text", "wall", "array", "mesh")


@dataclass(frozen=True)
class Parts:
    """Makers of the pieces. Tests of the window put simple ones in their place."""

    view: Callable[[Document, Selection, Settings, Look], View]
    outliner: Callable[[Document, Selection, Look], QWidget]
    shelf: Callable[[Look], Any]  # a widget with a signal chosen(str)
    inspector: Callable[[Document, Selection, Settings, Look], QWidget]
    worker: Callable[[QWidget], Worker]
    tool: Callable[[str, Stage], Tool]
    place_tool: Callable[[Stage, Callable[[], Body]], Tool]
    dialog: Callable[[str], Callable[..., QDialog]]
    new_body: Callable[[str], Body]
    drop: Callable[[Scene, Collection[str]], Scene]
    to_ground: Callable[[Scene, Collection[str]], Scene]


def real_parts() -> Parts:
    from app.panels.inspector import Inspector
    from app.panels.outliner_panel import OutlinerPanel
    from app.panels.shelf_panel import ShelfPanel
    from app.runs.worker import Worker
    from app.viewport.view import View

    return Parts(
        view=View,
        outliner=OutlinerPanel,
        shelf=ShelfPanel,
        inspector=Inspector,
        worker=Worker,
        tool=_tool,
        place_tool=_place_tool,
        dialog=_dialog,
        new_body=_new_body,
        drop=_drop,
        to_ground=_to_ground,
    )


def _tool(name: str, stage: Stage) -> Tool:
    from app.tools import select

    kinds: Mapping[str, type[Tool]] = {
        "select": select.SelectTool,
        "move": select.MoveTool,
        "rotate": select.RotateTool,
        "scale": select.ScaleTool,
    }
    return kinds[name](stage)


def _place_tool(stage: Stage, make: Callable[[], Body]) -> Tool:
    from app.tools.place import PlaceTool

    return PlaceTool(stage, make)


def _dialog(name: str) -> Callable[..., QDialog]:
    if name == "text":
        from app.makers.text_dialog import TextDialog

        return TextDialog
    if name == "wall":
        from app.makers.wall_dialog import WallDialog

        return WallDialog
    if name == "array":
        from app.makers.array_dialog import ArrayDialog

        return ArrayDialog
    from app.makers.mesh_dialog import MeshDialog

    return MeshDialog


def _new_body(kind: str) -> Body:
    from app.panels.new_bodies import new_body

    return new_body(kind)


def _drop(scene: Scene, ids: Collection[str]) -> Scene:
    from app.tools.snapping import drop

    return drop(scene, ids)


def _to_ground(scene: Scene, ids: Collection[str]) -> Scene:
    from app.tools.snapping import to_ground

    return to_ground(scene, ids)
