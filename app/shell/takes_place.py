"""TakesPlace: the browser of takes in the window: in its dock, or enlarged over everything between the bars."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from app.takes.compare_panel import ghost_color
from app.takes.curves import Curves
from app.takes.energy_panel import EnergyPanel
from app.takes.film_colors import FilmColors
from app.takes.running import RunningTakes
from app.takes.sources import Sources
from app.takes.takes_panel import TakesPanel
from app.tools.tool import Expect
from app.viewport.thumbnails import Thumbnails
from engine.errors import ProjectError

if TYPE_CHECKING:
    from app.shell.window import Window

TAKES_KEYS = (
    Expect("Enter", "use take in the shot"),
    Expect("P", "pin"),
    Expect("X", "reject"),
    Expect("C", "compare"),
    Expect("F2", "rename"),
)


class TakesPlace:
    def __init__(self, window: Window) -> None:
        self._window = window
        studio = window.studio
        self.running = RunningTakes(window)
        self.thumbnails = Thumbnails(studio.document, studio.settings, studio.look, lambda: studio.view.camera, window)
        sources = Sources(
            studio.document,
            studio.playback,
            studio.browsing,
            self.running,
            self.thumbnails,
            Curves(studio.document, window),
            studio.look,
        )
        self.panel, self.energy = TakesPanel(sources), EnergyPanel(sources)
        window.inspector.add_tab("energy", "tab.energy", "Energy", self.energy, after="stacking")
        self._colors = FilmColors(studio.view, studio.playback, window)
        self.panel.asked.connect(lambda command: window.actions_by_id.run(command))
        self.panel.grid.menu_asked.connect(lambda place: window.menus.card_menu.popup(place))
        self.energy.discard_asked.connect(lambda: window.actions_by_id.run("takes.discard_above"))
        studio.view.camera_changed.connect(self.thumbnails.outdate)
        studio.refreshed.connect(lambda: self.running.follow(studio.generation))
        self.running.changed.connect(lambda: window.timeline.set_generating(self.running.active))
        studio.browsing.changed.connect(self._compare)
        studio.playback.changed.connect(lambda: window.inspector.body.hint.show_take(studio.playback.card))
        self.enlarged: bool = False
        self._compared = ""

    def keys(self) -> list[Expect] | None:
        """What keys do while they go to the list; None while they go elsewhere."""
        if not self.enlarged and not self.panel.grid.hasFocus():
            return None
        return [*TAKES_KEYS, Expect("Ctrl+Space", "back to the view" if self.enlarged else "enlarge")]

    def see(self, seen: bool) -> None:
        """Who goes to another tab has left the list."""
        if not seen and not self.enlarged:
            self._window.studio.browsing.leave()

    def enlarge(self, enlarged: bool) -> None:
        """Under the enlarged panel the view is hidden, so that it draws nothing."""
        if enlarged == self.enlarged:
            return
        self.enlarged = enlarged
        window, dock = self._window, self._window.docks.docks["takes"]
        window.studio.view.setVisible(not enlarged)
        if enlarged:
            self.panel.setParent(window)
            self.panel.set_enlarged(True)
            window.cover(self.panel)
            self.panel.show()
            self.panel.grid.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.panel.set_enlarged(False)
            dock.setWidget(self.panel)
            self.panel.show()
            window.studio.view.setFocus()
        self._compare()
        window.studio.refreshed.emit()

    def _compare(self) -> None:
        """In the view as well: B in its colour, over A. Not while the view is hidden."""
        studio, film = self._window.studio, None
        other = studio.browsing.other if studio.browsing.shown is not None and not self.enlarged else None
        if other is not None:
            with contextlib.suppress(ProjectError):
                film = studio.document.takes.film(other.id)
        self._window.playing.compare_with(film, ghost_color())
        if other is not None and film is not None and other.id != self._compared:
            self._window.say(f"{other.name} is shown in blue, at the same time before the ending.")
        self._compared = other.id if other is not None else ""
