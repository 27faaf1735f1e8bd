"""The number field under real mouse and keys."""

from __future__ import annotations

import pytest
from panel_scenes import show_active
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QFontMetricsF, QKeySequence, QMouseEvent, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.kit.number_field import NumberField
from app.look.look import Look
from app.look.number_text import editing_text, length_text, mass_text, number_text


class Heard:
    """What a field told, in order."""

    def __init__(self, field: NumberField) -> None:
        self.previews: list[float] = []
        self.ends: list[object] = []
        field.previewed.connect(self.previews.append)
        field.committed.connect(self.ends.append)
        field.cancelled.connect(lambda: self.ends.append("cancelled"))


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    QVBoxLayout(made)
    qtbot.addWidget(made)
    made.resize(240, 120)
    return made


def field_in(window: QWidget, look: Look, qtbot: QtBot, value: float = 1.0, **options: object) -> NumberField:
    field = NumberField(look, "X", "m", "length", **options)  # type: ignore[arg-type]
    field.set_value(value)
    window.layout().addWidget(field)
    field.show()
    show_active(qtbot, window)
    return field


def drag(field: NumberField, by: int, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> QPoint:
    """Press, go over the threshold, then `by` px; the button stays down."""
    start = QPoint(60, 14)
    QTest.mousePress(field, Qt.MouseButton.LeftButton, modifiers, start)
    for x in (4, 4 + by // 2, 4 + by):
        move(field, start + QPoint(x, 0), modifiers)
    return start + QPoint(4 + by, 0)


def move(field: NumberField, to: QPoint, modifiers: Qt.KeyboardModifier) -> None:
    left = Qt.MouseButton.LeftButton
    place, screen = QPointF(to), QPointF(field.mapToGlobal(to))
    none = Qt.MouseButton.NoButton
    QApplication.sendEvent(field, QMouseEvent(QEvent.Type.MouseMove, place, screen, none, left, modifiers))


@pytest.mark.parametrize(
    ("modifiers", "value"),
    [
        (Qt.KeyboardModifier.NoModifier, 1.2),
        (Qt.KeyboardModifier.ShiftModifier, 3.0),
        (Qt.KeyboardModifier.ControlModifier, 1.02),
    ],
)
def test_a_drag_previews_and_ends_in_one_value(
    window: QWidget, look: Look, qtbot: QtBot, modifiers: Qt.KeyboardModifier, value: float
) -> None:
    field = field_in(window, look, qtbot, step=0.01)
    heard = Heard(field)
    at = drag(field, 20, modifiers)
    assert heard.previews[-1] == value and heard.ends == []
    QTest.mouseRelease(field, Qt.MouseButton.LeftButton, modifiers, at)
    assert heard.ends == [value] and field.value == value


def test_a_drag_back_to_its_start_is_no_value(window: QWidget, look: Look, qtbot: QtBot) -> None:
    field = field_in(window, look, qtbot)
    heard = Heard(field)
    drag(field, 20)
    move(field, QPoint(64, 14), Qt.KeyboardModifier.NoModifier)
    QTest.mouseRelease(field, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(64, 14))
    assert heard.ends == ["cancelled"] and field.value == 1.0


@pytest.mark.parametrize("how", ["escape", "right button", "focus"])
def test_a_drag_can_be_cancelled(window: QWidget, look: Look, qtbot: QtBot, how: str) -> None:
    field = field_in(window, look, qtbot)
    heard = Heard(field)
    field.setFocus()
    at = drag(field, 20)
    if how == "escape":
        QTest.keyClick(field, Qt.Key.Key_Escape)
    elif how == "right button":
        QTest.mouseClick(field, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, at)
    else:
        field.clearFocus()
    QTest.mouseRelease(field, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert heard.ends == ["cancelled"] and field.value == 1.0


def test_typing_an_expression(window: QWidget, look: Look, qtbot: QtBot) -> None:
    field = field_in(window, look, qtbot)
    heard = Heard(field)
    place = QPoint(60, 14)
    QTest.mouseDClick(field, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    QTest.mouseRelease(field, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    QTest.keyClicks(window.focusWidget(), "(1 + 2) * 20 cm")
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    assert heard.ends == [pytest.approx(0.6)] and field.hasFocus() and heard.previews == []


def test_a_digit_starts_typing_and_tab_takes_the_value(window: QWidget, look: Look, qtbot: QtBot) -> None:
    field = field_in(window, look, qtbot)
    other = field_in(window, look, qtbot)
    heard = Heard(field)
    field.setFocus()
    QTest.keyClicks(field, "4")
    QTest.keyClicks(window.focusWidget(), ".5")
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
    assert heard.ends == [4.5] and other.hasFocus() and other.ring


def test_mistakes_stay_open_with_a_red_edge(window: QWidget, look: Look, qtbot: QtBot) -> None:
    field = field_in(window, look, qtbot)
    heard = Heard(field)
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Return)
    QTest.keyClicks(window.focusWidget(), "3 deg")
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    assert field.error == "deg measures an angle, this is a length." and field.toolTip() == field.error
    edge = field.grab().toImage().pixelColor(60, 0)
    assert edge == look.color("assisted") and field.value == 1.0 and heard.ends == []
    QTest.keyClicks(window.focusWidget(), "0")
    assert field.error == ""
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
    assert heard.ends == ["cancelled"] and field.value == 1.0


def test_unchanged_text_keeps_every_bit(window: QWidget, look: Look, qtbot: QtBot) -> None:
    value = 0.1 + 0.2
    field = field_in(window, look, qtbot, value)
    heard = Heard(field)
    field.start_typing()
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    assert heard.ends == ["cancelled"] and field.value == value


def test_arrows_step_and_a_held_key_is_one_gesture(window: QWidget, look: Look, qtbot: QtBot) -> None:
    field = field_in(window, look, qtbot, step=0.1)
    heard = Heard(field)
    field.setFocus()
    for _ in range(3):
        QTest.keyPress(field, Qt.Key.Key_Up)
    QTest.keyRelease(field, Qt.Key.Key_Up)
    assert heard.previews == [1.1, 1.2, 1.3] and heard.ends == [1.3]
    QTest.keyClick(field, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(field, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    assert heard.ends == [1.3, pytest.approx(0.3), pytest.approx(0.29)]


def test_the_range_holds_for_drags_and_typing(window: QWidget, look: Look, qtbot: QtBot) -> None:
    field = field_in(window, look, qtbot, value=0.9, minimum=0.0, maximum=1.0)
    heard = Heard(field)
    at = drag(field, 60)
    QTest.mouseRelease(field, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    field.start_typing()
    QTest.keyClicks(window.focusWidget(), "-5")
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    assert heard.ends == [1.0, 0.0]


def test_mixed_values_show_a_dash_until_one_is_set(window: QWidget, look: Look, qtbot: QtBot) -> None:
    field = field_in(window, look, qtbot)
    field.set_value(2.0, mixed=True)
    heard = Heard(field)
    assert field.text() == "—"
    field.start_typing()
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    assert field.text() == "—" and heard.ends == ["cancelled"]
    field.start_typing()
    QTest.keyClicks(window.focusWidget(), "2")
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    assert heard.ends == ["cancelled", 2.0] and field.text() == "2.000"


def test_the_window_s_shortcuts_wait_while_the_field_uses_the_key(window: QWidget, look: Look, qtbot: QtBot) -> None:
    field = field_in(window, look, qtbot)
    ran: list[str] = []
    for keys in ("Escape", "7", "Up", "G"):
        QShortcut(QKeySequence(keys), window, lambda keys=keys: ran.append(keys))
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Up)
    QTest.keyClick(field, Qt.Key.Key_G)
    QTest.keyClick(field, Qt.Key.Key_7)
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
    assert ran == ["G", "Escape"]


def test_a_disabled_field_does_nothing(window: QWidget, look: Look, qtbot: QtBot) -> None:
    field = field_in(window, look, qtbot)
    heard = Heard(field)
    field.setEnabled(False)
    at = drag(field, 20)
    field.start_typing()
    QTest.mouseRelease(field, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert not field.busy and heard.ends == [] and heard.previews == []


def test_a_narrow_field_shows_fewer_decimals_and_tells_all(window: QWidget, look: Look, qtbot: QtBot) -> None:
    field = field_in(window, look, qtbot, -12.345)
    metrics = QFontMetricsF(field.font())
    for text in ("-12.345", "-12.3", "-12"):
        assert field._fitting(metrics, metrics.horizontalAdvance(text)) == text
    assert "-12.345 m" in field.toolTip()
    field.set_value(0.96)
    assert field._fitting(metrics, metrics.horizontalAdvance("1.0")) == "1.0"
    assert field._fitting(metrics, 4.0) == "0.960"  # cut with an ellipsis rather than told wrong


def test_hiding_a_field_ends_its_gesture(window: QWidget, look: Look, qtbot: QtBot) -> None:
    field = field_in(window, look, qtbot)
    heard = Heard(field)
    at = drag(field, 20)
    field.hide()
    assert heard.ends == ["cancelled"] and not field.busy
    QTest.mouseRelease(window, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)


@pytest.mark.parametrize(
    ("value", "decimals", "trim", "text"),
    [
        (0.6, 3, False, "0.600"),
        (-0.0001, 3, False, "-0.0001"),
        (-1e-15, 2, False, "0.00"),
        (0.0, 3, False, "0.000"),
        (45.0, 2, True, "45"),
        (100.0, 0, True, "100"),
        (1900.0, 0, False, "1\u202f900"),
        (1234567.5, 1, False, "1\u202f234\u202f567.5"),
        (2e9, 3, False, "2e+09"),
    ],
)
def test_number_text(value: float, decimals: int, trim: bool, text: str) -> None:
    assert number_text(value, decimals, trim) == text


def test_words_for_lengths_and_masses() -> None:
    assert [length_text(x) for x in (0.0042, 0.2, 1.5)] == ["4.2 mm", "20 cm", "1.5 m"]
    masses = [mass_text(x) for x in (0.0123, 0.25, 2.28, 150.0, 2500.0)]
    assert masses == ["12.3 g", "250 g", "2.3 kg", "150 kg", "2.5 t"]
    assert float(editing_text(0.1 + 0.2)) == pytest.approx(0.3)
