"""Films: what is looked at agrees with the tape it was made from."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest

from engine import Body, Box, Hint, Material, Options, Path, Scene, Sphere, backward, certify
from engine.both_ways import both_ways
from engine.contact.tiers import GHOSTED, HELD, PLASTIC
from engine.errors import ProjectError
from engine.film import film_of
from engine.scene.film import read_film, write_film
from tests.engine.appearing_takes import appearing, everybody_seen

SECONDS = 0.8


@pytest.fixture(scope="module")
def scene() -> Scene:
    bodies = [
        Body("Shelf", Box((1.0, 1.0, 0.05)), (0, 0, 0.05), static=True),
        Body("Ball", Sphere(0.1), (0.3, 0, 0.2), material=Material(restitution=0.6)),
        Body("Box", Box((0.1, 0.1, 0.1)), (-0.4, 0, 0.2)),
    ]
    return Scene(bodies=bodies, hints=[Hint("bounce", "b2", velocity=(0.2, 0, -1.5), time=0.2)])


def test_a_film_shows_the_take(scene: Scene) -> None:
    take = backward(scene, SECONDS, 1 / 480, seed=2, options=Options(arrivals="ahead"))
    report = certify(take)
    made = film_of(take, report)
    stream = io.BytesIO()
    write_film(stream, made)
    film = read_film(stream.getvalue())
    assert film.bodies == ("b2", "b3"), "static bodies are not filmed"
    assert film.first == pytest.approx(0.0) and film.last == film.ending == SECONDS
    assert film.positions[-1] == pytest.approx(np.array([body.position for body in scene.bodies[1:]]), abs=1e-7)
    assert film.energy[-1] == 0.0 and film.energy[0] == pytest.approx(take.energy[0] - take.energy[-1])
    judged = report.touching[:-1] | (report.tiers[:-1] > 0)
    assert np.array_equal(film.step_tier >= 0, judged)
    assert np.array_equal(film.step_tier[judged], report.tiers[:-1][judged])
    assert sorted(film.mark_step) == sorted(np.flatnonzero(report.tiers[:-1] > 0))
    # the bounce that was asked for: it lands 0.2 s before the end, at 1.5 m/s
    ball = [i for i, pair in enumerate(film.event_body) if 0 in pair]
    hits = [i for i in ball if film.event_speed[i] > 1.0]
    last = max(hits, key=lambda i: film.event_time[i])
    assert film.event_time[last] == pytest.approx(SECONDS - 0.2, abs=2 / 480)
    assert film.event_speed[last] == pytest.approx(1.5, rel=0.05) and film.bounces == made.bounces >= 1
    assert film.statics == ("b1",)
    assert set(film.event_body[last]) == {0, 2}, "the ball hits the shelf"
    assert film.event_body.max() == 2 and not (film.event_body == -1).any(), "nothing touches the ground"
    assert film.rest[0] == pytest.approx(SECONDS - 0.2, abs=2 / 120)


def test_both_halves_of_a_middle_frame_are_one_film() -> None:
    flying = Body("Ball", Sphere(0.1), (0, 0, 1.0), velocity=(1.0, 0, 0))
    came, goes = both_ways(Scene(bodies=[flying]), 0.3, 0.25)
    film = film_of(came, after=goes)
    assert film.ending == pytest.approx(0.3) and film.times[-1] == pytest.approx(0.55)
    assert (np.diff(film.times) > 0).all() and len(film.step_tier) == came.tape.steps + goes.tape.steps
    x = film.positions[:, 0, 0]
    assert x == pytest.approx(film.times - 0.3, abs=1e-6), "no jump and no stop at the joint"
    assert np.ptp(film.energy) < 1e-9


def test_who_is_unseen_at_first_is_so_in_the_film() -> None:
    take = appearing()
    stream = io.BytesIO()
    write_film(stream, film_of(take))
    film = read_film(stream.getvalue())
    assert film.seen == pytest.approx([0.0, 0.4]) and film.release == pytest.approx([0.0, 0.5])
    assert film.how == ("flight", "carried")
    assert film.shown_at(0.39).tolist() == film.shown_at(-1.0).tolist() == [True, False]
    assert film.shown_at(0.4).all() and film.shown_at(film.ending).all()
    assert film.begin[1] == pytest.approx(0.4, abs=1 / 120), "what a hand does unseen is no motion"
    for time in (0.1, 0.45, 0.7):
        assert film.at(time)[0] == pytest.approx(Path(take).at(time)[0][:2], abs=1e-3)


def test_without_releases_a_film_is_as_before() -> None:
    film = film_of(everybody_seen())
    assert film.seen is None and film.release is None and film.how is None
    assert film.shown_at(0.0).tolist() == [True, True]
    stream = io.BytesIO()
    write_film(stream, film)
    with np.load(io.BytesIO(stream.getvalue())) as arrays:
        assert not {"seen", "release", "how"} & set(arrays.files)


def test_films_of_earlier_versions_open() -> None:
    stream = io.BytesIO()
    write_film(stream, film_of(appearing()))
    with np.load(io.BytesIO(stream.getvalue())) as arrays:
        kept = {name: arrays[name] for name in arrays.files if name not in ("seen", "release", "how")}
        cut = {name: arrays[name] for name in arrays.files} | {"seen": np.zeros(1)}
    old, broken = io.BytesIO(), io.BytesIO()
    np.savez_compressed(old, **kept)
    film = read_film(old.getvalue())
    assert film.seen is None and film.shown_at(0.0).all()
    np.savez_compressed(broken, **cut)
    with pytest.raises(ProjectError, match="do not fit"):
        read_film(broken.getvalue())


def test_the_worst_contact_of_a_step_is_found_by_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    """HELD came last among the numbers of tiers and ranks before GHOSTED: a step with both was ignored in part."""
    take = everybody_seen()
    counts = np.diff(take.tape.start)
    both, held = np.flatnonzero(counts >= 2)[:2].tolist()
    tier = np.zeros(len(take.tape.contact_column("tier")), np.int64)
    tier[take.tape.start[both] : take.tape.start[both] + 2] = HELD, GHOSTED
    tier[take.tape.start[held] : take.tape.start[held] + 2] = PLASTIC, HELD
    report, column = certify(take), type(take.tape).contact_column
    monkeypatch.setattr(
        type(take.tape), "contact_column", lambda tape, name: tier if name == "tier" else column(tape, name)
    )
    film = film_of(take, report)
    marks = dict(zip(film.mark_step.tolist(), film.mark_tier.tolist(), strict=True))
    assert (marks[both], marks[held]) == (GHOSTED, HELD)
    assert (film.mark_body[film.mark_step.tolist().index(held)] >= -1).all()
    assert film.mark_body[film.mark_step.tolist().index(held)].max() >= 0, "a hand holds somebody"


def test_sleepers_in_hands_touch_nothing() -> None:
    """A hand keeps a body until long after its rest: until then only the other box has contacts."""
    take = appearing(shown=0, carried=False)
    assert take.tape.released is not None
    steps = take.tape.steps
    everybody = replace(take.tape.released, step=np.where(take.model.bodies.inverse_mass > 0.0, steps, 0))
    film = film_of(replace(take, tape=replace(take.tape, released=everybody)), certify(take))
    recorded = np.diff(take.tape.start) > 0
    asleep = take.tape.asleep.any(axis=1) & ~recorded
    assert asleep.any() and (film.step_tier[asleep] == -1).all() and (film.step_tier[recorded] >= 0).all()
    assert (film_of(take, certify(take)).step_tier[asleep] >= 0).any(), "let go, they rest on something"
