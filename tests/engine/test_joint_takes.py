"""Takes of articulations: joints closed, certified, bounded in energy, the same bits again; and what is corrupted is
found out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path as FilePath

import numpy as np
import pytest
from scipy.optimize import nnls

from engine import (
    Body,
    Box,
    Hint,
    Joint,
    Options,
    Path,
    Scene,
    Take,
    backward,
    certify,
    forward,
    load_take,
    replay,
    save_take,
)
from engine.arrivals.ending import ending_of
from engine.arrivals.together.articulated import Articulation
from engine.contact.tiers import ASSISTED, GHOSTED, TUNED
from engine.model.articulations import groups_of
from engine.model.compile import compile_scene
from engine.shapes.turns import inverse, product
from engine.tape.block import Block
from engine.tape.spool import Spool
from tests.bench.scenes_joints import JOINT_SCENES, chain, ragdoll, thrown_blocks, two_blocks

RESTING = [name for name in JOINT_SCENES if name != "thrown blocks"]


@pytest.fixture(scope="module")
def takes() -> dict[str, Take]:
    return {name: backward(JOINT_SCENES[name](), 1.0, seed=1) for name in RESTING}


@pytest.mark.parametrize("name", RESTING)
def test_a_take_from_rest_is_lawful(takes: dict[str, Take], name: str) -> None:
    take = takes[name]
    report = certify(take)
    assert take.stopped is None and report.joint_error <= 1e-12
    assert (report.tiers < GHOSTED).all() and report.assist == 0.0
    assert np.ptp(take.positions, axis=0).max() > 0.01  # it did arrive
    assert (take.positions[-1] == [body.position for body in take.scene.bodies]).all()


def turned(take: Take) -> float:
    """rad by which neighbours turn against each other between the start and the ending, at most."""
    first, last = take.orientations[0], take.orientations[-1]
    between = [
        abs(np.dot(product(inverse(first[i]), first[i + 1]), product(inverse(last[i]), last[i + 1])))
        for i in range(len(first) - 1)
    ]
    return float(2.0 * np.arccos(np.clip(min(between), 0.0, 1.0)))


@pytest.mark.parametrize("name", ["two blocks", "chain"])
def test_joints_turn_on_the_way_in(takes: dict[str, Take], name: str) -> None:
    assert turned(takes[name]) > 0.3


@pytest.mark.parametrize("make", [chain, two_blocks, ragdoll])
def test_loose_launches_are_explained_by_impulses_in_the_cones(make: Callable[[], Scene]) -> None:
    """Allowed by the joints, toward every contact, and stopped by them: an independent search finds the impulses."""
    model = compile_scene(make())
    (rows,) = groups_of(model)
    held = Articulation(model, ending_of(model), rows)
    stops, feet, equations = held.stops, held.feet, held.equations
    for seed in range(4):
        found = held.loose_motion(3.0, 1.0, np.random.default_rng(seed))
        assert found is not None
        motion = np.concatenate([np.concatenate(found[int(row)]) for row in rows])
        assert np.abs(equations @ motion).max() <= 1e-12 and (stops[: len(feet)] @ motion < 0.0).all()
        columns = [*equations, *-equations]
        for body, point, normal, friction in feet:
            across = np.cross(normal, [1.0, 0.0, 0.0])
            for angle in np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False):
                push = normal + friction * (np.cos(angle) * across + np.sin(angle) * np.cross(normal, across))
                column = np.zeros_like(motion)
                first = 6 * int(np.flatnonzero(rows == body)[0])
                column[first : first + 6] = [*push, *np.cross(point - model.start.x[body], push)]
                columns.append(column)
        momentum = held.inertia @ motion
        assert nnls(np.array(columns).T, -momentum, maxiter=20_000)[1] <= 1e-9 * np.linalg.norm(momentum)


@pytest.mark.parametrize("name", RESTING)
def test_the_tape_replays(takes: dict[str, Take], name: str) -> None:
    assert replay(takes[name]).max() <= 1e-9


def spoilt(take: Take, column: str, step: int, amount: float) -> Take:
    """The same take with one number of one joint changed."""
    spread = take.tape.spread()
    block = spread.blocks[0]
    array = block.arrays[column].copy()
    place = (step, *np.unravel_index(np.abs(array[step]).argmax(), array[step].shape))
    array[place] += amount
    spool = Spool()
    spool.append(Block(block.steps, block.bodies, {**block.arrays, column: array}))
    return replace(take, tape=replace(spread, blocks=spool))


def test_a_joint_impulse_off_by_a_millionth_is_found_out(takes: dict[str, Take]) -> None:
    take = takes["chain"]
    moving = np.flatnonzero(np.abs(take.tape.joint_column("joint_impulse")).max((1, 2)) > 1e-9)
    step = int(moving[len(moving) // 2])
    assert certify(spoilt(take, "joint_impulse", step, 0.0)).tiers[step] < GHOSTED
    assert certify(spoilt(take, "joint_impulse", step, 1e-6)).tiers[step] == ASSISTED


def test_a_limit_impulse_off_by_a_millionth_is_found_out(takes: dict[str, Take]) -> None:
    take = takes["door"]
    step = int(np.flatnonzero(take.tape.joint_column("limit_impulse").any(1))[0])
    assert certify(spoilt(take, "limit_impulse", step, 1e-6)).tiers[step] == ASSISTED


def test_an_opened_joint_is_found_out(takes: dict[str, Take]) -> None:
    """Two links shifted against each other by a nanometre in all states."""
    take = takes["chain"]
    spread = take.tape.spread()
    block = spread.blocks[0]
    x = block.arrays["x"].copy()
    x[:, 0, 0] += 1e-9
    spool = Spool()
    spool.append(Block(block.steps, block.bodies, {**block.arrays, "x": x}))
    report = certify(replace(take, tape=replace(spread, blocks=spool)))
    first = int(take.tape.releases.step.max())  # in a hand nothing is asked
    assert report.joint_error > 0.9e-9 and (report.tiers[first:-1] == ASSISTED).all()


def test_same_seed_same_bits_other_seed_other_motion() -> None:
    one, again, other = (backward(chain(4), 0.5, seed=seed) for seed in (3, 3, 4))
    assert one.hash() == again.hash() != other.hash()


def test_a_take_with_joints_is_kept_in_a_file(takes: dict[str, Take], tmp_path: FilePath) -> None:
    take = takes["ragdoll"]
    save_take(tmp_path / "take.npz", take)
    loaded = load_take(tmp_path / "take.npz", take.scene)
    assert loaded.hash() == take.hash() and certify(loaded).joint_error <= 1e-12


def test_an_articulation_at_rest_stays_and_sleeps() -> None:
    take = backward(ragdoll(), 0.3, options=Options(launch=False))
    assert take.tape.asleep[0, take.model.row_of].all()
    assert (take.tape.x == take.tape.x[-1]).all() and (take.tape.v == 0.0).all()
    assert certify(take).exact_fraction == 1.0
    hanging = Scene([Body("lamp", Box((0.1, 0.1, 0.1)), (0, 0, 1))], joints=[Joint("ball", "lamp", anchor=(0, 0, 2))])
    take = backward(hanging, 0.3)
    assert (take.tape.x == take.tape.x[-1]).all() and any("stays at rest" in note for note in take.notes)


def test_linked_bodies_do_not_collide_others_do() -> None:
    """Overlapping links are no problem; what hangs on the world still lands on the ground."""
    links = [Body(f"link {i}", Box((0.1, 0.05, 0.05)), (0.15 * i, 0, 0.05)) for i in range(3)]
    joints = [Joint("ball", f"link {i}", f"link {i + 1}", (0.15 * i + 0.075, 0, 0.05)) for i in range(2)]
    assert Scene(links, joints=joints).problems() == []
    assert {p.code for p in Scene(links, joints=joints[:1]).problems()} == {"overlap"}
    flap = Scene([Body("flap", Box((0.3, 0.1, 0.05)), (0.3, 0, 0.5))],
                 joints=[Joint("hinge", "flap", anchor=(0, 0, 0.4), axis=(0, 1, 0))])  # fmt: skip
    take = forward(flap, 2.0)
    assert take.positions[:, 0, 2].min() > 0.04 and (certify(take).contacts > 0).any()


def test_what_is_shown_keeps_joints_closed(takes: dict[str, Take]) -> None:
    """At impacts bodies are shown aside of their states; linked ones together, so that nothing comes apart."""
    take = takes["chain"]
    places, turns = Path(take).at(np.linspace(0.0, 1.0, 97))
    for i in range(5):
        ends = [_end(places[:, k], turns[:, k], sign * 0.135) for k, sign in ((i, 1.0), (i + 1, -1.0))]
        assert np.abs(ends[0] - ends[1]).max() <= 2e-4


def _end(place: np.ndarray, turn: np.ndarray, along: float) -> np.ndarray:
    """The point on a link's axis, z of its own frame."""
    w, x, y, z = turn.T
    return place + along * np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], 1)


def swinging(restitution: float, lo: float | None = None) -> Scene:
    """A flap without weight that turns against a stop."""
    flap = Body("flap", Box((0.3, 0.1, 0.05)), (0.3, 0, 0), angular_velocity=(0, 3.0, 0), velocity=(0, 0, -0.9))
    hinge = Joint("hinge", "flap", anchor=(0, 0, 0), axis=(0, 1, 0), lo=lo, hi=0.5, restitution=restitution)
    return Scene([flap], ground=False, gravity=(0, 0, 0), joints=[hinge])


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
def test_a_limit_bounces_with_its_restitution(restitution: float) -> None:
    take = forward(swinging(restitution), 0.4)
    rate = take.angular_velocities[:, 0, 1]
    assert rate[0] == pytest.approx(3.0, abs=1e-3) and rate[-1] == pytest.approx(-3.0 * restitution, abs=1e-3)
    report = certify(take)
    assert report.exact_fraction == 1.0 and report.max_residual <= 1e-10 and report.joint_error <= 1e-12


def test_a_fast_run_says_that_it_knows_no_joints() -> None:
    with pytest.raises(ValueError, match="joints"):
        forward(chain(2), 0.1, accuracy="fast")


def test_a_slider_stops_at_its_end() -> None:
    block = Body("block", Box((0.1, 0.1, 0.1)), (0, 0, 1), velocity=(1, 0, 0))
    rail = Joint("slider", "block", anchor=(0, 0, 1), axis=(1, 0, 0), hi=0.2, restitution=0.5)
    take = forward(Scene([block], ground=False, joints=[rail]), 0.6)
    assert take.velocities[-1, 0] == pytest.approx((-0.5, 0, 0), abs=1e-9)
    assert take.positions[:, 0, 0].max() <= 0.2 + 1.0 / 480 and np.ptp(take.positions[:, 0, 2]) <= 1e-12


def test_energy_is_bounded_by_the_budget_of_the_whole() -> None:
    scene = two_blocks()
    take = backward(scene, 2.0, seed=0)
    budget = 4.5 * float(sum(take.model.bodies.mass[:2])) * 9.81 * 0.1
    assert take.energy.max() - take.energy[-1] <= 1.5 * budget
    assert (take.tape.contact_column("tier") <= 2).all()


def test_the_paper_s_rule_makes_limits_elastic() -> None:
    """A flap that swings to and fro between its stops: backward it gains at each, with unit links it does not."""
    scene = swinging(0.5, lo=-0.5)
    constant, unit = (
        backward(scene, 0.6, options=Options(policy="constant", unit_links=rule)) for rule in (False, True)
    )
    assert constant.energy[0] >= 15.9 * constant.energy[-1]  # 1/restitution^2 twice
    assert unit.energy[0] == pytest.approx(unit.energy[-1], rel=1e-3)
    assert (unit.tape.joint_column("limit_tier") <= TUNED).all() and certify(unit).assist == 0.0
    assert TUNED in unit.tape.joint_column("limit_tier") and TUNED not in constant.tape.joint_column("limit_tier")


def test_motion_about_a_joint_explodes_unless_it_has_a_budget() -> None:
    """Twigg and James 2008, fig. 7: with constant restitution every limit multiplies the rate, until nobody can
    follow."""
    constant = backward(thrown_blocks(), 1.0, options=Options(policy="constant"))
    assert constant.stopped is not None and "rad in one step" in constant.stopped and constant.stopped in constant.notes
    assert constant.energy[0] > 1000.0 and certify(constant).joint_error <= 1e-12
    ours = backward(thrown_blocks(), 1.0)
    budget = 4.5 * float(sum(ours.model.bodies.mass[:2])) * 9.81 * 0.1
    assert ours.stopped is None and ours.energy.max() - ours.energy[-1] <= 1.5 * budget
    report = certify(ours)
    assert (report.tiers <= TUNED).all() and report.joint_error <= 1e-12


def test_a_hint_moves_the_whole_articulation() -> None:
    scene = chain(3)
    scene.hints.append(Hint("slide", "link 1", direction=(0, 1, 0), speed=1.0, time=0.1))
    take = backward(replace(scene), 0.6)
    way = take.positions[-1] - take.positions[0]
    assert (way[:, 1] > 0.05).all() and certify(take).joint_error <= 1e-12
