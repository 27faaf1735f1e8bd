"""Searches that go back side by side: weighed by energy, copied, the same for the same seed."""

from __future__ import annotations

import numpy as np
import pytest

from engine.arrivals.brief import Brief
from engine.arrivals.meeting.population import Population
from engine.arrivals.meeting.tuning import TUNING
from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.contact.tiers import PLASTIC
from engine.decide.plan import BUDGET, make_plan
from engine.model.compile import compile_scene
from engine.params import make_params
from engine.run import backward
from tests.bench.scenes import brick_stack
from tests.bench.scenes_director import letters

THREE = Options(arrivals="meeting", particles=3)


@pytest.fixture
def four() -> Population:
    """Four searches at the ending, all bodies awake."""
    scene = letters(20, 0)
    model, params = compile_scene(scene), make_params(1 / 240, scene.gravity)
    population = Population(Brief(scene, model, params, 24, 0.1, 0, Options(arrivals="meeting", particles=4)), 0)
    budget = np.where(model.bodies.inverse_mass > 0.0, 2.0, 0.0)  # J
    for search in population.searches:
        search.begin(make_plan(BUDGET, 0.0, {}, budget, np.zeros(len(budget))), {}, 12)
    population._alive = [True] * 4
    population.drawn = [0, 1, 2, 3]
    return population


def test_takes_are_lawful_and_repeat_bit_for_bit() -> None:
    scene = letters(20, 1)
    one, again, other = (backward(scene, 0.5, 1 / 240, seed=seed, options=THREE) for seed in (1, 1, 2))
    assert one.hash() == again.hash() != other.hash()
    assert one.stopped is None and certify(one).tiers.max() <= PLASTIC
    assert (one.positions[-1] == [body.position for body in scene.bodies]).all()


def test_bodies_that_rest_on_each_other_too() -> None:
    take = backward(brick_stack(3), 0.75, 1 / 240, seed=1, options=THREE)
    report = certify(take)
    assert take.stopped is None and report.tiers.max() <= PLASTIC and report.max_residual <= 1e-8


def test_stopping_keeps_what_is_lawful() -> None:
    told: list[int] = []
    scene = letters(20, 1)

    def stop(done: int, steps: int) -> bool:
        told.append(done)
        return done < steps // 2

    take = backward(scene, 0.5, 1 / 240, seed=1, options=THREE, progress=stop)
    assert take.stopped is not None and "on request" in take.stopped
    assert told == sorted(told) and 0 < take.tape.steps < 120
    assert certify(take).tiers.max() <= PLASTIC


def test_weights_are_those_of_boltzmann(four: Population) -> None:
    """One joule more over a budget of two is half a budget."""
    for joules, search in zip((0.0, 1.0, 1.0, 3.0), four.searches, strict=True):
        body = int(np.argmax(search.model.bodies.inverse_mass > 0.0))
        search.past.v[0, body, 0] = np.sqrt(2.0 * joules / search.model.bodies.mass[body])
    four._alive[2] = False
    expected = np.exp(-np.array([0.0, 0.5, np.inf, 1.5]) / TUNING.temperature)
    np.testing.assert_allclose(four._weights(), expected / expected.sum(), rtol=1e-9)


def test_resampling_is_systematic(four: Population, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(four, "_weights", lambda: np.array([0.7, 0.0, 0.2, 0.1]))
    four._alive[1] = False
    for i, search in enumerate(four.searches):
        search.past.v[0] = i
    four._resample(0.5)  # counts at 1/8, 3/8, 5/8, 7/8
    assert four.drawn == [0, 0, 2, 0] and all(four._alive)
    assert [float(search.past.v[0, 0, 0]) for search in four.searches] == [0.0, 0.0, 2.0, 0.0]
    four.searches[1].past.v[0] = 9.0
    assert (four.searches[0].past.v[0] == 0.0).all(), "a copy is a thing of its own"


def test_even_weights_leave_everybody_as_they_are(four: Population) -> None:
    four._resample(0.3)
    assert four.drawn == [0, 1, 2, 3]


@pytest.mark.parametrize("particles", [0, -1, 1.5])
def test_there_is_at_least_one(particles: int) -> None:
    with pytest.raises(ValueError, match="particles"):
        Options(particles=particles)
