"""What was sketched is what happens: arcs hop in as high and from where they were drawn, lines slide in."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sketched_scenes import RESTS, arc, line, resting

from engine.arrivals.follows import HintReport, follows, miss_words
from engine.arrivals.hints import chain_of
from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.contact.tiers import GHOSTED, PLASTIC, TUNED
from engine.hints.lift import lift_arc
from engine.hints.sketch import arc_hint
from engine.run import backward
from engine.scene.spec import Body, Box, Hint, Scene, Sphere
from engine.tape.take import Take

MATERIALS = [(0.2, 0.1), (0.5, 0.4), (0.9, 0.8)]  # friction, restitution


def told(take: Take, word: str) -> bool:
    return any(word in note for note in take.notes)


@pytest.mark.parametrize("friction, restitution", MATERIALS)
@pytest.mark.parametrize("rest", RESTS)
def test_an_arc_hops_in_as_drawn(rest: str, friction: float, restitution: float) -> None:
    take = backward(resting(rest, friction, restitution, arc(220, 0.25)), 1.6, 1 / 480, seed=0)
    (report,) = follows(take)
    verdict = certify(take)
    assert report.followed
    assert abs(report.height) < 0.05 and report.angle < 2.0
    assert verdict.tiers.max() == PLASTIC and (verdict.tiers == PLASTIC).sum() == 1, "one dead landing, all else lawful"
    if told(take, "slides"):
        assert -0.2 < report.speed < 0.0, "it began where it was drawn from: of that way a part is the slide"
    elif not told(take, "steeper"):
        assert abs(report.speed) < 0.02


@pytest.mark.parametrize("bearing", [90, 220])
@pytest.mark.parametrize("friction, restitution", MATERIALS)
@pytest.mark.parametrize("rest", RESTS)
def test_a_line_slides_in_as_drawn(rest: str, friction: float, restitution: float, bearing: float) -> None:
    drawn = line(bearing, 0.3, friction, rest)
    take = backward(resting(rest, friction, restitution, drawn), 0.8, 1 / 480, 0, Options(arrivals="ahead"))
    (report,) = follows(take)
    verdict = certify(take)
    assert verdict.tiers.max() < GHOSTED
    if rest == "box on slope" and friction == 0.2:
        assert told(take, "too weak for the slope"), "10 degrees are all but too steep for 0.2"
        return
    assert report.followed and report.angle < 10.0 and report.distance == 0.0
    if rest == "die on table":
        assert (verdict.tiers == PLASTIC).sum() == 1, "a slide on a table begins with a landing there, not at its edge"
    else:
        assert verdict.tiers.max() == TUNED
    if not rest.startswith(("upright", "box on end")):
        assert abs(report.speed) < 0.1, "slowed over the drawn length"


def slid_after_landing(take: Take) -> float:
    """m along x."""
    x = take.positions[:, 0]
    still = np.flatnonzero(np.abs(x[:, 2] - 0.05) < 1e-9)
    landed = still[np.flatnonzero(np.diff(still) > 1)[-1] + 1] if (np.diff(still) > 1).any() else still[0]
    return float(x[-1, 0] - x[landed, 0])


def test_a_flat_arc_slides_on_after_it_lands() -> None:
    take = backward(resting("box", 0.5, 0.4, arc(180, 0.25)), 1.5, options=Options(arrivals="together"))
    assert told(take, "slides 0.12 m after it lands")
    assert slid_after_landing(take) == pytest.approx(0.125, abs=0.01), "v^2 / (2 mu g), v = 2.21 - 0.5 * 2.21 m/s"


def test_a_flat_arc_and_its_slide_are_as_long_as_was_drawn() -> None:
    """u^2 / (2 mu g) + (u + 0.5 * 2.21) T = 2.21 T with T = 2 * 2.21 / g: u = 0.91 m/s after the landing, 0.085 m."""
    scene = resting("box", 0.5, 0.4, arc(180, 0.25))
    take = backward(scene, 1.5)
    assert told(take, "slides 0.09 m after it lands")
    assert slid_after_landing(take) == pytest.approx(0.085, abs=0.007)
    way = np.array(take.releases[scene.bodies[0].name].position) - scene.bodies[0].position
    assert np.hypot(way[0], way[1]) == pytest.approx(scene.hints[0].distance, rel=0.02)


@pytest.mark.parametrize("bearing, height", [(0, 0.15), (130, 0.3), (250, 0.5)])
def test_other_seeds_begin_where_it_was_drawn_from_too(bearing: float, height: float) -> None:
    """They differ in the height of the arc, not in its beginning."""
    away = np.radians(bearing)
    drawn = 0.5 * np.array([np.cos(away), np.sin(away), 0.0])
    tops = []
    for seed in range(1, 5):
        scene = resting("box", 0.5, 0.4)
        body = scene.bodies[0]
        throw = lift_arc(tuple((np.array(body.position) + drawn).tolist()), body.position, height, scene.gravity)
        scene.hints.append(arc_hint(body.name, throw, stroke=[tuple(drawn.tolist()), (0.0, 0.0, 0.0)]))
        take = backward(scene, 1.6, 1 / 480, seed)
        off = np.array(take.releases[body.name].position) - body.position - drawn
        assert np.linalg.norm(off) <= 0.05 * 0.5
        tops.append(take.releases[body.name].velocity[2] ** 2 / (2.0 * 9.81))
    assert max(tops) > 1.05 * min(tops) and max(tops) < 1.2 * height and min(tops) > 0.8 * height


@pytest.mark.parametrize("bearing", [90, 220])
@pytest.mark.parametrize("rest", ["box", "standing cylinder"])
def test_a_line_begins_where_it_was_drawn_from(rest: str, bearing: float) -> None:
    """Let go there, nothing has to be bent for it: before, its friction was tuned away."""
    scene = resting(rest, 0.5, 0.4, line(bearing, 0.3, 0.5, rest))
    take = backward(scene, 1.5, 1 / 480, seed=0)
    (report,) = follows(take)
    body = scene.bodies[0]
    release = take.releases[body.name]
    way = np.array(release.position) - body.position
    assert release.time > 0.5 and np.linalg.norm(way) == pytest.approx(0.3, rel=0.05)
    assert report.followed and certify(take).exact_in_motion == 1.0


@pytest.mark.parametrize("rest", ["box", "sphere", "standing cylinder"])
def test_an_arc_begins_where_it_was_drawn_from(rest: str) -> None:
    scene = resting(rest, 0.9, 0.4, arc(220, 0.25))
    take = backward(scene, 1.6, 1 / 480, seed=0)
    body, (hint,) = scene.bodies[0], scene.hints
    release = take.releases[body.name]
    way = np.array(release.position) - body.position
    assert release.time > 0.3 and np.hypot(way[0], way[1]) == pytest.approx(hint.distance, rel=0.05)
    assert abs(way[2]) < 0.05 * hint.distance and follows(take)[0].followed


def test_a_slide_after_a_bounce_is_a_chain() -> None:
    scene = resting("box", 0.5, 0.4, arc(210, 0.4), line(210, 0.3, 0.5))
    assert [hint.kind for hint in chain_of(scene, scene.bodies[0])] == ["slide", "bounce"]
    take = backward(scene, 2.0)
    hop, slide = follows(take)
    assert (hop.kind, hop.followed, slide.kind, slide.followed) == ("bounce", True, "slide", True)
    assert abs(hop.height) < 0.05 and abs(hop.speed) < 0.01 and take.notes == ()


def test_a_time_of_its_own_lets_the_slide_go_on() -> None:
    hints = [replace(line(210, 0.3, 0.5), time=0.2), replace(arc(210, 0.4), time=0.9)]
    take = backward(resting("box", 0.5, 0.4, *hints), 2.0)
    assert all(report.followed for report in follows(take))
    off = take.positions[:, 0, 2] > 0.05 + 1e-6
    assert take.times[-1] - take.times[np.flatnonzero(off)[-1]] == pytest.approx(0.9, abs=0.01)


def test_two_arcs_are_two_hops() -> None:
    hints = [replace(arc(210, 0.2, 0.5), time=0.1), replace(arc(210, 0.5), time=0.6)]
    take = backward(resting("box", 0.5, 0.4, *hints), 2.0)
    for report in follows(take):
        assert report.followed and abs(report.height) < 0.05
    assert certify(take).tiers.max() == PLASTIC


@pytest.mark.parametrize(
    "hints, seconds, word",
    [
        ([replace(arc(210, 0.3), time=0.1), replace(line(210, 0.3, 0.5), time=0.5)], 1.0, "cannot lie before"),
        ([line(210, 0.3, 0.5), arc(120, 0.3)], 1.5, "along its slide"),
        ([line(210, 0.3, 0.5), arc(210, 0.3)], 0.2, "too short for all"),
    ],
)
def test_a_chain_that_cannot_be_is_told(hints: list[Hint], seconds: float, word: str) -> None:
    take = backward(resting("box", 0.5, 0.4, *[replace(hint, time=hint.time or None) for hint in hints]), seconds)
    assert told(take, word)
    assert not all(report.followed for report in follows(take))


def test_a_held_body_says_what_holds_it() -> None:
    half = (0.1, 0.1, 0.1)
    scene = Scene([Body("crate", Box(half), (0, 0, 0.1)), Body("lid", Box(half), (0, 0, 0.3))])
    scene.hints += [Hint("bounce", "crate", speed=1.0), Hint("launch", "lid", velocity=(0, 0, -1), time=5.0)]
    take = backward(scene, 0.2, 1 / 240)
    assert told(take, '"crate" stays at rest: "lid" holds it')
    assert [report.found for report in follows(take)] == [False, False]


def test_an_arc_through_a_wall_is_told() -> None:
    wall = Body("wall", Box((0.1, 1, 0.5)), (-0.2, 0, 0.5), static=True)
    scene = Scene([wall, Body("it", Box((0.1, 0.1, 0.1)), (0, 0, 0.1))], hints=[arc(180, 0.3)])
    take = backward(scene, 0.6)
    assert told(take, "touches something on that side")
    assert not follows(take)[0].followed
    (report,) = follows(backward(Scene(scene.bodies, hints=[arc(0, 0.3)]), 0.8))
    assert report.followed, "from the open side it comes"


def test_a_straight_drop_needs_no_spin_and_has_no_side() -> None:
    hint = Hint("bounce", "ball", direction=(0, 0, -1), speed=2.0, time=0.1)
    take = backward(Scene([Body("ball", Sphere(0.1), (0, 0, 0.1))], hints=[hint]), 0.4)
    assert np.abs(take.angular_velocities).max() == 0.0
    (report,) = follows(take)
    assert report.angle is None and abs(report.speed) < 1e-9


def test_takes_of_one_hint_differ_and_all_follow_it() -> None:
    body = Body("Box", Box((0.1, 0.1, 0.1)), (0, 0, 0.1))
    scene = Scene(bodies=[body])
    flight = lift_arc((0.6, 0.2, 0.1), body.position, 0.35, scene.gravity)
    scene = replace(scene, hints=[arc_hint(scene.bodies[0].id, flight)])
    takes = [backward(scene, 1.0, seed=seed) for seed in range(5)]
    assert len({take.hash() for take in takes}) == 5
    reports = [follows(take)[0] for take in takes]
    assert all(report.followed and miss_words(report, "Box") == "" for report in reports)
    assert reports[0].angle == pytest.approx(0.0, abs=0.5), "seed 0 takes it as drawn"


def test_what_is_missed_is_said() -> None:
    missed = HintReport("h1", "b1", "bounce", angle=3.0, height=-0.4, found=True)
    assert miss_words(missed, "Die") == '"Die" comes in 40 % lower than drawn'
    assert miss_words(replace(missed, angle=40.0), "Die").startswith('"Die" comes 40 degrees aside')
    assert miss_words(replace(missed, found=False), "Die") == '"Die" does not bounce in as drawn'
