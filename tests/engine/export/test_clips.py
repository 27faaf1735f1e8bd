"""Clips: which frames are read, where the ending is, what gets keys, how few keys will do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mixed import mixed_take
from reading import RATES, expected, matrices

from engine.both_ways import both_ways
from engine.errors import ExportError
from engine.export.clip import Clip, clip_of
from engine.export.facts import take_facts
from engine.export.frames import Span, frames_of
from engine.export.motion import TakeMotion
from engine.export.rotations import from_euler
from engine.export.settings import FAST_TURN, FORMATS, TARGETS, Settings, format_of, preset, rate_fraction
from engine.export.spinning import turns_per_frame
from engine.release_energy import release_energy
from engine.run import forward
from engine.scene.spec import Body, Box, Material, Scene
from tests.engine.appearing_takes import appearing


@pytest.mark.parametrize("fps", RATES)
def test_the_ending_is_a_frame_at_any_rate(fps: float) -> None:
    take = mixed_take()
    clip = clip_of(take, Settings(fps=fps))
    positions, turns = expected(take, fps)
    assert clip.ending == clip.last == clip.first + len(positions) - 1
    np.testing.assert_array_equal(clip.positions, positions)
    np.testing.assert_allclose(matrices(clip.orientations), turns, atol=1e-15)
    authored = take.authored_pose()
    assert (clip.positions[-1] == authored[0]).all() and (clip.orientations[-1] == authored[1]).all()
    assert ((clip.orientations[1:] * clip.orientations[:-1]).sum(-1) >= 0.0).all()


def test_frames_that_fall_on_steps_are_the_states() -> None:
    """Exact where times are shared; bodies in contact are shown without their overlap, so look at one in the air."""
    body = Body("a", Box((0.1, 0.1, 0.1)), (0, 0, 5.0), velocity=(1, 2, 3), angular_velocity=(4, 5, 6))
    take = forward(Scene(bodies=[body]), 0.5, 1 / 240)
    clip = clip_of(take, Settings(fps=24.0))
    np.testing.assert_allclose(clip.positions, take.positions[::10], atol=1e-12)
    np.testing.assert_allclose(matrices(clip.orientations), matrices(take.orientations[::10]), atol=1e-12)


def test_holds_and_handles() -> None:
    take = mixed_take()
    whole = clip_of(take, Settings())
    clip = clip_of(take, Settings(first=5, last=15, start=101, handles=3, hold=4))
    assert (clip.first, clip.last, clip.ending) == (98, 115, None)
    np.testing.assert_array_equal(clip.positions[:14], whole.positions[2:16])
    assert (clip.positions[14:] == whole.positions[15]).all() and "not among" in clip.notes[0]
    cut = clip_of(take, Settings(first=5, last=whole.frames.count - 3, hold=9))
    assert cut.ending is None and (cut.positions[-9:] == whole.positions[-3]).all()  # a hold does not bring it back
    clip = clip_of(take, Settings(handles=2, hold=3, start=10))
    assert (clip.first, clip.ending, clip.last) == (8, whole.ending + 9, whole.ending + 12)
    assert (clip.positions[:3] == whole.positions[0]).all() and "2 frames of the handles" in clip.notes[0]


def test_a_middle_frame_goes_on() -> None:
    scene = Scene(bodies=[Body("a", Box((0.1, 0.1, 0.1)), (0, 0, 2.0), velocity=(1, 0, 0))])
    came, goes = both_ways(scene, 0.5, 0.25)
    clip = clip_of(came, Settings(), goes)
    assert (clip.first, clip.ending, clip.last) == (1, 13, 19)
    assert tuple(clip.positions[12, 0]) == scene.bodies[0].position
    speeds = np.diff(clip.positions[:, 0, 0]) * 24.0
    np.testing.assert_allclose(speeds, 1.0, atol=1e-9)
    np.testing.assert_allclose(clip.positions[-1, 0], goes.positions[-1, 0], atol=1e-9)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (dict(fps=0.0), "positive"), (dict(fps=float("nan")), "positive"), (dict(first=4, last=2), "ends"),
        (dict(first=0, last=999), "frames 0 to 20"), (dict(hold=-1), "negative"), (dict(hold=2.5), "whole"),
        (dict(thin=0.0), "thinning"), (dict(unit="furlong"), "unit"), (dict(format="doc"), "no format"),
        (dict(width=3), "px"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_in_words(asked: dict, words: str) -> None:
    with pytest.raises(ExportError, match=words):
        clip_of(mixed_take(), Settings(**asked))


def test_still_bodies_have_no_keys_unless_they_are_wanted() -> None:
    clip = clip_of(mixed_take(), Settings())
    keyed = {actor.body.name: actor.keyed for actor in clip.actors}
    assert not keyed["table"] and not keyed["wall"] and keyed["die"]
    assert [len(actor.track.frames) for actor in clip.actors if not actor.keyed] == [1, 1]
    assert all(actor.keyed for actor in clip_of(mixed_take(), Settings(still_keys=True)).actors)


@pytest.mark.parametrize("most", [1e-4, 3e-3])
def test_thinned_keys_are_nowhere_further_off_than_allowed(most: float) -> None:
    """Between kept keys the way is straight in place and at a steady rate in rotation, as readers go."""
    whole = clip_of(mixed_take(), Settings(format="glb"))
    thin = clip_of(mixed_take(), Settings(format="glb", thin=most))
    fewer = 0
    for i, actor in enumerate(thin.actors):
        if not actor.keyed:
            continue
        fewer += whole.frames.count - len(actor.track.frames)
        assert actor.track.frames[0] == thin.first and actor.track.frames[-1] == thin.ending
        off = world_error(whole, i, actor.track, actor.surface.points)
        assert off <= most
    assert fewer > 20


def world_error(whole: Clip, i: int, track, points: np.ndarray) -> float:
    """m by which any point of the surface is off at any frame, with scipy's slerp as the judge."""
    from scipy.spatial.transform import Rotation, Slerp

    frames = whole.frames.numbers.astype(float)
    way = Slerp(track.frames, Rotation.from_quat(np.roll(track.orientations, -1, axis=-1)))(frames)
    places = np.stack([np.interp(frames, track.frames, track.positions[:, k]) for k in range(3)], axis=1)
    turns = matrices(whole.orientations[:, i])
    there = whole.positions[:, None, i] + np.einsum("fij,pj->fpi", turns, points)
    here = places[:, None] + np.einsum("fij,pj->fpi", way.as_matrix(), points)
    return float(np.linalg.norm(here - there, axis=-1).max())


def spinner(speed: float) -> Clip:
    body = Body("top", Box((0.1, 0.1, 0.1)), (0, 0, 9.0), angular_velocity=(0, 0, speed), material=Material())
    return clip_of(forward(Scene(bodies=[body]), 0.5, 1 / 960), Settings(fps=24.0))


def test_fast_spinners_get_keys_between_frames() -> None:
    clip = spinner(100.0)  # rad/s: 239 degrees per frame
    track = clip.actors[0].track
    assert len(track.frames) > 3 * clip.frames.count
    half = 0.5 * 100.0 * (track.frames - track.frames[0]) / 24.0
    np.testing.assert_allclose(
        matrices(track.orientations), matrices(np.stack([np.cos(half), 0 * half, 0 * half, np.sin(half)], 1)), atol=1e-6
    )
    steps = 2.0 * np.arccos(np.clip((track.orientations[1:] * track.orientations[:-1]).sum(1), -1, 1))
    assert steps.max() < FAST_TURN and steps.sum() == pytest.approx(50.0, rel=1e-3)  # 8 turns, all of them told
    assert len(spinner(40.0).actors[0].track.frames) == clip.frames.count  # 95 degrees per frame need none


def test_formats_without_keys_warn_of_fast_spinners() -> None:
    body = Body("top", Box((0.1, 0.1, 0.1)), (0, 0, 9.0), angular_velocity=(0, 0, 100.0))
    take = forward(Scene(bodies=[body]), 0.3, 1 / 960)
    assert "top turns more than 150 degrees" in clip_of(take, Settings(format="csv")).notes[0]
    assert "top" in clip_of(take, Settings(format="glb", subframes=False)).notes[0]
    assert clip_of(take, Settings(format="glb")).notes == ()
    frames = frames_of(TakeMotion(take).span, Settings())
    np.testing.assert_allclose(turns_per_frame(TakeMotion(take), frames)[:-1, 0], 100.0 / 24.0, rtol=1e-6)


def test_presets_are_what_programs_expect() -> None:
    assert (preset("maya").unit, preset("maya").up, preset("maya").format) == ("cm", "y", "maya")
    raw = preset("unreal", "csv")
    assert (raw.unit, raw.up, raw.hand) == ("cm", "z", "left")
    assert preset("unreal", "usd").hand == "right"  # USD has one handedness; Unreal's importer converts
    assert (preset("cinema4d", "npz").hand, preset("web").up, preset("web").unit) == ("left", "y", "m")
    for target in TARGETS.values():
        for format_ in target.formats:
            assert preset(target.key, format_).format == format_
    assert format_of("a/b.USDA") == "usd" and format_of("b.doc") is None
    assert rate_fraction(23.976) == (24000, 1001) and rate_fraction(30000 / 1001) == (30000, 1001)
    assert rate_fraction(12.5) == (12500, 1000) and rate_fraction(25.0) == (25, 1)
    assert {each for target in TARGETS.values() for each in target.formats} == set(FORMATS)


def test_frame_numbers_follow_the_span_alone() -> None:
    frames = frames_of(Span(0.0, 2.0, 2.0), Settings(fps=23.976, start=0))
    assert frames.numbers[-1] == frames.ending == 48 and frames.times[0] == 0.0 and frames.times[-1] == 2.0
    np.testing.assert_allclose(np.diff(frames.clock), 1001 / 24000)


def test_bodies_from_objects_with_a_pivot_elsewhere_move_the_object() -> None:
    """The surface stays where it is in the world; its frame is the object's. Pictures know nothing of it."""
    turn = (0.5, 0.5, 0.5, 0.5)
    scene = mixed_take().scene
    pivoted = replace(scene, bodies=[replace(body) for body in scene.bodies])
    pivoted.bodies[0].extra = {**scene.bodies[0].extra, "pivot": [[0.3, -0.2, 0.1], list(turn)]}
    pivoted.bodies[1].extra = {"pivot": ["far", None]}  # nonsense is no pivot
    take = replace(mixed_take(), scene=pivoted)
    plain, moved = clip_of(mixed_take(), Settings(up="y")), clip_of(take, Settings(up="y"))
    assert not np.allclose(plain.positions[:, 0], moved.positions[:, 0])
    np.testing.assert_array_equal(plain.positions[:, 1:], moved.positions[:, 1:])
    for k in (0, 9, -1):
        here, there = (
            clip.positions[k, 0] + clip.actors[0].surface.points @ matrices(clip.orientations[k, 0]).T
            for clip in (plain, moved)
        )
        np.testing.assert_allclose(there, here, atol=1e-12)
    film = clip_of(take, Settings(format="mp4"))
    np.testing.assert_array_equal(film.positions, clip_of(mixed_take(), Settings()).positions)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(1.0, 120.0), st.sampled_from([24.0, 29.97, 60.0]))
def test_tumbling_takes_have_curves_without_jumps(seed: int, speed: float, fps: float) -> None:
    """Bodies of three different moments of inertia, thrown with any spin: they tumble, and fly through all angles."""
    random = np.random.default_rng(seed)
    bodies = []
    for i in range(3):
        q, spin = random.normal(size=4), random.normal(size=3)
        half = tuple(random.uniform(0.05, 0.3, 3))
        turn, rate = tuple(q / np.linalg.norm(q)), tuple(speed * spin / np.linalg.norm(spin))
        bodies.append(Body(f"b{i}", Box(half), (2.0 * i, 0.0, 9.0), turn, angular_velocity=rate))
    take = forward(Scene(bodies=bodies), 0.3, 1 / 960)
    for format_, up in (("usd", "y"), ("maya", "y"), ("glb", "y"), ("blender", "z")):
        clip = clip_of(take, Settings(format=format_, up=up, fps=fps), tiers=[1, 0, 0, 0, 0])
        for actor in clip.actors:
            q, angles = actor.track.orientations, actor.track.angles
            assert ((q[1:] * q[:-1]).sum(1) >= 0.0).all()
            assert np.abs(np.diff(angles, axis=0)).max() <= 180.0 + 1e-9
            np.testing.assert_allclose(matrices(from_euler(np.radians(angles))), matrices(q), atol=2e-7)
            assert (np.diff(actor.track.frames) > 0.0).all()


def test_signs_that_jump_are_set_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own steps never change a quaternion's sign; whatever else may, curves must not show it."""
    plain, sampled = clip_of(mixed_take(), Settings()), TakeMotion.sampled

    def jumping(self: TakeMotion, *arguments: object) -> tuple[np.ndarray, np.ndarray]:
        positions, orientations = sampled(self, *arguments)  # type: ignore[arg-type]
        signs = np.random.default_rng(5).choice([-1.0, 1.0], orientations.shape[:2])
        signs[-1] = 1.0
        return positions, orientations * signs[..., None]

    monkeypatch.setattr(TakeMotion, "sampled", jumping)
    clip = clip_of(mixed_take(), Settings())
    assert ((clip.orientations[1:] * clip.orientations[:-1]).sum(-1) >= 0.0).all()
    np.testing.assert_array_equal(clip.orientations, plain.orientations)


def test_an_older_take_names_fewer_tiers() -> None:
    take = appearing()
    facts = take_facts(take, "Take 01", tiers=(0.9, 0.1, 0.0, 0.0, 0.0))
    assert (facts["tier_exact"], facts["tier_tuned"], facts["tier_held"]) == (0.9, 0.1, 0.0)
    released, ending = release_energy(take)
    assert facts["energy_release_J"] - facts["energy_end_J"] == pytest.approx(released - ending)
