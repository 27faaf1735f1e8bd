"""The story of a take, with mouse and keyboard only: a hint is sketched, takes are generated, sorted, scrubbed, pinned,
taken back, made again, saved and opened. And what was drawn is what happens."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hand import LONG, Hand
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabBar
from test_story import Teller

from app.document.take_edits import ranked
from engine.scene.spec import Scene

GRAVITY = 9.81


def draw(hand: Hand, view, points: np.ndarray) -> None:
    """A stroke through pixels (n, 2), with the left button down."""
    none = Qt.KeyboardModifier.NoModifier
    hand.move(view, *points[0])
    top, place = hand._place(view, *points[0])
    QTest.mousePress(top, Qt.MouseButton.LeftButton, none, place)
    for point in points[1:]:
        hand.move(view, *point)
    top, place = hand._place(view, *points[-1])
    QTest.mouseRelease(top, Qt.MouseButton.LeftButton, none, place)
    QApplication.processEvents()


def new_scene_with_a_box(teller: Teller) -> None:
    hand, view = teller.hand, teller.view
    hand.keys("Ctrl+N", "Shift+A")
    hand.choose("Box")
    width, height = view.extent
    hand.move(view, 0.36 * width, 0.66 * height)
    hand.click(view, 0.35 * width, 0.66 * height)
    hand.wait(lambda: len(teller.scene.bodies) == 1 and teller.studio.tool_name == "select")


def pixels(teller: Teller, points: np.ndarray) -> np.ndarray:
    found, ahead = teller.view.camera.project(points, *teller.view.extent)
    assert ahead.all()
    return found


def ask(teller: Teller, takes: int, seconds: str) -> None:
    bar, hand = teller.window.tool_bar.generate, teller.hand
    for field, text in ((bar.takes, str(takes)), (bar.seconds, seconds)):
        hand.click(field)
        hand.keys(*text, "Return")
    assert teller.scene.request.takes == takes and teller.scene.request.seconds == float(seconds)
    hand.click(teller.window.status)  # the keys go to the window again


def generate(teller: Teller, count: int) -> None:
    hand, studio = teller.hand, teller.studio
    hand.click(teller.window.tool_bar.generate.button)
    assert studio.generation is not None and teller.window.tool_bar.strip.isVisible()
    hand.wait(lambda: studio.job is None, LONG)
    assert len(teller.scene.takes) == count, studio.pool.details


def show_tab(teller: Teller, name: str) -> None:
    for bar in teller.window.findChildren(QTabBar):
        for index in range(bar.count()):
            if bar.tabText(index) == name and bar.isVisible():
                middle = bar.tabRect(index).center()
                teller.hand.click(bar, middle.x(), middle.y())
                return
    raise AssertionError(f"no tab {name}")


def level(vector: np.ndarray) -> np.ndarray:
    return np.asarray(vector)[:2] / np.linalg.norm(np.asarray(vector)[:2])


def angle(a: np.ndarray, b: np.ndarray) -> float:
    """Degrees between two level directions."""
    return math.degrees(math.acos(float(np.clip(level(a) @ level(b), -1.0, 1.0))))


def test_an_arc_bounces_in(program, tmp_path: Path) -> None:
    hand = program()
    teller = Teller(hand)
    studio, document, view = teller.studio, teller.studio.document, teller.view
    nothing = Scene()
    new_scene_with_a_box(teller)
    rest = np.array(teller.scene.bodies[0].position)
    way, top = np.array([0.55, 0.25, 0.0]), 0.35
    share = np.linspace(0.0, 1.0, 40)[:, None]
    base = rest - np.array([0, 0, rest[2]])  # the stroke begins and ends on the ground
    arc = base + way * (1.0 - share) + np.array([0, 0, 1.0]) * 4.0 * top * share * (1.0 - share)
    hand.keys("D")
    draw(hand, view, pixels(teller, arc))
    (hint,) = teller.scene.hints
    assert hint.kind == "bounce" and hint.height == pytest.approx(top, rel=0.1)
    assert angle(np.array(hint.velocity), -way) < 5.0
    hand.keys("Escape")
    assert teller.studio.tool_name == "select", "the pencil is put down"

    ask(teller, 4, "1.5")
    generate(teller, 4)
    energies = [card.energy for card in ranked(teller.scene.takes)]
    for card in teller.scene.takes:
        film = document.takes.film(card.id)
        assert film is not None and card.hints == (1.0, 1.0)
        heights, last = film.positions[:, 0, 2] - rest[2], int(np.searchsorted(film.times, film.rest[0]))
        before = film.event_time[film.event_time < film.rest[0] - 0.1]
        let_go = float(before.max()) if len(before) else float(film.release[0])  # it is let go where the arc begins
        took_off = int(np.searchsorted(film.times, let_go))
        apex = float(heights[took_off:last].max())
        assert apex == pytest.approx(top, rel=0.25), "the last hop is as high as it was drawn"
        came = film.positions[last - 8, 0] - film.positions[last, 0]
        assert angle(came, way) < 15.0, "and comes from where it was drawn"

    show_tab(teller, "Takes")
    panel = teller.window.takes.panel
    sort = panel.header.sort
    hand.click(sort, *_middle(sort.area_of(1)))
    hand.click(sort, *_middle(sort.area_of(0)))
    assert [card.energy for card in studio.browsing.cards] == energies
    first = studio.browsing.cards[0].id
    assert studio.playback.key == first, "the calmest is shown"
    hand.click(panel.grid, *_card(panel.grid, 1))
    second = studio.browsing.cards[1].id
    assert studio.playback.key == second

    show_tab(teller, "Timeline")
    tracks = teller.window.timeline.tracks
    ruler = tracks.areas.ruler
    y = ruler.center().y()
    hand.drag(tracks, (tracks.axis.x(1.4), y), (tracks.axis.x(0.7), y))
    assert studio.playback.time == pytest.approx(0.7, abs=1 / 24)
    frame = studio.playback.frame
    hand.keys(".", ".", ",")
    assert studio.playback.frame == frame + 1
    hand.keys("Space")
    hand.wait(lambda: studio.playback.frame != frame + 1)
    hand.keys("Space", "End")
    assert studio.playback.at_ending and studio.playback.direction == 0

    show_tab(teller, "Takes")
    hand.click(panel.grid, *_card(panel.grid, 1))
    hand.keys("P")
    assert [card.id for card in teller.scene.takes if card.pinned] == [second]

    everything = document.scene
    versions = [everything]
    while document.history.canUndo():
        hand.keys("Ctrl+Z")
        versions.append(document.scene)
    assert document.scene == nothing and studio.playback.key == ""
    while document.history.canRedo():
        assert document.scene == versions.pop()
        hand.keys("Ctrl+Shift+Z")
    assert document.scene == everything

    studio.questions.file = tmp_path / "shot.foregone"
    hand.keys("Ctrl+S")
    hand.wait(lambda: not document.dirty)
    hand.keys("Ctrl+N")
    assert document.scene == nothing
    hand.keys("Ctrl+O")
    hand.wait(lambda: document.path is not None)
    assert document.scene == everything
    assert all(document.takes.film(card.id) is not None for card in document.scene.takes)
    assert studio.playback.film is not None and not studio.playback.stale
    hand.wait(lambda: not hand.window.checking._pause.isActive() and not studio.worker.busy, LONG)


def test_a_line_slides_in(program) -> None:
    hand = program()
    teller = Teller(hand)
    new_scene_with_a_box(teller)
    rest = np.array(teller.scene.bodies[0].position)
    base = rest - np.array([0, 0, rest[2]])
    way = np.array([0.7, -0.1, 0.0])
    hand.keys("D")
    line = base + way * (1.0 - np.linspace(0.0, 1.0, 25)[:, None])
    start = pixels(teller, line)[0]
    end = pixels(teller, rest[None])[0]
    draw(hand, teller.view, start + (end - start) * np.linspace(0.0, 1.0, 25)[:, None])
    (hint,) = teller.scene.hints
    assert hint.kind == "slide"
    drawn = -np.array(hint.direction)
    assert angle(drawn, way) < 20.0
    hand.keys("G", "X", "Escape")  # moves start from the pencil too
    assert teller.studio.tool_name == "select" and teller.scene.bodies[0].position == tuple(rest)
    ask(teller, 1, "1.2")
    generate(teller, 1)
    (card,) = teller.scene.takes
    film = teller.studio.document.takes.film(card.id)
    assert film is not None and card.hints == (1.0, 1.0)
    last = int(np.searchsorted(film.times, film.rest[0]))
    sliding = film.positions[last - 30 : last + 1, 0]
    assert np.abs(sliding[:, 2] - rest[2]).max() < 1e-3, "it stays on the ground"
    assert np.linalg.norm(sliding[0] - sliding[-1]) > 0.05
    assert angle(sliding[0] - sliding[-1], drawn) < 15.0, "it comes from the drawn side"
    hand.wait(lambda: not hand.window.checking._pause.isActive() and not teller.studio.worker.busy, LONG)


def _middle(area) -> tuple[float, float]:
    return area.center().x(), area.center().y()


def _card(grid, number: int) -> tuple[float, float]:
    area = grid.visualRect(grid.model().index(number, 0))
    place: QPoint = area.center()
    return place.x(), area.top() + 20
