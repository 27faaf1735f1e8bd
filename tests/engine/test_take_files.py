"""Takes on disk, and tables of frames: what is written is what was made."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
import pytest

from engine.certificate.audit import certify
from engine.errors import ProjectError
from engine.run import backward
from engine.scene.spec import Scene
from engine.tape.store import load_take, save_take
from engine.tape.take import Take
from tests.bench import scenes

DT = 1 / 240


@functools.cache
def boxes() -> tuple[Scene, Take]:
    scene = scenes.scattered_boxes(2, 2)
    return scene, backward(scene, 0.4, DT, seed=5)


def test_a_take_survives_the_disk(tmp_path: Path) -> None:
    scene, take = boxes()
    save_take(tmp_path / "take.npz", take)
    loaded = load_take(tmp_path / "take.npz", scene)
    assert loaded.hash() == take.hash() and loaded.seed == 5 and loaded.backward and loaded.stopped is None
    assert loaded.seconds == take.seconds and loaded.tape.params == take.tape.params
    assert certify(loaded).summary() == certify(take).summary()
    assert (loaded.times == take.times).all() and (loaded.positions == take.positions).all()
    assert [file.name for file in tmp_path.iterdir()] == ["take.npz"]
    with np.load(tmp_path / "take.npz", allow_pickle=False) as archive:
        assert all(archive[name].dtype != object for name in archive.files)


def test_a_take_of_another_scene_is_refused(tmp_path: Path) -> None:
    scene, take = boxes()
    save_take(tmp_path / "take.npz", take)
    moved = scenes.scattered_boxes(2, 2)
    moved.bodies[0].position = (9.0, 9.0, 0.3)
    for other in (moved, scenes.scattered_boxes(2, 3), scenes.box_slides()):
        with pytest.raises(ProjectError, match="another version of the scene"):
            load_take(tmp_path / "take.npz", other)


def test_damaged_takes_are_told(tmp_path: Path) -> None:
    scene, take = boxes()
    path = tmp_path / "take.npz"
    save_take(path, take)
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files}
    np.savez(tmp_path / "changed.npz", **{**arrays, "0/anchor_v": arrays["0/anchor_v"] + 1e-12})
    np.savez(tmp_path / "newer.npz", **{**arrays, "format": np.array(99)})
    np.savez(tmp_path / "other.npz", x=np.zeros(3))
    (tmp_path / "cut.npz").write_bytes(path.read_bytes()[:1000])
    (tmp_path / "text.npz").write_text("hello")
    np.savez(tmp_path / "pickle.npz", **{**arrays, "notes": np.array([{}], dtype=object)})
    told_as = {"changed": "damaged", "newer": "newer version", "other": "not a take"}
    told_as |= {name: "no take" for name in ("cut", "text", "pickle", "missing")}
    for name, words in told_as.items():
        with pytest.raises(ProjectError, match=words) as told:
            load_take(tmp_path / f"{name}.npz", scene)
        assert f"{name}.npz" in str(told.value)
