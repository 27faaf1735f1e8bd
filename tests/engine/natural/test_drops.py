"""Drops come to rest flat, and moved ones are as exact as they were."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.arrivals.dropped import standard as standard_bodies
from engine.arrivals.dropped.assemble import Retargeted, tape_of
from engine.arrivals.dropped.drop import ROW, Dropper, Setting
from engine.arrivals.dropped.ground import ground_of, lies_within
from engine.arrivals.dropped.library import SEED, build, key_of, library, shipped_numbers
from engine.arrivals.dropped.motion import Motion
from engine.arrivals.dropped.retarget import Image, images
from engine.arrivals.dropped.tuning import TUNING
from engine.arrivals.options import Options
from engine.certificate.audit import Report, certify
from engine.certificate.replay import replay
from engine.model.compile import compile_scene
from engine.run import backward
from engine.scene.spec import Body, Box, Capsule, Cylinder, Material, Plane, Scene, Shape, Sphere
from engine.shapes.turns import about, product
from engine.tape.take import Take

SHAPES: dict[str, Shape] = {
    "box": Box((0.05, 0.04, 0.03)),
    "brick": Box((0.1, 0.05, 0.025)),
    "capsule": Capsule(0.05, 0.08),
    "cylinder": Cylinder(0.06, 0.07),
    "ball": Sphere(0.06),
}
ROLLING = 0.005


def setting(name: str) -> Setting:
    rolling = 0.0 if isinstance(SHAPES[name], Box) else ROLLING
    return Setting(SHAPES[name], 0.5, 0.4, rolling, 9.81, 1 / 480)


@pytest.fixture(scope="module")
def dropped() -> dict[str, tuple[Dropper, list[Motion]]]:
    found = {}
    for name in SHAPES:
        dropper = Dropper(setting(name))
        runs = [dropper.run(dropper.start(3, number)) for number in range(6)]
        assert all(run.is_sound for run in runs)
        found[name] = dropper, [run.motion for run in runs if run.motion is not None]
    return found


def authored(name: str, motion: Motion, yaw: float = 0.7, density: float = 700.0) -> Scene:
    """The body on the same side, turned and elsewhere, on a plane of its own."""
    turn = product(about((0, 0, 1), yaw), motion.q)
    table = Body(
        "table", Plane((0, 0, 1), (0, 0, 0)), (0, 0, 0.5), static=True, material=Material(friction=0.5, restitution=0.4)
    )
    material = Material(density=density, rolling_friction=setting(name).rolling)
    place = (1.3, -0.4, 0.5 + float(motion.x[2]))
    return Scene([Body("it", SHAPES[name], place, turn, material=material), table], ground=False)


def retargeted(dropper: Dropper, scene: Scene, motion: Motion, image: Image) -> Take:
    model = compile_scene(scene)
    row = model.index(scene.bodies[0])
    heavier = float(model.bodies.mass[row] / dropper.model.bodies.mass[ROW])
    ground = ground_of(model, row, int(np.flatnonzero(model.geometry.part_body != row)[0]))
    assert ground is not None
    moved = motion.moved(image.world, image.body, heavier, model.start.x[row], model.start.q[row], ground)
    arrival = Retargeted(moved, moved.flown(dropper.params, model.bodies, row))
    tape = tape_of(model, dropper.params, motion.steps + 10, {row: arrival}, {row: motion.steps})
    return Take(scene, model, tape, tape.steps * dropper.params.dt, 0, backward=True)


def is_exact(report: Report) -> bool:
    return report.exact_fraction == 1.0 and report.assist == 0.0 and report.max_residual <= 1e-10


@pytest.mark.parametrize("name", SHAPES)
def test_a_drop_rests_with_every_gap_at_zero(name: str, dropped: dict[str, tuple[Dropper, list[Motion]]]) -> None:
    dropper, motions = dropped[name]
    for number in range(len(motions)):
        tape = dropper.run(dropper.start(3, number)).take.tape
        last = slice(int(tape.start[np.flatnonzero(np.diff(tape.start))[-1]]), None)
        assert np.abs(tape.contact_column("gap")[last]).max() <= 1e-12
        # A rim that is nearly flat is held at one of its points for a step, and dips beside it.
        assert tape.contact_column("gap").min() >= (-1e-4 if name == "cylinder" else -1e-9)


@pytest.mark.parametrize("name", SHAPES)
def test_every_image_is_exact_and_ends_in_the_authored_pose(
    name: str, dropped: dict[str, tuple[Dropper, list[Motion]]]
) -> None:
    dropper, motions = dropped[name]
    for motion in motions[:3]:
        scene = authored(name, motion)
        found = images(SHAPES[name], motion, np.array(scene.bodies[0].orientation), 0.3)
        assert len(found) >= 2
        for image in found:
            take = retargeted(dropper, scene, motion, image)
            assert is_exact(certify(take))
            assert np.array_equal(take.tape.state(take.tape.steps).x, take.model.start.x)
            assert np.array_equal(take.tape.state(take.tape.steps).q, take.model.start.q)
            assert replay(take).max() <= 1e-12


def test_a_wrong_yaw_is_noticed(dropped: dict[str, tuple[Dropper, list[Motion]]]) -> None:
    dropper, motions = dropped["box"]
    scene = authored("box", motions[0])
    image = images(SHAPES["box"], motions[0], np.array(scene.bodies[0].orientation), 0.0)[0]
    off = np.array([[1.0, -1e-5, 0.0], [1e-5, 1.0, 0.0], [0.0, 0.0, 1.0]])
    report = certify(retargeted(dropper, scene, motions[0], image._replace(world=off @ image.world)))
    assert not is_exact(report)


def test_a_wrong_symmetry_is_noticed(dropped: dict[str, tuple[Dropper, list[Motion]]]) -> None:
    dropper, motions = dropped["brick"]
    scene = authored("brick", motions[0])
    first, second = images(SHAPES["brick"], motions[0], np.array(scene.bodies[0].orientation), 0.0)[:2]
    report = certify(retargeted(dropper, scene, motions[0], first._replace(body=second.body)))
    assert not is_exact(report)


def test_a_library_is_the_same_bits_again_and_from_the_cache(tmp_path: Path) -> None:
    side = np.array([0.0, 0.0, 1.0])
    made = library(setting("box"), side, 3, folder=tmp_path)
    read, again = library(setting("box"), side, 3, folder=tmp_path), build(setting("box"), side, 3)
    assert len(list(tmp_path.iterdir())) == 1
    for other in (read, again):
        assert np.array_equal(other.numbers, made.numbers)
        for mine, theirs in zip(made.motions, other.motions, strict=True):
            for name in ("x", "q", "step", "v", "l", "start"):
                assert np.array_equal(getattr(mine, name), getattr(theirs, name))
            for name, column in mine.contacts.items():
                assert np.array_equal(column, theirs.contacts[name]) and column.dtype == theirs.contacts[name].dtype


def test_building_can_be_stopped_and_leaves_nothing(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []

    def stop(found: int, wanted: int) -> bool:
        told.append((found, wanted))
        return False

    assert not library(setting("ball"), None, 50, progress=stop, folder=tmp_path).complete
    assert told == [(0, 50)] and list(tmp_path.iterdir()) == []


def test_a_damaged_library_is_built_again(tmp_path: Path) -> None:
    library(setting("ball"), None, 1, folder=tmp_path)
    kept = next(tmp_path.iterdir())
    kept.write_bytes(kept.read_bytes()[:300])
    assert len(library(setting("ball"), None, 1, folder=tmp_path).motions) == 1


def test_bodies_of_a_scene_drop_in_without_meeting(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two boxes and a post between them; one box with a hint of its own stays, and the take says so."""
    monkeypatch.setattr("engine.arrivals.dropped.director.TUNING", TUNING._replace(drops=4))
    monkeypatch.setattr("engine.arrivals.dropped.library.cache_folder", lambda: tmp_path)
    half = (0.05, 0.04, 0.03)
    bodies = [
        Body("left", Box(half), (0, 0, 0.03), about((0, 0, 1), 0.4)),
        Body("right", Box(half), (0.16, 0, 0.03)),
        Body("leaning", Box(half), (0.5, 0, 0.03001)),
        Body("post", Box((0.01, 0.01, 0.2)), (0.08, 0.15, 0.2), static=True),
    ]
    scene = Scene(bodies)
    take = backward(scene, 1.0, seed=2, options=Options(arrivals="dropped"))
    again = backward(scene, 1.0, seed=2, options=Options(arrivals="dropped"))
    report = certify(take)
    assert take.hash() == again.hash()
    assert report.tiers[1:].max() <= 1 and report.ghosts == ()
    assert report.worst[0] == ("leaning",) and report.assist > 0.0  # it hangs in the air, and the certificate says so
    assert np.array_equal(take.positions[-1], take.authored_pose()[0])
    assert [note for note in take.notes if "leaning" in note] == [
        '"leaning" stays at rest: it touches nothing at the ending'
    ]
    moved = np.abs(take.positions[0] - take.positions[-1]).max(1)
    assert (moved[:2] > 0.01).all() and (moved[2:] == 0.0).all()


@pytest.mark.parametrize("wide", [0.3, 0.12])
def test_a_box_drops_onto_a_table_and_comes_over_its_edge(
    wide: float, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What touches the table is as a drop made it; before that backward steps, on the table or on the floor."""
    monkeypatch.setattr("engine.arrivals.dropped.director.TUNING", TUNING._replace(drops=6))
    monkeypatch.setattr("engine.arrivals.dropped.library.cache_folder", lambda: tmp_path)
    table = Body("table", Box((wide, wide, 0.2)), (0, 0, 0.2), static=True)
    box = Body("box", Box((0.05, 0.04, 0.03)), (0.02, 0.01, 0.43), about((0, 0, 1), 0.4))
    scene = Scene([table, box])
    take = backward(scene, 1.0, seed=1, options=Options(arrivals="dropped"))
    assert take.notes == ()
    report = certify(take)
    assert report.tiers.max() <= 1 and report.ghosts == () and report.assist == 0.0
    assert np.array_equal(take.positions[-1], take.authored_pose()[0])
    assert np.abs(take.positions[0, 1] - take.positions[-1, 1]).max() > 0.05
    assert replay(take).max() <= 1e-9


def test_ground_has_an_outline_and_slopes_are_no_ground() -> None:
    box = Body("box", Box((0.05, 0.04, 0.03)), (0, 0, 0.43))
    level = Body("table", Box((0.3, 0.2, 0.2)), (0, 0, 0.2), static=True)
    model = compile_scene(Scene([box, level], ground=False))
    up, part = np.array([0.0, 0.0, 1.0]), int(np.flatnonzero(model.geometry.part_body == 1)[0])
    ground = ground_of(model, 0, part)
    assert ground is not None and len(ground.outline) == 4
    inside, outside = np.array([[0.29, 0.19, 0.4]]), np.array([[0.31, 0.0, 0.4]])
    assert lies_within(ground, up, inside, np.zeros(1)) and not lies_within(ground, up, outside, np.zeros(1))
    assert not lies_within(ground, up, inside, np.full(1, 0.02))
    slope = Body("slope", Box((0.3, 0.2, 0.2)), (0, 0, 0.2), about((0, 1, 0), 0.1), static=True)
    model = compile_scene(Scene([box, slope], ground=False))
    assert ground_of(model, 0, int(np.flatnonzero(model.geometry.part_body == 1)[0])) is None


def test_shipped_numbers_are_those_that_a_search_finds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in standard_bodies.SHAPES:
        for side in standard_bodies.sides(name):
            assert len(shipped_numbers()[key_of(standard_bodies.standard(name), side, SEED)]) >= 10
    side = standard_bodies.sides("box")[1]
    known = build(standard_bodies.standard("box"), side, 2)
    assert known.tried == 2
    monkeypatch.setattr("engine.arrivals.dropped.library.SHIPPED", tmp_path / "nothing.npz")
    assert np.array_equal(build(standard_bodies.standard("box"), side, 2).numbers, known.numbers)
