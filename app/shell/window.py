"""Window: puts the parts in their places and answers commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QMainWindow, QWidget

from app.document.document import Document
from app.kit.layouts import column
from app.look.look import Look
from app.panels.reach_panel import ReachPanel
from app.session.selection import Selection
from app.session.settings import Settings
from app.shell.action_set import ActionSet
from app.shell.add_commands import add_kind
from app.shell.checking import Checking
from app.shell.contact_statistics import ContactStatistics
from app.shell.docks import Docks, first_focus
from app.shell.drops import Drops
from app.shell.exporting import Exporting
from app.shell.file_commands import leave_document
from app.shell.hint_float import HintFloat
from app.shell.inspection_watch import InspectionWatch
from app.shell.load_watch import LoadWatch
from app.shell.menus import Menus
from app.shell.messages import MessageFloat
from app.shell.palette import Palette
from app.shell.parts import Parts
from app.shell.play_key import PlayKey
from app.shell.questions import Dialogs
from app.shell.reach_watch import ReachWatch
from app.shell.safety import Safety
from app.shell.shortcut_list import shortcut_table
from app.shell.stacking_watch import StackingWatch
from app.shell.status_bar import StatusBar
from app.shell.studio import Answer, Studio
from app.shell.takes_place import TakesPlace
from app.shell.tool_bar import ToolBar
from app.shell.top_bar import TopBar
from app.shell.welcome import Welcome
from app.shell.window_commands import PANELS
from app.takes.contact_panel import ContactPanel
from app.timeline.timeline_panel import TimelinePanel
from app.tools.tool import Expect
from app.viewport.hint_layer import HintLayer
from app.viewport.joint_layer import JointLayer
from app.viewport.motion_arrows import MotionArrows
from app.viewport.playing import Playing
from engine.work.clock import time_words

FIRST_SIZE, LEAST_SIZE = (1600, 1000), (960, 600)
LAYOUT_VERSION = 2
WELCOME_KEYS = (
    Expect("Tab", "move between cards"),
    Expect("Enter", "open"),
    Expect("Ctrl+N", "new ending"),
    Expect("Esc", "close"),
)


class Window(QMainWindow):
    def __init__(
        self, document: Document, settings: Settings, look: Look, parts: Parts, questions: Dialogs | None = None
    ) -> None:
        super().__init__()
        self.setObjectName("window")
        self.setAcceptDrops(True)
        self.setMinimumSize(*LEAST_SIZE)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._fitted = False
        selection = Selection(document, self)
        self.studio = Studio(document, selection, settings, look, parts, self, questions or Dialogs(self))
        self.studio.exporting = Exporting(self.studio)
        self.welcome: Welcome | None = None
        self._safety: Safety | None = None
        self._make_centre()
        self._make_panels()
        self.actions_by_id = ActionSet(self.studio, self)
        self.timeline.set_actions(self.actions_by_id)
        self.takes.panel.scrub_bar.set_actions(self.actions_by_id)
        PlayKey(self)
        self._make_bars()
        self.palette_float: Palette = Palette(self.studio, self.actions_by_id, self)
        self._drops = Drops(self.studio, self)
        self.checking = Checking(self.studio, self.inspector, self.outliner, self)
        landings = ContactPanel(look, selection)
        self.contacts: ContactStatistics = ContactStatistics(self.studio, self.inspector, landings, self)
        self.stacking = StackingWatch(self.studio, self.inspector.stacking, self)
        self.inspecting = InspectionWatch(self.studio, self.inspector.inspections, self)
        self.withstanding = LoadWatch(self.studio, self.inspector.inspections, self)
        self.studio.refreshed.connect(self._list_shortcuts)
        self._preset = ""
        self._list_shortcuts()
        self.studio.use_tool("select")
        selection.changed.connect(self._show_expectations)
        document.named.connect(self._rename)
        document.replaced.connect(self.hide_welcome)
        document.replaced.connect(self.message.hide)  # it was about the other one
        self._rename()
        self._show_expectations()

    # -- making ------------------------------------------------------------------------------------------------

    def _make_centre(self) -> None:
        studio = self.studio
        studio.view = studio.parts.view(studio.document, studio.selection, studio.settings, studio.look)
        studio.worker = studio.parts.worker(self)
        studio.pool = studio.parts.pool(self)
        studio.worker.compiling.connect(self._show_compiling)
        studio.worker.ready.connect(lambda: self._end_compiling("The engine is ready."))
        studio.worker.lost.connect(lambda: self._end_compiling(""))
        self.playing = Playing(studio.view, studio.playback)
        MotionArrows(studio.view, studio.playback).follow()
        HintLayer(studio.view)
        JointLayer(studio.view, studio.playback)
        self._centre = QWidget(self)
        column(studio.view, of=self._centre)
        self.setCentralWidget(self._centre)
        self.hint_float = HintFloat(studio, self._centre)
        self.message = MessageFloat(studio.look, self._centre)
        studio.view.expects_changed.connect(self._show_expectations)
        studio.view.said.connect(self.say)
        studio.view.color_by_changed.connect(studio.refreshed)
        studio.view.settings_changed.connect(studio.refreshed)
        studio.view.again_requested.connect(lambda: self.actions_by_id["takes.again"].trigger())
        studio.view.menu_requested.connect(lambda place: self.menus.view_menu.popup(place))

    def _make_panels(self) -> None:
        studio = self.studio
        parts, look = studio.parts, studio.look
        self.outliner = parts.outliner(studio.document, studio.selection, look)
        self.shelf = parts.shelf(look)
        self.shelf.chosen.connect(lambda kind: add_kind(studio, kind))
        self.outliner.add_requested.connect(lambda place: self.menus.add_menu.popup(place))
        self.inspector = parts.inspector(studio.document, studio.selection, look)
        where_from = ReachPanel(studio.document, look, studio.selection)
        self.reach: ReachWatch = ReachWatch(studio, self.inspector, where_from, self)
        self.timeline = TimelinePanel(studio.document, studio.selection, studio.playback, look)
        self.takes: TakesPlace = TakesPlace(self)
        panels = {
            "outliner": self.outliner,
            "shelf": self.shelf,
            "inspector": self.inspector,
            "timeline": self.timeline,
            "takes": self.takes.panel,
        }
        self.docks = Docks(self, panels, PANELS, look)
        self.docks.changed.connect(studio.refreshed)
        self.inspector.tab_changed.connect(studio.refreshed)
        self.takes.panel.grid.focus_changed.connect(self._show_expectations)
        self.docks.docks["takes"].visibilityChanged.connect(self.takes.see)

    def _make_bars(self) -> None:
        studio, look = self.studio, self.studio.look
        self.top_bar = TopBar(studio.document, look, self)
        self.setMenuWidget(self.top_bar)
        self.menus: Menus = Menus(self.top_bar.menu_bar, self.actions_by_id, studio)
        self.top_bar.find_button.clicked.connect(lambda: self.palette_float.open())
        self.tool_bar = ToolBar(studio.document, self.actions_by_id, look, self)
        self.addToolBar(Qt.ToolBarArea.TopToolBarArea, self.tool_bar)
        self.status = StatusBar(studio.document, studio.selection, self)
        self.setStatusBar(self.status)
        studio.files.changed.connect(lambda: self.status.show_file_work(studio.files.words))

    def guard(self) -> Safety:
        """Begin to journal, and look for work that a crash left."""
        self._safety = Safety(self.studio)
        self._safety.recovery.look_for_work()
        return self._safety

    # -- commands ----------------------------------------------------------------------------------------------

    def say(self, message: str) -> None:
        """What needs nothing: in the status bar for a few seconds."""
        self.status.say(message)

    def tell(self, message: str, answers: Sequence[Answer] = (), kind: str = "info", details: str = "") -> None:
        """What there is something to do about: stays over the view until answered or closed."""
        self.hide_welcome()
        self.enlarge_takes(False)  # it would lie over the message
        self.message.tell(message, answers, kind, details)

    def show_progress(self, words: str, cancel: Callable[[], None]) -> None:
        """In the place of the primary button."""
        self.message.hide()  # it was about what went before
        self.tool_bar.strip.start(words, cancel)
        self.tool_bar.show_strip(True)

    def show_tab(self, key: str) -> None:
        self.show_panel("inspector")
        self.inspector.show_tab(key)

    def tab_shown(self, key: str) -> bool:
        return self.inspector.isVisible() and self.inspector.tab == key

    def next_problem(self) -> None:
        if not self.inspector.next_problem():
            self.say("There are no problems.")

    def reset_layout(self) -> None:
        self.docks.reset()
        self.say("Every panel is back in its place.")

    def next_panel(self) -> None:
        place = self.docks.next_after(self.focusWidget(), self.studio.view)
        target = place if place is self.studio.view else first_focus(place)
        target.setFocus(Qt.FocusReason.TabFocusReason)

    def show_panel(self, name: str) -> None:
        """In front of those that share its place."""
        if name != "takes" or not self.takes.enlarged:
            self.docks.bring_forward(name)

    def enlarge_takes(self, enlarged: bool) -> None:
        """Over the whole window, or back in their place."""
        self.takes.enlarge(enlarged)
        self._show_expectations()

    @property
    def welcome_shown(self) -> bool:
        return self.welcome is not None

    def show_welcome(self) -> None:
        if self.welcome is None:
            self.enlarge_takes(False)
            self.welcome = Welcome(self.studio, self)
            self.welcome.closed.connect(self.hide_welcome)
            if self._safety is not None:
                self.welcome.offer_work(self._safety.recovery)
            self.cover(self.welcome)
            self.welcome.show()
            self.welcome.focus_first()
            self.tool_bar.setEnabled(False)
            self._show_expectations()
            self.studio.refreshed.emit()

    def hide_welcome(self) -> None:
        if self.welcome is not None:
            self.welcome.hide()
            self.welcome.deleteLater()
            self.welcome = None
            self.tool_bar.setEnabled(True)
            self.studio.view.setFocus()
            self._show_expectations()
            self.studio.refreshed.emit()

    # -- following ---------------------------------------------------------------------------------------------

    def _rename(self) -> None:
        name, rest = self.top_bar.words()
        self.setWindowTitle(f"{name}{rest} – Foregone")

    def _list_shortcuts(self) -> None:
        preset = str(self.studio.settings.get("view/keys"))
        if preset != self._preset:
            self._preset = preset
            self.inspector.help.set_shortcuts(shortcut_table(preset))

    def _show_expectations(self) -> None:
        if self.welcome_shown:
            keys: Sequence[Expect] = WELCOME_KEYS
        else:
            keys = self.takes.keys() or self.studio.view.tool.expects()
        self.status.expectations.show_all(keys)

    def _show_compiling(self, done: int, total: int, seconds_left: float) -> None:
        self.status.show_preparing(f"{done} of {total}, {time_words(seconds_left)} left")
        self.inspector.problems.set_preparing(True)

    def _end_compiling(self, message: str) -> None:
        if self.status.preparing:
            self.status.show_preparing("")
            self.inspector.problems.set_preparing(False)
            self.say(message)

    def cover(self, page: QWidget) -> None:
        """A page between tool bar and status bar, over all docks."""
        top, bottom = self.tool_bar.geometry().bottom() + 1, self.status.geometry().top()
        page.setGeometry(0, top, self.width(), bottom - top)
        page.raise_()

    # -- events ------------------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._fitted:
            self._fitted = True
            if self.restoreState(self.studio.settings.get("window/layout"), LAYOUT_VERSION):
                self.docks.settle()
            else:
                self.docks.reset()

    def fit_screen(self) -> None:
        """The size of the last time, or the first size as far as the screen has room."""
        if not self.restoreGeometry(self.studio.settings.get("window/geometry")):
            room = QGuiApplication.primaryScreen().availableGeometry()
            self.resize(min(FIRST_SIZE[0], room.width()), min(FIRST_SIZE[1], room.height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.welcome is not None:
            self.cover(self.welcome)
        if self.takes.enlarged:
            self.cover(self.takes.panel)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not leave_document(self.studio, self.close):
            event.ignore()
            return
        self.studio.files.finish()
        self.studio.settings.set("window/geometry", self.saveGeometry())
        self.studio.settings.set("window/layout", self.saveState(LAYOUT_VERSION))
        self.studio.settings.sync()
        self.palette_float.close()
        for asking in (self.checking, self.stacking, self.inspecting, self.contacts, self.reach):
            asking.stop()
        if self._safety is not None:
            self._safety.close()
            self._safety = None
        self.studio.playback.stop()
        self.takes.thumbnails.release()
        self.studio.worker.stop()
        self.studio.pool.stop()
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Nobody took the key. Escape is for the tool, wherever the focus is. And Qt is silent when a key belongs to an
        action that cannot run; an artist wants to know."""
        if event.key() == Qt.Key.Key_Escape and self.studio.view.tool.key(event.key(), "", event.modifiers()):
            return
        why_not = self.actions_by_id.why_not(QKeySequence(event.keyCombination()))
        if why_not:
            self.say(why_not)
        super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self._drops.enter(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._drops.move(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._drops.leave()

    def dropEvent(self, event: QDropEvent) -> None:
        self._drops.drop(event)
