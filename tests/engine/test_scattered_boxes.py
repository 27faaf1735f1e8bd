"""Twenty boxes at rest on the ground, three seconds back: natural energies without a cheat."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.contact.tiers import ASSISTED, GHOSTED, TUNED
from engine.run import backward
from engine.scene.spec import Material
from tests.bench.scenes import scattered_boxes

SEEDS = range(10)


def test_the_budget_keeps_energy_natural_and_steps_honest() -> None:
    ghosted = steps = 0
    for seed in SEEDS:
        take = backward(scattered_boxes(seed), 3.0, 1 / 480, seed, Options(arrivals="ahead"))
        report = certify(take)
        awake = report.contacts > 0  # steps in which only sleepers touch would flatter the share
        ghosted += int((report.tiers[awake] == GHOSTED).sum())
        steps += int(awake.sum())
        assert take.stopped is None
        assert report.tiers.max() < ASSISTED and report.assist == 0.0
        assert report.max_residual <= 1e-12
        assert take.energy[0] <= 10.0 * take.energy[-1]
        away = np.linalg.norm(take.positions - take.positions[-1], axis=2).max(axis=0)
        assert (away > 0.1).all(), "every box came from somewhere"
    assert ghosted <= 0.005 * steps


@pytest.mark.parametrize("name", ["blend", "damping", "both"])
def test_the_papers_policies_run_and_show_what_they_cost(name: str) -> None:
    damping = 0.0 if name == "blend" else 1.0
    options = Options(policy="constant" if name == "damping" else "blend", angular_damping=damping)
    take = backward(scattered_boxes(0), 3.0, 1 / 240, 0, options)
    report = certify(take)
    assert take.energy[0] > 20.0 * take.energy[-1]
    assert (report.assist > 1.0) == (damping > 0.0)
    if damping:
        assert report.exact_fraction < 0.2


def test_the_blend_stays_in_the_range_of_the_material() -> None:
    """As its words in the window say: without a range it changes nothing, with one it is told as tuned."""
    scene = scattered_boxes(3, 5)
    strict = replace(scene, bodies=[replace(body, material=unbending(body.material)) for body in scene.bodies])
    runs = {
        (name, policy): backward(asked, 1.0, 1 / 240, 0, Options(policy=policy))
        for name, asked in (("usual", scene), ("strict", strict))
        for policy in ("constant", "blend")
    }
    assert runs["strict", "blend"].hash() == runs["strict", "constant"].hash()
    assert runs["usual", "blend"].hash() != runs["usual", "constant"].hash()
    report = certify(runs["usual", "blend"])
    assert report.fraction(TUNED) > 0.05 and report.tiers.max() < GHOSTED


def unbending(material: Material) -> Material:
    return replace(material, restitution_range=(material.restitution, material.restitution))
