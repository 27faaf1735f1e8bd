"""The window itself: panels, theme, key presets."""

from __future__ import annotations

from app.look.look import THEMES
from app.shell.action import Action, setting, setting_is, switch
from app.shell.studio import Studio

PANELS = {
    "outliner": "Outliner",
    "shelf": "Shapes",
    "inspector": "Inspector",
    "timeline": "Timeline",
    "takes": "Takes",
}
PRESETS = {
    "blender": ("As in Blender", "G, R and S move, rotate and scale."),
    "maya": ("As in Maya", "W, E and R choose the tools."),
}


def show_theme(studio: Studio) -> None:
    studio.look.set_theme(studio.settings.get("look/theme"))
    studio.refreshed.emit()


def shows(name: str, words: str) -> Action:
    return Action(f"window.{name}", words, "Window", f"Show or hide the panel {words}.",
                  lambda studio: studio.shell.docks.toggle(name),
                  checked=lambda studio: studio.shell.docks.shown(name))  # fmt: skip


ACTIONS = (
    *(shows(*panel) for panel in PANELS.items()),
    Action("window.next_panel", "Next panel", "Window", "Go to the next panel by keyboard.",
           lambda studio: studio.shell.next_panel(), ("F6",), line=True),
    Action("window.reset_layout", "Reset layout", "Window", "Put every panel back where it belongs.",
           lambda studio: studio.shell.reset_layout()),
    *(
        Action(f"window.theme_{name}", name.capitalize(), "Window/Theme", f"Use the {name} theme.",
               setting("look/theme", name, show_theme), checked=setting_is("look/theme", name),
               line=name == THEMES[0], on_welcome=True)
        for name in THEMES
    ),
    *(
        Action(f"window.keys_{name}", words, "Window/Keys", tip, setting("view/keys", name),
               checked=setting_is("view/keys", name), on_welcome=True)
        for name, (words, tip) in PRESETS.items()
    ),
    Action("window.reduce_motion", "Reduce motion", "Window", "Nothing in the window moves by itself.",
           switch("look/reduce_motion"), checked=setting_is("look/reduce_motion", True), on_welcome=True),
    Action("window.welcome_at_start", "Start page at start", "Window", "Show the start page when Foregone starts.",
           switch("start/welcome"), checked=setting_is("start/welcome", True), on_welcome=True),
)  # fmt: skip
