"""New bodies: single shapes are placed under the mouse, walls, text and meshes have dialogs."""

from __future__ import annotations

from PySide6.QtGui import QCursor

from app.document.die_edits import set_spots
from app.shell.action import Action, Run, needs_selection
from app.shell.file_commands import import_mesh
from app.shell.studio import Studio
from engine.scene.dice import is_die
from engine.scene.spec import Box

SHAPES = {  # kind -> words, icon, tip
    "box": ("Box", "shape.box", "Place a box on what is under the mouse."),
    "die": ("Die", "shape.die", "Place a die that shows a six on what is under the mouse."),
    "sphere": ("Sphere", "shape.sphere", "Place a ball on what is under the mouse."),
    "capsule": ("Capsule", "shape.capsule", "Place a capsule on what is under the mouse."),
    "cylinder": ("Cylinder", "shape.cylinder", "Place a cylinder on what is under the mouse."),
    "ramp": ("Ramp", "shape.ramp", "Place a wedge on what is under the mouse."),
}
MAKERS = {
    "wall": ("Wall…", "shape.wall", "Build a wall of bricks."),
    "text": ("Text…", "shape.text", "Write a word with boxes, balls or letters."),
}


def add_kind(studio: Studio, kind: str) -> None:
    """What a tile of the shelf or an entry of the menu stands for."""
    studio.shell.hide_welcome()
    if kind == "mesh":
        import_mesh(studio)
    elif kind in MAKERS:
        studio.open_dialog(kind)
    else:
        studio.place(kind)


def adds(kind: str) -> Run:
    return lambda studio: add_kind(studio, kind)


def spots(studio: Studio) -> None:
    """On all selected boxes, or off when all have them."""
    on = not _all_dice(studio)
    studio.selection.edit("Draw spots on {}" if on else "Remove the spots of {}", set_spots, on)


def _why_no_spots(studio: Studio) -> str:
    boxes = any(isinstance(body.shape, Box) for body in studio.selection.bodies())
    return needs_selection(studio) or ("" if boxes else "Only boxes can be dice.")


def _all_dice(studio: Studio) -> bool:
    boxes = [body for body in studio.selection.bodies() if isinstance(body.shape, Box)]
    return bool(boxes) and all(is_die(body) for body in boxes)


ACTIONS = (
    *(
        Action(f"add.{kind}", words, "Add", tip, adds(kind), icon=icon)
        for kind, (words, icon, tip) in SHAPES.items()
    ),
    *(
        Action(f"add.{kind}", words, "Add", tip, adds(kind), icon=icon, line=kind == "wall")
        for kind, (words, icon, tip) in MAKERS.items()
    ),
    Action("add.mesh", "Mesh…", "Add", "Add a body from an OBJ, STL, PLY or glTF file.", adds("mesh"),
           icon="shape.mesh"),
    Action("add.spots", "Spots of a die", "Add", "Draw the selected boxes as dice; the Body tab then chooses the "
           "number on top.", spots, why_not=_why_no_spots, checked=_all_dice, line=True),
    Action("add.menu", "Add here…", "Add", "Open this menu at the mouse.",
           lambda studio: studio.shell.menus.add_menu.popup(QCursor.pos()), ("Shift+A",)),
)  # fmt: skip
