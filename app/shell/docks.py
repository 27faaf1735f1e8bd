"""Docks: where the panels stand, how wide they are, and how they make room in a small window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar, QTabWidget, QToolBar, QToolButton, QWidget

from app.kit import PanelHeader, set_surface, tool_button
from app.look.icons import icon
from app.look.look import Look, size
from app.shell.dock_grip import DockGrip
from app.timeline.timeline_panel import EMPTY_HEIGHT, EMPTY_LOWEST, HEIGHT, LOWEST, TimelinePanel

LEFT, LEFT_LEAST = 264, 220  # px
RIGHT, RIGHT_LEAST = 344, 312
SHELF, SHELF_SMALL = 172, 116  # two rows of tiles, or one that scrolls
SMALL_WIDTH, SMALL_HEIGHT = 1440, 860  # a window below this gets the small measures
NARROW = 1280  # below this the left docks start hidden behind the strip
STRIP = 36

AREAS = {
    "outliner": Qt.DockWidgetArea.LeftDockWidgetArea,
    "shelf": Qt.DockWidgetArea.LeftDockWidgetArea,
    "inspector": Qt.DockWidgetArea.RightDockWidgetArea,
    "timeline": Qt.DockWidgetArea.BottomDockWidgetArea,
    "takes": Qt.DockWidgetArea.BottomDockWidgetArea,
}
STRIP_ICONS = {"outliner": ("group", "Outliner"), "shelf": ("shape.box", "Shapes")}


class Docks(QObject):
    """Signals:
    changed()    a panel was shown or hidden
    """

    changed = Signal()

    def __init__(self, window: QMainWindow, panels: dict[str, QWidget], titles: dict[str, str], look: Look) -> None:
        super().__init__(window)
        self._window, self._look = window, look
        window.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        window.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.BottomDockWidgetArea)
        self.docks: dict[str, QDockWidget] = {}
        for name, panel in panels.items():
            dock = QDockWidget(titles[name], window)
            dock.setObjectName(f"dock.{name}")
            dock.setFeatures(
                QDockWidget.DockWidgetFeature.DockWidgetMovable | QDockWidget.DockWidgetFeature.DockWidgetFloatable
            )
            dock.setTitleBarWidget(_handle(panel, titles[name], look))
            if panel.property("surface") is None:
                set_surface(panel, "panel")
            dock.setWidget(panel)
            window.addDockWidget(AREAS[name], dock)
            self.docks[name] = dock
        self.docks["outliner"].setMinimumWidth(LEFT_LEAST)
        self.docks["shelf"].setMinimumWidth(LEFT_LEAST)
        self.docks["inspector"].setMinimumWidth(RIGHT_LEAST)
        window.setTabPosition(AREAS["takes"], QTabWidget.TabPosition.North)
        window.tabifyDockWidget(self.docks["timeline"], self.docks["takes"])
        self.docks["timeline"].raise_()
        timeline = panels["timeline"]
        assert isinstance(timeline, TimelinePanel)
        self._timeline, self._timeline_grip = timeline, self.docks["timeline"].titleBarWidget()
        self._timeline.filled.connect(self._make_room)
        self.docks["timeline"].setMinimumHeight(EMPTY_LOWEST)
        self.docks["outliner"].installEventFilter(self)
        window.installEventFilter(self)
        self._strip = self._made_strip()
        look.changed.connect(self._recolor)
        self._recolor()

    def shown(self, name: str) -> bool:
        return not self.docks[name].isHidden()

    def toggle(self, name: str) -> None:
        """Show or hide; one that lies behind another tab comes forward."""
        if self.shown(name) and self._is_behind(name):
            self.docks[name].raise_()
        else:
            self.docks[name].setVisible(self.docks[name].isHidden())
            self.docks[name].raise_()
        self.refresh()

    def bring_forward(self, name: str) -> None:
        if not self.shown(name) or self._is_behind(name):
            self.toggle(name)

    def _is_behind(self, name: str) -> bool:
        dock = self.docks[name]
        return bool(self._window.tabifiedDockWidgets(dock)) and dock.visibleRegion().isEmpty()

    def reset(self) -> None:
        """Everything in its place, in the measures that fit the window."""
        narrow = self._window.width() < NARROW
        for name, dock in self.docks.items():
            dock.setFloating(False)
            self._window.addDockWidget(AREAS[name], dock)
            dock.setVisible(not (narrow and AREAS[name] == Qt.DockWidgetArea.LeftDockWidgetArea))
        self._window.tabifyDockWidget(self.docks["timeline"], self.docks["takes"])
        self.docks["timeline"].raise_()
        self._window.splitDockWidget(self.docks["outliner"], self.docks["shelf"], Qt.Orientation.Vertical)
        small_width = self._window.width() < SMALL_WIDTH
        small_height = self._window.height() < SMALL_HEIGHT
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        self._window.resizeDocks(
            [self.docks["outliner"], self.docks["inspector"]],
            [LEFT_LEAST, RIGHT_LEAST] if small_width else [LEFT, RIGHT],
            across,
        )
        timeline, shelf = self._timeline_height(), SHELF_SMALL if small_height else SHELF
        bars = size("menu_bar") + size("tool_bar") + size("status_bar")
        outliner = max(shelf, self._window.height() - bars - timeline - shelf)
        self._window.resizeDocks([self.docks["timeline"]], [timeline], down)
        self._window.resizeDocks([self.docks["outliner"], self.docks["shelf"]], [outliner, shelf], down)
        self.refresh()

    def _tabs_height(self) -> int:
        """px of the tabs over timeline and takes."""
        bars = [bar for bar in self._window.findChildren(QTabBar) if bar.count() > 1]
        return max((bar.sizeHint().height() for bar in bars), default=0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The labels of the timeline are as wide as the dock above them, so that its tracks line up with the view."""
        if watched is self._window:
            if event.type() == QEvent.Type.Resize:
                self._keep_shelf()
        elif event.type() in (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide):
            dock = self.docks["outliner"]
            above = dock.isVisible() and not dock.isFloating() and dock.x() == 0
            self._timeline.tracks.set_label_width(dock.width() if above else LEFT_LEAST)
        return super().eventFilter(watched, event)

    def _timeline_height(self) -> int:
        """What the timeline gets, with its tab: it is low while there is nothing in it."""
        small = self._window.height() < SMALL_HEIGHT
        full, empty = (LOWEST, EMPTY_LOWEST) if small else (HEIGHT, EMPTY_HEIGHT)
        return self._tabs_height() + (full if self._timeline.is_filled else empty)

    def _keep_shelf(self) -> None:
        """Where there is room for both rows of shapes, the outliner gives way when the timeline grows, not they."""
        self.docks["shelf"].setMinimumHeight(0 if self._window.height() < SMALL_HEIGHT else SHELF)

    def settle(self) -> None:
        """To be called after a layout was restored: it may come from a session with takes."""
        dock = self.docks["timeline"]
        if not self._timeline.is_filled and not dock.isFloating():
            self._window.resizeDocks([dock], [self._timeline_height()], Qt.Orientation.Vertical)
        self.refresh()

    def _make_room(self, filled: bool) -> None:
        """A take came: tracks need more height than words. The last one went: the view gets it back."""
        dock, wanted = self.docks["timeline"], self._timeline_height()
        dock.setTitleBarWidget(self._timeline.header if filled else self._timeline_grip)
        dock.setMinimumHeight(LOWEST if filled else EMPTY_LOWEST)
        if not dock.isFloating() and (dock.height() < wanted or not filled):
            self._window.resizeDocks([dock], [wanted], Qt.Orientation.Vertical)

    def next_after(self, focus: QWidget | None, centre: QWidget) -> QWidget:
        """The place F6 goes to: view, then each visible panel, round and round."""
        seen = [dock for name, dock in self.docks.items() if dock.isVisible() and not self._is_behind(name)]
        stops = [centre, *(dock.widget() for dock in seen if dock.widget() is not None)]
        held = [stop is focus or (focus is not None and stop.isAncestorOf(focus)) for stop in stops]
        here = held.index(True) if True in held else -1
        return stops[(here + 1) % len(stops)]

    def _made_strip(self) -> QToolBar:
        strip = QToolBar("Hidden panels", self._window)
        strip.setObjectName("strip")
        strip.setMovable(False)
        strip.setFixedWidth(STRIP)
        strip.setStyleSheet("QToolBar { padding: 8px 0; }")
        layout = strip.layout()
        assert layout is not None
        layout.setContentsMargins(0, 0, 0, 0)
        for name, (_, words) in STRIP_ICONS.items():
            does, extent = f"Show the panel {words}", (size("tool_button"), size("tool_button"))
            button = tool_button(does, does, size("icon_tool"), extent, strip)
            button.setObjectName(f"strip.{name}")
            button.clicked.connect(lambda _=False, name=name: self.toggle(name))
            strip.addWidget(button)
        self._window.addToolBar(Qt.ToolBarArea.LeftToolBarArea, strip)
        strip.hide()
        return strip

    def refresh(self) -> None:
        """A panel was shown or hidden."""
        hidden = all(self.docks[name].isHidden() for name in STRIP_ICONS)
        self._strip.setVisible(hidden)
        self.changed.emit()

    def _recolor(self) -> None:
        for name, (glyph, _) in STRIP_ICONS.items():
            button = self._strip.findChild(QToolButton, f"strip.{name}")
            assert isinstance(button, QToolButton)
            button.setIcon(icon(self._look, glyph))


def _handle(panel: QWidget, title: str, look: Look) -> QWidget:
    """What a panel is moved by: its own heading, or a thin grip where it has none."""
    header = panel.findChild(PanelHeader)
    if not isinstance(header, PanelHeader):
        return DockGrip(look, title)
    set_surface(header, "panel")
    return header


def first_focus(place: QWidget) -> QWidget:
    """The first control in a panel that takes the keyboard, else the panel."""
    candidate = place.nextInFocusChain()
    while candidate is not None and candidate is not place and place.isAncestorOf(candidate):
        if candidate.focusPolicy() & Qt.FocusPolicy.TabFocus and candidate.isVisible() and candidate.isEnabled():
            return candidate
        candidate = candidate.nextInFocusChain()
    return place
