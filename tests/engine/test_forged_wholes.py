"""Takes forged as a whole: moved, judged by other numbers, of another scene, with other energies. Ordinary edits of the
scene are of this kind too: the take says so, and is to be generated again."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import Body, Box, Joint, Material, Scene, Sphere, backward, certify, forward
from engine.errors import ProjectError
from engine.tape.store import load_take, save_take
from engine.tape.take import Take
from tests.bench import scenes
from tests.engine.forging import DT, box, flights, held, read_again, spread, stack
from tests.engine.golden.golden_takes import CASES
from tests.engine.random_edits import Saved

HONEST = ("die_on_a_table", "rag_doll", "brick_wall")


@pytest.mark.parametrize("take", [stack, flights, held, *(CASES[f"example {name}"] for name in HONEST)])
def test_honest_takes_have_no_faults(take: Callable[[], Take], tmp_path: Path) -> None:
    assert certify(take()).faults == () and certify(read_again(take(), tmp_path)).faults == ()
    assert read_again(take(), tmp_path).overtaken == ()


@pytest.mark.parametrize("take", [stack, flights])
def test_a_take_that_was_moved_by_a_metre(take: Callable[[], Take], tmp_path: Path) -> None:
    def move(arrays: dict[str, np.ndarray]) -> None:
        arrays["x"] = arrays["x"] + np.array((1.0, 0.0, 0.0))

    forged = spread(take(), move)
    name, when = take().model.names[0], "ends" if take().backward else "begins"
    assert f'"{name}" {when} elsewhere than the scene has it' in certify(forged).faults
    with pytest.raises(ProjectError, match="another version of the scene"):
        read_again(forged, tmp_path)


def test_an_ending_with_another_speed() -> None:
    scene = Scene([box("one", 0.0, 2.0, velocity=(1.0, 0.0, 0.0))])
    take = forward(scene, 0.2, DT)
    other = replace(take, scene=Scene([box("one", 0.0, 2.0, velocity=(1.1, 0.0, 0.0))]))
    assert certify(take).ok
    assert '"one" begins with another speed than the scene gives it' in certify(other).faults


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("slop", 0.5, "slop 0.5 instead of 1e-06"),
        ("certificate_tolerance", 1.0, "certificate tolerance 1 instead of 1e-08"),
        ("bounce_speed", 100.0, "bounce speed 100 instead of 0.1"),
        ("rest_speed", 0.1, "rest speed"),
        ("landing", 7.0, "no kind that there is"),
        ("slop", math.nan, "slop nan"),
    ],
)
def test_numbers_that_make_anything_lawful(name: str, value: float, words: str, tmp_path: Path) -> None:
    tape = flights().tape
    forged = replace(flights(), tape=replace(tape, params=tape.params._replace(**{name: value})))
    for take in (forged, read_again(forged, tmp_path)):
        assert any(words in fault for fault in certify(take).faults)


@pytest.mark.parametrize("where", ["first_energy", "block"])
def test_other_energies(where: str, tmp_path: Path) -> None:
    def tell(arrays: dict[str, np.ndarray]) -> None:
        arrays["energy"] = arrays["energy"].copy()
        arrays["energy"][len(arrays["energy"]) // 2] *= 1.001

    tape = flights().tape
    if where == "block":
        forged = spread(flights(), tell)
    else:
        forged = replace(flights(), tape=replace(tape, first_energy=1.001 * tape.first_energy))
    for take in (forged, read_again(forged, tmp_path)):
        assert any("other energies" in fault for fault in certify(take).faults)


def test_another_length(tmp_path: Path) -> None:
    forged = read_again(replace(flights(), seconds=3.0), tmp_path)
    assert "the take says that it lasts 3 s, and lasts 1.5 s" in certify(forged).faults


# ---- edits of the scene -------------------------------------------------------------------------------------------


def die(**changes: Any) -> Scene:
    """A ball and a die; `changes` are of the die."""
    named = {"shape": Box((0.05, 0.05, 0.05)), "material": scenes.material(), **changes}
    return Scene(
        [
            Body("die", position=(0.0, 0.0, 0.05), id="die", **named),
            Body("ball", Sphere(0.05), (1.0, 0.0, 0.05), id="b"),
        ]
    )


def with_joint(scene: Scene) -> Scene:
    return replace(scene, joints=[Joint("hinge", "die", "", (0.0, 0.0, 0.05), axis=(0.0, 0.0, 1.0), id="j")])


EDITS: dict[str, tuple[Scene, str]] = {
    "gravity": (
        replace(die(), gravity=(0.0, 0.0, -1.62)),
        "made under a gravity of (0, 0, -9.81) m/s², and the scene now has (0, 0, -1.62) m/s²",
    ),
    "bounce": (die(material=Material(restitution=0.7)), 'made before "die" has got another material'),
    "friction": (die(material=replace(scenes.material(), friction=0.41)), 'before "die" has got another material'),
    "density": (die(material=replace(scenes.material(), density=900.0)), 'before "die" has got another material'),
    "shape": (die(shape=Box((0.04, 0.05, 0.05))), 'before "die" has got another shape'),
    "fixed": (die(static=True), 'before "die" has got been fixed'),
    "speed": (die(velocity=(0.1, 0.0, 0.0)), 'before "die" has got another speed at the ending'),
    "ground": (replace(die(), ground_material=Material(friction=0.1)), "with another ground than the scene has now"),
    "joints": (with_joint(die()), "with other joints than the scene has now"),
}


REFUSED = ("density", "shape", "fixed", "joints")  # with another mass it is another motion


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_of_the_scene_is_told_and_the_take_to_be_made_again(edit: str, tmp_path: Path) -> None:
    take = backward(die(), 1.0, DT, seed=3)
    save_take(tmp_path / "take.npz", take)
    edited, words = EDITS[edit]
    if edit in REFUSED:
        with pytest.raises(ProjectError, match="generate it again") as refused:
            load_take(tmp_path / "take.npz", edited)
        assert words in str(refused.value)
    else:
        after = load_take(tmp_path / "take.npz", edited)
        assert any(words in note and note.endswith("generate it again") for note in after.notes)
        report = certify(after)
        assert not report.ok and any(words in fault for fault in report.faults)
    before = load_take(tmp_path / "take.npz", die())  # undone
    assert before.notes == take.notes and certify(before).ok


def test_what_an_edit_overtook_is_told_once_however_often_it_is_saved(tmp_path: Path) -> None:
    save_take(tmp_path / "take.npz", backward(die(), 1.0, DT, seed=3))
    edited = EDITS["bounce"][0]
    again = load_take(tmp_path / "take.npz", edited)
    save_take(tmp_path / "take.npz", again)
    assert load_take(tmp_path / "take.npz", edited).notes == again.notes
    assert load_take(tmp_path / "take.npz", die()).overtaken == ()


def test_a_take_in_memory_with_another_scene() -> None:
    take = backward(die(), 1.0, DT, seed=3)
    assert certify(take).ok
    for edit, (scene, _) in EDITS.items():
        assert not certify(replace(take, scene=scene)).ok, edit


def test_names_colours_and_hints_overtake_nothing(tmp_path: Path) -> None:
    save_take(tmp_path / "take.npz", backward(die(), 1.0, DT, seed=3))
    renamed = die(color="#ff0000", hidden=True, locked=True)
    assert load_take(tmp_path / "take.npz", renamed).notes == load_take(tmp_path / "take.npz", die()).notes


# ---- files --------------------------------------------------------------------------------------------------------


def test_a_damaged_file_is_refused_whatever_was_damaged(tmp_path: Path) -> None:
    save_take(tmp_path / "take.npz", flights())
    with np.load(tmp_path / "take.npz") as archive:
        arrays = {name: archive[name] for name in archive}
    refused = 0
    for name, array in arrays.items():
        if array.size == 0 or name == "seal":
            continue
        damaged = array.copy()
        flat = damaged.reshape(-1).view(np.uint8) if damaged.ndim else damaged.reshape(1).view(np.uint8)
        flat[len(flat) // 2] ^= 1
        np.savez(tmp_path / "damaged.npz", **{**arrays, name: damaged})
        with pytest.raises(ProjectError):
            load_take(tmp_path / "damaged.npz", flights().scene)
        refused += 1
    assert refused > 50


@pytest.mark.parametrize("steps", [0, -1, 1 << 40, (1 << 62) + 64])
def test_a_block_that_says_it_has_no_steps_or_trillions(steps: int) -> None:
    saved = Saved(flights())
    said = saved.arrays["block_steps"].copy()
    said[1] = steps
    with pytest.raises(ProjectError, match="block 2"):
        saved.forged({**saved.arrays, "block_steps": said})
