"""What can be found out about bodies: the tabs of the inspector, and the list of problems."""

from __future__ import annotations

from app.shell.action import Action, needs_moving, setting_is, switch
from app.shell.view_commands import redraw

TABS = {  # key -> words, what it tells
    "body": ("Body", "Shape, place and material of the selected body."),
    "stacking": ("Stacking", "Who carries whom, and who can leave."),
    "energy": ("Energy", "How much energy each take needs."),
    "stability": ("Stability", "Whether the selected body stands, and how far from falling it is."),
    "wedged": ("Wedged", "Whether the selected body is jammed between others."),
    "contact": ("Contact", "Where the selected body presses, and whether it is about to tip."),
    "problems": ("Problems", "Everything that keeps this ending from standing."),
    "scene": ("Scene", "Gravity, ground and time."),
}


def shows(number: int, key: str, words: str, tip: str) -> Action:
    return Action(f"inspect.{key}", words, "Inspect", tip, lambda studio: studio.shell.show_tab(key),
                  (f"Alt+{number}",), icon=f"tab.{key}", checked=lambda studio: studio.shell.tab_shown(key),
                  line=key == "stability")  # fmt: skip


ACTIONS = (
    *(shows(number, key, *told) for number, (key, told) in enumerate(TABS.items(), start=1)),
    Action("inspect.reach", "Where could it come from?", "Inspect", "Throw the selected body thousands of times, "
           "and see where it comes to rest.", lambda studio: studio.shell.reach.open(), icon="tab.reach",
           why_not=needs_moving, line=True),
    Action("inspect.snap", "Snap to nearest reachable ending", "Inspect", "Put the selected body where the nearest of "
           "its throws came to rest.", lambda studio: studio.shell.reach.snap(), icon="tab.reach",
           why_not=needs_moving),
    Action("inspect.next_problem", "Next problem", "Inspect", "Select what the next problem of this ending is about.",
           lambda studio: studio.shell.next_problem(), ("N",), line=True),
    Action("view.patches", "Patches", "Inspect", "Show in the view where the inspected body touches others.",
           switch("view/patches", redraw), icon="view.patches", checked=setting_is("view/patches", True), line=True),
    Action("view.forces", "Forces", "Inspect", "Show in the view how strongly the inspected body presses.",
           switch("view/forces", redraw), icon="view.forces", checked=setting_is("view/forces", True)),
)  # fmt: skip
