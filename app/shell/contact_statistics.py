"""ContactStatistics: measures the active body's landings in a process of its own, shows and saves what came of it."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.panels.inspector import Inspector
from app.runs.job import Job
from app.shell.save_picture import save_picture
from app.shell.studio import Studio
from app.takes.contact_panel import ContactPanel
from engine.scene.contact_states import ContactStates
from engine.scene.request import QUALITIES

COUNT = 100  # runs each way: the eye sees no difference to more


class ContactStatistics(QObject):
    def __init__(self, studio: Studio, inspector: Inspector, panel: ContactPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._studio, self._inspector, self.panel = studio, inspector, panel
        self._job: Job | None = None
        inspector.add_tab("landings", "body.arriving", "Landings", panel)
        panel.measure_asked.connect(self.measure)
        panel.stop_asked.connect(self.stop)
        panel.save_asked.connect(self.save)
        studio.document.replaced.connect(self.stop)

    def open(self) -> None:
        """Show the tab, and measure what is selected."""
        self._studio.shell.show_panel("inspector")
        self._inspector.show_tab("landings")
        if self._job is None:
            self.measure()

    def measure(self) -> None:
        body, scene = self.panel.body, self._studio.document.scene
        if body is None or self._job is not None:
            return
        worker = self._studio.pool.aside()
        self._job = job = worker.statistics(scene, body.id, COUNT, QUALITIES[scene.request.quality])
        self.panel.show_running("Loading the engine")
        job.progressed.connect(lambda share, words: self.panel.show_running(f"{round(100 * share)} % · {words}"))
        job.finished.connect(lambda states: self._finish(body, states))
        job.failed.connect(self._fail)

    def stop(self) -> None:
        """The process ends now: a drop under way would hold it up."""
        if self._job is not None:
            self._job = None
            self._studio.pool.aside().kill()
            self.panel.show_stopped()

    def save(self) -> None:
        states = self.panel.states
        if states is not None:
            save_picture(self._studio, "contact states.png", lambda path: path.write_bytes(states.picture))

    def _finish(self, body: object, states: ContactStates) -> None:
        self._job = None
        self.panel.show_states(body, states)  # type: ignore[arg-type]
        self._studio.shell.say(states.verdict)

    def _fail(self, reason: str) -> None:
        self._job = None
        self.panel.show_stopped(reason)
