"""Patches of takes and of endings: regimes, centres of pressure, and the sentence an artist reads."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from engine.analysis.patch_check import HOLDS, violation_of
from engine.analysis.patch_contacts import moment_of_ending, moment_of_take, patches
from engine.analysis.patch_inspect import inspect_contact, inspect_contacts
from engine.errors import ForegoneError
from engine.model.compile import compile_scene
from engine.run import backward, forward
from engine.scene.inspection import Inspection, as_json
from engine.scene.spec import Body, Box, Compound, Material, Scene, Sphere
from engine.tape.take import Take
from tests.bench import scenes
from tests.bench.scenes_contact import HALF, REGIMES, overhanging_brick
from tests.engine.analysis.planar_takes import planar_check

DT = 1 / 240


@pytest.fixture(scope="module")
def runs() -> dict[str, Take]:
    return {name: forward(make(), 0.15, DT) for name, make in REGIMES.items()}


@pytest.mark.parametrize("regime", REGIMES)
def test_the_first_step_shows_the_regime(regime: str, runs: dict[str, Take]) -> None:
    take = runs[regime]
    (patch,) = patches(moment_of_take(take, 0), 0)
    assert patch.reading.regime == regime
    assert len(patch.reading.hull.corners) == 4
    if regime in ("tipping", "slide-tipping"):
        assert patch.reading.cop is not None and patch.reading.zero_line is not None
        assert patch.place(patch.reading.cop)[0] == pytest.approx(HALF[0], abs=1e-9)
        assert patch.place(patch.reading.zero_line[0])[0] == pytest.approx(HALF[0], abs=2e-3)  # secants against speeds
    if regime == "sliding":  # friction at the ground turns the box forward: m_y = mu f h, so the pressure moves ahead
        assert patch.reading.cop is not None
        assert patch.place(patch.reading.cop)[0] == pytest.approx(0.1 * HALF[2], abs=1e-9)


def test_point_forces_of_takes_obey_the_planar_condition(runs: dict[str, Take]) -> None:
    for take in (
        *runs.values(),
        backward(scenes.scattered_boxes(4, 6), 1.0, DT),
        backward(scenes.box_slides(), 1.0, DT),
    ):
        check = planar_check(take)
        assert check.holds, (take, check)
        assert check.patches > 0 and check.uneven <= check.patches // 4


def test_a_wrong_force_breaks_the_planar_condition(runs: dict[str, Take]) -> None:
    (patch,) = patches(moment_of_take(runs["tipping"], 0), 0)
    right = violation_of(patch)
    assert right is not None and right <= HOLDS
    for lifted in np.flatnonzero(patch.law > 1e-3):
        forces = patch.forces.copy()
        forces[lifted] += 1.0 * patch.axes[2]
        wrong = violation_of(replace(patch, forces=forces))
        assert wrong is not None and wrong > HOLDS


def test_a_table_is_one_patch_that_is_not_convex() -> None:
    legs = [(Box((0.05, 0.05, 0.3)), (x, y, 0.3)) for x in (-0.4, 0.4) for y in (-0.3, 0.3)]
    table = Body("table", Compound([*legs, (Box((0.5, 0.4, 0.05)), (0.0, 0.0, 0.65))]), (0.0, 0.0, 0.0))
    model = compile_scene(Scene([table]))
    (patch,) = patches(moment_of_ending(model), 0)
    assert len(patch.points) == 16 and len(patch.reading.hull.corners) == 4
    assert patch.wrench[1] == pytest.approx(float(model.bodies.mass[0]) * 9.81)
    assert patch.reading.margin == pytest.approx(0.35)


def test_every_body_of_a_pair_sees_the_same_patch() -> None:
    moment = moment_of_ending(compile_scene(scenes.brick_stack(2)))
    (upper,) = patches(moment, 1)
    under = next(patch for patch in patches(moment, 0) if patch.others == (1,))
    assert under.wrench[1] == pytest.approx(upper.wrench[1])
    assert under.reading.cop is not None and upper.reading.cop is not None
    assert np.allclose(under.place(under.reading.cop), upper.place(upper.reading.cop))
    assert np.allclose(under.axes[2], -upper.axes[2])


def told(out: float) -> Inspection:
    scene = overhanging_brick(out)
    return inspect_contact(scene, scene.bodies[1].id)


def test_a_brick_over_the_edge_of_a_table() -> None:
    safe, brink, fallen = told(0.15), told(0.198), told(0.21)
    assert (safe.level, safe.title) == ("fine", "Rests")
    assert (brink.level, brink.sentence) == ("warning", '"brick" is about to tip over this edge.')
    assert (fallen.level, fallen.sentence) == ("bad", '"brick" does not stand here: it would tip over this edge.')
    by_label = {number.label: number.value for number in safe.numbers}
    assert by_label["Pressure to nearest edge"] == pytest.approx(0.05)
    assert by_label["Presses with"] == pytest.approx(1000.0 * 8 * 0.2 * 0.1 * 0.05 * 9.81)
    for answer in (brink, fallen):
        (edge,) = [line for line in answer.drawing.lines if line.role == "tipping edge"]
        assert [p[0] for p in edge.points] == pytest.approx([0.2, 0.2])
        assert edge.outward == pytest.approx((1.0, 0.0, 0.0))


def test_all_bodies_at_once_and_what_is_fixed() -> None:
    scene = overhanging_brick(0.198)
    (only,) = inspect_contacts(scene)
    assert only == inspect_contact(scene, scene.bodies[1].id)
    assert inspect_contact(scene, scene.bodies[0].id).title == "Fixed"
    take = forward(scene, 0.05, DT)
    assert inspect_contact(take, scene.bodies[1].id, 0).title == "About to tip"


def test_a_counterweight_keeps_a_plank_on_the_brink_and_a_wall_takes_the_worry_away() -> None:
    """The plank alone would fall; with 2.855 kg behind the edge both press 3 mm inside it."""
    table = Body("table", Box((0.2, 0.2, 0.1)), (0.0, 0.0, 0.1), static=True)
    plank = Body("plank", Box((0.4, 0.1, 0.05)), (0.25, 0.0, 0.25))
    half = (2.855 / 8000.0) ** (1.0 / 3.0)
    weight = Body("weight", Box((half, half, half)), (-0.1, 0.0, 0.3 + half))
    assert inspect_contact(Scene([table, plank]), plank.id).title == "Does not stand"
    answer = inspect_contact(Scene([table, plank, weight]), plank.id)
    assert (answer.level, answer.sentence) == ("warning", '"plank" is about to tip over this edge.')
    assert answer.numbers[2].value == pytest.approx(0.003, abs=1e-4)
    wall = Body("wall", Box((0.05, 0.2, 0.2)), (0.7, 0.0, 0.3), static=True)
    held = inspect_contact(Scene([table, plank, weight, wall]), plank.id)
    assert held.level == "fine" and "tip" not in held.sentence


def test_what_the_take_says_in_words(runs: dict[str, Take]) -> None:
    titles = {regime: inspect_contact(take, take.scene.bodies[0].id, 0).title for regime, take in runs.items()}
    assert titles == {
        "breaking": "Comes off",
        "tipping": "Tips",
        "slide-tipping": "Tips and slides",
        "sticking": "Rests",
        "sliding": "Slides",
    }
    leaving = inspect_contact(runs["breaking"], runs["breaking"].scene.bodies[0].id, 0)
    assert {mark.role for mark in leaving.drawing.marks} == {"extended pressure"}
    later = inspect_contact(runs["breaking"], runs["breaking"].scene.bodies[0].id, 15)
    assert later.title == "About to touch", "it falls back, and tips five steps later"


def test_the_trail_stays_with_the_body_and_in_its_patch(runs: dict[str, Take]) -> None:
    take = runs["sliding"]
    answer = inspect_contact(take, take.scene.bodies[0].id, 20)
    (trail,) = [line for line in answer.drawing.lines if line.role == "trail"]
    assert trail.points[-1][0] - trail.points[0][0] > 0.03  # it slides along the floor
    plot = answer.plots[0]
    assert plot.equal and plot.curves[0].closed
    way = plot.curves[1]
    assert np.ptp(way.x) < 1e-6 and np.ptp(way.y) < 1e-6  # and stays where it is under the box
    assert answer.plots[1].curves[0].y == pytest.approx([0.07] * len(answer.plots[1].curves[0].y))
    json.dumps(as_json(answer))


def test_a_sleeper_keeps_the_contacts_it_fell_asleep_with() -> None:
    scene = Scene([Body("box", Box((0.1, 0.1, 0.1)), (0, 0, 0.1)), Body("ball", Sphere(0.1), (1, 0, 0.5))])
    take = forward(scene, 0.3, DT)
    assert take.tape.asleep[50, take.model.index(scene.bodies[0])]
    rests = inspect_contact(take, scene.bodies[0].id, 50)
    assert inspect_contact(take, scene.bodies[1].id, 50).title == "Touches nothing"
    assert rests.title == "Rests" and rests.numbers[0].value == pytest.approx(8.0 * 9.81)


def test_a_ball_rolls_and_a_box_hits() -> None:
    ball = Body("ball", Sphere(0.1), (0, 0, 0.1), velocity=(0.5, 0, 0), angular_velocity=(0, 5.0, 0))
    take = forward(Scene([ball]), 0.05, DT)
    assert inspect_contact(take, ball.id, 3).title == "Rolls"
    box = Body("box", Box((0.1, 0.1, 0.1)), (0, 0, 0.1), velocity=(0, 0, -1.0), material=Material(restitution=0.5))
    take = forward(Scene([box]), 0.02, DT)
    answer = inspect_contact(take, box.id, 0)
    assert answer.title == "Hits" and "1 m/s" in answer.sentence


def test_unknown_ids_are_named() -> None:
    with pytest.raises(ForegoneError, match="nobody"):
        inspect_contact(overhanging_brick(0.1), "nobody")
