"""Comparing two takes, and the energies of all."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from films import film_arrays
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage

from app.takes.compare_panel import ghost_color
from app.takes.compare_table import HEAD, ROW
from app.takes.curves import POINTS, read_curve
from app.takes.energy_panel import EnergyPanel
from app.takes.film_colors import FilmColors, arrivals, worst_tiers
from app.viewport.past import apart
from engine.scene.film import read_film

LEFT = Qt.MouseButton.LeftButton
SIZE = (400, 240)


@pytest.fixture
def comparing(desk, panel, qtbot, quiet):
    """Enlarged, take 4 with take 3."""
    panel.resize(1500, 900)
    panel.set_enlarged(True)
    desk.playback.show("t4")
    desk.playback.go_to_frame(12)
    desk.browsing.compare_with("t3")
    qtbot.waitUntil(panel.compare.isVisible)
    quiet()
    qtbot.waitUntil(lambda: panel.compare.picture.image is not None)
    return panel.compare


def test_it_names_both_and_says_what_speaks_for_which(comparing) -> None:
    assert comparing.first_name.text == "Take 04" and comparing.second_name.text == "Take 03, as ghosts"
    assert comparing.use_first.text() == "Use take 04 in the shot" and comparing.use_second.words == "Use take 03"
    assert "Energy when let go: 96 J, 111 J" in comparing.table.accessibleName()
    assert comparing.width() == 471


def test_the_table_tells_why_hints_are_not_followed(desk, comparing) -> None:
    table, last = comparing.table, HEAD + 4.5 * ROW
    assert table.tip_at(QPointF(0.5 * table.width(), last)) == ""
    cards = [replace(card, notes=("Box 2 is too late",)) if card.id == "t3" else card for card in
             desk.document.scene.takes]  # fmt: skip
    desk.document.edit("Notes", replace(desk.document.scene, takes=cards))
    assert table.tip_at(QPointF(0.8 * table.width(), last)) == "Box 2 is too late."
    assert table.tip_at(QPointF(0.5 * table.width(), last)) == "", "only the one that has it"


def test_the_buttons_stay_in_sight(comparing, panel, qtbot) -> None:
    def bottom(widget) -> int:
        return widget.mapTo(comparing, widget.rect().bottomLeft()).y()

    assert 0 < bottom(comparing.use_first) - bottom(comparing.table) < 60  # right under the table
    panel.resize(1280, 560)
    qtbot.waitUntil(lambda: comparing.width() == 400)
    qtbot.waitUntil(lambda: bottom(comparing.use_first) < comparing.height())
    assert comparing.height() - bottom(comparing.use_first) < 30  # the content above it scrolls


def test_swap_use_and_close(desk, comparing, qtbot) -> None:
    qtbot.mouseClick(comparing.swap, LEFT)
    assert desk.playback.key == "t3" and desk.browsing.other.id == "t4" and desk.playback.frame == 12
    qtbot.mouseClick(comparing.use_first, LEFT)
    assert desk.document.scene.shot == "t3" and not comparing.use_first.isEnabled()
    qtbot.mouseClick(comparing.use_second, LEFT)
    assert desk.document.scene.shot == "t4"
    qtbot.mouseClick(comparing.close_button, LEFT)
    assert desk.browsing.other is None and not comparing.isVisible()


def energies_at(plot, before: float) -> list[float]:
    """J of every line at a moment."""
    return [float(np.interp(-before, -line.curve.before, line.curve.energy)) for line in plot._shown]


def test_curves_of_both(comparing) -> None:
    assert energies_at(comparing._plot, 4.0) == [pytest.approx(111.0), pytest.approx(96.0)]


def bluish(image: QImage) -> int:
    """Pixels nearer to the colour of ghosts than to any grey."""
    rgb = np.array([image.pixelColor(x, y).getRgb()[:3] for x in range(0, 400, 2) for y in range(0, 240, 2)], int)
    sky = QColor(ghost_color())
    tint = np.array([sky.red() - sky.blue(), sky.green() - sky.blue()])
    seen = np.stack([rgb[:, 0] - rgb[:, 2], rgb[:, 1] - rgb[:, 2]], axis=1)
    return int((seen @ tint > 0.25 * (tint @ tint)).sum())


def test_the_other_take_is_seen_as_blue_ghosts(desk) -> None:
    for body in desk.document.scene.bodies:
        body.color = "#cf6733"
    alone = desk.thumbnails.compared("t4", "t4", 1.0, SIZE, ghost_color())
    both = desk.thumbnails.compared("t4", "t3", 3.0, SIZE, ghost_color())
    assert bluish(alone) == 0 and bluish(both) > 20


def test_bodies_at_the_same_place_have_no_ghost(desk) -> None:
    film, other = (desk.document.takes.film(key) for key in ("t4", "t3"))
    assert apart(film, other, 0.0) == []
    assert set(apart(film, other, 3.5)) == set(film.bodies)


def test_curves_are_read_without_the_rest_of_the_film(tmp_path, desk) -> None:
    arrays = film_arrays(desk.document.scene, 1, 40.0, 250.0)
    with (tmp_path / "f.npz").open("wb") as stream:
        np.savez_compressed(stream, **arrays)
    data = (tmp_path / "f.npz").read_bytes()
    curve, film = read_curve(data), read_film(data)
    assert len(curve.before) == POINTS and curve.before[0] == 40.0 and curve.before[-1] == 0.0
    assert curve.energy[0] == film.energy[0] and curve.energy[-1] == film.energy[-1]
    assert read_curve(b"no film") is None
    assert read_curve(data[: len(data) // 2]) is None


# -- the panel of energies -------------------------------------------------------------------------------------------


@pytest.fixture
def energy(desk, qtbot):
    made = EnergyPanel(desk.sources)
    qtbot.addWidget(made)
    made.resize(280, 800)
    with qtbot.waitExposed(made):
        made.show()
    desk.playback.show("t4")
    qtbot.waitUntil(lambda: len(made.plot._shown) == 4)
    return made


def test_all_curves_the_shown_one_strong(desk, energy) -> None:
    assert [line.strong for line in energy.plot._shown] == [False, False, False, True]
    assert energies_at(energy.plot, 4.0)[-1] == pytest.approx(96.0)
    rows = [energy.list.topLevelItem(k) for k in range(4)]
    assert [(row.text(0), row.text(1)) for row in rows] == [
        ("Take 04", "96 J"), ("Take 03", "111 J"), ("Take 01", "127 J"), ("Take 02", "171 J"),
    ]  # fmt: skip
    energy.list.setCurrentItem(rows[2])
    assert desk.playback.key == "t1"


def test_the_line_is_dragged_and_takes_above_it_go(desk, energy, qtbot) -> None:
    assert not energy.card.button.isVisible()
    drag_threshold(energy, qtbot, 120.0)
    assert desk.browsing.threshold == pytest.approx(120.0, abs=3.0)
    assert energy.card.button.words == "Discard 2 takes above 120 J"
    with qtbot.waitSignal(energy.discard_asked):
        qtbot.mouseClick(energy.card.button, LEFT)


def drag_threshold(energy, qtbot, joules: float) -> None:
    from PySide6.QtWidgets import QApplication

    plot, box = energy.plot, energy.plot.getViewBox()
    QApplication.processEvents()

    def place(value: float):
        return plot.mapFromScene(box.mapViewToScene(QPointF(-2.0, value)))

    start, end = place(plot.threshold.value()), place(joules)
    area = plot.viewport()
    qtbot.mousePress(area, LEFT, pos=start)
    for part in np.linspace(0.1, 1.0, 10):
        qtbot.mouseMove(area, start + (end - start) * float(part))
        qtbot.wait(5)
    qtbot.mouseRelease(area, LEFT, pos=end)


def test_the_limit_can_be_typed(desk, energy, qtbot) -> None:
    energy.limit.setFocus()
    qtbot.keyClicks(energy.limit, "1")
    editor = energy.limit._editor
    editor.setText("100")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert desk.browsing.threshold == 100.0 and energy.plot.threshold.value() == 100.0
    assert energy.card.button.words == "Discard 3 takes above 100 J"


def test_what_goes_is_what_is_listed_as_going(desk, energy) -> None:
    scene = desk.document.scene
    states = {"t1": {"rejected": True}, "t2": {"pinned": True, "scene": "another"}}
    cards = [replace(card, **states.get(card.id, {})) for card in scene.takes]
    desk.document.edit("States", replace(scene, takes=cards))
    desk.browsing.set_threshold(100.0)
    rows = [energy.list.topLevelItem(k) for k in range(energy.list.topLevelItemCount())]
    assert [row.text(0) for row in rows] == ["Take 04", "Take 03", "Take 02"]
    pale = [row.text(0) for row in rows if row.foreground(0).color() == desk.look.color("disabled")]
    assert pale == ["Take 03"] and energy.card.button.words == "Discard 1 take above 100 J"
    assert rows[2].toolTip(0) == "Take 02, pinned, older than the scene"
    assert not rows[2].icon(2).isNull() and not rows[2].icon(3).isNull() and rows[0].icon(2).isNull()


def test_without_takes_there_is_nothing_to_draw(desk, energy) -> None:
    desk.document.new()
    assert energy._pages.currentIndex() == 0


def test_theme_changes_the_plot(desk, energy) -> None:
    desk.look.set_theme("light")
    assert energy.plot.backgroundBrush().color() == desk.look.color("well")


# -- colours of the view ---------------------------------------------------------------------------------------------


class View:
    def __init__(self) -> None:
        self.values: dict = {}

    def set_body_values(self, mode, values) -> None:
        self.values[mode] = values


def test_the_view_is_told_arrivals_and_tiers(desk) -> None:
    view = View()
    colors = FilmColors(view, desk.playback)
    desk.playback.show("t4")
    film = desk.playback.film
    first, second, third = film.bodies[:3]
    assert view.values["certificate"] == worst_tiers(film)
    assert (worst_tiers(film)[first], worst_tiers(film)[second], worst_tiers(film)[third]) == (4.0, 4.0, 0.0)
    assert arrivals(film)[first] == pytest.approx(4.0 - film.rest[0])
    desk.playback.show("")
    assert view.values == {"arrival": {}, "certificate": {}} and colors is not None
