"""Forged contacts: features that no part has, bodies that only seem to touch, overlaps called contacts, words on the
tape that its impulses do not bear out. Each is refused, or named."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from engine import Body, Box, Cylinder, Scene, Sphere, certify, forward
from engine.contact.kick import GHOST
from engine.contact.tiers import ASSISTED, GHOSTED
from engine.model.compile import compile_scene
from engine.tape.take import Take
from tests.bench import scenes
from tests.engine.forging import DT, asleep_for_ever, box, spread
from tests.engine.golden.golden_takes import CASES

Change = Callable[[dict[str, np.ndarray]], None]


@functools.cache
def sliding() -> Take:
    """A box and a can slide on the ground, and a ball rolls."""
    can = Body("can", Cylinder(0.1, 0.1), (1.0, 0.0, 0.1), material=scenes.material(), velocity=(1.0, 0.0, 0.0))
    ball = Body("ball", Sphere(0.1), (2.0, 0.0, 0.1), material=scenes.material(), velocity=(1.0, 0.0, 0.0))
    return forward(Scene([box("box", 0.0, 0.1, velocity=(1.0, 0.0, 0.0)), can, ball]), 0.2, DT)


def touching(take: Take, name: str) -> np.ndarray:
    """Contact rows of a body."""
    row = take.model.names.index(name)
    return np.flatnonzero(take.model.geometry.part_body[take.tape.contact_column("part_a")] == row)


def assert_named(take: Take, name: str) -> None:
    report = certify(take)
    assert not report.ok and report.worst[2] == "ASSISTED" and name in report.worst[0]


def test_what_is_forged_below_is_honest_before() -> None:
    report = certify(sliding())
    assert report.ok and report.exact_in_motion == 1.0 and report.max_depth == 0.0
    assert all(len(touching(sliding(), name)) for name in ("box", "can", "ball"))


def test_a_body_in_the_air_on_a_face_that_is_not_there() -> None:
    """One that slides 1 m over the ground, on features that are where it would need them."""
    honest = forward(Scene([box("box", 0.0, 0.1, velocity=(1.0, 0.0, 0.0))]), 0.2, DT)
    scene = Scene([box("box", 0.0, 1.1, velocity=(1.0, 0.0, 0.0))])

    def raise_all(arrays: dict[str, np.ndarray]) -> None:
        arrays["x"] = arrays["x"] + np.array([(0.0, 0.0, 1.0), (0.0, 0.0, 0.0)])  # the box, the ground
        arrays["point_b"] = arrays["point_b"] + np.array((0.0, 0.0, 1.0))

    take = spread(honest, raise_all)
    model = compile_scene(scene)
    assert model.names == ("box", "ground")
    assert_named(replace(take, scene=scene, model=model, tape=replace(take.tape, model=model)), "box")


def on(column: str, by: float, axis: int | None = None) -> Callable[[np.ndarray], Change]:
    def of(rows: np.ndarray) -> Change:
        def change(arrays: dict[str, np.ndarray]) -> None:
            arrays[column] = arrays[column].copy()
            arrays[column][(rows, axis) if axis is not None else rows] += by

        return change

    return of


@pytest.mark.parametrize(
    ("name", "forge"),
    [
        ("box", on("point_a", 0.05, 0)),  # a corner outside
        ("box", on("point_a", 1e-6, 2)),  # a corner above where it is, by a thousandth of what it slides in a step
        ("box", on("dir_b", 0.1, 0)),  # a ground that leans
        ("box", on("point_b", -1e-6, 2)),  # a ground that is lower
        ("can", on("point_a", 0.02, 0)),
        ("ball", on("circle_a", 1e-6)),  # a larger ball
        ("ball", on("point_a", 1e-6, 2)),
    ],
)
def test_features_that_no_part_has(name: str, forge: Callable[[np.ndarray], Change]) -> None:
    rows = touching(sliding(), name)
    assert_named(spread(sliding(), forge(rows)), name)


def test_other_kinds_of_features() -> None:
    for name in ("box", "can", "ball"):
        for kind in range(4):
            rows = touching(sliding(), name)

            def change(arrays: dict[str, np.ndarray], rows: np.ndarray = rows, kind: int = kind) -> None:
                arrays["kind_a"] = arrays["kind_a"].copy()
                arrays["kind_a"][rows] = kind

            if (sliding().tape.contact_column("kind_a")[rows] != kind).all():
                assert not certify(spread(sliding(), change)).ok, (name, kind)


def test_edges_that_cross_where_faces_touch() -> None:
    """Two boxes, one on the other: pushed apart sideways by edges that meet at a corner, but hold nothing apart."""
    take = CASES["struck wall"]()
    assert certify(take).ok

    def turn(arrays: dict[str, np.ndarray]) -> None:
        rows = np.flatnonzero((arrays["kind_a"] != 1) & (np.abs(arrays["normal"][:, 2]) > 0.9))
        assert len(rows)
        for name, value in (("kind_a", 1), ("kind_b", 1)):
            arrays[name] = arrays[name].copy()
            arrays[name][rows] = value
        for name, axis in (("dir_a", (0.0, 1.0, 0.0)), ("dir_b", (0.0, 0.0, 1.0))):
            arrays[name] = arrays[name].copy()
            arrays[name][rows] = axis

    assert not certify(spread(take, turn)).ok


def test_an_ignored_contact_that_pushes() -> None:
    def ignore(arrays: dict[str, np.ndarray]) -> None:
        arrays["hold"] = np.full(len(arrays["hold"]), GHOST, arrays["hold"].dtype)

    report = certify(spread(sliding(), ignore))
    assert (report.tiers == ASSISTED).any()


# ---- overlaps -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["asleep", "forward", "sliding"])
def test_a_body_that_is_sunk(how: str) -> None:
    speed = (1.0, 0.0, 0.0) if how == "sliding" else (0.0, 0.0, 0.0)
    scene = Scene([box("box", 0.0, 0.08, velocity=speed), box("other", 1.0, 0.1)])
    report = certify(asleep_for_ever(scene) if how == "asleep" else forward(scene, 0.2, DT))
    assert not report.ok and report.tiers[0] == GHOSTED
    assert report.ghosts[0][1:3] == ("box", "ground") and report.max_depth == pytest.approx(0.02, rel=1e-9)
    assert report.worst[0] == ("box", "ground")


def test_a_body_let_go_inside_another() -> None:
    """Nobody is seen there before; the overlap begins with the release."""
    take = CASES["let go boxes of a metre"]()
    assert certify(take).ok
    row, step = int(np.argmax(take.tape.releases.step)), int(take.tape.releases.step.max())

    def sink(arrays: dict[str, np.ndarray]) -> None:
        for k in range(step, len(arrays["x"])):
            arrays["x"][k, row, 2] -= 0.02

    ghosts = certify(spread(take, sink)).ghosts
    assert ghosts and ghosts[0][0] == step and take.model.names[row] in ghosts[0][1:3]


# ---- what the tape tells ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "by"),
    [("tier", 1), ("friction", 0.01), ("restitution", 0.01), ("before", -0.01), ("after", 0.01), ("forced", 1)],
)
def test_words_that_impulses_do_not_bear_out(column: str, by: float) -> None:
    take = CASES["sphere bounces in"]()
    assert certify(take).ok

    def tell(arrays: dict[str, np.ndarray]) -> None:
        row = int(np.argmin(arrays["before"]))
        arrays[column] = arrays[column].copy()
        arrays[column][row] += by

    report = certify(spread(take, tell))
    assert not report.ok and any("tells something else" in fault for fault in report.faults)


@pytest.mark.parametrize("name", ["plate", "thrown"])
def test_a_body_in_the_air_while_another_is_fast_enough_to_pass_it(name: str) -> None:
    """What is thin may be met ahead of its touch where somebody is fast; whoever only hovers, or slides in the air,
    is not."""
    speed = 0.0 if name == "plate" else 1.0
    plate = Body(
        name, Box((0.1, 0.1, 0.001)), (0.0, 0.0, 0.001), material=scenes.material(), velocity=(speed, 0.0, 0.0)
    )
    bullet = Body("bullet", Sphere(0.01), (0.0, 5.0, 5.0), velocity=(100.0, 0.0, 0.0))
    honest = forward(Scene([plate, bullet]), 0.05, DT)
    assert certify(honest).ok
    scene = replace(honest.scene, bodies=[replace(plate, position=(0.0, 0.0, 0.011)), bullet])

    def lift(arrays: dict[str, np.ndarray]) -> None:
        row = honest.model.names.index(name)
        arrays["x"] = arrays["x"].copy()
        arrays["x"][:, row, 2] += 0.01

    take = spread(honest, lift)
    model = compile_scene(scene)
    assert_named(replace(take, scene=scene, model=model, tape=replace(take.tape, model=model)), name)
