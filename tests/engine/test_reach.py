"""Reach: where throws end is what the scene allows, the same for any number of threads, and a snapped ending rests."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from scipy.stats import chi2

from engine.cli import main
from engine.commands.demo_scenes import ball_with_one_exit
from engine.errors import ForegoneError
from engine.polish import find_near
from engine.reach.explore import explore
from engine.reach.snap import snapped
from engine.reach.starts import Region
from engine.reach.thrower import Thrower
from engine.run import forward
from engine.scene.reach_map import FELL, RESTED, Density, ReachMap, pose_of, verdict
from engine.scene.spec import Body, Box, Joint, Scene, Sphere
from tests.bench.scenes_reach import CUP, HOLE, SIDES, ball_in_a_cup, die_by_a_hole

THROWS = 600
UNLIKELY = 1e-4  # of a fair sample to look as uneven


@cache
def cup() -> ReachMap:
    return explore(ball_in_a_cup(), "ball", THROWS, seed=1)


@cache
def hole() -> ReachMap:
    return explore(die_by_a_hole(), "die", THROWS, seed=2)


def is_even(counts: np.ndarray) -> bool:
    expected = counts.sum() / len(counts)
    return float(((counts - expected) ** 2 / expected).sum()) < chi2.ppf(1.0 - UNLIKELY, len(counts) - 1)


@pytest.mark.parametrize("before", [0, 4])
def test_a_ball_in_a_symmetrical_cup_comes_from_everywhere_and_ends_everywhere(before: int) -> None:
    """Around the middle throws begin, and the cup looks, the same after a quarter of a turn."""
    middle = replace(
        ball_in_a_cup(), bodies=[replace(b, position=(0.0, 0.0, b.position[2])) for b in ball_in_a_cup().bodies]
    )
    found = explore(middle, "ball", THROWS, seed=1)
    places = found.way[found.rested, before, :2]
    inside = places[np.linalg.norm(places, axis=1) < CUP]
    assert len(inside) > 0.2 * THROWS
    sectors = np.floor(np.arctan2(inside[:, 1], inside[:, 0]) / (2.0 * np.pi) * 4.0 + 0.5).astype(int) % 4
    assert is_even(np.bincount(sectors, minlength=4).astype(float))
    assert not is_even(np.bincount(sectors[sectors != 1], minlength=4).astype(float))  # the test would see it


def test_a_ball_on_the_floor_of_a_cup_is_as_high_as_the_floor_and_its_radius() -> None:
    rest = cup().rest[cup().rested]
    inside = rest[np.linalg.norm(rest[:, :2], axis=1) < CUP]
    assert np.abs(inside[:, 2] - 0.06).max() < 2e-3
    lean = CUP * np.cos(np.pi / SIDES)  # no further out than where it touches the walls
    assert np.linalg.norm(inside[:, :2], axis=1).max() < lean / np.cos(np.pi / SIDES)


@pytest.mark.parametrize("found, scene", [(cup, ball_in_a_cup), (hole, die_by_a_hole)])
def test_nothing_comes_to_rest_inside_of_something(found, scene) -> None:  # type: ignore[no-untyped-def]
    seen, thrower = found(), Thrower(scene(), scene().find(found().name))
    state = thrower.model.start
    for throw in seen.rested[:100]:
        off = seen.rest[throw, :3]  # boxes and balls: the centre of mass is the origin
        state.x[thrower.row], state.q[thrower.row] = off, seen.rest[throw, 3:]
        contacts, count = find_near(thrower.model, state, 1e-3)
        assert count and contacts.gap[:count].min() > -2e-3


def test_nothing_rests_over_a_hole() -> None:
    found = hole()
    rest = found.rest[found.rested]
    assert len(rest) > 100 and found.count(FELL) > 50
    assert not (np.abs(rest[:, :2]).max(axis=1) < HOLE - 0.05).any()
    assert np.abs(rest[:, 2] - 0.05).max() < 2e-3 and np.abs(rest[:, :2]).max() < 0.55
    shown = found.density("top")
    assert share_at(shown, 0.0, 0.0) == 0.0 and shown.shares.max() == 1.0
    assert found.density("top", "place", None).points.shape == (len(found.rested), 2)


def share_at(shown: Density, right: float, up: float) -> float:
    rows, columns = shown.shares.shape
    column = int((right - shown.left) / (shown.right - shown.left) * columns)
    row = int((shown.high - up) / (shown.high - shown.low) * rows)
    return float(shown.shares[row, column])


def test_densities_stand_where_their_throws_are() -> None:
    found = hole()
    shown = found.density("front", "place", 0.0, found.rested[:1])
    x, z = found.rest[found.rested[0], [0, 2]]
    assert shown.points[0] == pytest.approx((x, z), abs=1e-6) and share_at(shown, x, z) > 0.5
    assert shown.mark == (0.27, 0.05)


@pytest.mark.parametrize("degrees", [-170.0, -30.0, 45.0, 120.0])
def test_turns_are_told_about_the_line_of_sight(degrees: float) -> None:
    found, half = hole(), np.radians(degrees) / 2.0
    for plane, axis in (("top", (0, 0, 1)), ("front", (0, -1, 0)), ("side", (1, 0, 0))):
        pose = np.array([0, 0, 0.05, np.cos(half), *(np.sin(half) * np.array(axis))])
        mark = found.density(plane, "turn", pose=pose).mark  # type: ignore[arg-type]
        assert mark[1] == pytest.approx(degrees)
        assert found.apart(pose, found.ending)[1] == pytest.approx(abs(degrees), abs=1e-6)


def test_any_number_of_threads_gives_the_same_map() -> None:
    ours = explore(die_by_a_hole(), "die", 120, seed=2, jobs=3)
    for name in ("fate", "start", "rest", "way"):
        assert getattr(ours, name).tobytes() == getattr(hole(), name)[:120].tobytes(), name
    assert explore(die_by_a_hole(), "die", 120, seed=3).rest.tobytes() != ours.rest.tobytes()


def test_a_throw_does_not_know_what_was_thrown_before() -> None:
    scene = ball_with_one_exit()
    region, many = (
        Region(scene, scene.bodies[0], np.array(scene.bodies[0].position), 0.045, None),
        Thrower(scene, scene.bodies[0]),
    )
    starts = region.starts(0, 0, 16)
    for start in zip(starts.places, starts.velocities, starts.turns, starts.spins, strict=True):
        after, first = many.throw(*start, np.inf), Thrower(scene, scene.bodies[0]).throw(*start, np.inf)
        assert after.fate == first.fate and after.poses.tobytes() == first.poses.tobytes()


def test_moments_lead_to_rest() -> None:
    found = hole()
    way, rest = found.way[found.rested], found.rest[found.rested]
    assert np.abs(way[:, 0] - rest).max() < 1e-6
    early = np.isfinite(way[:, :, 0]).sum(axis=1) - 1
    began = np.flatnonzero(early < way.shape[1] - 1)  # those whose whole way is on the map
    assert len(began) > 10
    assert np.abs(way[began, early[began]] - found.start[found.rested][began]).max() == 0.0
    assert (way[began, early[began], 2] > rest[began, 2]).all()


def test_throws_into_a_closed_box_come_through_its_exit() -> None:
    """None begins in it, and few find in."""
    found = explore(ball_with_one_exit(), "ball", THROWS, seed=1)
    begun = found.start[:, :3]
    assert not ((np.abs(begun[:, :2]).max(axis=1) < 0.3) & (begun[:, 2] < 0.42)).any()
    inside = (np.abs(found.rest[:, :2]).max(axis=1) < 0.3) & (found.rest[:, 2] < 0.4) & (found.fate == RESTED)
    assert inside.sum() < 0.05 * THROWS


def test_what_a_map_says_about_endings() -> None:
    found = hole()
    there = found.rest[found.rested[0]]
    said = verdict(found, there)
    assert said.is_reached and said.nearest == found.rested[0] and said.place == 0.0 and said.near >= 1
    assert found.nearest(there, 3)[0] == found.rested[0] and len(found.nearest(there, 3)) == 3
    over_hole = pose_of((0.0, 0.0, 0.05), (1.0, 0.0, 0.0, 0.0))
    assert not verdict(found, over_hole).is_reached
    assert found.stays and not explore(hovering(), "die", 1).stays
    assert "moves when it is let go" in verdict(found, found.ending, stays=False).words


def hovering() -> Scene:
    return Scene([Body("die", Box((0.05, 0.05, 0.05)), (0.0, 0.0, 0.1))])


def test_a_snapped_ending_is_one_that_a_throw_reached_and_it_rests() -> None:
    scene = die_by_a_hole()
    scene.bodies[0] = replace(scene.bodies[0], position=(0.02, 0.01, 0.05))  # over the hole
    found = hole()
    place, turn = snapped(scene, found).poses[scene.bodies[0].id]
    ends = pose_of(place, turn)
    assert found.distances(ends).min() < 0.01
    assert found.distances(pose_of((0.02, 0.01, 0.05), (1, 0, 0, 0))).min() < np.abs(found.rest[found.rested]).max()
    put = replace(scene, bodies=[replace(scene.bodies[0], position=place, orientation=turn), scene.bodies[1]])
    take = forward(put, 0.2)
    assert take.tape.state(take.tape.steps).x[0] == pytest.approx(take.tape.state(0).x[0], abs=1e-6)


def test_what_cannot_be_thrown() -> None:
    scene = hovering()
    for broken, words in (
        (replace(scene, gravity=(0.0, 0.0, 0.0)), "gravity"),
        (replace(scene, bodies=[replace(scene.bodies[0], static=True)]), "never moves"),
        (replace(scene, joints=[Joint("ball", "die", anchor=(0.0, 0.0, 0.1))]), "joint"),
    ):
        with pytest.raises(ForegoneError, match=words):
            explore(broken, "die", 1)
    with pytest.raises(ForegoneError, match="no body"):
        explore(scene, "dice", 1)


def test_a_ball_that_rolls_for_ever_is_told_as_moving() -> None:
    found = explore(Scene([Body("ball", Sphere(0.05), (0.0, 0.0, 0.05))]), "ball", 20)
    assert verdict(found, found.ending).level == "bad" and found.turns == "none"


def test_the_command_writes_pictures_tables_and_a_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project, snap = tmp_path / "die.foregone", tmp_path / "snap.foregone"
    die_by_a_hole().save(project)
    written = [tmp_path / "map.png", tmp_path / "deep" / "map.csv", tmp_path / "map.json"]
    asked = ["reach", str(project), "--body", "die", "--throws", "80", "--nearest", "20", "--snap", str(snap), "--json"]
    assert main([*asked, *(part for path in written for part in ("--out", str(path)))]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (
        told["throws"] == 80
        and told["shown"] == min(20, told["rested"])
        and told["rested"] + told["fell_away"] + told["still_moving"] + told["no_room"] == 80
    )
    with Image.open(written[0]) as picture:
        assert picture.size[0] > 600
    lines = list(csv.DictReader(written[1].read_text().splitlines()))
    assert len(lines) == 80 and sum(line["fate"] == "rested" for line in lines) == told["rested"]
    assert len(json.loads(written[2].read_text())["maps"]["turn"]["shares"]) == 96
    assert Scene.load(snap).find("die").position == tuple(told["snapped"][0])
    assert main(["reach", str(project), "--out", str(tmp_path / "map.gif")]) == 1
    assert main(["reach", str(project), "--body", "dice", "--out", str(tmp_path / "map.png")]) == 1
