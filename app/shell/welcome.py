"""Welcome: the start page over the empty scene. Ways to begin at the left, examples at the right."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QWidget,
)

from app.kit import label, set_surface
from app.kit.layouts import FILL, Entry, column, row, wide
from app.look.fonts import font
from app.look.icons import icon
from app.shell import file_commands
from app.shell.add_commands import add_kind
from app.shell.ages import age_words
from app.shell.example_card import ExampleCard
from app.shell.examples import KINDS, Example, examples
from app.shell.parade import Parade
from app.shell.recovery import Recovery, RecoveryCard
from app.shell.studio import Studio
from app.shell.top_bar import Mark

PAGE = (1200, 816)  # px, as large as it gets
LEFT = 320
COLUMNS = 3
MOST_RECENT = 5
STEPS = (
    ("1", "Place", "Set where bodies end"),
    ("2", "Sketch", "Draw how they came"),
    ("3", "Generate", "Get takes that end there"),
    ("4", "Choose", "Use one in the shot"),
)


class Welcome(QWidget):
    """Signals:
    closed()    the artist wants to see the scene
    """

    closed = Signal()

    def __init__(self, studio: Studio, parent: QWidget) -> None:
        super().__init__(parent)
        self._studio = studio
        self._icons: list[tuple[QPushButton, str]] = []
        self.setObjectName("welcome")
        set_surface(self, "app")
        self._page = QFrame(self)
        self._page.setObjectName("welcome_page")
        row(self._made_left(), wide(self._made_right()), of=self._page, gap=0, edge=(1, 1, 1, 1))
        studio.look.changed.connect(self._recolor)
        self._recolor()

    def focus_first(self) -> None:
        self.new.setFocus(Qt.FocusReason.OtherFocusReason)

    def offer_work(self, recovery: Recovery) -> None:
        """A card for work that a crash left, at the foot of the left side."""
        self._foot.insertWidget(0, RecoveryCard(recovery, self._studio.look, self._page))

    # -- left --------------------------------------------------------------------------------------------------

    def _made_left(self) -> QWidget:
        side = QWidget(self._page)
        side.setObjectName("welcome_left")
        side.setFixedWidth(LEFT)
        studio = self._studio
        head = row(Mark(studio.look, 32), label("Foregone", "brand"), FILL, gap=14)
        slogan = label("Place the ending.\nWe find how it came to be.", "lead", "second")
        self.new = self._button("New ending", "file.new", lambda: file_commands.new(studio), primary=True)
        others = (
            self._button("Open…", "file.open", lambda: file_commands.open_project(studio)),
            self._button("Start from text", "tool.text", lambda: _begin(studio, "text")),
            self._button("Start from a mesh", "shape.mesh", lambda: _begin(studio, "mesh")),
        )
        at_start = QCheckBox("Show at start")
        at_start.setChecked(bool(studio.settings.get("start/welcome")))
        at_start.toggled.connect(lambda on: studio.settings.set("start/welcome", on))
        self._foot = column(at_start, gap=10)
        entries = (head, 8, slogan, 16, self.new, 6, *others, *self._recent(), FILL, self._foot)
        column(*entries, of=side, gap=4, edge=(32, 36, 32, 20))
        return side

    def _button(self, words: str, glyph: str, act: Callable[[], None], primary: bool = False) -> QPushButton:
        button = QPushButton(words, self._page)
        button.setProperty("primary", primary)
        button.setProperty("flat", not primary)
        button.setFixedHeight(38 if primary else 34)
        button.setStyleSheet("text-align: left; padding-left: 14px;")
        button.setIconSize(QSize(16, 16))
        button.setAutoDefault(True)
        button.clicked.connect(lambda: act())
        self._icons.append((button, glyph))
        return button

    def _recent(self) -> list[Entry]:
        paths = file_commands.recent(self._studio)[:MOST_RECENT]
        if not paths:
            return []
        head = label("Recent", "small", "second")
        head.setContentsMargins(14, 0, 0, 2)
        now = time.time()
        return [18, head, *(self._recent_button(path, now) for path in paths)]

    def _recent_button(self, path: Path, now: float) -> QPushButton:
        button = self._button("", "file", lambda: file_commands.open_path(self._studio, path))
        age = label(age_words(path, now), "small", "third")
        age.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row(FILL, age, of=button, edge=(0, 0, 12, 0))
        room = LEFT - 64 - 40 - age.sizeHint().width() - 16
        button.setText(button.fontMetrics().elidedText(path.stem, Qt.TextElideMode.ElideMiddle, room))
        button.setToolTip(str(path))
        button.setAccessibleName(f"Open {path.stem}")
        return button

    def _open(self, example: Example) -> None:
        file_commands.open_example(self._studio, example.scene, example.title)

    # -- right -------------------------------------------------------------------------------------------------

    def _made_right(self) -> QWidget:
        side = QWidget(self._page)
        head = row(label("Examples", "panel_title"), FILL, self._made_filter(side))
        scroll = QScrollArea(side)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.viewport().setAutoFillBackground(False)
        inside = QWidget(scroll)
        inside.setAutoFillBackground(False)
        self._grid = QGridLayout(inside)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(14)
        self.cards = [ExampleCard(example, self._studio.look, inside) for example in examples()]
        for card in self.cards:
            card.clicked.connect(lambda _=False, shown=card.example: self._open(shown))
        Parade(self.cards, self)
        scroll.setWidget(inside)
        line = QFrame(side)
        line.setObjectName("welcome_line")
        line.setFixedHeight(1)
        column(head, wide(scroll), line, self._made_steps(), of=side, gap=12, edge=(32, 28, 32, 20))
        self._filter("All")
        return side

    def _made_filter(self, parent: QWidget) -> QWidget:
        plate = QFrame(parent)
        plate.setObjectName("welcome_filter")
        group = QButtonGroup(plate)
        self.filters: dict[str, QPushButton] = {}
        for kind in KINDS:
            button = QPushButton(kind, plate)
            button.setProperty("flat", True)
            button.setCheckable(True)
            button.setFont(font("small"))
            button.setFixedHeight(24)
            button.setStyleSheet("text-align: center; min-height: 22px; padding: 0px 9px;")
            button.clicked.connect(lambda _=False, kind=kind: self._filter(kind))
            group.addButton(button)
            self.filters[kind] = button
        self.filters["All"].setChecked(True)
        row(*self.filters.values(), of=plate, gap=2, edge=(2, 2, 2, 2))
        return plate

    def _filter(self, kind: str) -> None:
        shown = [card for card in self.cards if kind in ("All", card.example.kind)]
        for card in self.cards:
            self._grid.removeWidget(card)
            card.setVisible(card in shown)
        for number, card in enumerate(shown):
            self._grid.addWidget(card, number // COLUMNS, number % COLUMNS)
        for number in range(COLUMNS):
            self._grid.setColumnStretch(number, 1)
        for number in range(-(-len(self.cards) // COLUMNS)):  # few cards are as large as many
            self._grid.setRowStretch(number, 1)

    def _made_steps(self) -> QHBoxLayout:
        entries: list[Entry] = []
        for number, words, more in STEPS:
            cap = label(number, role="keycap")
            cap.setAlignment(Qt.AlignmentFlag.AlignCenter)
            cap.setFixedSize(24, 24)
            entries += [cap, label(f"{words}\n{more}", "small", "second"), FILL]
        return row(*entries, gap=10)

    # -- events ------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width, height = min(PAGE[0], self.width() - 32), min(PAGE[1], self.height() - 32)
        self._page.setGeometry((self.width() - width) // 2, (self.height() - height) // 2, width, height)

    def _recolor(self) -> None:
        look = self._studio.look
        for button, glyph in self._icons:
            button.setIcon(icon(look, glyph, "on_accent" if button is self.new else "text2"))
        self._page.setStyleSheet(
            f"#welcome_page {{ background: {look.hex('panel')}; border: 1px solid {look.hex('line')};"
            " border-radius: 12px; }"
            f"#welcome_line {{ background: {look.hex('line')}; }}"
            f"#welcome_left {{ border-right: 1px solid {look.hex('line')}; }}"
            f"#welcome_filter {{ background: {look.hex('well')}; border: 1px solid {look.hex('line2')};"
            " border-radius: 6px; }"
        )


def _begin(studio: Studio, kind: str) -> None:
    """A new scene with a first body of a kind."""
    if file_commands.leave_document(studio, partial(_begin, studio, kind)):
        studio.document.new()
        add_kind(studio, kind)
