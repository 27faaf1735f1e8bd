"""Tables: numbers that read back to the same bits, and scripts whose numbers are those of the take."""

from __future__ import annotations

import ast
import base64
import csv
import json
import zlib
from pathlib import Path

import numpy as np
import pytest
from mixed import mixed_take
from reading import expected, matrices

from engine.export.settings import preset
from engine.export.write import export
from engine.tape.path import Path as Shown


def written(tmp_path: Path, format_: str, target: str = "data", **asked) -> Path:
    path = tmp_path / f"take.{format_}"
    export(mixed_take(), path, preset(target, format_, **asked), tiers=[1, 0, 0, 0, 0])
    return path


def test_the_table_ends_in_the_authored_pose(tmp_path: Path) -> None:
    take = mixed_take()
    rows = list(csv.reader(written(tmp_path, "csv").read_text(encoding="utf-8").splitlines()))
    assert rows[0] == ["time", "body", "x", "y", "z", "qw", "qx", "qy", "qz"]
    n = len(take.scene.bodies)
    assert (len(rows) - 1) % n == 0 and len(rows) == 1 + 21 * n  # 0.8 s at 24 per second: 19.2, and the ending
    for body, row in zip(take.scene.bodies, rows[-n:], strict=True):
        assert float(row[0]) == take.times[-1]
        assert tuple(map(float, row[2:5])) == body.position and tuple(map(float, row[5:])) == body.orientation
    numbers = np.array([[float(cell) for cell in row[2:]] for row in rows[1:]]).reshape(-1, n, 7)
    positions, orientations = Shown(take).at(np.maximum(take.times[-1] - np.arange(20, -1, -1) / 24, take.times[0]))
    assert (numbers[..., :3] == positions).all()
    np.testing.assert_allclose(matrices(numbers[..., 3:]), matrices(orientations), atol=1e-15)


@pytest.mark.parametrize("rotation", ["quaternion", "euler"])
def test_arrays_and_text_say_the_same(tmp_path: Path, rotation: str) -> None:
    asked = dict(unit="cm", up="y", rotation=rotation, start=7)
    with np.load(written(tmp_path, "npz", **asked), allow_pickle=False) as arrays:
        found = {name: arrays[name] for name in arrays.files}
    positions, _ = expected(mixed_take(), 24.0, "y", "cm")
    np.testing.assert_allclose(found["positions"], positions, atol=1e-12)
    assert found["frames"][0] == 7 and int(found["ending"]) == len(positions) - 1 and str(found["up"]) == "y"
    text = json.loads(written(tmp_path, "json", **asked).read_text(encoding="utf-8"))
    assert text["frames"] == found["frames"].tolist() and text["ending"] == text["frames"][-1]
    for i, body in enumerate(text["bodies"]):
        rows = slice(0, 1) if body["still"] else slice(None)
        assert body["positions"] == found["positions"][rows, i].tolist()
        assert body["rotations"] == found["rotations"][rows, i].tolist()
    assert text["bodies"][0]["properties"]["name"] == "die" and text["take"]["seed"] == 3


def test_left_handed_tables_mirror_the_take(tmp_path: Path) -> None:
    with np.load(written(tmp_path, "npz", "unreal"), allow_pickle=False) as arrays:
        places, q = arrays["positions"], arrays["rotations"]
    x, turns = expected(mixed_take(), 24.0)
    mirror = np.diag([1.0, -1.0, 1.0])
    np.testing.assert_allclose(places, 100.0 * x @ mirror, atol=1e-12)
    np.testing.assert_allclose(matrices(q), mirror @ turns @ mirror, atol=1e-12)


@pytest.mark.parametrize("rotation", ["quaternion", "euler"])
def test_the_script_for_blender_carries_the_take(tmp_path: Path, rotation: str) -> None:
    """What it does in Blender is seen by `make test-dcc`; here its text is taken apart without running it."""
    path = tmp_path / "take.py"
    export(mixed_take(), path, preset("blender", "blender", rotation=rotation), tiers=[1, 0, 0, 0, 0])
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assigned = {node.targets[0].id: node.value for node in tree.body if isinstance(node, ast.Assign)}
    table = json.loads(ast.literal_eval(assigned["TABLE"].args[0]))
    numbers = np.frombuffer(zlib.decompress(base64.b64decode(ast.literal_eval(assigned["NUMBERS"]))), "<f8")
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not called & {"eval", "exec", "open", "__import__"}
    positions, turns = expected(mixed_take(), 24.0)
    for i, body in enumerate(table["bodies"]):
        places, angles = (rows_of(numbers, body[name]) for name in ("places", "turns"))
        rows = slice(None) if body["keyed"] else slice(-1, None)
        np.testing.assert_array_equal(places, positions[rows, i])
        if rotation == "quaternion":
            np.testing.assert_allclose(matrices(angles), turns[rows, i], atol=1e-14)
    assert table["rate"] == [24, 1] and (table["first"], table["last"]) == (1, len(positions))
    assert [body["name"] for body in table["bodies"]][1:4] == ["Ball 1", "Ball 1.002", "Größe/7"]


def rows_of(numbers: np.ndarray, place: list[int]) -> np.ndarray:
    first, count, columns = place
    return numbers[first : first + count * columns].reshape(count, columns)
