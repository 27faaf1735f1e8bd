"""What we export comes back as the very same ending: names, ids, shapes and poses, so that takes of it stay good."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "export"))

from mixed import mixed_take

from engine.export.settings import Settings
from engine.export.write import export
from engine.layout.bodies import layout_bodies
from engine.layout.merge import merged
from engine.layout.read import read_layout
from engine.scene.fingerprint import fingerprint
from engine.scene.spec import Scene

WAYS = {
    "metres.usdc": Settings("usd"),
    "centimetres.usda": Settings("usd", unit="cm", up="y"),
    "angles.usdc": Settings("usd", unit="cm", up="y", rotation="euler"),
    "held.usdc": Settings("usd", extras=False, hold=10),
    "web.glb": Settings("glb"),
}


@pytest.mark.parametrize("name", WAYS)
def test_an_export_comes_back_as_the_same_ending(tmp_path: Path, name: str) -> None:
    take = mixed_take()
    export(take, tmp_path / name, WAYS[name])
    found = layout_bodies(read_layout(tmp_path / name)).bodies
    back = merged(take.scene, found)
    assert fingerprint(back.scene) == fingerprint(take.scene) and back.notes == () and back.added == 0
    moved = [replace(body, position=(body.position[0] + 1.0, *body.position[1:])) for body in take.scene.bodies]
    again = merged(replace(take.scene, bodies=moved), found)
    assert [body.name for body in again.scene.bodies] == [body.name for body in take.scene.bodies]
    for body, meant in zip(again.scene.bodies, take.scene.bodies, strict=True):
        assert body.id == meant.id and body.position == pytest.approx(meant.position, abs=1e-6)


def test_instances_keep_their_names(tmp_path: Path) -> None:
    """Half precision turns bodies by up to 0.1 degrees; solids are still recognised."""
    take = mixed_take()
    export(take, tmp_path / "a.usdc", Settings("usd", instances=True))
    found = merged(Scene(ground=False), layout_bodies(read_layout(tmp_path / "a.usdc")).bodies).scene
    kinds = {body.name: type(body.shape).__name__ for body in found.bodies}
    assert kinds["die"] == "Box" and kinds["Größe/7"] == "Capsule" and kinds["can"] == "Cylinder" and len(kinds) == 9
