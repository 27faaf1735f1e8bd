"""Rigid bodies between others: closed forms, counting out, and scenes in words."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

from engine.analysis import wedged
from engine.analysis.touch import touch_of
from engine.analysis.wedged.in_scene import corners
from engine.errors import ForegoneError
from engine.model.compile import compile_scene
from engine.scene.inspection import Inspection, as_json
from engine.scene.spec import Body, Box, Joint, Material, Plane, Scene
from engine.shapes.turns import about, rotation_matrix

V = math.radians(15.0)
SCENES = Path(__file__).parents[3] / "assets" / "scenes"


def in_plane(points: Sequence, normals: Sequence) -> tuple[np.ndarray, np.ndarray]:
    p, n = np.array(points, float), np.array(normals, float)
    t = np.stack([-n[:, 1], n[:, 0]], axis=1)
    Wn, Wt = (np.vstack([way.T, p[:, 0] * way[:, 1] - p[:, 1] * way[:, 0]]) for way in (n, t))
    return Wn, Wt


def block(half_wide: float, half_high: float, normals: Sequence) -> tuple[np.ndarray, np.ndarray]:
    """Contacts at the corners left below, left above, right below, right above."""
    corners = [(x * half_wide, y * half_high) for x in (-1, 1) for y in (-1, 1)]
    return in_plane(corners, normals)


SIDES = [(1, 0), (1, 0), (-1, 0), (-1, 0)]
CASES = {
    "V-groove of 15 degrees": (
        in_plane([(-1, 0), (1, 0)], [(math.cos(V), math.sin(V)), (-math.cos(V), math.sin(V))]),
        math.tan(V),
        math.tan(V),
    ),
    "snug 2 x 1 block": (block(1.0, 0.5, SIDES), 0.0, 0.5),
    "tall 1 x 2 block": (block(0.5, 1.0, SIDES), 0.0, 2.0),
    "box in a corner": (
        in_plane([(-0.5, -0.5), (0.5, -0.5), (-0.5, -0.5), (-0.5, 0.5)], [(0, 1), (0, 1), (1, 0), (1, 0)]),
        1.0,
        1.0,
    ),
    "box on a floor": (in_plane([(-0.5, 0), (0.5, 0)], [(0, 1), (0, 1)]), math.inf, math.inf),
}


@pytest.mark.parametrize("name", CASES)
def test_known_frictions(name: str) -> None:
    (Wn, Wt), holds, stays = CASES[name]
    found = wedged.rigid(Wn, Wt)
    assert found.holds == pytest.approx(holds, abs=1e-3) and found.stays == pytest.approx(stays, abs=1e-3)
    assert found.proven


@pytest.mark.parametrize("name", ["V-groove of 15 degrees", "snug 2 x 1 block", "box in a corner"])
def test_what_is_told_of_a_wedge_obeys_its_law(name: str) -> None:
    (Wn, Wt), _, _ = CASES[name]
    found = wedged.rigid(Wn, Wt)
    assert found.motion is not None and found.reactions is not None
    normal, sideways = found.reactions.T
    assert np.allclose(Wn @ normal + Wt @ sideways, 0.0, atol=1e-6)
    assert (np.abs(sideways) <= found.stays * normal + 1e-6).all() and normal.sum() == pytest.approx(1.0)
    assert np.allclose(normal, np.maximum(0.0, -Wn.T @ found.motion), atol=1e-6)


def stays_counted_out(Wn: np.ndarray, Wt: np.ndarray, mu: float) -> bool:
    """Every choice of pressed contacts: r_n = -J_n q there, J_n q >= 0 elsewhere, balance with |r_t| <= mu r_n."""
    m = Wn.shape[1]
    for count in range(1, m + 1):
        for pressed in map(list, itertools.combinations(range(m), count)):
            free = [k for k in range(m) if k not in pressed]
            presses = -Wn.T[pressed]  # r_n by q
            balance = np.hstack([Wn[:, pressed] @ presses, Wt[:, pressed]])
            slack = np.eye(count)
            rows = [np.hstack([-mu * presses, slack]), np.hstack([-mu * presses, -slack])]
            rows += [np.hstack([-presses, 0 * slack]), np.hstack([-Wn.T[free], np.zeros((len(free), count))])]
            total = np.append(presses.sum(axis=0), np.zeros(count))
            found = linprog(
                np.zeros(3 + count),
                A_ub=np.vstack(rows),
                b_ub=np.zeros(3 * count + len(free)),
                A_eq=np.vstack([balance, total]),
                b_eq=np.append(np.zeros(3), 1.0),
                bounds=(None, None),
            )
            if found.status == 0:
                return True
    return False


def test_random_bodies_in_the_plane_agree_with_counting_out() -> None:
    rng = np.random.default_rng(8)
    finite = 0
    for number in range(24):
        m = 2 + number % 4
        angles = rng.uniform(0.0, 2.0 * math.pi, m)
        turned = rng.uniform(0.0, 2.0 * math.pi, m)
        Wn, Wt = in_plane(
            np.stack([np.cos(angles), np.sin(angles)], axis=1), np.stack([np.cos(turned), np.sin(turned)], axis=1)
        )
        found = wedged.rigid(Wn, Wt)
        assert found.holds <= found.stays + 1e-4
        if math.isfinite(found.stays):
            finite += 1
            assert stays_counted_out(Wn, Wt, found.stays + 1e-3)
            assert found.stays < 2e-3 or not stays_counted_out(Wn, Wt, found.stays - 1e-3)
        else:
            assert not stays_counted_out(Wn, Wt, 9.9)
    assert finite > 8


def slot(half: tuple[float, float, float], friction: float, ground: bool = False) -> Scene:
    """A block between two walls."""
    material, bottom = Material(friction=friction), half[2] if ground else 0.0
    walls = [
        Body(f"wall {k}", Plane((-k, 0, 0), (k * half[0], 0, 0)), static=True, material=material) for k in (-1.0, 1.0)
    ]
    return Scene([*walls, Body("block", Box(half), (0, 0, bottom), material=material)], ground=ground)


def inspected(scene: Scene, name: str = "block") -> Inspection:
    return wedged.inspect_body(scene, next(body.id for body in scene.bodies if body.name == name))


def test_a_block_in_a_slot_in_words() -> None:
    told = inspected(slot((1.0, 0.8, 0.5), 0.6))
    assert (told.level, told.title) == ("warning", "Wedged once pushed in")
    loose = "It would come loose below a friction of 0.50. Placed here without a push it would not stay."
    assert told.sentence == f'"block" is wedged: pushed in, it stays. {loose}'
    assert [number.value for number in told.numbers] == pytest.approx([0.5, 0.0, 0.6, 0.1], abs=1e-3)
    assert len(told.drawing.arrows) == len(told.drawing.marks) == 4 and told.motion is not None
    forces = np.array([arrow.along for arrow in told.drawing.arrows])
    places = np.array([arrow.at for arrow in told.drawing.arrows])
    assert np.allclose(forces.sum(axis=0), 0.0, atol=1e-3 * np.abs(forces).max())
    assert np.allclose(np.cross(places, forces).sum(axis=0), 0.0, atol=1e-3 * np.abs(forces).max())
    assert as_json(told)["topic"] == "wedged"
    told = inspected(slot((0.5, 1.5, 1.0), 0.6))
    assert told.title == "Snug, not wedged" and told.sentence.endswith("unless friction were 2.00 instead of 0.60.")


def test_other_words() -> None:
    alone = Body("block", Box((0.5, 0.5, 0.5)), (0, 0, 0.5))
    told = inspected(Scene([alone]))
    assert (told.level, told.title) == ("fine", "Not wedged") and told.numbers[0].value is None
    assert inspected(Scene([alone], ground=False)).title == "Touches nothing"
    assert inspected(slot((1.0, 0.8, 0.5), 0.6), "wall 1.0").level == "unknown"
    by_name = Scene([alone], joints=[Joint("ball", "block", anchor=(0, 0, 1))])
    by_id = Scene([alone], joints=[Joint("ball", by_name.bodies[0].id, anchor=(0, 0, 1))])
    assert inspected(by_name).title == inspected(by_id).title == "Held by a joint"
    with pytest.raises(ForegoneError, match='no body has the id "nobody"'):
        wedged.inspect_body(Scene([alone]), "nobody")


def test_a_patch_counts_by_its_corners() -> None:
    """A floor of four slabs under one box: sixteen contacts, all at corners of patches; of one slab four."""
    slabs = [Body(f"s{x}{y}", Box((1, 1, 0.1)), (x, y, -0.1), static=True) for x in (-1, 1) for y in (-1, 1)]
    scene = Scene([*slabs, Body("block", Box((0.5, 0.5, 0.5)), (0, 0, 0.5))], ground=False)
    model = compile_scene(scene)
    touch = touch_of(model)
    assert len(corners(touch, model.names.index("block"))) == 16
    scene = Scene([slabs[0], Body("block", Box((0.5, 0.5, 0.5)), (-1, -1, 0.5))], ground=False)
    model = compile_scene(scene)
    assert len(corners(touch_of(model), model.names.index("block"))) == 4


def test_the_example_of_a_jammed_book_is_wedged() -> None:
    """The right end leans by 14 degrees: the two reactions share that angle, each as its friction lets it."""
    scene = Scene.load(SCENES / "jammed_book.foregone")
    assert scene.problems() == []
    told = inspected(scene, "Jammed book")
    assert told.title == "Wedged" and told.sentence.startswith('"Jammed book" is wedged: pushed in, it stays.')
    stays, here = told.numbers[0].value, told.numbers[2].value
    assert stays is not None and here is not None
    book, end = 0.5, math.sqrt(0.5 * 0.45)
    assert math.atan(stays) + math.atan(stays * end / book) == pytest.approx(math.radians(14.0), abs=1e-4)
    assert told.motion is not None and told.motion[0][2] < -abs(told.motion[0][0])  # down, into the gap
    assert inspected(scene, "Book 3").title == "Snug, not wedged"


def test_a_tilted_groove_changes_nothing() -> None:
    """The slot again, turned in space."""
    turn = about((1.0, 2.0, 3.0), 0.7)
    side = rotation_matrix(turn) @ [1.0, 0.0, 0.0]
    material = Material(friction=0.6)
    walls = [
        Body(f"wall {k}", Plane(tuple(-k * side), tuple(k * side)), static=True, material=material) for k in (-1, 1)
    ]
    scene = Scene([*walls, Body("block", Box((1.0, 0.8, 0.5)), (0, 0, 0), turn, material=material)], ground=False)
    assert inspected(scene).numbers[0].value == pytest.approx(0.5, abs=1e-3)


def test_a_search_that_is_cut_short_says_so() -> None:
    (Wn, Wt), _, _ = CASES["snug 2 x 1 block"]
    found = wedged.rigid(Wn, Wt, most_branches=1)
    assert not found.proven and found.stays == math.inf and found.holds == 0.0
