"""The certificate cannot be talked into anything: tapes that were tampered with are not EXACT."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pytest

from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.contact.kick import GHOST
from engine.contact.tiers import ASSISTED, GHOSTED
from engine.run import backward
from engine.tape.take import Take
from tests.bench import scenes

Arrays = Mapping[str, np.ndarray]


@pytest.fixture(scope="module")
def honest() -> Take:
    return backward(scenes.box_tumbles(), 0.5, 1 / 240, options=Options(policy="constant", launch=False))


def tampered(take: Take, change: Callable[[Arrays], None]) -> Take:
    other = take.tape.spread()
    change(other.blocks[0].arrays)
    return replace(take, tape=other)


def teleport(arrays: Arrays) -> None:
    arrays["x"][40:, 0, 0] += 0.5


def nudge(arrays: Arrays) -> None:
    arrays["v"][40, 0, 0] += 1e-5


def turn(arrays: Arrays) -> None:
    arrays["q"][40:] = arrays["q"][40:, :, [1, 0, 3, 2]]


def pull(arrays: Arrays) -> None:
    arrays["impulse"][:] *= -1.0


def push_aside(arrays: Arrays) -> None:
    arrays["point_a"][:, 0] += 1e-4


def touch_nothing(arrays: Arrays) -> None:
    arrays["point_a"][:, 2] += 1e-2


def test_an_honest_take_passes(honest: Take) -> None:
    report = certify(honest)
    assert report.tiers.max() <= 1 and report.assist == 0.0


LIES = [teleport, nudge, turn, pull, push_aside, touch_nothing]


@pytest.mark.parametrize("change", LIES, ids=lambda change: change.__name__)
def test_a_tampered_tape_is_assisted_and_says_so(honest: Take, change: Callable[[Arrays], None]) -> None:
    report = certify(tampered(honest, change))
    assert report.tiers.max() == ASSISTED
    assert report.fraction(ASSISTED) > 0.0
    assert report.exact_fraction < 1.0


def test_a_contact_taken_off_the_tape_is_a_ghost(honest: Take) -> None:
    tape = honest.tape
    bounce = int(np.flatnonzero((np.diff(tape.start) > 0) & (np.arange(tape.steps) < 80))[-1])
    rows = slice(tape.start[bounce], tape.start[bounce + 1])
    assert tape.contact_column("gap")[rows].min() < -1e-5

    def ignore(arrays: Arrays) -> None:
        arrays["hold"][rows] = GHOST
        arrays["impulse"][rows] = 0.0

    report = certify(tampered(honest, ignore))
    assert report.tiers[bounce] >= GHOSTED
    assert report.ghosts and report.max_depth > 1e-5


def test_reports_and_takes_are_told_in_a_line(honest: Take) -> None:
    assert len(repr(certify(honest))) < 200 and "EXACT" in repr(certify(honest))
    assert len(repr(honest)) < 120
