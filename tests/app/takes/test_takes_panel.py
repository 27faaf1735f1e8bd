"""The browser by mouse and keyboard, in a real window."""

from __future__ import annotations

import time
from dataclasses import replace
from types import SimpleNamespace

import pytest
from films import with_takes
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLineEdit

from app.document.take_edits import change_takes
from app.takes.card_layout import GAP, WIDTH, CardLayout, card_height
from app.takes.card_words import missed_words
from app.takes.running import RunningTakes
from engine.scene.shot import TakeCard

LEFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


def cell(panel, key: str) -> CardLayout:
    return CardLayout(panel.grid.visualRect(panel.grid.model_.index_of(key)))


def click(qtbot, panel, place, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    qtbot.mouseClick(panel.grid.viewport(), LEFT, modifier, QPoint(round(place.x()), round(place.y())))


def pixels(panel) -> QImage:
    return panel.grid.viewport().grab().toImage()


def test_click_shows_and_ctrl_click_compares(desk, panel, qtbot) -> None:
    click(qtbot, panel, cell(panel, "t3").curve.center())
    assert desk.playback.key == "t3" and panel.grid.key == "t3"
    click(qtbot, panel, cell(panel, "t1").curve.center(), CTRL)
    assert desk.playback.key == "t3" and desk.browsing.other.id == "t1"
    click(qtbot, panel, cell(panel, "t1").curve.center(), CTRL)
    assert desk.browsing.other is None
    assert desk.document.history.count() == 1  # looking is no edit


def test_arrows_walk_the_cards(desk, panel, qtbot) -> None:
    desk.playback.show("t4")
    assert panel.grid.key == "t4"
    qtbot.keyClick(panel.grid, Qt.Key.Key_Right)
    assert desk.playback.key == "t3"
    qtbot.keyClick(panel.grid, Qt.Key.Key_Down)
    assert desk.playback.key == "t2"  # 900 px: three in a row
    qtbot.keyClick(panel.grid, Qt.Key.Key_Up)
    assert desk.playback.key == "t4"


def test_letters_decide(desk, panel, qtbot) -> None:
    desk.playback.show("t3")
    qtbot.keyClick(panel.grid, Qt.Key.Key_P)
    assert card(desk, "t3").pinned
    qtbot.keyClick(panel.grid, Qt.Key.Key_X)
    assert card(desk, "t3").rejected and not card(desk, "t3").pinned and panel.grid.key == "t3"
    qtbot.keyClick(panel.grid, Qt.Key.Key_X)
    assert not card(desk, "t3").rejected
    qtbot.keyClick(panel.grid, Qt.Key.Key_Return)
    assert desk.document.scene.shot == "t3"
    qtbot.keyClick(panel.grid, Qt.Key.Key_C)
    assert desk.browsing.other is not None
    qtbot.keyClick(panel.grid, Qt.Key.Key_C)
    assert desk.browsing.other is None
    qtbot.keyClick(panel.grid, Qt.Key.Key_Delete)
    assert card(desk, "t3") is None and desk.playback.key == "t1"
    while desk.document.history.canUndo():
        desk.document.history.undo()
    while desk.document.history.canRedo():
        desk.document.history.redo()
    assert card(desk, "t3") is None and len(desk.document.scene.takes) == 3


def card(desk, key: str):
    return next((card for card in desk.document.scene.takes if card.id == key), None)


def test_a_name_is_typed_on_the_card(desk, panel, qtbot) -> None:
    desk.playback.show("t4")
    qtbot.keyClick(panel.grid, Qt.Key.Key_F2)
    editor = panel.grid.findChild(QLineEdit)
    assert editor is not None and editor.text() == "Take 04"
    qtbot.keyClicks(editor, "Calm")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: card(desk, "t4").name == "Calm")
    assert desk.document.history.undoText() == "Rename Take 04" and desk.document.scene.shot == ""
    qtbot.keyClick(panel.grid, Qt.Key.Key_F2)
    qtbot.keyClick(panel.grid.findChild(QLineEdit), Qt.Key.Key_Escape)
    assert card(desk, "t4").name == "Calm"


def test_buttons_on_the_card(desk, panel, qtbot) -> None:
    desk.playback.show("t4")
    click(qtbot, panel, cell(panel, "t1").button(0).center())
    assert card(desk, "t1").pinned and desk.playback.key == "t4"
    click(qtbot, panel, cell(panel, "t1").button(1).center())
    assert card(desk, "t1").rejected
    click(qtbot, panel, cell(panel, "t1").thumb.center())  # "put back"
    assert not card(desk, "t1").rejected


def test_header_counts_sorts_and_filters(desk, panel, qtbot) -> None:
    assert panel.header.counts.text == "4 ready · seed 0"
    sort, choices = panel.header.sort, panel.header.filter
    qtbot.mouseClick(sort, LEFT, pos=sort.area_of(1).center().toPoint())
    assert desk.browsing.sort == "certificate"
    qtbot.mouseClick(choices, LEFT, pos=choices.area_of(1).center().toPoint())
    assert desk.names() == [] and panel.empty.isVisible()
    assert panel.empty.words.text.startswith("No take is pinned.")
    qtbot.mouseClick(panel.empty.button, LEFT)
    assert panel.grid.isVisible() and len(desk.names()) == 4


def test_without_takes_it_says_what_to_do(desk, panel, qtbot) -> None:
    desk.document.new()
    assert panel.empty.isVisible() and panel.empty.words.text == "No takes yet. Place an ending, then press Generate."
    with qtbot.waitSignal(panel.asked) as asked:
        qtbot.mouseClick(panel.empty.button, LEFT)
    assert asked.args == ["takes.generate"]


def test_thumbnails_follow_the_moment(desk, panel, quiet) -> None:
    quiet()
    middle = {key: image.cacheKey() for key, (_, image) in desk.thumbnails._images.items()}
    assert set(middle) == set(desk.keys)
    desk.playback.show("t4")
    desk.playback.go_to_frame(20)
    quiet()
    moved = {key: image.cacheKey() for key, (_, image) in desk.thumbnails._images.items()}
    assert all(moved[key] != middle[key] for key in desk.keys)
    assert {moment.before for moment, _ in desk.thumbnails._images.values()} == {4.0 - 20 / 24}


def test_idle_costs_nothing(desk, panel, qtbot, quiet) -> None:
    quiet()
    qtbot.wait(100)
    painted: list[int] = []
    original = panel.grid.delegate.paint
    panel.grid.delegate.paint = lambda *arguments: (painted.append(1), original(*arguments))
    qtbot.wait(300)
    assert painted == [] and not desk.thumbnails.queue.waiting


def test_a_card_shows_its_states(desk, panel, quiet) -> None:
    quiet()
    desk.playback.show("t4")
    desk.browsing.compare_with("t3")
    picture, accent = pixels(panel), desk.look.color("accent")
    for key in ("t4", "t3"):
        badge = cell(panel, key).badge
        assert picture.pixelColor(round(badge.left()) + 4, round(badge.center().y())) == accent
    edge = cell(panel, "t1").card
    assert picture.pixelColor(round(edge.left()) + 1, round(edge.center().y())) != accent


def test_tooltips_tell_notes_and_age(desk, panel) -> None:
    from app.takes.card_words import card_tip

    noted = card(desk, "t3")
    noted = type(noted)(**{**vars(noted), "note": "lands flat"})
    words = card_tip(noted, "", stale=True, is_shot=True)
    assert "111 J when let go" in words and "older than the scene" in words and "lands flat" in words
    assert card_tip(noted, "pin", False, False) == "Pin Take 03  (P)"


def test_a_card_names_the_remedies_of_the_paper_that_made_it(desk, panel, quiet) -> None:
    from dataclasses import replace

    from app.takes.card_words import card_tip

    quiet()
    usual, pictures = card(desk, "t3"), panel.grid.delegate._pictures
    remedied = replace(usual, remedies=("blend", "angular-damping", "later"))
    named = "To compare with the paper: blended bounces, damped spin, later."
    assert named in card_tip(remedied, "", False, False) and "paper" not in card_tip(usual, "", False, False)
    assert "paper: blended bounces, damped spin, later" in panel.grid.model_.words(remedied)
    place = cell(panel, "t3")
    one, other = (pictures.get(each, place, None, (1.0, 1.0)).toImage() for each in (usual, remedied))
    assert one != other, "it stands on the card, too"
    desk.document.edit(
        "Compare", replace(desk.document.scene, request=replace(desk.document.scene.request, remedies=("blend",)))
    )
    panel.header.show_state()
    assert panel.header.words().endswith(" · paper: blended bounces")


def test_a_card_warns_of_what_is_not_as_asked(desk, panel, quiet) -> None:
    from dataclasses import replace

    from app.document.take_edits import shortfalls

    assert shortfalls(card(desk, "t3")) == []
    quiet()
    pictures, low = panel.grid.delegate._pictures, CardLayout(QRect(0, 0, WIDTH, card_height(0) + GAP))
    desk.document.edit("Use", replace(desk.document.scene, shot="t3"))
    before = pictures._marks(low, card(desk, "t3"))
    short = replace(card(desk, "t3"), notes=('"Box 1" stays at rest',), stopped="the time was up", hints=(1, 2))
    cards = [short if each.id == "t3" else each for each in desk.document.scene.takes]
    desk.document.edit("Notes", replace(desk.document.scene, takes=cards))
    lines = ["Ended early: the time was up.", "Follows 1 of 2 hints.", '"Box 1" stays at rest.']
    assert shortfalls(short) == lines
    marks = pictures._marks(low, card(desk, "t3"))
    assert [mark for mark in marks if mark not in before] == [("state.warning", "ghosted")], "no room to say it"
    assert pictures._marks(cell(panel, "t3"), card(desk, "t3")) == before and pictures._says_missed(
        cell(panel, "t3"), card(desk, "t3")
    )
    assert all(line in panel.grid.model_.words(card(desk, "t3")) for line in lines)


def test_five_hundred_takes_stay_fast(desk, panel, qtbot, quiet) -> None:
    from dataclasses import replace

    cards = [replace(desk.document.scene.takes[0], id=f"t{k}", name=f"Take {k}", energy=float(k)) for k in range(500)]
    begin = time.perf_counter()
    desk.document.edit("Many", replace(desk.document.scene, takes=cards, shot=""))
    panel.grid.viewport().repaint()
    first = time.perf_counter() - begin
    panel.grid.scrollToBottom()
    panel.grid.viewport().repaint()
    quiet()
    print(f"500 takes: listed and painted in {1e3 * first:.0f} ms")
    assert first < 0.6
    assert len(desk.thumbnails._images) < 60  # only those that were in sight


def test_the_shown_card_is_in_sight_when_the_list_comes_up(desk, panel, qtbot) -> None:
    from dataclasses import replace

    card = desk.document.scene.takes[0]
    cards = [replace(card, id=f"t{k}", name=f"Take {k}", energy=float(k)) for k in range(60)]
    panel.hide()
    desk.document.edit("Many", replace(desk.document.scene, takes=cards, shot=""))
    desk.playback.show("t55")
    panel.show()
    grid = panel.grid
    qtbot.waitUntil(lambda: grid.viewport().rect().contains(grid.visualRect(grid.model_.index_of("t55")).center()))
    panel.resize(400, 300)
    qtbot.waitUntil(lambda: grid.viewport().rect().contains(grid.visualRect(grid.model_.index_of("t55")).center()))


def test_the_ruler_scrubs(desk, panel, qtbot) -> None:
    panel.set_enlarged(True)
    desk.playback.show("t4")
    ruler = panel.scrub_bar.ruler
    qtbot.waitUntil(ruler.isVisible)
    at = QPoint(round(ruler.x_of(48)), 20)
    qtbot.mousePress(ruler, LEFT, pos=at)
    assert desk.playback.frame == 48 and panel.scrub_bar.frame.text == "48"
    qtbot.mouseMove(ruler, QPoint(round(ruler.x_of(60)), 20))
    qtbot.mouseRelease(ruler, LEFT, pos=QPoint(round(ruler.x_of(60)), 20))
    ruler.setFocus()
    qtbot.keyClick(ruler, Qt.Key.Key_Right)
    assert desk.playback.frame in (49, 61)


def test_tab_stays_inside_when_enlarged(desk, panel, qtbot) -> None:
    panel.set_enlarged(True)
    seen = set()
    for _ in range(20):
        qtbot.keyClick(panel.focusWidget(), Qt.Key.Key_Tab)
        seen.add(panel.focusWidget())
    assert panel.header.sort in seen and panel.scrub_bar.ruler in seen and panel.grid in seen


class Signals:
    """A signal that only remembers who listens."""

    def __init__(self) -> None:
        self.slots: list = []

    def connect(self, slot) -> None:
        self.slots.append(slot)

    def emit(self, *arguments) -> None:
        for slot in self.slots:
            slot(*arguments)


@pytest.fixture
def generation() -> SimpleNamespace:
    return SimpleNamespace(began=Signals(), advanced=Signals(), came=Signals(), lost=Signals(), ended=Signals())


def test_a_running_take_is_announced_after_a_while(desk, panel, qtbot, generation) -> None:
    running: RunningTakes = desk.running
    running.follow(generation)
    generation.began.emit(TakeCard("t9", "Take 09", seed=9, seconds=4.0))
    assert panel.header.counts.text == "4 ready · 1 running · seed 0"
    assert panel.grid.model_.rowCount() == 4  # no card for what comes at once
    qtbot.waitUntil(lambda: panel.grid.model_.rowCount() == 5, timeout=2000)
    generation.advanced.emit("t9", 0.5)
    words = panel.grid.model_.words(panel.grid.model_._entries[4])
    assert words.startswith("Take 09, running backward, 0.") and words.endswith("s to go")
    generation.came.emit(SimpleNamespace(id="t9"))
    assert panel.grid.model_.rowCount() == 4 and running.count == 0
    running.follow(None)


def test_before_the_first_take_it_says_that_they_are_coming(desk, panel, generation) -> None:
    desk.document.new()
    desk.running.follow(generation)
    assert panel.empty.words.text == "Generating. Takes appear here as they finish."
    assert not panel.empty.button.isVisible()
    desk.running.follow(None)
    assert panel.empty.words.text.startswith("No takes yet.") and panel.empty.button.isVisible()


def test_another_document_starts_over(desk, panel, quiet) -> None:
    desk.browsing.set_filter("rejected")
    desk.browsing.set_threshold(100.0)
    keys = with_takes(desk.document, [5.0, 3.0])
    assert desk.browsing.filter == "all" and desk.browsing.threshold is None
    assert desk.names() == ["Take 02", "Take 01"] and len(keys) == 2
    quiet()
    assert set(desk.thumbnails._images) == set(keys)


def test_a_card_says_what_was_missed(desk, panel, quiet) -> None:
    missed = ('"A" does not slide in as drawn: others are in its way', '"B" is laid by a hand: nothing finds a way')
    before = card(desk, "t1")
    changed = replace(before, notes=missed)
    assert missed_words(before) == "" and missed_words(changed) == '"A" does not slide in as drawn'
    assert missed_words(replace(changed, hints=(1.0, 2.0))) == '"A" does not slide in as drawn', "not how many"
    assert missed_words(replace(changed, stopped="by the artist")) == "Ended early"
    quiet()
    area, plain = cell(panel, "t1").missed(False).toRect(), pixels(panel)
    desk.document.edit("Notes", change_takes(desk.document.scene, ["t1"], notes=missed))
    quiet()
    assert pixels(panel).copy(area) != plain.copy(area)
