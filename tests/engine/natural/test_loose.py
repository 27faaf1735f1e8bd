"""Articulations that are let go: they come in with their joints turning, released late, and lawfully from there on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from engine import Body, Box, Hint, Scene, Take, backward, certify
from engine.arrivals.brief import Brief
from engine.arrivals.natural.flop import Flop
from engine.arrivals.natural.later import let_go_together
from engine.arrivals.natural.loose import come_loosely
from engine.arrivals.together import director as together
from engine.contact.tiers import GHOSTED
from engine.decide.chance import draws
from engine.model.articulations import groups_of
from engine.model.compile import compile_scene
from engine.params import make_params
from engine.shapes.turns import rotation_matrix
from engine.tape.cut import cut, lengthened
from tests.bench.catalogue_endings import JOINTED
from tests.bench.entrance_figures import BY_PHYSICS, Figures
from tests.bench.entrances import TURNED, joint_turns
from tests.bench.scenes_joints import STONE, chain, door, ragdoll, thrown_blocks

SECONDS = 3.0
CASES = [(name, seed) for name in JOINTED for seed in (1, 2)]


@pytest.fixture(scope="module")
def takes() -> dict[tuple[str, int], Take]:
    return {(name, seed): backward(JOINTED[name](), SECONDS, seed=seed) for name, seed in CASES}


@pytest.mark.parametrize("case", CASES)
def test_half_of_the_joints_turn_with_little_energy_and_all_is_lawful(
    takes: dict[tuple[str, int], Take], case: tuple[str, int]
) -> None:
    take = takes[case]
    report = certify(take)
    figures = Figures(take, report)
    assert report.ok and report.joint_error <= 1e-9 and take.stopped is None and not take.notes
    assert (joint_turns(figures) >= TURNED).mean() >= 0.5
    assert figures.energy_ratio <= 4.0
    assert figures.count(BY_PHYSICS) == len(figures.entries)
    assert (take.tape.steps, take.positions.shape[0]) == (round(SECONDS * 480), round(SECONDS * 480) + 1)
    assert (take.positions[-1] == [body.position for body in take.scene.bodies]).all()


@pytest.mark.parametrize("name", JOINTED)
def test_the_same_bits_again(takes: dict[tuple[str, int], Take], name: str) -> None:
    assert backward(JOINTED[name](), SECONDS, seed=1).hash() == takes[name, 1].hash() != takes[name, 2].hash()


def test_limbs_come_to_rest_after_the_trunk(takes: dict[tuple[str, int], Take]) -> None:
    take = takes["rag doll on stairs", 1]
    rows, size = np.flatnonzero(take.model.bodies.inverse_mass > 0.0), take.model.bodies.size
    away = np.linalg.norm(take.tape.x - take.tape.x[-1], axis=2)
    rests = {take.model.names[row]: np.flatnonzero(away[:, row] > 0.1 * size[row])[-1] for row in rows}
    assert sum(rests[name] > rests["trunk"] for name in rests) >= 0.7 * (len(rests) - 1)


@pytest.mark.parametrize("case", CASES)
def test_a_hand_keeps_joints_closed_but_for_the_moment_in_which_it_lets_go(
    takes: dict[tuple[str, int], Take], case: tuple[str, int]
) -> None:
    """They were half a metre open on the way when each body was brought to its own speed all the time."""
    take = takes[case]
    joints, releases = take.model.joints, take.tape.releases
    release = int(releases.step.max())
    steps = np.arange(int(releases.shown.max()), release + 1)
    bodies = {int(row): take.in_hand(int(row), steps) for row in {*joints.a, *joints.b}}
    for j in range(len(joints.kind)):
        ends = []
        for row, point in ((int(joints.a[j]), joints.point_a[j]), (int(joints.b[j]), joints.point_b[j])):
            x, q = bodies[row]
            ends.append(x + np.array([rotation_matrix(turn) @ point for turn in q]))
        opened = np.linalg.norm(ends[0] - ends[1], axis=1)
        assert opened[steps < release - 10].max(initial=0.0) <= 1e-12
        assert opened.max() <= 0.01


def brief_of(scene: Scene) -> Brief:
    return Brief(scene, compile_scene(scene), make_params(1 / 480, scene.gravity), 480, 1.0)


def hinted_chain() -> Scene:
    return replace(chain(3), hints=[Hint("bounce", "link 2", direction=(1.0, 0.0, 0.0), height=0.4, distance=0.6)])


@pytest.mark.parametrize("make", [chain, ragdoll])
def test_a_flop_closes_all_contacts_and_its_trunk_hardly_moves(make: Callable[[], Scene]) -> None:
    brief = brief_of(make())
    flop = Flop(brief, groups_of(brief.model)[0])
    ways = flop.ways @ flop.articulation.inertia @ flop.ways.T
    assert np.abs(ways - np.eye(len(ways))).max() <= 1e-9
    assert np.abs(flop.articulation.equations @ flop.ways.T).max() <= 1e-9
    motion = flop.motion(draws(3, "test"))
    assert motion is not None
    whole = np.concatenate([np.concatenate(motion[row]) for row in flop.articulation.at])
    closing = flop.articulation.stops[: len(flop.articulation.feet)] @ whole
    assert (closing < 0.0).all()
    if flop.trunk >= 0:
        own = np.array([foot[0] == flop.trunk for foot in flop.articulation.feet])
        assert np.abs(closing[own]).max() < 0.5 * np.abs(closing[~own]).max()
    assert (flop.trunk >= 0) == (make is ragdoll)


def test_what_the_world_holds_and_single_bodies_come_beside_it() -> None:
    """A door hangs on the world, so it is under way from the first frame; the others are let go."""
    doll, shut = ragdoll(), door()
    leaf = replace(shut.bodies[0], position=(3.4, 0.0, 1.0), id="")
    hinge = replace(shut.joints[0], anchor=(3.0, 0.0, 1.0), id="")
    box = Body("box", Box((0.1, 0.1, 0.1)), (0.0, 2.0, 0.1), material=STONE)
    scene = Scene(bodies=[*doll.bodies, leaf, box], joints=[*doll.joints, hinge])
    take = backward(scene, 1.5, seed=2)
    report = certify(take)
    assert take.tape.steps == 720 and (report.tiers < GHOSTED).all() and report.joint_error <= 1e-9
    step = dict(zip(take.model.names, take.tape.releases.step, strict=True))
    assert step["door"] == 0 and step["trunk"] == step["head"] > 0
    assert np.ptp(take.tape.x[:, take.model.names.index("door")], axis=0).max() > 0.1


@pytest.mark.parametrize("make", [hinted_chain, thrown_blocks])
def test_hints_and_motion_at_the_ending_are_as_they_were(make: Callable[[], Scene]) -> None:
    brief = brief_of(make())
    loose, before = come_loosely(brief).tape, let_go_together(brief, together.go_back(brief)).tape
    assert (loose.x == before.x).all() and (loose.releases.step == before.releases.step).all()


def test_a_longer_tape_waits_in_hands_first() -> None:
    tape = backward(chain(3), 1.0, seed=1).tape
    plain = cut(replace(tape, released=None), tape.releases.step)
    longer = lengthened(plain, 700)
    assert longer.steps == plain.steps + 700 and lengthened(plain, 0) is plain
    assert (longer.x[:701] == plain.x[0]).all() and (longer.x[700:] == plain.x).all()
    assert longer.asleep[:700].sum() == 700 * 3 and (longer.asleep[700:] == plain.asleep).all()
