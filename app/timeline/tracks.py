"""Tracks: ruler, energy, certificate and one row per body over one time axis. What stays while time goes on is painted
once and kept; a new moment repaints the playhead and two numbers."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QRegion,
    QResizeEvent,
)
from PySide6.QtWidgets import QScrollBar, QToolTip, QWidget

from app.document.difference import Difference
from app.document.document import Document
from app.kit import KEYBOARD
from app.look.look import Look, size
from app.look.tier_marks import GLYPH
from app.session.playback import Playback
from app.session.selection import Selection
from app.timeline.areas import Areas
from app.timeline.body_list import BodyList
from app.timeline.film_index import FilmIndex, glyphs
from app.timeline.shown import Row, Shown
from app.timeline.time_axis import TimeAxis, fitted
from app.timeline.tracks_input import TracksInput
from app.timeline.tracks_keys import TracksKeys
from app.timeline.tracks_picture import moving_region, paint_moving, paint_still
from app.timeline.tracks_words import words_at
from app.viewport.pointer_events import PointerEvents
from engine.scene.film import Film

LABELS = 264  # px, until the window says how wide its left dock is
BAR = 10  # px, width of the scroll bar
PAGE = 0.08  # of the width: where the playhead appears when it had run out of sight


class Tracks(PointerEvents, QWidget):
    """Signals:
    folded(bool)   the energy track gave way, or is back
    """

    folded = Signal(bool)

    def __init__(self, document: Document, selection: Selection, playback: Playback, look: Look) -> None:
        super().__init__()
        self.document, self.selection, self.playback, self._look = document, selection, playback, look
        self._index: FilmIndex | None = None
        self._rows = BodyList(None, document.shown)
        self._labels, self._scroll, self._axis = LABELS, 0, TimeAxis(0.0, 1.0, 0.0, 1.0)
        self._all_in_sight = True  # the axis shows the whole film, and goes on doing so when the window is resized
        self._held: int | None = None
        self._state: tuple[object, ...] = ()
        self._stale = False
        self._shown: Shown | None = None
        self._picture: QPixmap | None = None
        self._region, self._was_folded = QRegion(), False
        self._bar = QScrollBar(Qt.Orientation.Vertical, self)
        self._bar.valueChanged.connect(self.scroll_to)
        self._input: TracksInput = TracksInput(self)
        self._keys = TracksKeys(self)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Timeline tracks")
        playback.moved.connect(self._follow_moment)
        playback.changed.connect(self._follow_playback)
        document.changed.connect(self._follow_document)
        selection.changed.connect(self._follow_selection)
        look.changed.connect(self._read_rows)
        self._follow_playback()

    # -- what is shown -----------------------------------------------------------------------------------------------

    @property
    def shown(self) -> Shown | None:
        """None without a film."""
        if self._shown is None and self._index is not None:
            stretches = self._index.stretches(self._axis)
            self._shown = Shown(
                look=self._look,
                playback=self.playback,
                index=self._index,
                axis=self._axis,
                areas=self.areas,
                rows=self._rows,
                selected=frozenset(self.selection.ids),
                active=self.selection.active,
                stale=self._stale,
                card=self.playback.card,
                stretches=tuple(stretches),
                signs=tuple(glyphs(stretches, GLYPH + 2.0)),
                held=self._held if self._keys.ring else None,
            )
        return self._shown

    @property
    def areas(self) -> Areas:
        return Areas(self.width(), self.height(), self._labels, len(self._rows), self._scroll)

    @property
    def whole(self) -> TimeAxis:
        """The axis that shows all of the film."""
        track = self.areas.ruler
        return fitted(self.playback.first, self.playback.last, track.x(), track.width())

    @property
    def axis(self) -> TimeAxis:
        return self._axis

    def set_axis(self, axis: TimeAxis) -> None:
        if axis != self._axis:
            self._axis = axis
            whole = self.whole
            self._all_in_sight = (axis.first, axis.last) == (whole.first, whole.last)
            self.repaint_all()

    def fit(self) -> None:
        """All of the film in sight."""
        self._all_in_sight = True
        self.set_axis(self.whole)

    def set_label_width(self, width: int) -> None:
        if width != self._labels:
            self._labels = width
            self._place()

    def scroll_to(self, px: int) -> None:
        px = min(max(0, px), self.areas.farthest)
        if px != self._scroll:
            self._scroll = px
            self._bar.setValue(px)
            self.repaint_all()

    def scroll_to_row(self, number: int) -> None:
        """As little as is needed to see it."""
        top, height = number * size("track_row"), self.areas.body_rows.height()
        if top < self._scroll:
            self.scroll_to(top)
        elif top + size("track_row") > self._scroll + height:
            self.scroll_to(top + size("track_row") - height)

    @property
    def held(self) -> int | None:
        """The row whose arrival handle gets the arrow keys."""
        return self._held

    def hold(self, number: int | None) -> None:
        if number != self._held:
            self._held = number
            self.repaint_all()

    def row_of(self, body: str | None) -> int | None:
        return self._rows.number(body)

    # -- following ---------------------------------------------------------------------------------------------------

    def _follow_playback(self) -> None:
        """`changed` comes with every edit: only what the picture depends on counts."""
        playback, scene = self.playback, self.document.scene
        state = (playback.film, playback.card, scene.bodies, scene.hints, scene.gravity, playback.fps, playback.range)
        if len(self._state) == len(state) and all(map(_same, state, self._state)):
            return
        self._state, self._stale = state, playback.stale
        if playback.film is not (self._index.film if self._index else None):
            self._read_film(playback.film)
        self.repaint_all()

    def _read_film(self, film: Film | None) -> None:
        self._input.cancel()
        self._index, self._held, self._scroll = (FilmIndex(film) if film is not None else None), None, 0
        self._read_rows()
        self._all_in_sight = True
        self._place()

    def _read_rows(self) -> None:
        self._rows = BodyList(self._index, self.document.shown)
        self._place()

    def _follow_document(self, change: Difference) -> None:
        """A body that only moves has the row it had. A range that is being dragged shows where it is."""
        if change.request:
            self._follow_playback()
        if not (change.bodies or change.hints):
            return
        seen, held = self._rows_in_sight(), self._rows[self._held].id if self._held is not None else None
        self._rows.follow(self.document.shown, change)
        self._held = self._rows.number(held)
        if change.added or change.removed:
            self._place()
        elif self._rows_in_sight() != seen:
            self.repaint_all()

    def _rows_in_sight(self) -> list[Row]:
        return [self._rows[number] for number in self.areas.visible_rows]

    def _follow_selection(self) -> None:
        number = self.row_of(self.selection.active)
        if number is not None:
            self.scroll_to_row(number)
        if self._held is not None and self._held != number:
            self._held = None
        self.repaint_all()

    def _follow_moment(self) -> None:
        """Repaint where the playhead was and where it is."""
        shown = self.shown
        if shown is None:
            return
        axis, track = self._axis, shown.areas.ruler
        x = axis.x(self.playback.time)
        if not track.left() <= x <= track.right() and not self._input.scrubbing:
            self.set_axis(axis.moved(track.left() + PAGE * track.width() - x, self.whole))
            return
        region = moving_region(shown)
        self.update(region + self._region)
        self._region = region

    # -- painting ----------------------------------------------------------------------------------------------------

    def repaint_all(self) -> None:
        self._shown = self._picture = None
        self._region = QRegion()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        shown = self.shown
        if shown is None:
            painter.fillRect(self.rect(), self._look.color("panel"))
            return
        picture = self._still(shown)
        ratio = picture.devicePixelRatio()
        area = event.rect()  # Qt keeps the painter inside the region, so that no more than needed is copied
        source = QRectF(area.topLeft().toPointF() * ratio, area.size().toSizeF() * ratio)
        painter.drawPixmap(QRectF(area), picture, source)
        if self._region.isEmpty():
            self._region = moving_region(shown)
        paint_moving(painter, shown)
        if self.hasFocus() and self._keys.ring and self._held is None:
            self._keys.paint_ring(painter, shown)

    def _still(self, shown: Shown) -> QPixmap:
        ratio = self.devicePixelRatioF()
        if self._picture is None or self._picture.devicePixelRatio() != ratio:
            made = QPixmap((self.size().toSizeF() * ratio).toSize())
            made.setDevicePixelRatio(ratio)
            painter = QPainter(made)
            paint_still(painter, shown)
            painter.end()
            self._picture = made
        return self._picture

    # -- events ------------------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        return QSize(800, 244)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        """After a change of size: axis, scroll bar, what folds."""
        areas = self.areas
        self._axis = self.whole if self._all_in_sight else self._axis.placed(areas.ruler.x(), areas.ruler.width())
        self._scroll = min(self._scroll, areas.farthest)
        rows = areas.body_rows
        self._bar.setGeometry(self.width() - BAR, rows.y(), BAR, rows.height())
        self._bar.setRange(0, areas.farthest)
        self._bar.setPageStep(max(1, rows.height()))
        self._bar.setSingleStep(size("track_row"))
        self._bar.setValue(self._scroll)
        self._bar.setVisible(areas.farthest > 0 and rows.height() > 0)
        if areas.folded != self._was_folded:
            self._was_folded = areas.folded
            self.folded.emit(areas.folded)
        self.repaint_all()

    def event(self, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._keys.uses(event):
            event.accept()
            return True
        if kind == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            shown = self.shown
            words = words_at(shown, event.pos(), self.document.shown) if shown is not None else ""
            QToolTip.showText(event.globalPos(), words, self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._keys.show_ring(False)
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._input.cancel():
            return
        if not self._keys.press(event):
            super().keyPressEvent(event)

    @property
    def busy(self) -> bool:
        """Is something being dragged?"""
        return self._input.busy

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._keys.ring = event.reason() in KEYBOARD
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.hold(None)
        self.update()


def _same(a: object, b: object) -> bool:
    """Films, cards and lists of bodies are values: another one is another object. Numbers are compared."""
    return a is b or (isinstance(a, (float, tuple)) and a == b)
