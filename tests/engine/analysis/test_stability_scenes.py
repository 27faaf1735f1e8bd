"""How bodies of scenes stand: slopes and tilts in closed form, towers, arches, joints, pushes, words and pictures."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from engine.analysis import stability
from engine.analysis.stability.balance import HeldBy, nearest_balance
from engine.analysis.stability.findings import Push, margins_of, stand, stay_all
from engine.analysis.stability.supports import groups_of
from engine.analysis.touch import Touch, tangents_of, touch_of
from engine.arrivals.ahead.standing import Remainders
from engine.arrivals.structure import structure_of
from engine.errors import ForegoneError
from engine.model.compile import compile_scene
from engine.params import DEFAULT_DT, make_params
from engine.scene.inspection import Inspection, as_json
from engine.scene.spec import Body, Box, Hull, Joint, Material, Plane, Scene, Sphere
from tests.bench.scenes_director import bonded_wall, house_of_cards, tower

G = 9.81


def on_slope(angle: float, friction: float, half: tuple[float, float, float] = (0.1, 0.1, 0.1)) -> Scene:
    rough = Material(friction=friction)
    normal = (math.sin(angle), 0.0, math.cos(angle))
    lean = (math.cos(angle / 2), 0.0, math.sin(angle / 2), 0.0)
    return Scene(
        bodies=[
            Body("slope", Plane(normal=normal), static=True, material=rough, id="slope"),
            Body("block", Box(half), tuple(half[2] * x for x in normal), lean, material=rough, id="block"),
        ],
        ground=False,
    )


def stack(*shifts: float, friction: float = 0.5) -> Scene:
    """Cubes of half a metre on each other, each shifted along x against the ground."""
    rough = Material(friction=friction)
    return Scene(
        bodies=[
            Body(f"cube {i}", Box((0.25, 0.25, 0.25)), (x, 0.0, 0.25 + 0.5 * i), material=rough, id=f"cube {i}")
            for i, x in enumerate(shifts)
        ]
    )


def ball_on_level(rolling: float) -> Scene:
    return Scene(
        bodies=[
            Body(
                "ball",
                Sphere(0.1),
                (0.0, 0.0, 0.1),
                material=Material(friction=0.5, rolling_friction=rolling),
                id="ball",
            )
        ]
    )


def touch(scene: Scene) -> Touch:
    return touch_of(compile_scene(scene))


def number(found: Inspection, label: str) -> float | None:
    return next(each.value for each in found.numbers if each.label == label)


def check(found: Inspection, label: str) -> bool | None:
    return next(each.holds for each in found.checks if each.label == label)


@pytest.mark.parametrize("angle", [0.1, 0.35])
def test_a_block_on_a_slope_loses_what_it_has_beyond_the_tangent(angle: float) -> None:
    slides = stability.inspect_body(on_slope(angle, 0.97 * math.tan(angle)), "block")
    assert (slides.level, slides.sentence) == ("bad", '"block" does not stand: it would slide.')
    assert number(slides, "Friction that would hold it") == pytest.approx(1 / 0.97, abs=5e-3)
    expected = G * (math.sin(angle) - 0.97 * math.tan(angle) * math.cos(angle))
    assert number(slides, "Acceleration") == pytest.approx(expected, rel=1e-4)
    assert slides.motion is not None and slides.motion[0][0] > 0.0 > slides.motion[0][2]
    assert [mark.role for mark in slides.drawing.marks] == ["unstable"]

    mu = 1.5 * math.tan(angle)
    holds = stability.inspect_body(on_slope(angle, mu), "block")
    assert holds.level == "fine"
    assert number(holds, "Friction it could lose") == pytest.approx(100.0 / 3.0, abs=0.05)
    assert number(holds, "Tilt it can take") == pytest.approx(math.degrees(math.atan(mu) - angle), abs=1e-3)
    assert check(holds, "Must stand") is True
    assert "33 % of the friction" in holds.sentence


def test_forces_shown_carry_the_weight_within_their_cones() -> None:
    scene = on_slope(0.3, 0.5)
    found = stability.inspect_body(scene, "block")
    normal = np.array([arrow.along for arrow in found.drawing.arrows if arrow.role == "normal"])
    friction = np.array([arrow.along for arrow in found.drawing.arrows if arrow.role == "friction"])
    weight = np.array([arrow.along for arrow in found.drawing.arrows if arrow.role == "load"])
    assert (normal.sum(0) + friction.sum(0) + weight.sum(0)) == pytest.approx(np.zeros(3), abs=1e-5)
    assert (np.linalg.norm(friction, axis=1) <= 0.5 * np.linalg.norm(normal, axis=1) + 1e-6).all()
    assert (normal @ [math.sin(0.3), 0.0, math.cos(0.3)] > 0.0).all()


def test_cones_are_drawn_with_their_opening_and_the_way_gravity_may_lean() -> None:
    angle, mu = 0.3, 0.5
    drawing = stability.inspect_body(on_slope(angle, mu), "block").drawing
    normal = np.array([math.sin(angle), 0.0, math.cos(angle)])
    rims = [np.array(each.points) for each in drawing.outlines if each.role == "cone"]
    at = [np.array(each.at) for each in drawing.arrows if each.role == "normal"]
    assert len(rims) == 4
    for rim, place in zip(rims, at, strict=True):
        rise = (rim - place) @ normal
        across = np.linalg.norm(rim - place - rise[:, None] * normal, axis=1)
        assert rise.min() > 0.0 and across == pytest.approx(mu * rise)
    (held,) = [np.array(each.points) for each in drawing.outlines if each.role == "load set"]
    ways = held - 0.1 * normal
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    lean = np.arccos(
        np.clip(-ways @ normal, -1.0, 1.0)
    )  # of gravity against the slope: friction gives way at its angle
    assert lean == pytest.approx(np.full(len(lean), math.atan(mu)), abs=1e-4)


def test_a_tall_block_tips_where_its_diagonal_does() -> None:
    rest = margins_of(*((t := touch(on_slope(0.0, 2.0, (0.1, 0.1, 0.4)))), stay_all(t)))
    assert rest.friction == 0.0 and rest.tilt is not None
    across = math.atan(0.25)
    assert rest.tilt.min() == pytest.approx(across, abs=1e-6)
    assert rest.tilt.max() == pytest.approx(math.atan(0.25 * math.sqrt(2.0)), abs=1e-6)  # over a corner


def test_a_tower_that_leans_beyond_its_base_does_not_stand() -> None:
    fine = stability.inspect_scene(stack(0.0, 0.1, 0.2, 0.3))
    assert len(fine) == 1 and fine[0].level == "fine"
    # The centre of the upper three lies 0.26 m beyond the middle of the lowest, whose side is at 0.25 m.
    found = stability.inspect_scene(stack(0.0, 0.13, 0.26, 0.39))
    assert found[0].level == "bad"
    assert {id for each in found[1:] for id in each.ids} == {"cube 1", "cube 2", "cube 3"}
    assert "3" in found[0].sentence or "cube" in found[0].sentence
    lowest = stability.inspect_body(stack(0.0, 0.13, 0.26, 0.39), "cube 0")
    assert lowest.level == "bad" and "would stand, but" in lowest.sentence


@pytest.mark.parametrize(("shift", "stands"), [(0.249, True), (0.251, False)])
def test_the_edge_of_a_base_is_sharp(shift: float, stands: bool) -> None:
    found = stay_all(touch(stack(0.0, shift)))
    assert all(each.holds for each in found) is stands


def random_stack(rng: np.random.Generator) -> Scene:
    """Boxes of any size on each other, askew, on a slope."""
    angle, rough = rng.uniform(0.0, 0.5), Material(friction=float(rng.uniform(0.2, 0.8)))
    normal, down = np.array([math.sin(angle), 0.0, math.cos(angle)]), np.array([math.cos(angle), 0.0, -math.sin(angle)])
    scene = on_slope(angle, rough.friction)
    slope, block = scene.bodies
    bodies, height, askew = [slope], 0.0, np.zeros(2)
    for i in range(int(rng.integers(1, 4))):
        half = rng.uniform(0.05, 0.3, 3)
        place = (height + half[2]) * normal + askew[0] * down + askew[1] * np.array([0.0, 1.0, 0.0])
        bodies.append(
            Body(f"box {i}", Box(tuple(half)), tuple(place), block.orientation, material=rough, id=f"box {i}")
        )
        height, askew = height + 2.0 * half[2], askew + rng.uniform(-0.12, 0.12, 2)
    return Scene(bodies=bodies, ground=False)


def test_the_engines_own_step_agrees() -> None:
    """What the inspector calls standing stays where it is in a step, and nothing else does."""
    rng = np.random.default_rng(3)
    answers = []
    for _ in range(25):
        model = compile_scene(random_stack(rng))
        structure = structure_of(model)
        step = Remainders(structure, make_params(DEFAULT_DT, tuple(model.gravity)))
        moves = bool(step.standing(structure.moves.copy()).falls)
        assert any(each.falls for each in stay_all(touch_of(model))) is moves
        answers.append(moves)
    assert 5 < sum(answers) < 20


def test_a_wall_needs_no_friction_and_cards_do() -> None:
    wall = touch(bonded_wall(3, 3))
    assert margins_of(wall, stay_all(wall), least=True).friction == 0.0
    cards = touch(house_of_cards(pairs=1, lean=0.3))
    rest = margins_of(cards, stay_all(cards))
    # They push each other level, by symmetry, where the edge of one meets the side of the other, leaning by 0.3.
    assert rest.friction * cards.friction[0] == pytest.approx(math.tan(0.3), rel=1e-3)
    for share, stands in ((rest.friction - 1e-3, False), (rest.friction + 1e-3, True)):
        weaker = replace(cards, friction=share * cards.friction)
        assert all(each.holds for each in stay_all(weaker)) is stands


def wedge(points: list[tuple[float, float]], name: str, friction: float, static: bool = False) -> Body:
    corners = np.array([(x, y, z) for x, z in points for y in (-0.2, 0.2)])
    return Body(name, Hull(corners), static=static, material=Material(friction=friction), id=name)


def arch(friction: float) -> Scene:
    """Two leaning feet, fixed, and a keystone with sides of slope 1 : 4 between them, off the ground."""
    stone = [(-0.3, 1.2), (0.3, 1.2), (0.2, 0.8), (-0.2, 0.8)]
    left = [(-0.3, 1.2), (-0.2, 0.8), (-0.9, 0.8), (-0.9, 1.2)]
    right = [(-x, z) for x, z in left]
    return Scene(
        bodies=[
            wedge(stone, "stone", friction),
            wedge(left, "left", friction, static=True),
            wedge(right, "right", friction, static=True),
        ],
        ground=False,
    )


def test_a_keystone_is_held_without_friction_and_may_jam_with_much() -> None:
    smooth = stability.inspect_body(arch(0.0), "stone")
    assert smooth.title == "Stands" and number(smooth, "Friction it could lose") == 100.0
    assert sum(arrow.along[2] for arrow in smooth.drawing.arrows) == pytest.approx(0.0, abs=1e-4)
    # Pulled up it comes out, unless its sides stick: then some forces hold it and none at all lets it go.
    weight = sum(arrow.along[2] for arrow in smooth.drawing.arrows if arrow.role == "load")
    pull = ((0.0, 0.0, -2.0 * weight), (0.0, 0.0, 1.0))
    assert stability.inspect_body(arch(0.1), "stone", pull).level == "bad"
    jammed = stability.inspect_body(arch(0.5), "stone", pull)
    assert jammed.title == "Can hold"
    assert check(jammed, "Can stand") is True and check(jammed, "Must stand") is False


def test_a_push_is_taken_until_friction_or_the_edge_gives_way() -> None:
    scene = stack(0.0)
    weight = 0.125 * Material().density * G
    center, top = (0.0, 0.0, 0.25), (0.0, 0.0, 0.5)
    slides = stability.inspect_body(scene, "cube 0", ((0.25 * weight, 0.0, 0.0), center))
    assert number(slides, "Force it takes") == pytest.approx(2.0, rel=1e-4)  # friction 0.5
    assert slides.sentence == '"cube 0" takes this force, and up to 2.0 times as much.'
    tips = stability.inspect_body(stack(0.0, friction=2.0), "cube 0", ((0.25 * weight, 0.0, 0.0), top))
    assert number(tips, "Force it takes") == pytest.approx(2.0, rel=1e-4)  # half a side over a whole one
    too_much = stability.inspect_body(scene, "cube 0", ((0.6 * weight, 0.0, 0.0), center))
    assert (too_much.level, too_much.sentence) == ("bad", '"cube 0" does not take this force: it would slide.')
    presses = stability.inspect_body(scene, "cube 0", ((0.0, 0.0, -weight), top))
    assert number(presses, "Force it takes") is None and "any" in presses.sentence
    quiet = stability.inspect_body(scene, "cube 0")
    assert number(quiet, "Push it can take") == pytest.approx(0.5 * weight, rel=1e-4)


def test_rolling_friction_holds_a_ball_on_a_small_tilt() -> None:
    smooth = stability.inspect_body(ball_on_level(0.0), "ball")
    assert smooth.level == "warning" and "slightest tilt" in smooth.sentence
    held = stability.inspect_body(ball_on_level(0.005), "ball")
    assert number(held, "Tilt it can take") == pytest.approx(math.degrees(math.atan(0.05)), abs=1e-3)


def test_joints_carry() -> None:
    bob = Body("bob", Sphere(0.1), (0.0, 0.0, 1.0), id="bob")
    hanging = Scene(bodies=[bob], joints=[Joint("ball", "bob", anchor=(0.0, 0.0, 2.0))])
    found = stability.inspect_body(hanging, "bob")
    assert found.title == "Stands"
    sideways = Scene(bodies=[bob], joints=[Joint("ball", "bob", anchor=(1.0, 0.0, 1.0))])
    assert stability.inspect_body(sideways, "bob").sentence == '"bob" does not stand: it would swing.'
    fixed = Scene(bodies=[bob], joints=[Joint("fixed", "bob", anchor=(1.0, 0.0, 1.0))])
    assert stability.inspect_body(fixed, "bob").title == "Stands"
    hinge = dict(kind="hinge", a="bob", anchor=(1.0, 0.0, 1.0), axis=(0.0, 1.0, 0.0))
    for limits, title in (({}, "Does not stand"), ({"lo": 0.0}, "Stands"), ({"hi": 0.0}, "Does not stand")):
        # Its weight turns it against the axis: a lower limit at the ending carries it.
        assert stability.inspect_body(Scene(bodies=[bob], joints=[Joint(**hinge, **limits)]), "bob").title == title


def test_what_hangs_in_the_air_and_what_never_moves() -> None:
    scene = Scene(
        bodies=[
            Body("kite", Sphere(0.1), (0.0, 0.0, 3.0), id="kite"),
            Body("table", Box((1.0, 1.0, 0.1)), (3.0, 0.0, 0.1), static=True, id="table"),
        ]
    )
    kite = stability.inspect_body(scene, "kite")
    assert (kite.level, kite.sentence) == ("bad", '"kite" hangs in the air: it would fall.')
    assert kite.motion is not None and kite.motion[0] == pytest.approx((0.0, 0.0, -0.1 * G))
    assert stability.inspect_body(scene, "table").level == "unknown"
    with pytest.raises(ForegoneError, match="nobody"):
        stability.inspect_body(scene, "nobody")
    assert stability.inspect_scene(Scene(bodies=[scene.bodies[1]]))[0].level == "unknown"


def test_groups_are_what_touches() -> None:
    scene = stack(0.0, 0.1)
    scene.bodies.append(Body("far", Box((0.1, 0.1, 0.1)), (5.0, 0.0, 0.1), id="far"))
    t = touch(scene)
    assert [[t.model.names[row] for row in each] for each in groups_of(t)] == [["cube 0", "cube 1"], ["far"]]


def test_a_push_reaches_through_the_stack() -> None:
    t = touch(stack(0.0, 0.0))
    top = t.model.ids.index("cube 1")
    weight = float(t.model.bodies.mass[top]) * G
    bodies = groups_of(t)[0]
    for force, falls in ((0.4, []), (0.6, ["cube 1"])):
        found = stand(t, bodies, Push(top, np.array([force * weight, 0.0, 0.0]), t.model.start.x[top]))
        assert [t.model.ids[row] for row in found.falls] == falls


def test_balances_come_with_their_proof() -> None:
    rng = np.random.default_rng(8)
    kinds = []
    for _ in range(60):
        n = int(rng.integers(1, 12))
        arm, normal = rng.normal(size=(2, n, 3))
        normal = (0.5 * normal - arm) / np.linalg.norm(0.5 * normal - arm, axis=1, keepdims=True)
        tangent = tangents_of(normal, np.array([1.0, 0.0, 0.0]))
        ways = (normal, tangent, np.cross(normal, tangent))
        J = np.stack([np.vstack([way.T, np.cross(arm, way).T]) for way in ways])
        mu, load = rng.uniform(0.0, 1.0, n), rng.normal(size=6)
        found = nearest_balance(HeldBy(J, mu, np.eye(6)), load)
        assert found.proven
        normal_part, sideways = found.forces[0], np.linalg.norm(found.forces[1:], axis=0)
        assert (sideways <= mu * normal_part + 1e-6 * (1.0 + normal_part)).all()
        if not found.holds:  # no force on the motion that is left can stop it: the load's work is all that is left
            assert found.left @ load == pytest.approx(found.left @ found.left, rel=1e-4)
        kinds.append(found.holds)
    assert 5 < sum(kinds) < 55


def test_answers_are_plain_data() -> None:
    for found in (*stability.inspect_scene(tower(3)), stability.inspect_body(on_slope(0.3, 0.2), "block")):
        json.dumps(as_json(found), allow_nan=False)
        assert found.topic == "stability" and found.sentence.endswith(".")


def test_an_inspection_can_be_stopped() -> None:
    class Stopped(Exception):
        pass

    def stop() -> None:
        raise Stopped

    with pytest.raises(Stopped):
        stability.inspect_scene(stack(0.0, 0.1), look_up=stop)
    with pytest.raises(Stopped):
        stability.inspect_body(stack(0.0, 0.1), "cube 1", look_up=stop)
