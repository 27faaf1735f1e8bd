"""Studio: what commands work on. One object that knows the document, what is selected and who can do what."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QDialog

from app.document.document import Document
from app.document.file_work import FileWork
from app.look.look import Look
from app.runs.generation import Generation, Pool
from app.runs.job import Job
from app.runs.worker import Worker
from app.session.playback import Playback
from app.session.selection import Selection
from app.session.settings import Settings
from app.shell.parts import Parts
from app.takes.browsing import Browsing
from app.tools.tool import Tool
from app.viewport.view import View

if TYPE_CHECKING:
    from app.export.film_export import FilmExport
    from app.shell.exporting import Exporting
    from app.shell.questions import Dialogs
    from app.shell.window import Window

Answer = tuple[str, Callable[[], None]]  # words of a button, what it does


class Studio(QObject):
    """Signals:
    refreshed()      what actions can do, or how they read, may have changed
    """

    refreshed = Signal()

    def __init__(
        self,
        document: Document,
        selection: Selection,
        settings: Settings,
        look: Look,
        parts: Parts,
        shell: Window,
        questions: Dialogs,
    ) -> None:
        super().__init__(shell)
        self.document, self.selection, self.settings, self.look = document, selection, settings, look
        self.parts, self.shell = parts, shell
        self.questions = questions  # what only the artist can answer; tests answer by themselves
        self.files = FileWork(self)
        self.playback = Playback(document, self)
        self.browsing = Browsing(document, self.playback, settings, self)
        self.job: Job | Generation | FilmExport | None = None
        self.job_words = ""
        self._scene = document.scene
        self._tools: dict[str, Tool] = {}
        self.tool_name, self._tool_before = "", "select"
        self.view: View
        self.worker: Worker
        self.pool: Pool
        self.exporting: Exporting
        document.changed.connect(self._follow)
        document.named.connect(self.refreshed)
        document.history.indexChanged.connect(self.refreshed)
        for signal in (selection.changed, selection.hint_chosen, selection.hint_copied, selection.joint_chosen):
            signal.connect(self.refreshed)
        self.playback.changed.connect(self.refreshed)
        self.browsing.changed.connect(self.refreshed)

    @property
    def generation(self) -> Generation | None:
        """The takes under way."""
        return self.job if isinstance(self.job, Generation) else None

    def use_tool(self, name: str) -> Tool:
        """One of the tools of the toolbar; each is made once."""
        if name not in self._tools:
            self._tools[name] = self.parts.tool(name, self.view)
        self.view.set_tool(self._tools[name])
        self.tool_name = name
        self.refreshed.emit()
        return self._tools[name]

    def use_passing_tool(self, tool: Tool) -> None:
        """A tool that is not in the toolbar, for one command."""
        self._tool_before = self.tool_name or self._tool_before
        self.view.set_tool(tool)
        self.tool_name = ""
        self.refreshed.emit()

    def end_passing_tool(self) -> None:
        """Back to the tool of before, when a passing one has done its work or was cancelled."""
        if not self.tool_name:
            self.use_tool(self._tool_before)

    def end_passing_tool_soon(self) -> None:
        """When it is still at work on its event."""
        QTimer.singleShot(0, self, self.end_passing_tool)

    def start_gesture(self, kind: str, gesture: str = "") -> None:
        """Move, rotate or scale at once, following the mouse, whatever tool is chosen; `gesture` joins the command to
        the one before it."""
        if not hasattr(self.view.tool, "start"):  # one that draws or places
            self.use_tool("select")
        self.view.setFocus()
        tool: Any = self.view.tool
        tool.start(kind, gesture=gesture)
        self.view.refresh()  # what the tool expects is another thing now

    def place(self, kind: str) -> None:
        """A new body that follows the mouse until a click sets it down; then the tool of before is back."""
        make = partial(self.parts.new_body, kind)
        self.use_passing_tool(self.parts.place_tool(self.view, make, self.end_passing_tool_soon))
        self.view.setFocus()

    def open_dialog(self, kind: str) -> QDialog:
        """A maker's dialog beside the scene; it makes its edit by itself when accepted."""
        make = self.parts.dialog(kind)
        dialog = make(self.document, self.selection, self.look, self.shell)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.show()
        if not self.document.scene.bodies:
            self.view.frame()  # what is proposed is all there is
        return dialog

    def close_dialogs(self) -> None:
        """End what makers have under way; their previews go with them."""
        for dialog in self.shell.findChildren(QDialog):
            dialog.close()

    def open_mesh(self, path: Path) -> None:
        self.parts.open_mesh(path, self.document, self.selection, self.look, self.shell)

    def open_layout(self, path: Path) -> None:
        """Where the scene was empty the view looks at what came, once it is there."""
        dialog = self.parts.open_layout(path, self.document, self.selection, self.look, self.shell)
        if not self.document.scene.bodies:
            dialog.arrived.connect(self.view.frame)

    def begin_job(self, job: Job | Generation | FilmExport, words: str) -> None:
        self.job, self.job_words = job, words
        self.shell.show_progress(words, job.cancel)
        job.progressed.connect(self.shell.tool_bar.strip.set_progress)
        self.refreshed.emit()

    def end_job(self) -> None:
        self.job, self.job_words = None, ""
        self.shell.tool_bar.show_strip(False)
        self.refreshed.emit()

    def _follow(self) -> None:
        """Previews change nothing that actions look at, and come with every movement of the mouse."""
        if self.document.scene is not self._scene:
            self._scene = self.document.scene
            self.refreshed.emit()
