"""ReachWatch: throws the active body in a process of its own, shows where it comes to rest, snaps it there."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.document import edits
from app.panels.inspector import Inspector
from app.panels.reach_panel import ReachPanel
from app.runs.job import Job
from app.shell.save_picture import save_picture
from app.shell.studio import Studio
from engine.picture.reach import reach_picture
from engine.scene.reach_map import ReachMap
from engine.scene.settled import Settled
from engine.scene.spec import Body, Scene
from engine.work.clock import Clock, time_words

THROWS = 10_000


class ReachWatch(QObject):
    def __init__(self, studio: Studio, inspector: Inspector, panel: ReachPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._studio, self._inspector, self.panel = studio, inspector, panel
        self._job: Job | None = None
        self._snaps = False  # once it was thrown
        self._clock = Clock()
        inspector.add_tab("reach", "tab.reach", "Reach", panel, after="contact")
        panel.throw_asked.connect(self.throw)
        panel.stop_asked.connect(self.stop)
        panel.snap_asked.connect(self.snap)
        panel.save_asked.connect(self.save)
        studio.document.replaced.connect(self.stop)

    def open(self) -> None:
        """Show the tab, and throw what is selected unless that was done."""
        self._studio.shell.show_tab("reach")
        if self._job is None and not self.panel.has_map:
            self.throw()

    def throw(self) -> None:
        body, scene = self.panel.body, self._studio.document.scene
        if body is None or self._job is not None:
            return
        found = self.panel.found
        seed = found.seed + 1 if found is not None and self.panel.has_map else 0
        job = self._begin(self._studio.pool.aside().reach(scene, body.id, THROWS, seed), "Loading the engine")
        job.finished.connect(lambda made: self._finish(scene, made))

    def snap(self) -> None:
        """Put the body where the nearest throw that rests came to rest; without a map it is thrown before."""
        found, scene, body = self.panel.found, self._studio.document.scene, self.panel.body
        if body is None or self._job is not None:
            return
        if found is None or not self.panel.has_map:
            self._studio.shell.show_tab("reach")
            self.throw()
            self._snaps = True
            return
        if not len(found.rested):
            self._studio.shell.say(f"No throw of {body.name} comes to rest.")
            return
        job = self._begin(
            self._studio.pool.aside().snap(scene, found.nearest_to(body)), "Looking for the nearest ending"
        )
        job.finished.connect(lambda settled: self._put(body, settled))

    def stop(self) -> None:
        if self._job is not None:
            self._job = None
            self._studio.pool.aside().kill()
            self.panel.show_stopped()

    def save(self) -> None:
        found = self.panel.found
        if found is not None:
            drawn = reach_picture(found, self.panel.plane, self.panel.before, self.panel.chosen)
            save_picture(self._studio, "where from.png", lambda path: drawn.save(path, "PNG"))

    def _begin(self, job: Job, words: str) -> Job:
        self._job, self._clock, self._snaps = job, Clock(), False
        self.panel.show_running(words)
        job.progressed.connect(self._tell)
        job.failed.connect(self._fail)
        return job

    def _tell(self, share: float, words: str) -> None:
        left = self._clock.left(share)
        self.panel.show_running(words if left is None else f"{words} · {time_words(left)} left")

    def _finish(self, scene: Scene, found: ReachMap) -> None:
        self._job = None
        self.panel.show_map(scene, found)
        said = self.panel.verdict
        if said is not None:
            self._studio.shell.say(f"{found.name}: {said.title[0].lower()}{said.title[1:]}.")
        if self._snaps and said is not None:
            self.snap()

    def _put(self, body: Body, settled: Settled) -> None:
        """One step of undo; a body that the artist moved meanwhile stays."""
        self._job = None
        self.panel.show_stopped()
        scene = self._studio.document.scene
        if not any(each is body for each in scene.bodies):
            self._studio.shell.say(f"{body.name} changed meanwhile and stays.")
            return
        self._studio.document.edit(f"Snap {body.name}", edits.place(scene, settled.poses))
        self._studio.shell.say(f"{body.name} is where a throw came to rest.")

    def _fail(self, reason: str) -> None:
        self._job = None
        self.panel.show_stopped(reason)
