"""Forgeries: tapes that were tampered with where one step by itself looks lawful. Each is refused, or named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import Body, Box, Scene, certify, forward
from engine.certificate.audit import Report
from engine.certificate.hands import hand_faults
from engine.certificate.sleepers import NOBODY, Watch
from engine.contact.tiers import ASSISTED
from engine.errors import ProjectError
from engine.factors import singular
from engine.tape.block import Block
from engine.tape.store import load_take, save_take
from engine.tape.take import Take
from tests.bench import scenes
from tests.engine.forging import DT, asleep_for_ever, box, flights, held, read_again, spread, stack, with_blocks
from tests.engine.golden.golden_takes import CASES

# ---- takes that are honest ----------------------------------------------------------------------------------------


def lacking(take: Take) -> dict[str, float]:
    """m/s by the name of whom nothing carries while it sleeps, the worst of every step."""
    model, inertias = take.model, take.model.bodies.inverse_inertia
    stiffest = np.array([singular(each).values[0] for each in inertias]) * model.bodies.size
    watch = Watch(take.tape, stiffest)
    for opened in take.tape.opened():
        watch.see(opened.first, opened.recorded())
    uncarried, who = watch.close()
    return {model.names[who[i]]: float(uncarried[i]) for i in np.flatnonzero(who != NOBODY)}


HONEST = (
    "all shapes forward", "struck wall", "struck wall by patches", "boxes together", "stack together", "nobody leaves",
    "wall ahead, preview", "wall ahead, heavy top", "tower ahead", "cards ahead", "all shapes meeting", "wall meeting",
    "standard box dropped", "stack dropped", "two blocks", "two blocks, unit links", "chain", "doll forward",
    "boxes damped", "wall attracted", "boxes predicted", "middle frame, before",
)  # fmt: skip


@pytest.mark.parametrize("name", HONEST)
def test_sleepers_blocks_and_hands_of_honest_takes_of_every_maker_are_in_order(name: str) -> None:
    take = CASES[name]()
    assert lacking(take) == {} and certify(take).faults == ()


def test_honest_takes_have_what_is_forged_below() -> None:
    assert stack().tape.asleep.any() and certify(stack()).ok and certify(stack()).exact_fraction == 1.0
    assert len(flights().tape.blocks) > 4 and flights().tape.releases.hands and certify(flights()).ok
    assert held().tape.releases.held.any()


# ---- sleepers -----------------------------------------------------------------------------------------------------


def assert_uncarried(report: Report, name: str) -> None:
    assert not report.ok and report.assist > 0.01 and (report.tiers == ASSISTED).any()
    assert report.worst[0] == (name,) and report.worst[2] == "ASSISTED"


def test_a_body_asleep_in_the_air() -> None:
    assert_uncarried(certify(asleep_for_ever(Scene([box("one", 0.0, 1.1)]))), "one")


def test_a_body_asleep_beside_a_wall_without_a_floor() -> None:
    wall = Body("wall", Box((0.1, 2.0, 2.0)), (-0.2, 0.0, 2.0), static=True)
    assert_uncarried(certify(asleep_for_ever(Scene([wall, box("one", 0.0, 1.1)]))), "one")


def test_a_body_asleep_on_one_that_overhangs_and_one_that_tips() -> None:
    on_the_edge = [box("low", 0.0, 0.1), box("high", 0.09, 0.3)]
    assert certify(asleep_for_ever(Scene(on_the_edge))).exact_fraction == 1.0
    assert "high" in lacking(asleep_for_ever(Scene([box("low", 0.0, 0.1), box("high", 0.11, 0.3)])))


def test_a_body_that_slides_down_a_slope_is_not_asleep_on_it() -> None:
    def on_a_slope(degrees: float) -> Take:
        turned = scenes.turn("y", np.radians(degrees))
        slope = Body("slope", Box((2.0, 2.0, 0.1)), (0.0, 0.0, 0.0), turned, static=True)
        s, c = float(np.sin(np.radians(degrees))), float(np.cos(np.radians(degrees)))
        one = Body("one", Box((0.1, 0.1, 0.05)), (0.15 * s, 0.0, 0.15 * c), turned, material=scenes.material(0.5, 0.4))
        return asleep_for_ever(Scene([slope, one], ground=False))

    assert lacking(on_a_slope(20.0)) == {}  # friction .4 holds up to 21.8 degrees, if the slope has the same
    assert "one" in lacking(on_a_slope(30.0))


def test_a_flight_that_falls_asleep_in_the_air() -> None:
    def sleep(arrays: dict[str, np.ndarray]) -> None:
        asleep = np.unpackbits(arrays["asleep"], axis=1, count=2).astype(bool)
        for name in ("x", "q"):
            arrays[name][30:, row] = arrays[name][30, row]
        for name in ("v", "l"):
            arrays[name][30:, row] = 0.0
        asleep[30:, row] = True
        arrays["asleep"] = np.packbits(asleep, axis=1)

    take = forward(Scene([box("one", 0.0, 3.0)]), 0.4, DT)
    row = take.model.names.index("one")
    report = certify(spread(take, sleep))
    assert not report.ok and lacking(spread(take, sleep)).keys() == {"one"}


def test_who_is_carried_by_one_that_leaves() -> None:
    take = stack()
    low = take.model.names.index("brick0")

    def leave(arrays: dict[str, np.ndarray]) -> None:
        arrays["x"][50:, low, 0] += 0.001 * np.arange(len(arrays["x"]) - 50)

    assert "brick1" in lacking(spread(take, leave)) and not certify(spread(take, leave)).ok


def test_who_is_borne_by_less_than_it_was() -> None:
    """Contacts of sleepers on others that are awake in a step bear what they bore."""
    take = CASES["wall ahead, disorder"]()
    tape, body = take.tape, take.model.geometry.part_body
    step = np.repeat(np.arange(tape.steps), np.diff(tape.start))
    a, b = (body[tape.contact_column(name)] for name in ("part_a", "part_b"))
    free = (step >= tape.releases.step[a]) & (step >= tape.releases.step[b])
    moves = take.model.bodies.inverse_mass > 0.0
    sleeps = tape.asleep[step, a] ^ tape.asleep[step, b]
    pressed = np.abs(tape.contact_column("impulse")).max(axis=1) > 1e-4
    rows = np.flatnonzero(free & moves[a] & moves[b] & sleeps & pressed)
    assert len(rows)

    def relieve(arrays: dict[str, np.ndarray]) -> None:
        arrays["impulse"][rows[0]] *= 0.5

    assert lacking(spread(take, relieve)) and not certify(spread(take, relieve)).ok


def test_contacts_with_which_it_fell_asleep_taken_off_the_tape() -> None:
    def forget(arrays: dict[str, np.ndarray]) -> None:
        arrays["contact_start"] = np.zeros_like(arrays["contact_start"])
        for name in ("part_a", "part_b", "feature", "kind_a", "kind_b", "hold", "forced", "tier", "point_a", "point_b",
                     "dir_a", "dir_b", "circle_a", "circle_b", "normal", "impulse", "torque", "restitution", "friction",
                     "rolling", "before", "after"):  # fmt: skip
            arrays[name] = arrays[name][:0]

    assert not certify(spread(stack(), forget)).ok


def test_a_sleeper_that_is_moved() -> None:
    def teleport(arrays: dict[str, np.ndarray]) -> None:
        arrays["x"][40:, 0, 0] += 0.5

    assert stack().tape.asleep[40, 0]
    assert not certify(spread(stack(), teleport)).ok


# ---- between blocks -----------------------------------------------------------------------------------------------


def torn(take: Take, name: str, shift: float) -> tuple[Take, str]:
    """One body of a block in the middle moved, or sped up, as a whole: within the block all is as it was."""
    tape, blocks = take.tape, list(take.tape.blocks)
    flies = (tape.v[:, :, 2] != 0.0).any(axis=0)
    row = int(np.flatnonzero(flies)[0])
    middle = (
        int(np.searchsorted(np.cumsum([block.steps for block in blocks]), tape.releases.step[row] + 1, "right")) + 1
    )
    arrays = dict(blocks[middle].arrays)
    arrays[f"anchor_{name}"] = arrays[f"anchor_{name}"].copy()
    arrays[f"anchor_{name}"][row, 0] += shift
    blocks[middle] = Block(blocks[middle].steps, blocks[middle].bodies, arrays)
    return with_blocks(take, blocks), take.model.names[row]


@pytest.mark.parametrize(("name", "shift"), [("x", 0.5), ("v", 1.0), ("x", 1e-9), ("l", 1e-6)])
def test_a_jump_between_two_blocks(name: str, shift: float, tmp_path: Path) -> None:
    forged, body = torn(flights(), name, shift)
    save_take(tmp_path / "take.npz", forged)
    for take in (forged, load_take(tmp_path / "take.npz", forged.scene)):
        report = certify(take)
        assert not report.ok and (report.tiers == ASSISTED).any()
        assert any(f'"{body}" jumps between two blocks' in fault for fault in report.faults)


# ---- releases and hands -------------------------------------------------------------------------------------------


def released(take: Take, row: int, **by: int) -> Take:
    """The same with some moments of one body moved by so many steps."""
    releases = take.tape.releases
    moved = {name: getattr(releases, name).copy() for name in by}
    for name, steps in by.items():
        moved[name][row] += steps
    return replace(take, tape=replace(take.tape, released=replace(releases, **moved)))


def with_hand(take: Take, row: int, **columns: Any) -> Take:
    """The same with one knot, the last, of a body's hand moved."""
    releases = take.tape.releases
    hand = releases.hands[row]
    changed = {}
    for name, off in columns.items():
        changed[name] = getattr(hand, name).copy()
        changed[name][-1] += off
    hands = {**releases.hands, row: replace(hand, **changed)}
    return replace(take, tape=replace(take.tape, released=replace(releases, hands=hands)))


def carried() -> int:
    return max(flights().tape.releases.hands, key=lambda row: flights().tape.releases.step[row])


@pytest.mark.parametrize("by", [-25, -3, -1, 1, 3, 25])
@pytest.mark.parametrize("what", [("step", "there"), ("step",)])
def test_a_release_at_another_moment(by: int, what: tuple[str, ...], tmp_path: Path) -> None:
    forged = released(flights(), carried(), **dict.fromkeys(what, by))
    if by < 0 and what == ("step",):
        with pytest.raises(ProjectError):  # let go before it is there
            read_again(forged, tmp_path)
    else:
        assert not certify(read_again(forged, tmp_path)).ok
    assert not certify(forged).ok


@pytest.mark.parametrize("by", [-25, -1, 1, 25])
def test_a_release_and_its_hand_at_another_moment(by: int, tmp_path: Path) -> None:
    for row in flights().tape.releases.hands:
        forged = released(flights(), row, step=by, there=by)
        hand = forged.tape.releases.hands[row]
        hands = {**forged.tape.releases.hands, row: replace(hand, step=hand.step + by)}
        forged = replace(forged, tape=replace(forged.tape, released=replace(forged.tape.releases, hands=hands)))
        assert not certify(read_again(forged, tmp_path)).ok


@pytest.mark.parametrize("by", [-25, -1, 1, 25])
def test_a_release_without_a_hand_at_another_moment(by: int) -> None:
    forged = released(flights(), carried(), step=by, there=by)
    hands = {row: hand for row, hand in forged.tape.releases.hands.items() if row != carried()}
    forged = replace(forged, tape=replace(forged.tape, released=replace(forged.tape.releases, hands=hands)))
    assert not certify(forged).ok


@pytest.mark.parametrize(
    ("column", "off", "words"),
    [
        ("x", 1e-6, "elsewhere than its hand ends"),
        ("turn", 1e-6, "elsewhere than its hand ends"),
        ("v", 1e-3, "another speed"),
        ("spin", 1e-3, "another speed"),
        ("x", np.nan, "elsewhere than its hand ends"),
        ("step", 1.0, "at another moment"),
        ("step", -5.0, "at another moment"),
    ],
)
def test_a_hand_that_does_not_end_in_the_release(column: str, off: float, words: str, tmp_path: Path) -> None:
    report = certify(read_again(with_hand(flights(), carried(), **{column: off}), tmp_path))
    assert not report.ok and any(words in fault for fault in report.faults)
    assert f'"{flights().model.names[carried()]}"' in report.faults[0]


def test_a_body_that_is_there_unseen(tmp_path: Path) -> None:
    releases = flights().tape.releases
    late = int(releases.step[carried()] - releases.shown[carried()]) + 1
    forged = released(flights(), carried(), shown=late)
    assert any("before it is seen" in fault for fault in certify(forged).faults)
    with pytest.raises(ProjectError):
        read_again(forged, tmp_path)


def test_a_release_after_the_end(tmp_path: Path) -> None:
    forged = released(flights(), carried(), step=10_000)
    assert any("no moment of the take" in fault for fault in hand_faults(forged))
    with pytest.raises(ProjectError):
        read_again(forged, tmp_path)


def test_a_held_body_that_moves() -> None:
    take = held()
    row = int(np.flatnonzero(take.tape.releases.held)[0])
    there, step = int(take.tape.releases.there[row]), int(take.tape.releases.step[row])
    assert hand_faults(take) == [] and step > there

    def slip(arrays: dict[str, np.ndarray]) -> None:
        arrays["x"][there:step, row, 0] += 1e-9

    assert any("where it does not stay" in fault for fault in certify(spread(take, slip)).faults)


@pytest.mark.parametrize("by", [-20, -1])
def test_a_held_body_that_is_there_too_early(by: int, tmp_path: Path) -> None:
    row = next(row for row in held().tape.releases.hands if held().tape.releases.held[row])
    forged = released(held(), row, there=by, shown=-min(20, int(held().tape.releases.shown[row])))
    assert not certify(read_again(forged, tmp_path)).ok
