"""Rows, columns and forms of the kit, and commands about what is selected."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.document import edits
from app.document.document import Document
from app.kit import NumberField, beside
from app.kit.layouts import FILL, at_right, column, held, row, stacked, wide
from app.kit.panel import LazyPanel, show_each
from app.look.look import Look
from app.session.selection import Selection


def box(width: int = 20, height: int = 10) -> QWidget:
    made = QWidget()
    made.setFixedSize(width, height)
    return made


def test_a_row_gives_what_is_left_to_what_is_wide(qtbot: QtBot) -> None:
    holder, first, grows, last = QWidget(), box(), QWidget(), box()
    row(first, 5, wide(grows), last, of=holder, gap=2, edge=(1, 0, 3, 0))
    qtbot.addWidget(holder)
    holder.resize(200, 10)
    holder.show()
    assert (first.x(), last.x()) == (1, 200 - 3 - 20)
    assert grows.width() == 200 - 1 - 3 - 2 * 20 - 5 - 2 * 2, "a number is so many px, in the place of a gap"


def test_a_column_fills_and_aligns(qtbot: QtBot) -> None:
    holder, top, low = QWidget(), box(), box()
    column(top, FILL, at_right(low), of=holder, gap=0)
    qtbot.addWidget(holder)
    holder.resize(100, 90)
    holder.show()
    assert (top.y(), low.y(), low.x()) == (0, 80, 80)


def test_of_a_stack_the_first_page_is_seen(qtbot: QtBot) -> None:
    holder, first, second = QWidget(), held(row(box())), QWidget()
    pages = stacked(first, second, of=holder)
    qtbot.addWidget(holder)
    holder.show()
    assert first.isVisible() and not second.isVisible()
    pages.setCurrentIndex(1)
    assert second.isVisible() and not first.isVisible()


def test_fields_beside_each_other_share_the_room(look: Look, qtbot: QtBot) -> None:
    fields = NumberField(look, "X"), NumberField(look, "Y")
    line = beside(box(), *fields)
    qtbot.addWidget(line)
    line.resize(QSize(300, 40))
    line.show()
    assert abs(fields[0].width() - fields[1].width()) <= 1 and fields[0].width() > 100


def test_a_lazy_panel_waits_until_it_is_seen(qtbot: QtBot) -> None:
    shown: list[str] = []

    class Panel(LazyPanel):
        def show_now(self) -> None:
            shown.append("now")

    panel = Panel()
    qtbot.addWidget(panel)
    panel.refresh()
    assert shown == [] and panel.stale
    panel.show()
    assert shown == ["now"] and not panel.stale


def test_as_many_widgets_as_items(qtbot: QtBot) -> None:
    holder, widgets, told = QWidget(), [box() for _ in range(3)], []
    column(*widgets, of=holder)
    qtbot.addWidget(holder)
    holder.show()
    show_each(widgets, ["a", "b"], lambda widget, item: told.append(item))
    assert told == ["a", "b"] and [widget.isVisible() for widget in widgets] == [True, True, False]


def test_a_command_about_the_selection_names_it(document: Document, selection: Selection) -> None:
    first, second = (body.id for body in document.scene.bodies[:2])
    selection.set([first])
    assert selection.edit("Lock {}", edits.set_fields, locked=True)
    assert document.history.undoText() == "Lock Brick 1" and document.scene.bodies[0].locked
    selection.set([first, second])
    selection.edit("Hide {}", edits.set_fields, hidden=True)
    assert document.history.undoText() == "Hide 2 bodies"
    assert not selection.edit("Hide {}", edits.set_fields, hidden=True), "nothing to change: no command"
