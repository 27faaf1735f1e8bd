"""New bodies: single shapes are placed under the mouse, walls, text and meshes have dialogs."""

from __future__ import annotations

from app.shell.action import Action, Run
from app.shell.studio import Studio

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
        from app.shell.file_commands import import_mesh

        import_mesh(studio)
    elif kind in MAKERS:
        studio.open_dialog(kind)
    else:
        studio.place(kind)


def adds(kind: str) -> Run:
    return lambda studio: add_kind(studio, kind)


def open_add_menu(studio: Studio) -> None:
    studio.shell.open_add_menu()


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
    Action("add.menu", "Add here…", "Add", "Open this menu at the mouse.", open_add_menu, ("Shift+A",), line=True),
)  # fmt: skip
