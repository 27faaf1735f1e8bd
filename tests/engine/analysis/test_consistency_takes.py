"""Bodies in motion: rods for which no force exists or two do, and takes whose friction was lowered for that."""

from __future__ import annotations

import json

import numpy as np
import pytest

from engine.analysis.consistency import answers
from engine.analysis.consistency_inspect import inspect_consistency, judge, lowered, motion_at, motion_of_scene
from engine.analysis.consistency_motion import island_of, question
from engine.errors import ForegoneError
from engine.model.compile import compile_scene
from engine.run import backward
from engine.scene.inspection import Inspection, as_json
from engine.scene.spec import Body, Box, Joint, Material, Scene, Sphere
from engine.shapes.turns import rotation_matrix
from tests.bench import scenes
from tests.bench.scenes_contact import REGIMES, leaning_rod

DT = 1 / 240
GRAVITY = 9.81


def told(scene: Scene) -> Inspection:
    return inspect_consistency(scene, scene.bodies[0].id)


def rod_response(scene: Scene, friction: float) -> tuple[float, float]:
    """Acceleration of the tip per newton, Baraff 1990 (17), for the rod's own mass, inertia and round tip; and its
    height over the middle of the round end."""
    model = compile_scene(scene)
    tip = np.array([0.0, 0.0, 0.0]) - model.start.x[0]
    mass, inertia = float(model.bodies.mass[0]), float(model.bodies.inertia[0][1, 1])
    ahead, below = float(tip[0]), float(-tip[2])
    return 1.0 / mass + (ahead**2 - friction * ahead * below) / inertia, below - 0.01


def test_a_and_b_of_the_leaning_rod() -> None:
    for friction, spin in ((0.3, 0.0), (1.6, 3.0)):
        scene = leaning_rod(65.0, 1.0, spin, friction)
        motion = motion_of_scene(compile_scene(scene))
        asked = question(motion, island_of(motion, 0))
        response, height = rod_response(scene, friction)
        assert asked.A == pytest.approx(np.array([[response]]))
        assert asked.b == pytest.approx([spin**2 * height - GRAVITY], abs=1e-5)


def test_the_rod_that_slides_tip_ahead_has_no_answer() -> None:
    answer = told(leaning_rod(65.0, 1.0))
    assert (answer.level, answer.title) == ("bad", "No answer")
    assert answer.sentence == "At this instant rigid bodies with this friction have no answer."
    assert [mark.role for mark in answer.drawing.marks] == ["inconsistent"]
    critical = {number.label: number.value for number in answer.numbers}["Friction up to which there is an answer"]
    assert critical is not None
    assert rod_response(leaning_rod(65.0, 1.0), critical)[0] == pytest.approx(0.0, abs=1e-4)
    json.dumps(as_json(answer))


def test_the_rod_with_less_friction_or_the_other_way_has_one_answer_and_a_turning_one_has_two() -> None:
    assert told(leaning_rod(65.0, 1.0, friction=0.5)).title == "One answer"
    assert told(leaning_rod(65.0, -1.0)).title == "One answer"
    turning = told(leaning_rod(65.0, 1.0, spin=8.0))
    assert (turning.level, turning.title) == ("warning", "Several answers")
    assert "2 ways" in turning.sentence


def test_four_corners_that_share_a_weight_in_many_ways_are_one_motion() -> None:
    scene = REGIMES["sliding"]()
    motion = motion_of_scene(compile_scene(scene))
    found = judge(motion, 0)
    assert found.verdict == "one" and found.question is not None and found.found is not None
    assert len(found.found.forces) == 1 < len(answers(found.question.A, found.question.b).forces)
    slowing = found.question.acceleration(found.found.forces[0])
    assert slowing[:3] == pytest.approx([-0.1 * GRAVITY, 0.0, GRAVITY], abs=1e-6)
    assert slowing[3:] == pytest.approx(np.zeros(3), abs=1e-6)


def test_a_ball_that_sticks_to_a_sliding_plank_rolls_as_it_must() -> None:
    """The plank slows by a, the ball by 2/7 of it: a (M + 2/7 m) = mu (M + m) g."""
    material = Material(friction=0.3)
    plank = Body("plank", Box((0.5, 0.2, 0.05)), (0, 0, 0.05), velocity=(1, 0, 0), material=material)
    ball = Body("ball", Sphere(0.1), (0, 0, 0.2), velocity=(1, 0, 0), material=material)
    scene = Scene([plank, ball])
    model = compile_scene(scene)
    found = judge(motion_of_scene(model), model.index(plank))
    assert found.verdict == "one" and found.question is not None and found.found is not None
    by_body = found.question.acceleration(found.found.forces[0]).reshape(2, 6)  # rows by name
    m, M = model.bodies.mass[:2]
    slowing = 0.3 * (M + m) * GRAVITY / (M + 2.0 / 7.0 * m)
    assert by_body[1, 0] == pytest.approx(-slowing, rel=1e-6)
    assert by_body[0, 0] == pytest.approx(-slowing * 2.0 / 7.0, rel=1e-6)


def test_nothing_to_ask_of_what_does_not_slide() -> None:
    for regime in ("sticking", "tipping", "breaking"):
        assert told(REGIMES[regime]()).title == "Nothing slides"


def test_a_rod_with_a_weight_fixed_to_it_answers_as_the_one_body_they_are() -> None:
    scene = leaning_rod(65.0, 1.0, 3.0)
    rod = scene.bodies[0]
    model = compile_scene(scene)
    tip, spin = np.array([0.0, 0.0, 0.0]), np.array([0.0, 3.0, 0.0])
    place = np.array([-0.6, 0.3, 1.2])
    going = model.start.v[0] + np.cross(spin, place - model.start.x[0])
    weight = Body(
        "weight", Sphere(0.05), tuple(place.tolist()), velocity=tuple(going.tolist()), angular_velocity=(0, 3.0, 0)
    )
    both = Scene([rod, weight], joints=[Joint("fixed", "rod", "weight", anchor=tuple(place.tolist()))])
    model = compile_scene(both)
    motion = motion_of_scene(model)
    asked = question(motion, island_of(motion, 0))
    mass, x = model.bodies.mass[:2], model.start.x[:2]
    middle = mass @ x / mass.sum()
    inertia = np.zeros((3, 3))
    for k in range(2):
        turn, arm = rotation_matrix(model.start.q[k]), x[k] - middle
        inertia += turn @ np.linalg.inv(model.bodies.inverse_inertia[k]) @ turn.T
        inertia += mass[k] * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    arm, push = tip - middle, np.array([-1.6, 0.0, 1.0])
    turning = np.linalg.solve(inertia, np.cross(arm, push))
    assert asked.A == pytest.approx(np.array([[1.0 / mass.sum() + np.cross(turning, arm)[2]]]), rel=1e-9)
    gyration = np.linalg.solve(inertia, -np.cross(spin, inertia @ spin))  # the two together are no symmetric body
    height = middle[2] - 0.01  # over the middle of the round end, which keeps its distance from the ground
    assert asked.b == pytest.approx([9.0 * height - GRAVITY + np.cross(gyration, arm)[2]], abs=1e-5)


def test_a_block_on_a_slider_falls_until_a_limit_holds_it() -> None:
    """A block at rest on an upright slider falls under the ball that slides on it, unless a limit is reached."""
    block = Body("block", Box((0.2, 0.2, 0.1)), (0.0, 0.0, 1.0), material=Material(friction=0.5))
    ball = Body("ball", Sphere(0.1), (0.0, 0.0, 1.2), velocity=(1.0, 0.0, 0.0), material=Material(friction=0.5))
    scene = Scene([block, ball], joints=[Joint("slider", "block", anchor=(0.0, 0.0, 1.0))])
    model = compile_scene(scene)
    found = judge(motion_of_scene(model), model.index(ball))
    assert found.verdict == "one" and found.question is not None and found.found is not None
    assert found.question.bodies.tolist() == sorted([model.index(block), model.index(ball)])
    assert found.found.forces == pytest.approx(np.zeros((1, 1)), abs=1e-9)  # both fall
    scene.joints[0].hi = 0.0
    assert held_up(scene, ball) == pytest.approx(0.0, abs=1e-6)  # it may not rise: nothing to it
    scene.joints[0].lo, scene.joints[0].hi = 0.0, None
    assert held_up(scene, ball) == pytest.approx(GRAVITY, rel=1e-6)


def test_a_resting_plank_under_a_sliding_ball_is_a_body_that_stays() -> None:
    """Friction 0.8 under the plank holds what the ball drags it by; on ice it goes along."""
    for under in (0.8, 0.0):
        plank = Body("plank", Box((0.5, 0.2, 0.05)), (0, 0, 0.05), material=Material(friction=0.49))
        ball = Body("ball", Sphere(0.1), (0, 0, 0.2), velocity=(1, 0, 0), material=Material(friction=0.49))
        scene = Scene([plank, ball], ground_material=Material(friction=under**2 / 0.49))
        model = compile_scene(scene)
        found = judge(motion_of_scene(model), model.index(ball))
        assert found.verdict == "one" and found.island is not None and not found.island.held
        assert found.question is not None and found.found is not None
        m, M = model.bodies.mass[model.index(ball)], model.bodies.mass[model.index(plank)]
        drag = 0.49 * m * GRAVITY / M if under == 0.0 else 0.0
        place = 6 * found.question.bodies.tolist().index(model.index(plank))
        assert found.question.acceleration(found.found.forces[0])[place] == pytest.approx(drag, abs=1e-6)


def held_up(scene: Scene, body: Body) -> float:
    """m/s^2 by which a body is kept from falling."""
    model = compile_scene(scene)
    found = judge(motion_of_scene(model), model.index(body))
    assert found.verdict == "one" and found.question is not None and found.found is not None
    place = 6 * found.question.bodies.tolist().index(model.index(body))
    return float(found.question.acceleration(found.found.forces[0])[place + 2])


def test_steps_of_a_take_in_which_friction_was_lowered_for_want_of_an_answer() -> None:
    scene = leaning_rod(65.0, 1.0)
    take = backward(scene, 0.3, DT)
    found = lowered(take)
    assert len(found) > 5
    for each in found:
        assert each.used < each.authored == 1.6
        assert each.time == take.times[each.step]
        assert judge(motion_at(take, each.step), 0).verdict == "none"
        assert inspect_consistency(take, scene.bodies[0].id, each.step).title == "No answer"


def test_friction_lowered_for_other_reasons_is_not_blamed_on_physics() -> None:
    """Just under the critical friction the engine lowers it as well, because answers are huge there; they exist."""
    scene = leaning_rod(65.0, 1.0, friction=1.32)
    take = backward(scene, 0.05, DT)
    last = take.tape.steps - 1
    assert take.tape.at_step(last).column("friction")[-1] < 1.32
    assert inspect_consistency(take, scene.bodies[0].id, last).title == "One answer"
    assert last not in [each.step for each in lowered(take)]
    assert lowered(backward(scenes.scattered_boxes(4, 6), 1.0, DT)) == []


def test_unknown_ids_are_named() -> None:
    with pytest.raises(ForegoneError, match="nobody"):
        inspect_consistency(leaning_rod(65.0, 1.0), "nobody")
