"""The window: layout, keyboard, theme, start page, palette, messages."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontInfo, QFontMetrics
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel
from standins import filled, standin_parts

from app.look.fonts import font, load_fonts
from app.look.look import THEMES, Look, size
from app.look.style import palette, style_sheet
from app.session.settings import home
from app.shell.examples import examples
from app.shell.fuzzy import ranked, score
from app.shell.mishaps import LOG, Mishaps
from app.tools.tool import Expect
from app.viewport.motion_pills import Freshness
from app.viewport.overlay import EDGE
from engine.scene.spec import Body, Box, Scene


def test_measures(window) -> None:
    assert window.top_bar.height() == size("menu_bar") == 32
    assert window.tool_bar.height() == 48 and window.status.height() == 26
    docks = window.docks.docks
    assert docks["outliner"].width() == 264 and docks["inspector"].width() == 344
    assert docks["timeline"].height() == 176
    assert docks["inspector"].geometry().bottom() == docks["timeline"].geometry().bottom()
    assert docks["timeline"].x() == 0 and docks["timeline"].geometry().right() < docks["inspector"].x()


def test_small_window(window) -> None:
    window.resize(1280, 720)
    window.actions_by_id.run("window.reset_layout")
    QApplication.processEvents()
    docks = window.docks.docks
    assert (docks["outliner"].width(), docks["inspector"].width(), docks["timeline"].height()) == (220, 312, 112)


def test_narrow_window_hides_the_left_behind_a_strip(window, qtbot) -> None:
    window.resize(1100, 700)
    window.actions_by_id.run("window.reset_layout")
    assert not window.docks.shown("outliner") and not window.docks.shown("shelf")
    strip = window.findChild(QAbstractButton, "strip.outliner")
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton)
    assert window.docks.shown("outliner") and not strip.isVisible()
    assert window.actions_by_id["window.outliner"].isChecked()


def test_layout_is_remembered_and_can_be_reset(window, qtbot, answers) -> None:
    from app.document.document import Document
    from app.shell.window import Window

    window.resize(1500, 900)
    window.actions_by_id.run("window.timeline")
    assert not window.docks.shown("timeline")
    window.close()
    again = Window(Document(), window.studio.settings, window.studio.look, standin_parts(), answers)
    again.fit_screen()
    again.show()
    assert again.size() == window.size() and not again.docks.shown("timeline")
    again.actions_by_id.run("window.reset_layout")
    assert again.docks.shown("timeline") and again.docks.docks["timeline"].height() == 176
    again.close()
    again.deleteLater()


def test_every_button_has_a_name_and_a_tooltip(window) -> None:
    for button in window.tool_bar.findChildren(QAbstractButton):
        if button.objectName() == "qt_toolbar_ext_button":
            continue
        assert button.accessibleName() and button.toolTip(), button.objectName()
        assert button.height() >= size("min_hit")


def test_only_the_active_tool_shows_its_name(window) -> None:
    def named() -> list[str]:
        beside = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        return [b.text() for b in window.tool_bar.buttons()[:4] if b.toolButtonStyle() == beside]

    assert named() == ["Select"]
    window.actions_by_id.run("tool.rotate")
    assert named() == ["Rotate"] and window.studio.view.tool.name == "rotate"
    window.actions_by_id.run("tool.rotate")  # again: it stays
    assert named() == ["Rotate"] and window.actions_by_id["tool.rotate"].isChecked()


def test_f6_walks_the_panels(window, qtbot) -> None:
    window.studio.view.setFocus()
    seen = []
    for _ in range(4):
        window.actions_by_id.run("window.next_panel")
        focus = window.focusWidget()
        seen.append(next((name for name, dock in window.docks.docks.items() if dock.isAncestorOf(focus)), "view"))
    assert seen == ["outliner", "shelf", "inspector", "timeline"]
    window.actions_by_id.run("window.next_panel")
    assert window.focusWidget() is window.studio.view


def test_status_bar_follows_the_tool_and_the_selection(window) -> None:
    ids = filled(window.studio.document)
    assert window.status.counts.text() == "3 bodies"
    window.studio.selection.set(ids[:1])
    assert window.status.counts.text() == "3 bodies · 1 selected"
    assert window.status.expectations.shown == window.studio.view.tool.expects()
    assert window.status.expectations.shown[0] == Expect("Click", "select a body")
    window.actions_by_id.run("body.move")
    assert window.status.expectations.shown[-1] == Expect("Esc", "cancel")


# -- theme ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", THEMES)
def test_style_is_made_from_the_tokens(theme: str) -> None:
    look = Look(theme)
    sheet = style_sheet(look)
    assert "$" not in sheet and look.hex("panel") in sheet and look.hex("accent") in sheet
    assert palette(look).window().color() == look.color("panel")


def test_theme_switches_live_and_is_kept(window) -> None:
    before = window.actions_by_id["tool.move"].icon().cacheKey()
    window.actions_by_id.run("window.theme_light")
    assert window.studio.look.theme == "light" and window.studio.settings.get("look/theme") == "light"
    assert window.actions_by_id["tool.move"].icon().cacheKey() != before
    assert window.actions_by_id["window.theme_light"].isChecked()
    assert not window.actions_by_id["window.theme_dark"].isChecked()


def test_the_font_is_inter_with_equal_digits(qtbot) -> None:
    assert "Inter" in load_fonts()
    body = font("body")
    assert QFontInfo(body).family() == "Inter" and QFontInfo(body).pixelSize() == 13
    metrics = QFontMetrics(body)
    assert metrics.horizontalAdvance("1111") == metrics.horizontalAdvance("8888")


# -- palette --------------------------------------------------------------------------------------------------------


def test_palette_finds_and_runs(window, qtbot) -> None:
    filled(window.studio.document)
    qtbot.keyClick(window.studio.view, Qt.Key.Key_F3)
    float_ = window.palette_float
    assert float_.isVisible()
    qtbot.keyClicks(float_.field, "sel al")
    assert float_.list.item(0).text() == "Select all"
    qtbot.keyClick(float_.field, Qt.Key.Key_Down)
    qtbot.keyClick(float_.field, Qt.Key.Key_Up)
    qtbot.keyClick(float_.field, Qt.Key.Key_Return)
    assert not float_.isVisible() and len(window.studio.selection.ids) == 3


def test_palette_greys_what_cannot_run_and_says_why(window, qtbot) -> None:
    from app.shell.palette import REASON, WORDS

    window.palette_float.open()
    float_ = window.palette_float
    qtbot.keyClicks(float_.field, "duplicate")
    item = float_.list.item(0)
    assert item.data(REASON) == "Select a body first." and item.data(WORDS) == "Edit\tShift+D"
    qtbot.keyClick(float_.field, Qt.Key.Key_Return)
    assert float_.isVisible() and window.studio.document.history.count() == 0
    qtbot.keyClick(float_.field, Qt.Key.Key_Escape)
    assert not float_.isVisible()


def test_palette_with_nothing_found(window, qtbot) -> None:
    window.palette_float.open()
    qtbot.keyClicks(window.palette_float.field, "qqqq")
    assert window.palette_float.list.count() == 0
    qtbot.keyClick(window.palette_float.field, Qt.Key.Key_Return)
    window.palette_float.close()


def test_fuzzy_prefers_starts_of_words() -> None:
    names = ["Save as", "Select all", "Isolate", "Scale", "Show all"]
    assert names[ranked("sa", names)[0]] in ("Save as", "Select all", "Show all")
    assert names[ranked("isol", names)[0]] == "Isolate"
    assert ranked("zz", names) == []
    assert ranked("", names) == [0, 1, 2, 3, 4]


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=12), st.text(max_size=30))
def test_fuzzy_finds_exactly_subsequences(query: str, text: str) -> None:
    wanted, rest = query.lower().replace(" ", ""), iter(text.lower())
    assert (score(query, text) is not None) == all(letter in rest for letter in wanted)


# -- start page -----------------------------------------------------------------------------------------------------


def test_examples_load_and_have_pictures() -> None:
    assert [e.title for e in examples()][:2] == ["Die on a table", "Brick wall"] and len(examples()) == 10
    for example in examples():
        scene = Scene.load(example.scene)
        assert sum(not body.static for body in scene.bodies) == example.bodies and example.picture.exists()


def test_start_page_opens_a_copy(window, qtbot) -> None:
    window.show_welcome()
    assert not window.tool_bar.isEnabled() and not window.actions_by_id["select.all"].isEnabled()
    card = next(card for card in window.welcome.cards if card.text() == "Brick wall")
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    window.studio.files.finish()
    document = window.studio.document
    assert len(document.scene.bodies) == 45 and document.path is None and not document.dirty
    assert not window.welcome_shown and window.tool_bar.isEnabled()
    assert ("frame", None) in window.studio.view.calls


def test_start_page_by_keyboard(window, qtbot) -> None:
    window.show_welcome()
    card = window.welcome.cards[0]
    card.setFocus()
    qtbot.keyClick(card, Qt.Key.Key_Return)
    window.studio.files.finish()
    assert window.studio.document.scene.name == "Die on a table"
    window.show_welcome()
    qtbot.keyClick(window.welcome.cards[1], Qt.Key.Key_Escape)
    assert not window.welcome_shown


def test_a_card_under_the_mouse_does_not_look_focused(window, qtbot) -> None:
    window.show_welcome()
    card, focus = window.welcome.cards[1], window.studio.look.color("focus")

    def has_ring() -> bool:
        picture = card.grab().toImage()
        return picture.pixelColor(picture.width() // 2, 1) == focus

    window.welcome.cards[0].setFocus()
    qtbot.mouseMove(card)
    qtbot.waitUntil(card.underMouse)
    assert not has_ring()
    card.setFocus()
    qtbot.waitUntil(card.hasFocus)
    assert has_ring()


def test_start_page_tells_the_whole_way(window) -> None:
    window.show_welcome()
    words = [label.text().split("\n")[0] for label in window.welcome.findChildren(QLabel) if "\n" in label.text()]
    assert [word for word in words if word in ("Place", "Sketch", "Generate", "Choose", "Settle")] == [
        "Place", "Sketch", "Generate", "Choose",
    ]  # fmt: skip


def test_start_page_filters_examples(window, qtbot) -> None:
    window.show_welcome()
    qtbot.mouseClick(window.welcome.filters["Slide"], Qt.MouseButton.LeftButton)
    assert [card.text() for card in window.welcome.cards if card.isVisible()] == ["Crates sliding in"]


def test_start_page_covers_everything_at_any_size(window) -> None:
    window.show_welcome()
    for width, height in ((1280, 720), (960, 600), (1600, 1000)):
        window.resize(width, height)
        QApplication.processEvents()
        area = window.welcome.geometry()
        assert area.width() == width and area.top() == window.tool_bar.geometry().bottom() + 1


# -- messages and mishaps -------------------------------------------------------------------------------------------


def test_a_message_stays_until_it_is_answered(window, qtbot) -> None:
    done: list[str] = []
    window.tell("Lamp hangs 3 cm above the table.", [("Settle", lambda: done.append("settle"))])
    assert window.message.isVisible()
    qtbot.mouseClick(window.message.buttons[0], Qt.MouseButton.LeftButton)
    assert done == ["settle"] and not window.message.isVisible()


def test_a_message_after_another_has_room_for_its_button(window, qtbot) -> None:
    window.studio.shell.tell("Short.", [])
    window.studio.shell.tell("A much longer sentence that was not there before this one.", [("Show in folder", print)])
    message, button = window.message, window.message.buttons[0]
    qtbot.waitUntil(lambda: button.isVisible() and button.geometry().left() >= message.label.geometry().right())
    wide = message.label.fontMetrics().horizontalAdvance(message.label.text())
    assert message.label.width() >= min(wide, message.parentWidget().width() // 2), "words are not cut"


def test_a_message_goes_with_its_scene(window) -> None:
    window.tell("Box 1 and Box 2 meet in the ending.", kind="warning")
    document = window.studio.document
    document.edit("Add", replace(document.scene, bodies=[Body("Box", Box((0.1, 0.1, 0.1)))]))
    assert window.message.isVisible(), "an edit does not answer it"
    document.new(Scene())
    assert not window.message.isVisible()


def test_a_message_leaves_the_lowest_line_of_the_view_free(window) -> None:
    window.tell("Box 1 and Box 2 meet in the ending.", kind="warning")
    place = Freshness(window.studio.look, window.centralWidget())
    place.show_state("Take 03", False)
    place.adjustSize()
    assert window.message.geometry().bottom() < window.centralWidget().height() - EDGE - place.height()


def test_long_messages_wrap_inside_the_view(window) -> None:
    window.tell("A long sentence that goes on. " * 20, kind="warning")
    centre = window.centralWidget()
    assert centre.rect().contains(window.message.geometry())
    assert window.message.label.height() > 2 * window.message.label.fontMetrics().height()


def test_mishaps_are_told_once_and_written_down(window, capsys) -> None:
    told: list[tuple[str, str]] = []
    mishaps = Mishaps(lambda message, details: told.append((message, details)))
    for _ in range(2):
        try:
            raise ZeroDivisionError("on purpose")
        except ZeroDivisionError:
            mishaps.handle(*sys.exc_info())
    assert len(told) == 1 and "Your scene is safe." in told[0][0] and "on purpose" in told[0][1]
    assert (home() / LOG).read_text().count("on purpose") == 2 * 2  # the raise line and the message, twice


def test_mishaps_in_telling_do_not_run_away(window, capsys) -> None:
    def failing(message: str, details: str) -> None:
        raise RuntimeError("cannot tell")

    mishaps = Mishaps(failing)
    try:
        raise ValueError("first")
    except ValueError:
        mishaps.handle(*sys.exc_info())
    assert "cannot tell" in capsys.readouterr().err


# -- status bar -----------------------------------------------------------------------------------------------------


def test_messages_and_the_engine_leave_the_keys_in_place(window) -> None:
    filled(window.studio.document)
    keys = list(window.status.expectations.shown)
    window.say("Nothing to drop: no body is selected.")
    window.studio.worker.compiling.emit(103, 412, 21.4)
    words = [label.text() for label in window.status.findChildren(QLabel) if label.isVisible()]
    assert "Nothing to drop: no body is selected." in words and "Preparing the engine · 103 of 412, 22 s left" in words
    assert all(key in words for key, _ in keys[:3])
    assert window.inspector.preparing
    window.studio.worker.ready.emit()
    assert not any(label.isVisible() and "Preparing" in label.text() for label in window.status.findChildren(QLabel))
    assert window.status.said == "The engine is ready." and not window.inspector.preparing


def test_keys_that_do_not_fit_are_left_out_whole(window) -> None:
    window.resize(960, 600)
    window.status.expectations.show_all([Expect(str(n), "words that need some room") for n in range(12)])
    caps = [label for label in window.status.expectations.findChildren(QLabel) if label.isVisible()]
    right = window.status.expectations.width()
    places = [label.mapTo(window.status.expectations, label.rect().topRight()).x() for label in caps]
    assert 2 <= len(caps) < 24 and max(places) < right


# -- panels that move -----------------------------------------------------------------------------------------------


def test_a_panel_can_be_dragged_out_and_comes_back_with_the_layout(window, qtbot) -> None:
    dock = window.docks.docks["inspector"]
    grip = dock.titleBarWidget()
    start = grip.rect().center()
    qtbot.mousePress(grip, Qt.MouseButton.LeftButton, pos=start)
    for step in range(1, 9):
        qtbot.mouseMove(grip, start + QPoint(-60 * step, 30 * step), delay=5)
    assert dock.isFloating()
    qtbot.mouseRelease(grip, Qt.MouseButton.LeftButton)
    window.actions_by_id.run("window.reset_layout")
    assert not dock.isFloating() and dock.isVisible() and dock.width() == 344


@pytest.mark.parametrize("width", [960, 1280, 1600])
def test_the_name_covers_neither_menus_nor_the_box_that_finds(window, qtbot, width: int) -> None:
    bar = window.top_bar
    window.resize(width, 700)
    qtbot.waitUntil(lambda: bar.width() == width)
    title, menus = bar._title.geometry(), bar.menu_bar.x() + bar.menu_bar.sizeHint().width()
    assert menus <= title.left() and title.right() <= bar.find_button.x()
    assert width < 1600 or abs(title.center().x() - bar.width() // 2) <= 1, "in the middle where there is room"
