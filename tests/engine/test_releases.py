"""Releases: hands before, physics after; where bodies are let go, how that is kept, shown, replayed and judged."""

from __future__ import annotations

import functools
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine import Options, Take, backward, certify
from engine.arrivals.ahead.ladder import SURELY, ladder
from engine.arrivals.stage import stage_of
from engine.certificate.replay import replay
from engine.contact.tiers import ASSISTED, GHOSTED, HELD
from engine.errors import ProjectError
from engine.model.compile import poses_of
from engine.tape.block import Block
from engine.tape.hand import Hand
from engine.tape.path import Path as Shown
from engine.tape.release import Releases, packed, unpacked
from engine.tape.spool import Spool
from engine.tape.store import SEAL, load_take, save_take
from tests.bench import scenes_endings, scenes_settled
from tests.bench.catalogue_endings import LONE
from tests.engine.appearing_takes import everybody_seen

DT = 1 / 480
QUICKLY = Options(manner="preview")


@functools.cache
def die() -> Take:
    return backward(LONE["die of 2 cm"](), 2.0, DT, 1)


@functools.cache
def stack(half: float = 0.1, seconds: float = 4.0, dt: float = DT) -> Take:
    return backward(scenes_endings.boxes_stacked(half), seconds, dt)


@functools.cache
def cards() -> Take:
    return backward(scenes_endings.card_house(2, 2), 2.0, DT, 0, QUICKLY)


@functools.cache
def coins() -> Take:
    """A heap of which some are held while others land on them."""
    return backward(scenes_settled.coin_heap(), 4.0, DT, 0)


@functools.cache
def wall() -> Take:
    return backward(scenes_endings.wall_of_45(), 4.0)


TAKES = {"die": die, "stack": stack, "cards": cards}


def rows_let_go(take: Take) -> list[int]:
    return [int(row) for row in np.flatnonzero(take.tape.releases.step)]


# ---- the hand -------------------------------------------------------------------------------------------


def some_hand() -> Hand:
    """From rest over a knot in the middle to a release in motion."""
    rng = np.random.default_rng(3)
    x, v, turn, spin = rng.uniform(-1.0, 1.0, (4, 3, 3))
    v[0], spin[0], turn[-1] = 0.0, 0.0, 0.0
    q = rng.normal(size=4)
    return Hand(np.array([-30.5, 40.0, 96.0]), x, v, turn, spin, q / np.linalg.norm(q))


def rates(hand: Hand, step: float, side: float) -> tuple[np.ndarray, np.ndarray]:
    """m/s and rad/s, from a little before or after a step."""
    some = side * 1e-4
    x, q = hand.at(np.array([step, step + some]), DT)
    w, u = q[:, 0], q[:, 1:]
    turned = 2.0 * (w[0] * u[1] - w[1] * u[0] - np.cross(u[1], u[0]))
    return (x[1] - x[0]) / (some * DT), turned / (some * DT)


def test_a_hand_ends_in_the_pose_and_at_the_speed_of_the_release() -> None:
    hand = some_hand()
    x, q = hand.at(hand.step[-1:], DT)
    assert np.array_equal(x[0], hand.x[-1]) and np.array_equal(q[0], hand.q)
    speed, spin = rates(hand, hand.step[-1], -1)
    assert speed == pytest.approx(hand.v[-1], abs=1e-4) and spin == pytest.approx(hand.spin[-1], abs=1e-4)


def test_a_hand_begins_at_rest_and_waits_there() -> None:
    hand = some_hand()
    speed, spin = rates(hand, hand.step[0], 1)
    assert np.abs(speed).max() < 1e-4 and np.abs(spin).max() < 1e-4
    x, q = hand.at(np.array([-500.0, -31.0, -30.5]), DT)
    assert np.array_equal(x, np.repeat(hand.x[:1], 3, axis=0)) and np.array_equal(q, np.repeat(q[-1:], 3, axis=0))
    x, q = hand.at(np.array([96.0, 97.0, 1e6]), DT)
    assert np.array_equal(x, np.repeat(hand.x[-1:], 3, axis=0)) and (q == hand.q).all()


def test_a_hand_goes_through_its_knots_without_a_jerk() -> None:
    hand = some_hand()
    knot = float(hand.step[1])
    assert hand.at(np.array([knot]), DT)[0][0] == pytest.approx(hand.x[1], abs=1e-15)
    (before, turned), (after, turns) = rates(hand, knot, -1), rates(hand, knot, 1)
    assert before == pytest.approx(hand.v[1], abs=1e-4) and after == pytest.approx(hand.v[1], abs=1e-4)
    assert turned == pytest.approx(turns, abs=2e-4)
    fine = hand.at(np.arange(-40.0, 96.0, 0.25), DT)
    for path in fine:  # neither its speed nor its acceleration jumps anywhere
        bends = np.abs(np.diff(path, 2, axis=0)).max() / (0.25 * DT) ** 2
        assert np.abs(np.diff(path, 3, axis=0)).max() / (0.25 * DT) ** 2 < 0.05 * bends


# ---- kept -----------------------------------------------------------------------------------------------


def made_up(bodies: int = 3) -> Releases:
    step, there = np.array([0, 96, 50]), np.array([0, 96, 20])
    return Releases(step, there, np.array([0, 70, 0]), ("", "carried", "placed"), {1: some_hand()})


def same(one: Releases, other: Releases) -> bool:
    mine, theirs = packed(one), packed(other)
    return list(mine) == list(theirs) and all(
        mine[name].dtype == theirs[name].dtype and np.array_equal(mine[name], theirs[name]) for name in mine
    )


def test_releases_survive_packing() -> None:
    again = unpacked(packed(made_up()), 3)
    assert again is not None and same(again, made_up())
    assert again.how == made_up().how and again.held.tolist() == [False, False, True]
    at = np.linspace(-40.0, 100.0, 33)
    for mine, theirs in zip(made_up().hands[1].at(at, DT), again.hands[1].at(at, DT), strict=True):
        assert np.array_equal(mine, theirs)
    assert unpacked({}, 3) is None


BAD: dict[str, np.ndarray] = {
    "release_step": np.array([0, 96]),
    "release_there": np.array([0, 97, 20]),
    "release_shown": np.array([0.0, 70.0, 0.0]),
    "release_how": np.array([0, 1, 99]),
    "hand_body": np.array([3]),
    "hand_knots": np.array([1]),
    "hand_step": np.array([40.0, -30.0, 96.0]),
    "hand_x": np.zeros((2, 3)),
}


@pytest.mark.parametrize("name", BAD)
def test_arrays_that_do_not_fit_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"cannot be read|not of these bodies"):
        unpacked({**packed(made_up()), name: BAD[name]}, 3)


@pytest.mark.parametrize("name", TAKES)
def test_a_take_with_releases_survives_the_disk(name: str, tmp_path: Path) -> None:
    take = TAKES[name]()
    save_take(tmp_path / "take.npz", take)
    with np.load(tmp_path / "take.npz") as archive:
        assert int(archive["format"]) == 3
    loaded = load_take(tmp_path / "take.npz", take.scene)
    assert loaded.hash() == take.hash() and loaded.releases == take.releases
    assert np.array_equal(loaded.positions, take.positions) and np.array_equal(loaded.orientations, take.orientations)


def test_releases_are_part_of_the_fingerprint() -> None:
    take = die()
    released = take.tape.releases
    other = replace(take, tape=replace(take.tape, released=replace(released, shown=released.shown + 1)))
    assert other.hash() != take.hash()


def test_a_take_without_releases_is_written_as_before(tmp_path: Path) -> None:
    take = everybody_seen()
    save_take(tmp_path / "take.npz", take)
    with zipfile.ZipFile(tmp_path / "take.npz") as archive:
        assert not [name for name in archive.namelist() if name.startswith(("release", "hand"))]
    with np.load(tmp_path / "take.npz") as archive:
        assert int(archive["format"]) == 2
    loaded = load_take(tmp_path / "take.npz", take.scene)
    assert loaded.tape.released is None and loaded.hash() == take.hash()
    assert {release.how for release in loaded.releases.values()} == {"flight"}


def test_damaged_releases_are_told(tmp_path: Path) -> None:
    save_take(tmp_path / "take.npz", stack())
    with np.load(tmp_path / "take.npz") as archive:
        arrays = {name: archive[name] for name in archive.files if name != SEAL}  # as earlier versions wrote them
    np.savez(tmp_path / "bad.npz", **{**arrays, "release_there": arrays["release_step"] + 1})
    np.savez(tmp_path / "changed.npz", **{**arrays, "hand_x": arrays["hand_x"] + 1e-9})
    for name, words in (("bad", "releases cannot be read"), ("changed", "damaged")):
        with pytest.raises(ProjectError, match=words):
            load_take(tmp_path / f"{name}.npz", stack().scene)


# ---- shown ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TAKES)
def test_positions_follow_the_hand_and_do_not_jump_at_the_release(name: str) -> None:
    take = TAKES[name]()
    releases, tape = take.tape.releases, take.tape
    column = {int(row): i for i, row in enumerate(take.model.row_of)}
    assert rows_let_go(take)
    for row in rows_let_go(take):
        i, step = column[row], int(releases.step[row])
        x, q = take.in_hand(row, np.arange(step))
        assert np.array_equal(take.orientations[:step, i], q)
        states = tape.x[:step].copy(), tape.q[:step].copy()
        states[0][:, row], states[1][:, row] = x, q
        assert np.array_equal(take.positions[:step, i], poses_of(take.model, *states)[:, row])
        state = tape.state(step)
        if row not in releases.hands:
            assert releases.shown[row] == releases.there[row], "nobody brings it: it is let go unseen"
            assert np.array_equal(x, np.repeat(state.x[row][None], step, axis=0))
            continue
        hand = releases.hands[row]
        assert hand.step[-1] == releases.there[row], "it lets go, or holds from there on"
        assert np.array_equal(hand.x[-1], state.x[row]) and np.array_equal(hand.q, state.q[row])
        assert np.array_equal(hand.v[-1], state.v[row])
        fastest = np.linalg.norm(state.v[row]) + 9.81 * DT
        spin = np.linalg.norm(take.releases[take.scene.bodies[i].name].angular_velocity)
        arm = np.linalg.norm(take.positions[step, i] - state.x[row])
        around = take.positions[step - 1 : step + 2, i]
        if step < tape.steps:
            assert np.linalg.norm(np.diff(around, axis=0), axis=1).max() <= 1.01 * (fastest + spin * arm) * DT + 1e-9


@pytest.mark.parametrize("name", TAKES)
def test_the_shown_path_follows_the_hand_too(name: str) -> None:
    take = TAKES[name]()
    path, first = Shown(take), float(take.times[0])
    column = {int(row): i for i, row in enumerate(take.model.row_of)}
    for row in rows_let_go(take):
        step, hand = int(take.tape.releases.step[row]), take.tape.releases.hands.get(row)
        if hand is None:
            continue
        i = column[row]
        for at in np.linspace(max(hand.step[0], 0.0), hand.step[-1] - 0.5, 7):
            x, q = path.at(first + float(at) * DT)
            wanted = hand.at(np.array([(first + float(at) * DT - first) / DT]), DT)
            assert q[i] == pytest.approx(wanted[1][0], abs=1e-9)
        for state in range(max(int(np.ceil(hand.step[0])), 0), step, 7):
            assert path.at(float(take.times[state]))[0][i] == pytest.approx(take.positions[state, i], abs=1e-9)
        fine = first + DT * np.linspace(step - 1.0, step + 1.0, 41)
        way = np.linalg.norm(np.diff(path.at(fine)[0][:, i], axis=0), axis=1)
        release = take.releases[take.scene.bodies[i].name]
        speed = (
            np.linalg.norm(release.velocity) + np.linalg.norm(release.angular_velocity) * take.model.bodies.size[row]
        )
        assert way.max() <= 1.05 * (speed + 9.81 * DT) * DT / 20 + 1e-9, "no jump"


@pytest.mark.parametrize("name", TAKES)
def test_nobody_is_first_seen_on_the_stage(name: str) -> None:
    take = TAKES[name]()
    stage, size = stage_of(take.scene, take.model), take.model.bodies.size
    assert rows_let_go(take)
    for row in rows_let_go(take):
        seen = int(take.tape.releases.shown[row])
        x, _ = take.in_hand(row, np.array([seen]))
        assert not stage.shows(x[0], 0.999 * float(size[row])), take.model.names[row]
        assert stage.shows(take.tape.state(int(take.tape.releases.step[row])).x[row], float(size[row])) == (
            row in take.tape.releases.hands
        ), "hands bring those who are let go on it"


# ---- judged ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TAKES)
def test_takes_replay_from_their_releases_and_keep_the_law(name: str) -> None:
    take = TAKES[name]()
    report = certify(take)
    assert take.stopped is None and report.ok and report.max_residual <= take.tape.params.certificate_tolerance
    assert replay(take).max() <= 1e-9


@pytest.mark.parametrize("name", TAKES)
def test_the_same_seed_makes_the_same_bits(name: str) -> None:
    one = TAKES[name]()
    again = TAKES[name].__wrapped__()
    assert again is not one and again.hash() == one.hash()


def changed(take: Take, row: int, step: int) -> Take:
    """The same take, in which one body stands elsewhere in one state."""
    tape = take.tape.spread()
    (block,) = tape.blocks
    x = block.arrays["x"].copy()
    x[step, row] += (0.0, 0.0, 0.01)
    spool = Spool()
    spool.append(Block(block.steps, block.bodies, {**block.arrays, "x": x}))
    return replace(take, tape=replace(tape, blocks=spool, _opened=type(tape._opened)()))


def test_nothing_is_asked_of_a_body_before_its_release() -> None:
    take = die()
    (row,) = rows_let_go(take)
    step = int(take.tape.releases.step[row])
    honest = certify(take)
    before, after = certify(changed(take, row, step - 5)), certify(changed(take, row, step + 5))
    assert np.array_equal(before.tiers, honest.tiers) and before.ok
    assert not honest.touching[:step].any() or honest.tiers[:step].max() == 0
    assert not after.ok and set(np.flatnonzero(after.tiers == ASSISTED)) >= {step + 4, step + 5}
    assert replay(changed(take, row, step - 5)).max() <= 1e-9 < replay(changed(take, row, step + 5)).max()


def test_a_body_that_is_not_there_touches_nothing() -> None:
    """A flight of which it is claimed that the body was let go in the middle: its contacts before are nobody's."""
    take = everybody_seen()
    row = int(take.model.row_of[1])
    opened = np.repeat(np.arange(take.tape.steps), np.diff(take.tape.start))
    touched = opened[(take.tape.contact_column("a") == row) | (take.tape.contact_column("b") == row)]
    step, nothing = np.zeros(len(take.model.names), np.int64), np.zeros(len(take.model.names), np.int64)
    step[row] = int(touched[0]) + 1
    how = ("",) * len(step)
    late = replace(take, tape=replace(take.tape, released=Releases(step, step, nothing, how)))
    assert certify(take).ok and certify(late).tiers[touched[0]] == ASSISTED
    held = replace(take, tape=replace(take.tape, released=Releases(step, nothing, nothing, how)))
    assert certify(held).tiers[touched[0]] == HELD


@pytest.mark.parametrize("name", ["cards", "coins"])
def test_some_are_held_until_they_stand(name: str) -> None:
    take = cards() if name == "cards" else coins()
    report = certify(take)
    held = [name for name, release in take.releases.items() if release.held]
    assert held and set(held) < set(take.releases)
    assert report.ok and (report.held_steps > 0) == (report.tier_counts[HELD] > 0) == (name == "coins")
    assert report.tier_counts[GHOSTED] == report.tier_counts[ASSISTED] == 0
    last = max(int(take.tape.releases.step[int(take.model.row_of[i])]) for i, body in enumerate(take.scene.bodies)
               if not body.static and body.name in held)  # fmt: skip
    assert not (report.tiers[last:] == HELD).any(), "once all are let go, nothing is held"
    for name in held:
        release = take.releases[name]
        body = next(body for body in take.scene.bodies if body.name == name)
        assert np.array_equal(release.position, body.position) and release.velocity == (0.0, 0.0, 0.0)
        assert any(f'"{name}" is held' in note for note in take.notes)


def test_the_wall_of_45_is_let_go_brick_by_brick() -> None:
    take = wall()
    report = certify(take)
    assert [release.how for release in take.releases.values()] == ["carried"] * 45
    assert take.stopped is None and report.ok and report.exact_in_motion >= 0.97
    assert report.tier_counts[GHOSTED] == report.tier_counts[ASSISTED] == report.tier_counts[HELD] == 0
    assert replay(take).max() <= 1e-9
    stage, size = stage_of(take.scene, take.model), take.model.bodies.size
    for row in rows_let_go(take):
        x, _ = take.in_hand(row, take.tape.releases.shown[row : row + 1])
        assert not stage.shows(x[0], 0.999 * float(size[row])), take.model.names[row]


# ---- what they are drawn from ---------------------------------------------------------------------------


def fallen(high: float, before: float, bounce: float, gravity: float, slop: float, steps: int) -> tuple[float, float]:
    """Height and speed of a ball, stepped forward by the law."""
    z, v = high, before
    for _ in range(steps):
        v = -bounce * v if z <= slop else v - gravity * DT
        z += DT * v
    return z, v


def way_back(speed: float, bounce: float, gravity: float, slop: float, fastest: float, least: float, soonest: float,
             steps: int) -> tuple[float, float, float, float] | None:  # fmt: skip
    """Top, last touch, speed off it and time of one ball that stayed at that speed."""
    z, v, touched, off = 0.0, -speed, 0.0, speed
    for step in range(1, steps):
        z -= DT * v
        if z <= slop:
            if v <= 0.0 or v < SURELY * bounce * fastest:
                return None  # it would have come from below, or had stayed there
            touched, off, v = step * DT, v, -v / bounce
            continue
        came = v + gravity * DT
        if v < 0.0 <= came and z >= least and step * DT >= soonest:
            return z, touched, off, step * DT
        v = came
    return None


@pytest.mark.parametrize("bounce", [0.2, 0.4, 0.7])
def test_the_ladder_is_a_ball_that_bounces_back(bounce: float) -> None:
    g, slop, fastest, least, soonest, seconds = 9.81, 1e-5, 0.25, 0.12, 0.18, 1.2
    known = ladder(bounce, g, DT, slop, fastest, least, soonest, seconds)
    tops = 0
    for i, speed in enumerate(known.speed):
        found = way_back(float(speed), bounce, g, slop, fastest, least, soonest, round(seconds / DT))
        if found is None:
            assert np.isnan(known.top[i])
            continue
        tops += 1
        assert (known.top[i], known.clear[i], known.off[i], known.time[i]) == pytest.approx(found, rel=1e-12)
        before = _speed_on_top(float(speed), bounce, g, slop, round(known.time[i] / DT))
        z, v = fallen(float(known.top[i]), before, bounce, g, slop, round(known.time[i] / DT))
        assert abs(z) < 1e-9 and v == pytest.approx(-speed, abs=1e-7), "forward it comes to where it stays"
    assert tops > 20


def _speed_on_top(speed: float, bounce: float, gravity: float, slop: float, steps: int) -> float:
    z, v = 0.0, -speed
    for _ in range(steps):
        z -= DT * v
        v = -v / bounce if z <= slop else v + gravity * DT
    return v


def test_the_ladder_gives_landings_from_the_heights_asked_for() -> None:
    known = ladder(0.4, 9.81, DT, 1e-5, 0.25, 0.1, 0.18, 1.2)
    for seed in range(20):
        for hurries in (False, True):
            drawn = known.drawn(np.random.default_rng(seed), (0.15, 0.4), hurries)
            assert drawn is not None
            i = int(np.flatnonzero(known.speed == drawn[0])[0])
            assert 0.15 <= known.top[i] <= 0.4 and drawn[1] == known.off[i]
    assert known.drawn(np.random.default_rng(0), (1e3, 1e4), False) is None


@pytest.mark.parametrize("half, seconds, dt", [(0.01, 4.0, DT), (1.0, 8.0, 1 / 240)])
def test_a_stack_comes_in_alike_at_every_size(half: float, seconds: float, dt: float) -> None:
    """Boxes of 2 cm and of 2 m: all are let go, none is laid, at distances that follow their size."""
    take = stack(half, seconds, dt)
    report = certify(take)
    assert [release.how for release in take.releases.values()] == ["carried"] * 5 and take.notes == ()
    assert report.ok and report.exact_in_motion >= 0.97
    places = {body.name: np.array(body.position) for body in take.scene.bodies}
    away = [float(np.linalg.norm(release.position - places[name])) for name, release in take.releases.items()]
    size = float(take.model.bodies.size[take.model.row_of[0]])
    assert min(away) >= size and float(np.median(away)) <= 4.0 * size
