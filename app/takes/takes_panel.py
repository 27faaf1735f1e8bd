"""TakesPanel: the browser. A tab beside the timeline, or enlarged over the whole window with the comparison at its
right and a ruler under it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.kit import GENERATING, EmptyState, Ground
from app.kit.layouts import column, held, row, wide
from app.kit.painting import space
from app.takes.compare_panel import ComparePanel
from app.takes.scrub_bar import ScrubBar
from app.takes.sources import Sources
from app.takes.take_grid import TakeGrid
from app.takes.takes_header import TakesHeader

NO_TAKES = "No takes yet. Place an ending, then press Generate."
NONE_LISTED = {
    "all": "Every take is rejected.",
    "pinned": "No take is pinned. P pins the one you look at.",
    "rejected": "No take is rejected.",
}
COMPARE_WIDTH, COMPARE_NARROW, WIDE = 471, 400, 1440  # px; the narrow one leaves room for three cards at 1280
LOWEST, ROOMY = 90, 150  # px high: at least, and with room for a button under the words
QUIET = 120  # ms without scrubbing after which thumbnails follow, while the view needs the time


class TakesPanel(Ground):
    """Signals:
    asked(str)   a command of the window ("takes.generate", "takes.enlarge")
    """

    asked = Signal(str)

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources.look)
        document, browsing, running, look = sources.document, sources.browsing, sources.running, sources.look
        self._document, self._browsing, self._running = document, browsing, running
        self._thumbnails = sources.thumbnails
        self.enlarged = False
        self.header = TakesHeader(document, browsing, running, look)
        self.grid = TakeGrid(sources)
        self.empty = EmptyState(look, "generate", NO_TAKES, "Generate")
        self.compare = ComparePanel(sources)
        self.scrub_bar = ScrubBar(look, sources.playback)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # enlarged: what lies under it is not painted
        self._lay_out()
        self.header.enlarge_asked.connect(lambda: self.asked.emit("takes.enlarge"))
        self.empty.acted.connect(self._act_on_empty)
        browsing.changed.connect(self._show_state)
        running.changed.connect(self._show_state)
        sources.playback.moved.connect(sources.thumbnails.queue.postpone)
        self.set_enlarged(False)

    def _lay_out(self) -> None:
        self._pages = QStackedWidget()
        self._pages.addWidget(self.empty)
        self._pages.addWidget(held(row(self.grid, edge=(space("l"), 0, space("xxs"), 0))))
        left = column(self.header, wide(self._pages), gap=0)
        column(wide(row(wide(left), self.compare, gap=0)), self.scrub_bar, of=self, gap=0)

    def set_enlarged(self, enlarged: bool) -> None:
        self.enlarged = enlarged
        self.header.show_enlarged(enlarged)
        self.scrub_bar.setVisible(enlarged)
        self._thumbnails.queue.pause = 0 if enlarged else QUIET  # enlarged, there is no view beside them
        self._show_state()

    def sizeHint(self) -> QSize:
        return QSize(600, 288)

    def minimumSizeHint(self) -> QSize:
        return QSize(320, LOWEST)

    def _show_state(self) -> None:
        listed = self.grid.model_.rowCount() > 0
        takes = bool(self._document.scene.takes)
        self._pages.setCurrentIndex(1 if listed else 0)
        coming = self._running.active
        none = NONE_LISTED[self._browsing.filter] if takes else GENERATING if coming else NO_TAKES
        self.empty.words.set_text(none)
        self.empty.button.set_words("Show all" if takes and self._browsing.filter != "all" else "Generate")
        self.empty.button.setVisible(not coming and self.height() >= ROOMY)
        self.header.setVisible(takes or bool(self._running.count) or self.enlarged)
        comparing = self._browsing.other is not None and self._browsing.shown is not None
        self.compare.setVisible(self.enlarged and comparing)

    def _act_on_empty(self) -> None:
        if self._document.scene.takes and self._browsing.filter != "all":
            self._browsing.set_filter("all")
        else:
            self.asked.emit("takes.generate")

    # -- events ------------------------------------------------------------------------------------------------------

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Enlarged it hides the rest of the window, so Tab stays inside."""
        if not self.enlarged:
            return super().focusNextPrevChild(forward)
        here = self.focusWidget() or self
        target = _next_in_chain(here, forward)
        while target is not None and target is not here:
            fits = target.focusPolicy() & Qt.FocusPolicy.TabFocus and target.isVisible() and target.isEnabled()
            if fits and self.isAncestorOf(target):
                reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
                target.setFocus(reason)
                return True
            target = _next_in_chain(target, forward)
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.compare.setFixedWidth(COMPARE_WIDTH if self.width() >= WIDE else COMPARE_NARROW)
        self._show_state()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.enlarged:
            top = self.scrub_bar.geometry().top()
            QPainter(self).fillRect(0, top, self.width(), 1, self._look.color("line"))


def _next_in_chain(widget: QWidget, forward: bool) -> QWidget | None:
    return widget.nextInFocusChain() if forward else widget.previousInFocusChain()
