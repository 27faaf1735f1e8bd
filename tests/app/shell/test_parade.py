"""The examples of the start page: each has a take of its own that ends in its picture, and they play in turn."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPointF, QRect
from PySide6.QtGui import QHoverEvent, QImage
from PySide6.QtWidgets import QApplication, QWidget

from app.look.look import Look
from app.shell.example_card import FRAMES, HELD, ExampleCard
from app.shell.examples import Example, examples
from app.shell.parade import Parade


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.scene.stem)
def test_a_strip_ends_in_the_picture(example: Example) -> None:
    strip, picture = QImage(str(example.motion)), QImage(str(example.picture))
    assert not strip.isNull() and strip.width() % FRAMES == 0
    width = strip.width() // FRAMES
    first, last = (strip.copy(QRect(k * width, 0, width, strip.height())) for k in (0, FRAMES - 1))
    ending = picture.scaled(width, strip.height())
    assert _apart(last, ending) < 8.0, "of 255, on the average"
    assert _apart(first, last) > 0.3, "something moves"


def _apart(one: QImage, two: QImage) -> float:
    """Mean difference of the pixels, over grey."""
    images = [image.convertToFormat(QImage.Format.Format_RGBA8888_Premultiplied) for image in (one, two)]
    rows = [bytes(image.constBits()) for image in images]
    return sum(abs(a - b) for a, b in zip(*rows, strict=True)) / len(rows[0])


@pytest.fixture
def page(qtbot) -> tuple[QWidget, list[ExampleCard]]:
    page = QWidget()
    qtbot.addWidget(page)
    cards = [ExampleCard(example, Look("dark"), page) for example in examples()[:2]]
    for k, card in enumerate(cards):
        card.setGeometry(200 * k, 0, 190, 190)
    Parade(cards, page)
    page.show()
    return page, cards


def test_cards_play_in_turn_while_they_are_seen(qtbot, page) -> None:
    whole, (first, second) = page
    qtbot.waitUntil(lambda: first.playing)
    qtbot.waitUntil(lambda: second.playing and not first.playing, timeout=8000)
    whole.hide()
    assert not second.playing
    qtbot.wait(1000)
    assert not first.playing and not second.playing


def test_the_one_pointed_at_plays_at_once(qtbot, page) -> None:
    _, (first, second) = page
    qtbot.waitUntil(lambda: first.playing)
    place = QPointF(5.0, 5.0)
    QApplication.sendEvent(second, QHoverEvent(QEvent.Type.HoverEnter, place, place, QPointF(-1.0, -1.0)))
    qtbot.waitUntil(lambda: second.playing)
    assert not first.playing


def test_a_take_is_over_after_its_ending_was_held(qtbot, page) -> None:
    card = page[1][0]
    card.rest()
    steps = 0
    while card.step():
        steps += 1
    assert steps == FRAMES + HELD and not card.playing
