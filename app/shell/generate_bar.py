"""GenerateBar: what is asked of Generate, and the button itself. In a narrow window the fields fold into its menu."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QMenu, QPushButton, QToolButton, QVBoxLayout, QWidget, QWidgetAction

from app.document.difference import Difference
from app.document.document import Document
from app.document.take_edits import ask_for
from app.kit import NumberField, tool_button
from app.kit.layouts import row
from app.look.icons import icon
from app.look.look import Look, size
from app.panels.editing import bind
from app.shell.action_set import ActionSet
from engine.scene.spec import Scene

FIELDS = ("takes", "seconds", "after", "disorder", "seed")
MOST_TAKES, LONGEST, LARGEST_SEED = 999, 60.0, 99_999
SMALLEST_DISORDER, LARGEST_DISORDER = 0.1, 100.0  # mm
WIDTHS = {"takes": 104, "seconds": 112, "after": 96, "disorder": 128, "seed": 96}


class GenerateBar(QWidget):
    def __init__(self, document: Document, actions: ActionSet, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._look, self._folded = document, look, False
        self.takes = NumberField(look, "Takes", "", "", 0, 0.25, 1, MOST_TAKES, name="Number of takes")
        self.seconds = NumberField(look, "Seconds", "", "time", 1, 0.05, 0.1, LONGEST, name="Seconds before the ending")
        self.seed = NumberField(look, "Seed", "", "", 0, 0.25, 0, LARGEST_SEED, name="Seed of the first take")
        self.after = NumberField(look, "After", "", "time", 1, 0.05, 0.1, LONGEST, name="Seconds after this frame")
        self.disorder = NumberField(
            look, "Disorder", "mm", "", 1, 0.1, SMALLEST_DISORDER, LARGEST_DISORDER, trim=True,
            name="How far bodies may end off their places",
        )  # fmt: skip
        self.disorder.setToolTip("Takes end up to this far from where you placed the bodies.")
        for name in FIELDS:
            field: NumberField = getattr(self, name)
            field.setFixedWidth(WIDTHS[name])
            bind(field, document, partial("Change {}".format, name), partial(_asked, name))
        self.dice = tool_button("Another seed", "", 16, (size("field"), size("field")))
        self.dice.setDefaultAction(actions["takes.new_seed"])
        self.dice.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self._fields = QWidget(self)  # now: Tab comes to them before the button
        row(*(getattr(self, name) for name in FIELDS), self.dice, of=self._fields, gap=6)
        self.button = QPushButton("Generate", self)
        self.button.setObjectName("button.takes.generate")
        self.button.setAccessibleName("Generate takes")
        self.button.setProperty("primary", True)
        self.button.setFixedHeight(size("button_large"))
        self.button.setMinimumWidth(132)
        self._action, self._refuse = actions["takes.generate"], partial(actions.refuse, "takes.generate")
        self.button.clicked.connect(self._action.trigger)
        self.button.installEventFilter(self)
        self._action.changed.connect(self._follow_action)
        self._unfold = self._made_unfold()
        self._row = row(self._fields, self.button, self._unfold, of=self, gap=8, edge=(0, 0, 4, 0))
        document.changed.connect(self._follow)
        look.changed.connect(self._recolor)
        self._recolor()
        self._follow_action()
        self._show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A press on the button while there is nothing to generate is told why: Qt keeps such presses from everybody
        but filters."""
        if watched is self.button and event.type() == QEvent.Type.MouseButtonPress and not self.button.isEnabled():
            self._refuse()
        return super().eventFilter(watched, event)

    def fold(self, folded: bool) -> None:
        """Fields behind the button's arrow, or beside it."""
        if folded == self._folded:
            return
        self._folded = folded
        if folded:
            self._menu_column.addWidget(self._fields)
        else:
            self._row.insertWidget(0, self._fields)
        self._fields.show()
        self._unfold.setVisible(folded)
        self._show()

    def _made_unfold(self) -> QToolButton:
        tip, extent = "Number of takes, seconds and seed", (size("min_hit"), size("button_large"))
        button = tool_button("What Generate is asked for", tip, 16, extent, self)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        holder = QWidget(menu)
        self._menu_column = QVBoxLayout(holder)
        entry = QWidgetAction(menu)
        entry.setDefaultWidget(holder)
        menu.addAction(entry)
        button.setMenu(menu)
        button.hide()
        return button

    def _follow(self, change: Difference) -> None:
        if change.request:
            self._show()

    def _show(self) -> None:
        request = self._document.shown.request
        self.takes.set_value(request.takes)
        self.seconds.set_value(request.seconds)
        self.seconds.rename("Before" if request.after else "Seconds", "Seconds before the ending")
        self.after.set_value(request.after)
        self.after.setVisible(request.after > 0.0)
        self.disorder.set_value(1e3 * request.disorder)
        self.disorder.setVisible(request.disorder > 0.0 and request.after == 0.0)
        self.seed.set_value(request.seed)
        whole = request.seconds + request.after
        words = f"Generate {request.takes} × {whole:.1f} s" if self._folded else "Generate"
        self.button.setText(words)

    def _follow_action(self) -> None:
        self.button.setEnabled(self._action.isEnabled())
        self.button.setToolTip(self._action.toolTip())

    def _recolor(self) -> None:
        self.button.setIcon(icon(self._look, "generate", "on_accent"))
        self.button.setIconSize(QSize(18, 18))
        self._unfold.setIcon(icon(self._look, "field.open"))


def _asked(name: str, scene: Scene, value: float) -> Scene:
    if name == "disorder":
        return ask_for(scene, disorder=1e-3 * value)
    return ask_for(scene, **{name: value if name in ("seconds", "after") else int(round(value))})
