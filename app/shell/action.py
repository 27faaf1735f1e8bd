"""Action: one thing the artist can ask for. Menus, toolbar, shortcuts, tooltips and the command palette read it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from engine.scene.spec import Scene

if TYPE_CHECKING:
    from app.shell.studio import Studio

Run: TypeAlias = "Callable[[Studio], object]"
Reason: TypeAlias = "Callable[[Studio], str]"  # "" when the action can run, else a sentence that says why not


def always(studio: Studio) -> str:
    return ""


def needs(test: Callable[[Studio], object], words: str, first: Reason = always) -> Reason:
    """Why not: these words, unless the test holds; what `first` says comes before."""
    return lambda studio: first(studio) or ("" if test(studio) else words)


def needs_quiet(studio: Studio) -> str:
    """Nothing else must run."""
    return f"{studio.job_words} is under way." if studio.job is not None else ""


needs_selection = needs(lambda studio: studio.selection.ids, "Select a body first.")
needs_bodies = needs(lambda studio: studio.document.scene.bodies, "Add a body first.")
needs_moving = needs(lambda studio: (body := studio.selection.active_body()) is not None and not body.static,
                     "Select a body that can move first.")  # fmt: skip
needs_shown = needs(lambda studio: studio.playback.card, "No take is shown.")


@dataclass(frozen=True)
class Action:
    """A row of the table. Texts are in sentence case; an ellipsis says that a question follows."""

    id: str  # stable: "edit.undo"
    text: str
    menu: str  # where it stands: "Edit", "View/Colour by"
    tip: str  # one sentence: what it does
    run: Run
    keys: tuple[str, ...] = ()
    maya_keys: tuple[str, ...] | None = None  # where they differ from `keys` in that preset
    list_key: str = ""  # what does it while the keyboard is in the list of takes; elsewhere that key is another's
    icon: str = ""
    why_not: Reason = always
    checked: Callable[[Studio], bool] | None = None  # given: the action is a switch or one of several choices
    label: Callable[[Studio], str] | None = None  # given: the text depends on the state ("Undo Move 3 bodies")
    line: bool = False  # a separator stands before it
    on_welcome: bool = False  # works while the start page covers the scene

    def shortcuts(self, preset: str) -> tuple[str, ...]:
        return self.maya_keys if preset == "maya" and self.maya_keys is not None else self.keys

    def reason(self, studio: Studio) -> str:
        """Why it cannot run now; "" when it can."""
        if studio.shell.welcome_shown and not self.on_welcome:
            return "Close the start page first (Esc)."
        return self.why_not(studio)

    def words(self, studio: Studio) -> str:
        return self.label(studio) if self.label is not None else self.text

    def menu_words(self, words: str) -> str:
        """Its words with the key that works in the list, where a menu shows keys."""
        return f"{words}\t{self.list_key} in the list" if self.list_key else words


def refresh(studio: Studio) -> None:
    studio.refreshed.emit()


def setting(name: str, value: object, then: Run = refresh) -> Run:
    """A command that sets a preference."""

    def run(studio: Studio) -> None:
        studio.settings.set(name, value)
        then(studio)

    return run


def switch(name: str, then: Run = refresh) -> Run:
    """A command that turns a preference on or off."""
    return lambda studio: setting(name, not studio.settings.get(name), then)(studio)


def changes(words: str, edit: Callable[..., Scene], **fields: object) -> Run:
    """A command that changes the selected bodies; {} in its words stands for them."""
    return lambda studio: studio.selection.edit(words, edit, **fields)


def setting_is(name: str, value: object) -> Callable[[Studio], bool]:
    return lambda studio: bool(studio.settings.get(name) == value)


def counted(count: int, one: str = "body", many: str = "bodies") -> str:
    """ "1 body", "3 bodies"."""
    return f"{count} {one if count == 1 else many}"
