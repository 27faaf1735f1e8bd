"""ReachPanel: where random throws of the selected body come to rest, and whether its ending is among them."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.document.document import Document
from app.kit import Card, Choice, EmptyState, PanelScroll, Segments, Text, Toggle, WordButton, labelled, panel_column
from app.kit.layouts import FILL, column, held, row, stacked
from app.kit.painting import space
from app.look.look import Look
from app.panels.reach_plot import ReachPlot
from app.session.selection import Selection
from engine.scene.reach_map import FELL, MOVING, PLANES, Density, Plane, ReachMap, Verdict, pose_of, verdict
from engine.scene.spec import Body, Scene

EMPTY = "Select a body that can move to see from where it could come."
ABOUT = "Throws it thousands of times while everything else rests, and shows where it comes to rest. It takes seconds."
OVERTAKEN = "Something else in the scene has changed since. Throw it again."
MOMENTS: dict[str, float | None] = {
    "At rest": 0.0,
    "0.1 s before": 0.1,
    "0.25 s before": 0.25,
    "0.5 s before": 0.5,
    "1 s before": 1.0,
    "2 s before": 2.0,
    "When let go": None,
}
SIDES: tuple[tuple[Plane, str], ...] = (("top", "Top"), ("front", "Front"), ("side", "Side"))
SEVERITY = {"fine": "fine", "warning": "warning", "bad": "error"}
FEW, LEAST_FEW = 0.02, 20  # of the throws that come to rest: those near the ending, to see from where they come
THERE, ALIKE = 5e-5, 0.05  # m, degrees: nearer to a throw it need not be
SNAP = "Snap to the nearest"


class ReachPanel(QWidget):
    """Signals:
    throw_asked()   the active body
    stop_asked()
    snap_asked()
    save_asked()    the picture
    """

    throw_asked = Signal()
    stop_asked = Signal()
    snap_asked = Signal()
    save_asked = Signal()

    def __init__(self, document: Document, look: Look, selection: Selection) -> None:
        super().__init__()
        self._document, self._look, self._selection = document, look, selection
        self._running: str | None = None  # words of what is under way
        self._failure = ""
        self._others: tuple[Body, ...] = ()  # as they were when it was thrown
        self.found: ReachMap | None = None
        self.plane: Plane = "top"
        self.moment = "At rest"
        self.card = Card(look)
        self.card.fix_requested.connect(self._press)
        self.planes = Segments(look, SIDES, "Seen from")
        self.planes.chosen.connect(self._choose_plane)
        self.moments = Choice(look, list(MOMENTS), "When")
        self.moments.chosen.connect(self._choose_moment)
        self.near = Toggle(look, "Only throws near mine", "Those that end most like it")
        self.near.toggled.connect(self._choose_near)
        self.place, self.turn = ReachPlot(look, "Where throws are"), ReachPlot(look, "How throws are turned")
        self.place_words, self.turn_words = (Text(look, "", "text2", "small") for _ in range(2))
        self.counts = Text(look, "", "text2", "small", wraps=True)
        self.again, self.save = WordButton(look, "Throw again"), WordButton(look, "Save picture…")
        self.again.setToolTip("Other throws, and a map of these")
        self.again.clicked.connect(self.throw_asked)
        self.save.clicked.connect(self.save_asked)
        self._lay_out()
        self.planes.set_current(self.plane)
        self.moments.set_text(self.moment)
        selection.changed.connect(self._show)
        document.changed.connect(lambda *_: self._show())
        self._show()

    def _lay_out(self) -> None:
        self._turn_place = held(column(self.turn_words, self.turn, gap=space("xs")))
        told = "Cross: your ending. Dots: throws that come to rest; the stronger the colour, the more of them."
        legend = Text(self._look, told, "text3", "caption", wraps=True)
        self._result = held(
            column(
                labelled(self._look, "Seen from", self.planes),
                labelled(self._look, "When", self.moments),
                self.near,
                self.place_words,
                self.place,
                self._turn_place,
                legend,
                self.counts,
                row(self.again, self.save, FILL, gap=space("s")),
                gap=space("s"),
            )
        )
        title = Text(self._look, "Where could it come from?", "text", "panel_title")
        content = PanelScroll(panel_column(title, self.card, self._result, FILL))
        self._pages = stacked(EmptyState(self._look, "tab.reach", EMPTY), content, of=self)

    # -- what there is to show ---------------------------------------------------------------------------------------

    @property
    def body(self) -> Body | None:
        """The body that would be thrown."""
        body = self._selection.active_body()
        return body if body is not None and not body.static else None

    @property
    def has_map(self) -> bool:
        """Is there one of this body, and is it up to date?"""
        body, found = self.body, self.found
        return body is not None and found is not None and found.body == body.id and not self._is_overtaken

    @property
    def verdict(self) -> Verdict | None:
        """About the ending as it is in the scene now."""
        body, found = self.body, self.found
        if body is None or found is None or not self.has_map:
            return None
        pose = pose_of(body.position, body.orientation)
        return verdict(found, pose, found.stays or not np.array_equal(pose, found.ending))

    @property
    def chosen(self) -> np.ndarray:
        """The throws on the map."""
        found = self.found
        assert found is not None
        return found.nearest(self._pose(found), self._few(found)) if self.near.on else found.rested

    def _few(self, found: ReachMap) -> int:
        """Throws that end nearest: enough to show from where they come."""
        return max(LEAST_FEW, round(FEW * len(found.rested)))

    @property
    def before(self) -> float | None:
        return MOMENTS[self.moment]

    def show_running(self, words: str) -> None:
        self._running, self._failure = words, ""
        self._show()

    def show_stopped(self, failure: str = "") -> None:
        """Nothing is under way any more; `failure` says why nothing came of it."""
        self._running, self._failure = None, failure
        self._show()

    def show_map(self, scene: Scene, found: ReachMap) -> None:
        """`scene`: in which it was thrown."""
        self.found, self._running, self._failure = found, None, ""
        self._others = tuple(body for body in scene.bodies if body.id != found.body)
        self._show()

    @property
    def _is_overtaken(self) -> bool:
        scene, found = self._document.scene, self.found
        assert found is not None
        others = [body for body in scene.bodies if body.id != found.body]
        return len(others) != len(self._others) or any(a is not b for a, b in zip(others, self._others, strict=True))

    def _pose(self, found: ReachMap) -> np.ndarray:
        body = self._document.scene.find(found.body)
        return found.ending if body is None else pose_of(body.position, body.orientation)

    # -- choices -----------------------------------------------------------------------------------------------------

    def _choose_plane(self, key: str) -> None:
        self.plane = next(plane for plane in PLANES if plane == key)
        self._show()

    def _choose_moment(self, words: str) -> None:
        self.moment = words
        self._show()

    def _choose_near(self, on: bool) -> None:
        self.near.set_on(on)
        self._show()

    def _press(self) -> None:
        if self._running is not None:
            self.stop_asked.emit()
        elif self.has_map and self.card.button.words == SNAP:
            self.snap_asked.emit()
        else:
            self.throw_asked.emit()

    # -- showing -----------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        body, found = self.body, self.found
        self._pages.setCurrentIndex(1 if self._running is not None or body is not None else 0)
        mine = found is not None and body is not None and found.body == body.id
        self._result.setVisible(mine)
        self.again.setEnabled(self._running is None)
        said = self.verdict
        if self._running is not None:
            self.card.show_words("Throwing", self._running, "Stop")
        elif self._failure:
            self.card.show_words("No map", self._failure, f"Throw {body.name}" if body else "", "warning")
        elif said is not None:
            snaps = said.nearest is not None and (said.place > THERE or said.turn > ALIKE)
            self.card.show_words(said.title, said.words, SNAP if snaps else "", SEVERITY[said.level])
        elif body is not None:
            words = OVERTAKEN if mine else ABOUT
            self.card.show_words(body.name, words, f"Throw {body.name}")
        if mine and found is not None:
            self._show_map(found)

    def _show_map(self, found: ReachMap) -> None:
        pose, chosen = self._pose(found), self.chosen
        place = found.density(self.plane, "place", self.before, chosen, pose)
        self.place.show_density(place, found.outlines[self.plane])
        right, up, _ = PLANES[self.plane]
        self.place_words.set_text(f"{'xyz'[right]} and {'xyz'[up]} · {_throws(place)}")
        self._turn_place.setVisible(found.turns != "none")
        if found.turns != "none":
            turn = found.density(self.plane, "turn", self.before, chosen, pose)
            self.turn.show_density(turn)
            self.turn_words.set_text(f"{'xyz'[right]} and turn, -180° to 180°")
        others = ((FELL, "fall away"), (MOVING, "still move after 8 s"))
        told = [f"{found.count(fate):,} {words}" for fate, words in others if found.count(fate)]
        rested = f"{len(found.rested):,} of {len(found.fate):,} throws come to rest"
        self.counts.set_text(", ".join([rested, *told]) + ".")
        self.near.set_effect(f"The {self._few(found)} that end most like it")
        self.save.setEnabled(bool(len(found.rested)))


def _throws(shown: Density) -> str:
    return f"{len(shown.points):,} throw{'' if len(shown.points) == 1 else 's'}"
