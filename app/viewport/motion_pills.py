"""Pills about the take that is shown: ghosts and trail on or off, and whether the take matches the scene."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.look.look import Look
from app.session.settings import Settings
from app.viewport.pill import Pill

GHOST_COUNTS: dict[str, tuple[str, tuple[int, ...]]] = {  # setting -> heading, choices
    "view/ghost_count": ("Ghosts before this frame", (0, 1, 2, 3, 4, 6, 8)),
    "view/ghosts_after": ("Ghosts after it", (0, 1, 2, 3, 4)),
    "view/ghost_step": ("From ghost to ghost", (1, 2, 3, 5, 10)),
}


def count_words(setting: str, count: int) -> str:
    """ "None", "4", "3 frames"."""
    if setting == "view/ghost_step":
        return "1 frame" if count == 1 else f"{count} frames"
    return str(count) if count else "None"


class Freshness(Pill):
    """A word when the take matches the scene, a button that generates it again when it does not."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(look, "take.fresh", "Whether the take matches the scene", parent, menu=False)
        self.stale = False
        self.hide()

    def show_state(self, name: str, stale: bool) -> None:
        """Said for every frame that is shown: costs nothing while it stays the same."""
        words = f"{name} is older than the scene · Generate again" if stale else f"{name} matches the scene"
        if (words, stale) == (self.text(), self.stale):
            return
        self.stale = stale
        self._icon_name, self._icon_role = ("take.stale", "ghosted") if stale else ("take.fresh", "exact")
        self.setAccessibleName(words)
        self.setToolTip("Generate this take again, with the same seed, for the scene as it is now." if stale else words)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not stale)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if stale else Qt.FocusPolicy.NoFocus)
        self.set_words(words)
        self.update()


class MotionPills(QObject):
    """Hidden while there is no take to see.

    Signals:
        setting_chosen(str, object)   name and value of a preference
        again_requested()             the take is to be generated for the scene as it is
        resized()                     a word is longer or shorter, or there is one more pill
    """

    setting_chosen = Signal(str, object)
    again_requested = Signal()
    resized = Signal()

    def __init__(self, look: Look, view: QWidget) -> None:
        super().__init__(view)
        self.ghosts = Pill(look, "view.ghosts", "Ghosts: where bodies were and will be", view, switch=True)
        self.trail = Pill(look, "view.trail", "Trail: the way of what is selected", view, menu=False, switch=True)
        self.freshness = Freshness(look, view)
        self._groups = {setting: self._fill(setting) for setting in GHOST_COUNTS}
        self.trail.set_words("Trail")
        self.ghosts.clicked.connect(lambda on: self.setting_chosen.emit("view/ghosts", on))
        self.trail.clicked.connect(lambda on: self.setting_chosen.emit("view/trail", on))
        self.freshness.clicked.connect(self.again_requested)
        self.show_take("", False)

    def _fill(self, setting: str) -> dict[int, QAction]:
        words, counts = GHOST_COUNTS[setting]
        self.ghosts.menu().addSection(words)
        choices = {count: count_words(setting, count) for count in counts}
        return self.ghosts.offer(choices, lambda count: self.setting_chosen.emit(setting, count))

    def show_take(self, name: str, stale: bool) -> None:
        """What there is to see; without a name there is nothing."""
        before = (self.freshness.isHidden(), self.freshness.text())
        for pill in (self.ghosts, self.trail, self.freshness):
            pill.setVisible(bool(name))
        if name:
            self.freshness.show_state(name, stale)
        if before != (self.freshness.isHidden(), self.freshness.text()):
            self.resized.emit()

    def show_settings(self, settings: Settings) -> None:
        for setting, group in self._groups.items():
            for count, action in group.items():
                action.setChecked(count == settings.get(setting))
        count = settings.get("view/ghost_count") + settings.get("view/ghosts_after")
        self.ghosts.setChecked(bool(settings.get("view/ghosts")))
        self.trail.setChecked(bool(settings.get("view/trail")))
        before = self.ghosts.text()
        self.ghosts.set_words(f"Ghosts {count}")
        if before != self.ghosts.text():
            self.resized.emit()
