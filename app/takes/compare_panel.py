"""ComparePanel: two takes at the same moment in one picture, their energies, and what speaks for which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.kit import Ground, IconButton, Painted, PanelScroll, Text, WordButton
from app.kit.layouts import FILL, Entry, Put, column, held, row, wide
from app.kit.painting import plate, radius, space
from app.look.icons import icon
from app.look.look import Look, size, tokens
from app.session.one_by_one import OneByOne
from app.takes import choosing
from app.takes.compare_table import CompareTable
from app.takes.curves import Line
from app.takes.sources import Sources
from app.viewport.thumbnails import middle
from engine.scene.shot import TakeCard

if TYPE_CHECKING:
    from app.takes.energy_plot import EnergyPlot

PICTURE_RATIO = 0.615
PLOT = 132  # px high


def ghost_color() -> str:
    """ "#rrggbb" of take B."""
    return next(str(entry["hex"]) for entry in tokens()["body_palette"]["colors"] if entry["name"] == "sky")


class _Picture(QWidget):
    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.image: QImage | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSizePolicy(policy)
        self.setAccessibleName("Both takes at this moment")

    def sizeHint(self) -> QSize:
        return QSize(400, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        path = QPainterPath()
        path.addRoundedRect(QRectF(self.rect()), radius("card"), radius("card"))
        painter.setClipPath(path)
        painter.fillRect(self.rect(), self._look.view_color("background_bottom"))
        if self.image is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(self.rect(), self.image)


class _Swatch(Painted):
    """Solid for A, dashed for B, as in the curves."""

    def __init__(self, look: Look, ghost: bool) -> None:
        super().__init__(look)
        self._ghost = ghost
        self.setFixedSize(14, 14)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        if not self._ghost:
            plate(painter, area, 3.0, self._look.color("text"))
            return
        color = QColor(ghost_color())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(color, 1.4, Qt.PenStyle.DotLine))
        color.setAlphaF(0.4)
        painter.setBrush(color)
        painter.drawRoundedRect(area, 3.0, 3.0)


class ComparePanel(Ground):
    def __init__(self, sources: Sources) -> None:
        super().__init__(sources.look)
        playback, browsing, look = sources.playback, sources.browsing, sources.look
        self._document, self._playback, self._browsing = sources.document, playback, browsing
        self._thumbnails, self._curves = sources.thumbnails, sources.curves
        self._plot: EnergyPlot | None = None  # made when first shown: it takes a while to load
        self._queue = OneByOne(self._draw, self)
        self.picture, self.table = _Picture(look), CompareTable(look)
        self.first_name, self.second_name = Text(look, "", "text", "body"), Text(look, "", "text", "body")
        self.swap = WordButton(look, "Swap", plain=True)
        self.close_button = IconButton(look, "close", "End comparing", "C")
        self.use_first = QPushButton()
        self.use_first.setProperty("primary", True)
        self.use_second = WordButton(look, "")
        self.use_second.setFixedHeight(size("button_large"))
        self._lay_out()
        self.swap.clicked.connect(browsing.swap)
        self.close_button.clicked.connect(lambda: browsing.compare_with(""))
        self.use_first.clicked.connect(lambda: self._use(browsing.shown))
        self.use_second.clicked.connect(lambda: self._use(browsing.other))
        browsing.changed.connect(self._show_pair)
        playback.moved.connect(self._follow)
        sources.thumbnails.outdated.connect(self._follow)
        sources.curves.ready.connect(self._show_curves)
        look.changed.connect(self._recolor)
        self._recolor()

    def _lay_out(self) -> None:
        title = Text(self._look, "Compare", "text", "panel_title")
        head = held(row(title, FILL, self.swap, self.close_button, edge=(space("l"), 0, space("m"), 0)))
        head.setFixedHeight(size("timeline_header"))
        legend: list[Entry] = []
        for ghost, letter, name in ((False, "A", self.first_name), (True, "B", self.second_name)):
            legend += [_Swatch(self._look, ghost), Text(self._look, letter, "text", "body_strong"), name, space("s")]
        self._plot_place = QVBoxLayout()
        found = (self.picture, row(*legend, FILL, gap=space("s")), self._plot_place, self.table, FILL)
        self._content = held(column(*found, gap=space("s"), edge=(space("l"), 0, space("l"), space("l"))))
        self._content.installEventFilter(self)
        self._scroll = PanelScroll(self._content)
        edge = (space("l"), space("s"), space("l"), space("l"))
        uses = row(wide(self.use_first), self.use_second, gap=space("s"), edge=edge)
        column(head, wide(self._scroll), uses, Put(None), of=self, gap=0, edge=(1, 0, 0, 0))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._plot is None:
            from app.takes.energy_plot import EnergyPlot

            self._plot = EnergyPlot(self._look, "Energy of both takes")
            self._plot.setFixedHeight(PLOT)
            self._plot_place.addWidget(self._plot)
        self._show_pair()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.picture.setFixedHeight(round(PICTURE_RATIO * (self.width() - 2 * space("l") - 1)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The buttons follow right under the content, and stay in sight where it must scroll."""
        if watched is self._content and event.type() == QEvent.Type.LayoutRequest:
            self._scroll.setMaximumHeight(self._content.sizeHint().height())
        return super().eventFilter(watched, event)

    # -- following ---------------------------------------------------------------------------------------------------

    def _before(self) -> float:
        """s before the ending; at the ending, where both look alike, the middle."""
        if not self._playback.at_ending:
            return self._playback.ending - self._playback.time
        return middle(self._playback.ending - self._playback.first)

    def _show_pair(self) -> None:
        first, second = self._browsing.shown, self._browsing.other
        if first is None or second is None or not self.isVisible():
            return
        self.first_name.set_text(first.name)
        self.second_name.set_text(f"{second.name}, as ghosts")
        self.table.show_takes(first, second)
        shot = self._document.scene.shot
        self.use_first.setText(f"Use {lowered(first.name)} in the shot" if shot != first.id else "Used in the shot")
        self.use_first.setEnabled(shot != first.id)
        self.use_second.set_words(f"Use {lowered(second.name)}" if shot != second.id else "Used in the shot")
        self.use_second.setEnabled(shot != second.id)
        self._show_curves()
        self._follow()

    def _show_curves(self, _: str = "") -> None:
        first, second = self._browsing.shown, self._browsing.other
        if self._plot is None or first is None or second is None or not self.isVisible():
            return
        mine, theirs = self._curves.request(first.id), self._curves.request(second.id)
        lines = [] if theirs is None else [Line(theirs, QColor(ghost_color()), dashed=True)]
        lines += [] if mine is None else [Line(mine, self._look.color("text"))]
        self._plot.show_lines(lines)

    def _follow(self) -> None:
        if not self.isVisible() or self._browsing.other is None:
            return
        if self._plot is not None:
            self._plot.show_playhead(None if self._playback.at_ending else self._before())
        self._queue.ask("picture", None)

    def _draw(self, _: str, __: None) -> None:
        first, second = self._browsing.shown, self._browsing.other
        if first is None or second is None or not self.isVisible():
            return
        ratio = self.devicePixelRatioF()
        extent = (max(1, round(self.picture.width() * ratio)), max(1, round(self.picture.height() * ratio)))
        self.picture.image = self._thumbnails.compared(first.id, second.id, self._before(), extent, ghost_color())
        self.picture.update()

    def _use(self, card: TakeCard | None) -> None:
        if card is not None:
            choosing.use_in_shot(self._document, card.id)

    def _recolor(self) -> None:
        self.use_first.setIcon(icon(self._look, "take.use", "on_accent"))
        self._show_curves()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        QPainter(self).fillRect(0, 0, 1, self.height(), self._look.color("line"))


def lowered(name: str) -> str:
    """ "take 07" in the middle of a sentence; names that the artist gave stay as they are."""
    return f"take {name.removeprefix('Take ')}" if name.startswith("Take ") else name
