"""Where the scene is seen from and how it is drawn."""

from __future__ import annotations

from app.shell.action import Action, Run, needs_bodies, setting, setting_is, switch
from app.shell.studio import Studio
from app.viewport.motion_pills import GHOST_COUNTS, count_words

AXES = (  # name, words, key
    ("front", "Front", "1"),
    ("back", "Back", "Ctrl+1"),
    ("right", "Right", "3"),
    ("left", "Left", "Ctrl+3"),
    ("top", "Top", "7"),
    ("bottom", "Bottom", "Ctrl+7"),
)
NAVIGATION = {
    "blender": ("Blender", "Middle button orbits, with Shift pans, wheel zooms."),
    "maya": ("Maya", "Alt and left orbits, Alt and middle pans, Alt and right zooms."),
    "plain": ("Without Alt", "Right button orbits, with Shift pans, wheel zooms."),
}
COLORS = {  # what can be shown without a take
    "material": ("Material", "Every body in its own colour."),
    "arrival": ("Arrival", "Bodies by when they come to rest."),
}


def frame(studio: Studio) -> None:
    studio.view.frame(list(studio.selection.ids) or None)


def looks_from(axis: str) -> Run:
    return lambda studio: studio.view.look_from(axis)


def project(studio: Studio) -> None:
    studio.view.set_orthographic(studio.settings.get("view/orthographic"))
    studio.refreshed.emit()


def colors_by(mode: str) -> Run:
    return lambda studio: studio.view.set_color_by(mode)


def redraw(studio: Studio) -> None:
    studio.view.apply_settings()
    studio.refreshed.emit()


ACTIONS = (
    Action("view.frame", "Frame selection", "View", "Bring the selection into view; everything when nothing is "
           "selected.", frame, ("F",), why_not=needs_bodies),
    Action("view.frame_all", "Frame all", "View", "Bring everything into view.", lambda studio: studio.view.frame([]),
           ("Shift+F",), maya_keys=("A", "Shift+F"), why_not=needs_bodies),
    *(
        Action(f"view.{axis}", words, "View/Viewpoint", f"Look at the scene from the {axis}.", looks_from(axis), (key,),
               line=key == "1")
        for axis, words, key in AXES
    ),
    Action("view.orthographic", "Orthographic", "View/Viewpoint", "Parallel lines stay parallel: no perspective.",
           switch("view/orthographic", project), ("5",), checked=setting_is("view/orthographic", True), line=True),
    *(
        Action(f"view.color_{mode}", words, "View/Colour by", tip, colors_by(mode),
               checked=setting_is("view/color_by", mode))
        for mode, (words, tip) in COLORS.items()
    ),
    Action("view.ghosts", "Ghosts", "View", "Show where bodies were a few frames before: what is selected, or all when "
           "few move.", switch("view/ghosts", redraw), icon="view.ghosts", checked=setting_is("view/ghosts", True),
           line=True),
    Action("view.trail", "Trail", "View", "Show the way of what is selected, frame by frame.",
           switch("view/trail", redraw), icon="view.trail", checked=setting_is("view/trail", True)),
    *(
        Action(f"{name.replace('/', '.')}_{count}", count_words(name, count), f"View/{heading}",
               f"{heading}: {count_words(name, count).lower()}.", setting(name, count, redraw),
               checked=setting_is(name, count))
        for name, (heading, counts) in GHOST_COUNTS.items()
        for count in counts
    ),
    Action("view.shadows", "Shadows", "View", "Draw soft shadows. Without a graphics card off is faster, and the "
           "shadows of hundreds of bodies are coarse while they move.",
           switch("view/shadows", redraw), checked=setting_is("view/shadows", True), line=True),
    Action("view.smooth_edges", "Smooth edges", "View", "Smooth the edges of bodies; off is faster.",
           switch("view/smooth_edges", redraw), checked=setting_is("view/smooth_edges", True)),
    *(
        Action(f"view.navigation_{name}", words, "View/Navigation", tip, setting("view/navigation", name, redraw),
               checked=setting_is("view/navigation", name), line=name == "blender", on_welcome=True)
        for name, (words, tip) in NAVIGATION.items()
    ),
)  # fmt: skip
