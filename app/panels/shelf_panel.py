"""ShelfPanel: shapes to drag into the view, 4 x 2 tiles, or one scrolling row where there is little room."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QDrag, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QApplication, QGridLayout, QSizePolicy, QWidget

from app.kit import Ground, PanelHeader, PanelScroll, Pressable, Text
from app.kit.layouts import column, wide
from app.kit.painting import CENTRE, plate, radius, space, write
from app.look.fonts import font
from app.look.icons import icon
from app.look.look import Look, size

SHAPE_MIME = "application/x-foregone-shape"
"""Drags from the shelf carry the kind of the tile under this type, as UTF-8."""

TILES = (
    ("box", "Box", "A box"),
    ("sphere", "Sphere", "A ball"),
    ("capsule", "Capsule", "A capsule, lying"),
    ("cylinder", "Cylinder", "A cylinder, standing"),
    ("mesh", "Mesh…", "A shape from a file"),
    ("wall", "Wall", "A wall of bricks"),
    ("ramp", "Ramp", "A ramp that never moves"),
    ("text", "Text", "Words made of bodies"),
)
COLUMNS = 4
GAP = 5  # px between tiles
BAR = 12  # px under a single row, for its scroll bar
NARROW = 52  # px; narrower tiles are lettered smaller


class Tile(Pressable):
    """One shape. A click chooses it, a drag carries it."""

    def __init__(self, look: Look, kind: str, words: str, explanation: str) -> None:
        super().__init__(look)
        self.kind, self._words = kind, words
        self._from: QPoint | None = None
        self.setFixedHeight(size("shelf_tile"))
        self.setMinimumWidth(size("shelf_tile") - 8)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(f"Add {words.rstrip('…').lower()}")
        self.setToolTip(f"{explanation}\nClick to add, or drag into the view")
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    def sizeHint(self) -> QSize:
        return QSize(size("shelf_tile"), size("shelf_tile"))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = QRectF(self.rect())
        plate(painter, area, radius("button"), self.look.color(self.fill_role("raised") or "raised"))
        side = size("icon_shelf")
        left = (self.width() - side) // 2
        role = "text" if self.hovered else "text2"
        icon(self.look, f"shape.{self.kind}", role).paint(painter, left, 9, side, side)
        under = QRectF(0, 9 + side, self.width(), self.height() - side - 11)
        letters = font("small" if self.width() >= NARROW else "caption")
        write(painter, under, self._words, self.look.color(role), CENTRE, letters)
        self.paint_ring(painter, area, radius("button"))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self._from = event.position().toPoint() if event.button() == Qt.MouseButton.LeftButton else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._from is None:
            return
        if (event.position().toPoint() - self._from).manhattanLength() >= QApplication.startDragDistance():
            self._from = None
            self.down = False
            self._drag()
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._from = None
        super().mouseReleaseEvent(event)

    def mime(self) -> QMimeData:
        data = QMimeData()
        data.setData(SHAPE_MIME, self.kind.encode())
        return data

    def _drag(self) -> None:
        drag = QDrag(self)
        drag.setMimeData(self.mime())
        drag.setPixmap(self._picture())
        drag.setHotSpot(QPoint(size("icon_shelf") // 2, size("icon_shelf") // 2))
        drag.exec(Qt.DropAction.CopyAction)

    def _picture(self) -> QPixmap:
        return icon(self.look, f"shape.{self.kind}", "accent").pixmap(size("icon_shelf"), size("icon_shelf"))


class ShelfPanel(Ground):
    """Signals:
    chosen(str)   a tile was clicked (its kind)
    """

    chosen = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._columns = 0
        self.tiles = [Tile(look, *entry) for entry in TILES]
        for tile in self.tiles:
            tile.clicked.connect(lambda kind=tile.kind: self.chosen.emit(kind))
        self._inner = QWidget()
        self._grid = QGridLayout(self._inner)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(GAP)
        self._scroll = PanelScroll(self._inner, sideways=True)
        hint = Text(look, "drag into the view", "text3", "small")
        inset = column(self._scroll, edge=(space("s"), 0, space("s"), 0))
        column(PanelHeader(look, "Shapes", hint), wide(inset), of=self, gap=0, edge=(0, 0, 0, space("s")))
        self.setMinimumSize(200, size("shelf_tile") + BAR + space("s") + 2)
        self._arrange(COLUMNS)

    def sizeHint(self) -> QSize:
        return QSize(264, size("dock_title") + 2 * size("shelf_tile") + GAP + space("s") + 4)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        two_rows = 2 * size("shelf_tile") + GAP
        self._arrange(COLUMNS if self._scroll.height() >= two_rows else len(self.tiles))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows walk the tiles."""
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -self._columns,
            Qt.Key.Key_Down: self._columns,
        }
        at = next((i for i, tile in enumerate(self.tiles) if tile.hasFocus()), None)
        step = {int(key): by for key, by in steps.items()}.get(event.key())
        if at is None or step is None or not 0 <= at + step < len(self.tiles):
            return super().keyPressEvent(event)
        self.tiles[at + step].setFocus(Qt.FocusReason.TabFocusReason)
        self._scroll.ensureWidgetVisible(self.tiles[at + step], GAP, 0)

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for number, tile in enumerate(self.tiles):
            self._grid.addWidget(tile, number // columns, number % columns, Qt.AlignmentFlag.AlignTop)
        self._grid.setRowStretch(len(self.tiles) // columns, 1)
        one_row = columns == len(self.tiles)
        off, needed = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self._scroll.setHorizontalScrollBarPolicy(needed if one_row else off)
