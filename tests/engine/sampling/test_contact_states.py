"""The worker's job of contact statistics: rasters, picture, progress, stopping, what cannot be measured."""

from __future__ import annotations

from typing import Any

import pytest

import engine.arrivals.dropped.library
from engine.arrivals.dropped.setting import setting_of
from engine.errors import ForegoneError
from engine.scene.contact_states import NOTHING, ContactStates
from engine.scene.spec import Body, Box, Material, Scene, Sphere
from engine.work.errand import Desk, NotWanted
from engine.work.errands.contact_states import measured
from engine.work.parcel import Parcel

ASKED = ("b1", 6, 1 / 240)


def scene(**fields: object) -> Scene:
    return Scene([Body("Die", Box((0.05, 0.04, 0.03)), (0, 0, 0.03), **fields)])


def test_a_job_answers_with_both_rasters(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(engine.arrivals.dropped.library, "cache_folder", lambda: tmp_path)
    sent: list[tuple[Any, ...]] = []
    found = measured(Parcel(scene()), *ASKED, Desk(sent.append, lambda: True))
    shares = [share for _, share, _ in sent]
    assert shares == sorted(shares) and shares[0] == 0.0 and shares[-1] > 0.67
    assert sent[-1][2] == "5 of 6 landings tried backward", "not runs: some landings have no way back"
    assert isinstance(found, ContactStates)
    assert found.forward.shape == (6, 240) and found.backward.shape[1] == 240
    assert set(found.forward.ravel().tolist()) <= {0, 1, 2, 3, NOTHING} and (found.forward[:, 0] > 0).all()
    assert found.picture.startswith(b"\x89PNG") and 0.0 <= found.apart <= 1.0


def test_it_stops_when_nobody_waits() -> None:
    with pytest.raises(NotWanted):
        measured(Parcel(scene(material=Material(friction=0.77))), *ASKED, Desk(lambda told: None, lambda: False))


def test_what_cannot_come_to_rest_is_refused_in_words() -> None:
    ball = Body("Ball", Sphere(0.1))
    with pytest.raises(ForegoneError, match="round and never comes to rest"):
        setting_of(Scene([ball]), ball, 1 / 240)
    with pytest.raises(ForegoneError, match="without gravity"):
        setting_of(Scene([ball], gravity=(0, 0, 0)), ball, 1 / 240)


def test_the_pair_with_the_ground_is_what_counts() -> None:
    body = scene(material=Material(friction=0.4, restitution=0.5)).bodies[0]
    own = setting_of(Scene([body]), body, 1 / 240)
    assert (own.friction, own.restitution) == (0.4, 0.5)
    ice = setting_of(Scene([body], ground_material=Material(friction=0.1, restitution=0.5)), body, 1 / 240)
    assert ice.friction == pytest.approx(0.2)
