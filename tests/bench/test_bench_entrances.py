"""The benchmark of entrances measures what it says, on takes whose releases are made up."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.cli import main
from engine.run import backward, forward
from engine.scene.spec import Body, Box, Hint, Joint, Scene, Sphere
from engine.tape.hand import Hand
from engine.tape.release import Releases
from engine.tape.take import Take
from tests.bench import entrance_figures
from tests.bench.entrance_asked import Asked, jump, met_row
from tests.bench.entrance_figures import BY_PHYSICS, HELD, PLACED, STILL, Figures, ks, lowest_point, moments, stage_box
from tests.bench.entrance_lone import touches
from tests.bench.entrance_rows import make, row
from tests.bench.entrances import PARTS, joint_turns, with_growth
from tests.bench.scenes import material

DT = 1 / 480
STEPS = 480
HALF = (0.1, 0.1, 0.1)
SIZE = math.sqrt(0.03)  # m: radius of the ball around such a box


def boxes(count: int = 4) -> Scene:
    """Side by side; the first one slides in, the others stay."""
    bodies = [Body(f"box{i}", Box(HALF), (2.0 * i, 0.0, 0.1), material=material()) for i in range(count)]
    return Scene(bodies=bodies, hints=[Hint("slide", "box0", direction=(1, 0, 0), time=0.05)])


@pytest.fixture(scope="module")
def slid() -> Take:
    take = backward(boxes(), STEPS * DT, DT, options=Options(policy="constant", launch=False))
    assert take.stopped is None and take.tape.steps == STEPS
    return take


def let_go(take: Take, step: Mapping[int, int], there: Mapping[int, int] = {}, shown: Mapping[int, int] = {},
           hands: Mapping[int, Hand] = {}) -> Figures:  # fmt: skip
    """The take with other releases, by number of the box; whoever is not named is under way from the start."""
    rows, count = take.model.row_of, len(take.model.names)
    columns = [np.zeros(count, np.int64) for _ in range(3)]
    for column, wanted in zip(columns, (step, {**step, **there}, shown), strict=True):
        for box, value in wanted.items():
            column[rows[box]] = value
    released = Releases(*columns, ("",) * count, {int(rows[box]): hand for box, hand in hands.items()})
    changed = replace(take, tape=replace(take.tape, released=released))
    return Figures(changed, certify(take))


def ways(figures: Figures) -> dict[str, str]:
    return {entry.name: entry.way for entry in figures.entries}


def brought(place: tuple[float, float, float], end: tuple[float, float, float], step: int, speed: float = 0.0) -> Hand:
    """By a hand, from a place at the start to another."""
    nothing = np.zeros((2, 3))
    velocity = np.array([[0.0, 0.0, 0.0], [speed, 0.0, 0.0]])
    return Hand(np.array([0.0, step]), np.array([place, end]), velocity, nothing, nothing, np.array([1.0, 0, 0, 0]))


def test_who_slides_in_came_by_physics_and_who_never_moves_is_still(slid: Take) -> None:
    figures = let_go(slid, {})
    assert ways(figures) == {"box0": BY_PHYSICS, "box1": STILL, "box2": STILL, "box3": STILL}
    assert (figures.count(BY_PHYSICS), figures.count(STILL), figures.count(HELD), figures.count(PLACED)) == (1, 3, 0, 0)


def test_let_go_too_near_counts_as_placed(slid: Take) -> None:
    """The limit itself, found from the motion: the radius of its ball away."""
    entry = let_go(slid, {}).entries[0]
    way = np.linalg.norm(slid.tape.x[:, entry.row] - slid.tape.x[-1, entry.row], axis=1)
    last = int(np.flatnonzero(way >= SIZE)[-1])
    assert 0 < last < entry.rest - 0.15 / DT
    assert ways(let_go(slid, {0: last}))["box0"] == BY_PHYSICS
    assert ways(let_go(slid, {0: last + 1}))["box0"] == PLACED


def test_let_go_too_late_counts_as_placed(slid: Take, monkeypatch: pytest.MonkeyPatch) -> None:
    """.15 s before its rest are 72 steps, when any distance will do."""
    monkeypatch.setattr(entrance_figures, "HALF_SIZES", 0.0)
    rest = let_go(slid, {}).entries[0].rest
    assert ways(let_go(slid, {0: rest - 72}))["box0"] == BY_PHYSICS
    assert ways(let_go(slid, {0: rest - 71}))["box0"] == PLACED


def test_held_is_what_the_release_says(slid: Take) -> None:
    """Only of somebody who came: a body seen at its place from the start was never brought."""
    bring = brought((2.0, 0.0, 3.0), (2.0, 0.0, 0.1), 100)
    figures = let_go(slid, {1: 300, 2: 300}, there={1: 100, 2: 0}, hands={1: bring})
    assert ways(figures) == {"box0": BY_PHYSICS, "box1": HELD, "box2": STILL, "box3": STILL}


def test_carried_to_its_place_or_appearing_there_is_placed(slid: Take) -> None:
    bring = brought((2.0, 0.0, 3.0), (2.0, 0.0, 0.1), 300)
    figures = let_go(slid, {1: 300, 2: 200}, shown={2: 200}, hands={1: bring})
    assert ways(figures) == {"box0": BY_PHYSICS, "box1": PLACED, "box2": PLACED, "box3": STILL}
    assert figures.distances[1:] == pytest.approx([0.0, 0.0])


def test_the_stage_is_two_and_a_half_times_the_ending() -> None:
    low, high = stage_box(boxes())
    assert low == pytest.approx([3.0 - 2.5 * 3.1, -0.25, 0.1 - 0.25])
    assert high == pytest.approx([3.0 + 2.5 * 3.1, 0.25, 0.35])
    assert lowest_point(boxes(), np.array([0.0, 0.0, 1.0])) == pytest.approx(0.0)


def test_who_is_first_seen_inside_the_stage(slid: Take) -> None:
    """Box 1 is carried in from above the stage, box 2 from within it; the others stand there in nobody's hand."""
    hands = {1: brought((2.0, 0.0, 0.4), (2.0, 0.0, 0.1), 300), 2: brought((4.0, 0.0, 0.3), (4.0, 0.0, 0.1), 300)}
    figures = let_go(slid, {1: 300, 2: 300}, hands=hands)
    seen = {entry.name: (entry.inside, entry.popped) for entry in figures.entries}
    assert seen["box1"] == (False, False) and seen["box2"] == (True, False) and seen["box3"] == (True, True)
    box2 = figures.entries[2].row
    corners = figures.corners_first_seen(box2, HALF)
    assert corners.min(axis=0) == pytest.approx([3.9, -0.1, 0.2]) and corners[0] == pytest.approx([4.0, 0.0, 0.3])
    later = let_go(slid, {1: 300}, shown={1: 290}, hands=hands)  # shown when it is nearly down
    assert later.entries[1].inside and later.first_seen[later.entries[1].row, 2] < 0.35


def test_exact_in_motion_counts_steps_of_those_under_way(slid: Take) -> None:
    """Contacts of the boxes at rest, and of the first one after its rest, do not count."""
    free = let_go(slid, {})
    first = free.entries[0]
    assert len(free.steps_in_motion) and free.steps_in_motion.max() < first.rest
    late = let_go(slid, {0: first.rest - 3})
    assert late.steps_in_motion.tolist() == list(range(first.rest - 3, first.rest))
    bent = replace(late.report, tiers=np.where(np.arange(STEPS + 1) == first.rest - 2, 1, late.report.tiers))
    judged = Figures(late.take, bent)
    if not hasattr(bent, "exact_in_motion"):
        before = (late.report.tiers[late.steps_in_motion] == 0).mean()
        assert judged.exact_in_motion == pytest.approx(before - 1.0 / 3.0)
    assert let_go(slid, {0: STEPS}).steps_in_motion.size == 0 and judged.unlawful == 0.0


def test_energy_is_that_of_the_releases_over_the_ending(slid: Take) -> None:
    """Four boxes 10 cm over their lowest points; the sliding one has its speed besides."""
    g, mass = 9.81, 8.0
    figures = let_go(slid, {})
    speed = float(np.linalg.norm(slid.tape.v[0, figures.entries[0].row]))
    assert speed > 0.1
    rest = 4.0 * mass * g * 0.1
    assert figures.energy_ratio == pytest.approx((rest + 0.5 * mass * speed**2) / rest, rel=1e-6)
    assert let_go(slid, {0: STEPS}).energy_ratio == pytest.approx(1.0)


def test_energy_of_spin_is_of_the_world() -> None:
    """A turned body: momentum in the world, inertia in the body."""
    turned = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)
    body = Body("it", Box((0.3, 0.2, 0.1)), (0, 0, 3), turned, velocity=(1, 0, 0), angular_velocity=(1.0, 2.0, 3.0))
    take = forward(Scene(bodies=[body]), 0.1, DT)
    figures = Figures(take, certify(take))
    up = float(figures.ending.x[0, 2]) - lowest_point(take.scene, np.array([0.0, 0.0, 1.0]))
    height = 3.0 - lowest_point(take.scene, np.array([0.0, 0.0, 1.0]))
    kinetic = float(take.energy[0]) - 9.81 * 48.0 * 3.0
    assert figures._energy(figures.let_go) == pytest.approx(9.81 * 48.0 * height + kinetic) and up < height


def test_moments_are_spread_over_the_motion(slid: Take) -> None:
    """From the first thing that moves on, in a hand or let go, to the ending; nobody waits in front of a still."""
    hand = brought((2.0, 0.0, 3.0), (2.0, 0.0, 0.1), 300)
    waits = replace(hand, step=np.array([120.0, 300.0]))
    times = moments(let_go(slid, {0: 200, 1: 300}, hands={1: waits}), 5)
    assert times[0] == pytest.approx(120 * DT) and times[-1] == slid.times[-1] and len(times) == 5
    assert np.diff(times[:-1]) == pytest.approx(float(times[1] - times[0]))
    assert moments(let_go(slid, {}), 8)[0] == pytest.approx(0.0)


def test_the_distance_of_kolmogorov_and_smirnov() -> None:
    """By hand: up to 2, all of the first and a quarter of the second."""
    assert ks([1.0, 2.0], [2.0, 3.0, 4.0, 5.0]) == pytest.approx(0.75)
    assert ks([2.0, 3.0, 4.0, 5.0], [1.0, 2.0]) == pytest.approx(0.75)
    assert ks([1, 1, 2], [2, 1, 1]) == 0.0 and ks([0.0], [1.0]) == 1.0 and math.isnan(ks([], [1.0]))


def test_bounces_are_touches_anew() -> None:
    """Contact states are latest first: in time this one is let go, touches, flies, touches and rests."""
    assert touches(np.array([3, 3, 1, 0, 0, 2, 0])) == 2
    assert touches(np.array([3, 0, 2])) == 1  # let go on the ground


def test_growth_leaves_out_what_raised() -> None:
    rows = [row("bond", str(n), cpu_s=None if n == 200 else 0.01 * n**1.3) for n in (100, 200, 500)]
    assert [each["growth"] for each in with_growth(rows, (100, 200, 500))] == pytest.approx([1.3] * 3)
    assert with_growth(rows[1:2], (200,))[0]["growth"] is None


def test_what_raises_is_a_row_with_its_words() -> None:
    def broken() -> Scene:
        raise RuntimeError("no such\n  thing")

    made = make([broken, lambda: boxes(1)], 0.05, [0, 1])
    found = row("hard", "it", **made.summary())
    assert (found["takes"], found["raised"], found["error"]) == (2, 1, "RuntimeError: no such thing")
    lost = met_row("asked", "side", [Asked(broken, lambda figures: 0.0)])
    assert (lost["asked"], lost["met"], lost["raised"], lost["worst"]) == (1, 0, 1, None)


def test_the_speed_at_the_release_is_that_of_the_hand(slid: Take) -> None:
    step = 200
    at, velocity = slid.tape.x[step, int(slid.model.row_of[0])], slid.tape.v[step, int(slid.model.row_of[0])]
    assert velocity[0] > 0.1
    for speed, smooth in ((float(velocity[0]), True), (0.0, False)):
        figures = let_go(slid, {0: step}, hands={0: brought((-3.0, 0.0, 1.0), tuple(at), step, speed)})
        assert (jump(figures, "box0") < 1e-3) == smooth
    assert jump(let_go(slid, {0: step}), "box0") == math.inf


def test_joints_turn_only_after_both_were_let_go() -> None:
    """A ball swings about the world by a quarter turn within the take."""
    ball = Body("ball", Sphere(0.1), (0, 0, 2), angular_velocity=(0, 3.0, 0), velocity=(0, 0, 0))
    scene = Scene(bodies=[ball], joints=[Joint("hinge", "ball", anchor=(0, 0, 2), axis=(0, 1, 0))], gravity=(0, 0, 0))
    take = forward(scene, 0.5, DT)
    (whole,) = joint_turns(Figures(take, certify(take)))
    assert whole == pytest.approx(math.degrees(1.5), rel=1e-3)
    step = np.full(len(take.model.names), 120, np.int64)
    later = replace(take, tape=replace(take.tape, released=Releases(step, step, 0 * step, ("",) * len(step))))
    (half,) = joint_turns(Figures(later, certify(take)))
    assert half == pytest.approx(0.5 * whole, rel=1e-3)


def test_parts_are_chosen_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "entrances", "--quick", "--only", "hard"]) == 0
    assert "heavy on light" in capsys.readouterr().out
    assert main(["bench", "entrances", "--only", "hard,no such"]) != 0
    said = capsys.readouterr().err
    assert all(name in said for name in PARTS)
