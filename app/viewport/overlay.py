"""What lies over the picture as real widgets: pills, axis ball, grid size, legend, and the word when it is empty."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.camera import Camera
from app.kit import Painted
from app.kit.painting import MIDDLE, write
from app.look.fonts import font
from app.look.icons import icon
from app.look.look import Look
from app.viewport.axis_ball import AxisBall
from app.viewport.coloring import MODES, Entry
from app.viewport.grid import grid_spacing, grid_words
from app.viewport.inspection_pills import InspectionPills
from app.viewport.motion_pills import MotionPills
from app.viewport.pill import Pill

EDGE = 12  # px from the edges of the view
GAP = 8
ICON = 32  # px, over the words of an empty view
COMPACT_BELOW = 460  # px of view width: pills lose their words
BALL_BELOW = 260  # px of view width: no axis ball
VIEWS = ("front", "back", "right", "left", "top", "bottom")
EMPTY = "Nothing here yet. Drag a shape in, or press Shift+A."


class Note(Painted):
    """Lines of text over the picture; the mouse goes through it."""

    def __init__(self, look: Look, parent: QWidget, icon_name: str = "", role: str = "text2") -> None:
        super().__init__(look, parent)
        self._icon_name, self._role = icon_name, role
        self.words = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFont(font("body" if icon_name else "small"))

    def set_words(self, words: str) -> None:
        if words != self.words:
            self.words = words
            self.setAccessibleName(words)
            self.update()

    def fitted(self, width: int) -> QSize:
        """Room it takes, wrapped at a width."""
        flags = int(Qt.TextFlag.TextWordWrap) | int(Qt.AlignmentFlag.AlignHCenter)
        box = QFontMetrics(self.font()).boundingRect(QRect(0, 0, width, 400), flags, self.words)
        if not self._icon_name:
            return QSize(box.width() + 4, box.height() + 4)
        return QSize(box.width() + 2 * EDGE + 4, box.height() + ICON + 4 * GAP)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        room = self.rect()
        if self._icon_name:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._look.view_color("background_bottom", 0.86))  # lines of the grid end below the words
            painter.drawRoundedRect(room, 10.0, 10.0)
            place = QRect((self.width() - ICON) // 2, GAP + 2, ICON, ICON)
            icon(self._look, self._icon_name, "text3").paint(painter, place)
            room = room.adjusted(EDGE, ICON + GAP, -EDGE, 0)
        painter.setPen(self._look.color(self._role))
        painter.drawText(room, int(Qt.TextFlag.TextWordWrap) | int(Qt.AlignmentFlag.AlignCenter), self.words)


class Legend(Painted):
    """What the colours mean."""

    ROW, CHIP, PAD = 20, 10, 10

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(look, parent)
        self.entries: list[Entry] = []
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFont(font("small"))

    def set_entries(self, entries: list[Entry]) -> None:
        if entries != self.entries:
            self.entries = entries
            metrics = QFontMetrics(self.font())
            widest = max((metrics.horizontalAdvance(entry.words) for entry in entries), default=0)
            self.resize(2 * self.PAD + self.CHIP + GAP + widest + 2, self.ROW * len(entries) + self.PAD)
            self.setAccessibleName(", ".join(entry.words for entry in entries))
        self.setVisible(bool(entries))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._look.color("line2"), 1.0))
        painter.setBrush(self._look.color("raised", 0.94))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6.0, 6.0)
        for k, entry in enumerate(self.entries):
            middle = self.PAD / 2 + self.ROW * (k + 0.5)
            painter.setPen(QPen(QColor(entry.color).darker(130), 1.0))
            painter.setBrush(QColor(entry.color))
            painter.drawRoundedRect(QRectF(self.PAD, middle - self.CHIP / 2, self.CHIP, self.CHIP), 2.5, 2.5)
            left = self.PAD + self.CHIP + GAP
            room = QRectF(left, middle - self.ROW / 2, self.width() - left, self.ROW)
            write(painter, room, entry.words, self._look.color("text2"), MIDDLE)


class Overlay(QWidget):
    """Owner of the widgets over a view; itself it stays invisible, they are children of the view.

    Signals:
        view_chosen(str)         "front", ...
        orthographic_chosen(bool)
        color_chosen(str)        a mode of `coloring`
        orbited(float, float)    px
        setting_chosen(str, object)   name and value of a preference
    """

    view_chosen = Signal(str)
    orthographic_chosen = Signal(bool)
    color_chosen = Signal(str)
    orbited = Signal(float, float)
    setting_chosen = Signal(str, object)

    def __init__(self, look: Look, view: QWidget) -> None:
        super().__init__(view)
        self.hide()
        self._view = view
        self.camera_pill = Pill(look, "view.camera", "View: perspective, or along an axis", view)
        self.color_pill = Pill(look, "view.colour", "What the colours of bodies show", view)
        self.motion = MotionPills(look, view)
        self.found = InspectionPills(look, view)
        self.axis_ball = AxisBall(look, view)
        self.grid_note = Note(look, view)
        self.empty_note = Note(look, view, icon_name="shape.box")
        self.legend = Legend(look, view)
        self.failure_note = Note(look, view, icon_name="state.warning", role="text")
        self.empty_note.set_words(EMPTY)
        self.failure_note.hide()
        self.legend.hide()
        self._projection = self._fill_camera_menu()
        modes = {mode: words.capitalize() for mode, words in MODES.items()}
        self._modes = self.color_pill.offer(modes, self.color_chosen.emit)
        self.axis_ball.chosen.connect(self.view_chosen)
        self.axis_ball.dragged.connect(self.orbited)
        for pills in (self.motion, self.found):
            pills.setting_chosen.connect(self.setting_chosen)
            pills.resized.connect(self.place)

    def _fill_camera_menu(self) -> dict[bool, QAction]:
        menu, kinds = self.camera_pill.menu(), {False: "Perspective", True: "Orthographic"}
        found = self.camera_pill.offer(kinds, self.orthographic_chosen.emit)
        menu.addSeparator()
        for name in VIEWS:
            menu.addAction(name.capitalize()).triggered.connect(lambda _, name=name: self.view_chosen.emit(name))
        return found

    def show_camera(self, camera: Camera, height: int) -> None:
        self.axis_ball.show_camera(camera)
        action = self._projection[camera.orthographic]
        if action.text() != self.camera_pill.text():
            action.setChecked(True)
            self.camera_pill.set_words(action.text())
            self.place()
        words = grid_words(grid_spacing(camera.span() / max(height, 1))[0])
        if words != self.grid_note.words:
            self.grid_note.set_words(words)
            self._place_grid_note()

    def show_colors(self, mode: str, entries: list[Entry]) -> None:
        self.color_pill.set_words(f"Colour: {MODES[mode]}")
        self._modes[mode].setChecked(True)
        self.legend.set_entries(entries)
        self.place()

    def show_empty(self, empty: bool) -> None:
        self.empty_note.setVisible(empty and not self.failure_note.words)

    def show_failure(self, words: str) -> None:
        """Nothing can be drawn: say so, and hide what needs a picture."""
        self.failure_note.set_words(words)
        self.failure_note.show()
        for widget in (self.camera_pill, self.color_pill, self.axis_ball, self.grid_note, self.legend, self.empty_note):
            widget.hide()
        self.motion.show_take("", False)
        self.place()

    def place(self) -> None:
        """After the view or a word changed its size."""
        width, height = self._view.width(), self._view.height()
        self._place_pills(width)
        self.axis_ball.move(width - EDGE - self.axis_ball.width(), EDGE)
        self.axis_ball.setVisible(width >= BALL_BELOW and not self.failure_note.words)
        self.legend.move(EDGE, EDGE + self.camera_pill.height() + GAP)
        for note in (self.empty_note, self.failure_note):
            note.resize(note.fitted(max(120, width - 4 * EDGE)))
            middle = QPointF(0.5 * width, 0.5 * height)
            note.move(int(middle.x() - 0.5 * note.width()), int(middle.y() - 0.5 * note.height()))
        pill = self.motion.freshness
        pill.set_compact(width < pill.room(False) + self.grid_note.fitted(200).width() + 2 * EDGE + GAP)
        pill.adjustSize()
        pill.move(EDGE, height - EDGE - pill.height())
        self._place_grid_note()

    def _place_pills(self, width: int) -> None:
        """View and colour left, those of the take in the middle, or beside the others where there is little room."""
        left = [self.camera_pill, self.color_pill]
        middle = [pill for pill in (self.motion.ghosts, self.motion.trail, *self.found.pills) if not pill.isHidden()]
        wide = sum(pill.room(False) + GAP for pill in left + middle) + 2 * EDGE
        compact = width < COMPACT_BELOW or (bool(middle) and width < wide + self.axis_ball.width())
        for pill in left + middle:
            pill.set_compact(compact)
            pill.adjustSize()
        end = _in_a_row(left, EDGE)
        room = sum(pill.width() + GAP for pill in middle) - GAP
        _in_a_row(middle, max(end, (width - room) // 2))

    def _place_grid_note(self) -> None:
        note = self.grid_note
        note.resize(note.fitted(200))
        note.move(self._view.width() - EDGE - note.width(), self._view.height() - EDGE - note.height())


def _in_a_row(pills: list[Pill], left: int) -> int:
    """Along the upper edge; where the next one would begin."""
    for pill in pills:
        pill.move(left, EDGE)
        left += pill.width() + GAP
    return left
