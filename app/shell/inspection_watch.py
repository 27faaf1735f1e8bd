"""InspectionWatch: while somebody looks at a tab that inspects a body, the worker answers for the selected one at the
frame that is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from PySide6.QtCore import QObject

from app.document.edits import place, translate
from app.panels.inspection_panel import InspectionPanel
from app.shell.asking import Asking
from app.shell.studio import Studio
from app.tools.push import PushTool
from app.viewport.inspection_layer import InspectionLayer
from engine.scene.inspection import Fix, Inspection
from engine.scene.spec import Scene
from engine.scene.take_files import AFTER, TAPE
from engine.work.records import KeptTake, Question

PAUSE = 120  # ms in which nothing else is asked
OLD_TAKE = "This take is older than the scene. Generate it again to see how it presses here."
NO_TAPE = "The record of this take is gone. Generate it again to look into it."


class _Asked(NamedTuple):
    """What an answer depends on."""

    panel: InspectionPanel
    scene: Scene
    body: str
    take: str
    time: float
    push: tuple[float, float, float]


class InspectionWatch(Asking):
    """Asks after a pause; what is no longer wanted is cancelled, but while a take plays every answer is let come."""

    def __init__(self, studio: Studio, panels: Sequence[InspectionPanel], parent: QObject) -> None:
        super().__init__(PAUSE, parent)
        self._studio, self._panels = studio, panels
        self.layer = InspectionLayer(studio.view, studio.playback)
        self._asked: _Asked | None = None
        studio.refreshed.connect(self.follow)
        studio.playback.moved.connect(self.follow)
        for panel in panels:
            panel.looked_at.connect(self.follow)
            panel.push_changed.connect(self.follow)
            panel.fix_asked.connect(self._fix)
            panel.play_asked.connect(self._play)
            panel.drag_asked.connect(self._drag)

    def stop(self) -> None:
        super().stop()
        self.layer.show(())

    @property
    def panel(self) -> InspectionPanel | None:
        """The one that is looked at."""
        return next((panel for panel in self._panels if panel.isVisible()), None)

    def follow(self) -> None:
        wanted = self._wanted()
        if wanted is None or self._studio.job is not None:  # a job wants the worker; its end is followed by a look
            self.stop()
            self._asked = None
        elif wanted != self._asked:
            same = self._asked is not None and wanted[:3] == self._asked[:3]
            if not same:
                self.layer.show(())
            elif self._asked is not None and wanted.time != self._asked.time:
                self.layer.hide_marks()
            if self._job is not None and same:
                return  # while a take plays or a push is dragged, an answer about a moment ago is better than none
            self._drop_job()
            if not self._pause.isActive():
                self._pause.start()

    def _wanted(self) -> _Asked | None:
        studio, panel = self._studio, self.panel
        if panel is None:
            return None
        playback = studio.playback
        take = playback.key if playback.film is not None else ""
        return _Asked(panel, studio.document.scene, studio.selection.active or "", take, playback.time, panel.push)

    def _forget(self) -> None:
        self._asked = None
        for panel in self._panels:
            panel.set_busy(False)

    def _ask(self) -> None:
        asked = self._asked = self._wanted()
        if asked is None:
            return
        panel, playback = asked.panel, self._studio.playback
        panel.moment.set_text(f"frame {playback.frame}" if playback.film is not None else "ending")
        if not asked.body:
            self._say(panel.topic.nobody)
            return
        scene, question = asked.scene, Question(asked.body, panel.topic.topics, asked.push)
        about_motion = "contact" in panel.topic.topics
        if asked.take and (about_motion or not playback.at_ending):
            taped = self._with_tape(question) if not playback.stale else None
            if taped is None and about_motion and not playback.at_ending:
                self._say(OLD_TAKE if playback.stale else NO_TAPE)
                return
            question = taped or question
            scene = scene if taped is not None else self._posed(scene)
        panel.set_busy(True)
        self._run(self._studio.worker.inspect(scene, question), self._take, self._say)

    def _with_tape(self, question: Question) -> Question | None:
        """Asked of the take that is shown, at its moment; None when its record is nowhere."""
        playback, files = self._studio.playback, self._studio.document.takes.files
        after, card = playback.time > playback.ending, playback.card
        if card is None or (AFTER if after else TAPE).format(card.id) not in files:
            return None
        time = playback.time - playback.ending if after else playback.time
        return replace(question, take=KeptTake(card, files), time=time, after=after)

    def _posed(self, scene: Scene) -> Scene:
        """As the frame that is shown has the bodies."""
        film = self._studio.playback.film
        if film is None or self._studio.playback.at_ending:
            return scene
        known = {body.id for body in scene.bodies}
        x, q = film.at(self._studio.playback.time)
        rows = zip(film.bodies, x.tolist(), q.tolist(), strict=True)
        return place(scene, {key: (tuple(at), tuple(turn)) for key, at, turn in rows if key in known})

    def _take(self, found: tuple[Inspection, ...]) -> None:
        self._job = None
        asked = self._asked
        if asked is not None:
            asked.panel.set_inspections(found)
            self.layer.show(found)
            if asked.time != self._studio.playback.time:
                self.layer.hide_marks()  # bodies have gone on
        self.follow()

    def _say(self, words: str) -> None:
        self._job = None
        if self._asked is not None:
            self._asked.panel.clear(words)
        self.layer.show(())

    def _fix(self, fix: Fix) -> None:
        document = self._studio.document
        if set(fix.bodies) <= {body.id for body in document.scene.bodies}:
            document.edit(fix.words, translate(document.scene, list(fix.bodies), fix.by))

    def _play(self) -> None:
        panel = self.panel
        if panel is not None and panel.main is not None:
            self.layer.play(panel.main)

    def _drag(self) -> None:
        """The mouse pulls at the selected body until it is let go."""
        studio, panel = self._studio, self.panel
        body = next((body for body in studio.document.scene.bodies if body.id == studio.selection.active), None)
        if panel is None or panel.pushing is None or body is None:
            return
        studio.playback.go_to_ending()
        pushed, done = panel.pushing.set_push, studio.end_passing_tool_soon
        studio.use_passing_tool(PushTool(studio.view, body, panel.weight, pushed, done))
        studio.view.setFocus()
