"""Attraction (Twigg and James 2008): what holds a body may pull it, and the certificate says so."""

from __future__ import annotations

import numpy as np
import pytest

from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.contact.tiers import ASSISTED
from engine.run import backward
from engine.scene.spec import Body, Box, Scene, Sphere
from engine.tape.take import Take
from tests.bench.scenes import material, scattered_boxes

DT, UP, STRUCK, REACH = 1 / 480, 1.0, 0.4, 0.1  # s, m/s, m from the middle, m


def seesaw(attraction: bool) -> Take:
    """A plank on a narrow block; a ball has just bounced off its far end."""
    block = Body("block", Box((REACH, 0.1, 0.1)), (0, 0, 0.1), static=True, material=material())
    plank = Body("plank", Box((0.5, 0.1, 0.02)), (0, 0, 0.22), material=material())
    place = (STRUCK, 0, 0.24 + 0.03 + 0.5 * UP * DT)
    ball = Body("ball", Sphere(0.03), place, velocity=(0, 0, UP), material=material())
    options = Options(policy="constant", launch=False, attraction=attraction)
    return backward(Scene(bodies=[block, plank, ball]), DT, DT, options=options)


def test_contacts_can_only_push_so_the_plank_was_turning() -> None:
    take = seesaw(attraction=False)
    plank = take.model.names.index("plank")
    assert np.linalg.norm(take.tape.state(0).l[plank]) > 0.01
    assert certify(take).tier_counts[ASSISTED] == 0


def test_a_pull_keeps_the_plank_at_rest_and_is_called_an_assist() -> None:
    take = seesaw(attraction=True)
    ball, plank = (take.model.names.index(name) for name in ("ball", "plank"))
    before = take.tape.state(0)
    assert before.v[ball, 2] == pytest.approx(-UP / 0.5, abs=1e-9), "the bounce is as lawful as it was"
    np.testing.assert_allclose(before.v[plank], 0.0, atol=1e-9)
    np.testing.assert_allclose(before.l[plank], 0.0, atol=1e-9)

    mass = take.model.bodies.mass
    blow = mass[ball] * (UP / 0.5 + UP + 9.81 * DT)
    weight = mass[plank] * 9.81 * DT
    other = take.tape.contact_column("a") == plank
    push, point = take.tape.contact_column("impulse")[other][:, 2], take.tape.contact_column("point_a")[other][:, 0]
    near, far = push[point > 0.0].sum(), push[point < 0.0].sum()
    assert (near + far, near - far) == pytest.approx((blow + weight, blow * STRUCK / REACH), rel=1e-3), "a lever"
    assert far < 0.0

    report = certify(take)
    assert report.tiers[0] == ASSISTED and report.assist > 0.0
    assert set(take.tape.contact_column("tier")[~other]) <= {0}, "the ball's own contact is as authored"


def test_nothing_is_pulled_where_nothing_is_held() -> None:
    hashes = {
        backward(scattered_boxes(0, 4), 1.0, 1 / 240, options=Options(policy="blend", attraction=pulls)).hash()
        for pulls in (False, True)
    }
    assert len(hashes) == 1
