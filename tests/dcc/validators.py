"""The validators of USD and of glTF have nothing to say about a take of any example."""

from __future__ import annotations

import json
import os
import subprocess
from functools import cache
from pathlib import Path

import pytest
from mixed import mixed_take
from pxr import Usd, UsdValidation

from engine.arrivals.options import Options
from engine.export.settings import preset
from engine.export.write import export
from engine.run import backward
from engine.scene.spec import Scene
from engine.tape.take import Take
from tests.engine.appearing_takes import appearing

EXAMPLES = sorted((Path(__file__).parents[2] / "assets" / "scenes").glob("*.foregone"))
OTHERS = {"mixed": mixed_take, "appearing": appearing}
SCRIPT = """
const validator = require("gltf-validator");
const data = new Uint8Array(require("fs").readFileSync(process.argv[1]));
validator.validateBytes(data).then((report) => console.log(JSON.stringify(report.issues)));
"""


@cache
def take_of(name: str) -> Take:
    if name in OTHERS:
        return OTHERS[name]()
    path = next(path for path in EXAMPLES if path.stem == name)
    return backward(Scene.load(path), 1.0, 1 / 240, seed=1, options=Options(manner="preview"))


@pytest.mark.parametrize("name", [*(path.stem for path in EXAMPLES), *OTHERS])
def test_validators_are_silent(name: str, tmp_path: Path) -> None:
    take = take_of(name)
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    for number, asked in enumerate([{}, {"rotation": "euler", "unit": "cm", "up": "y"}, {"instances": True}]):
        file = tmp_path / f"take{number}.usdc"
        export(take, file, preset("blender", "usd", **asked))
        stage = Usd.Stage.Open(str(file))
        found = UsdValidation.ValidationContext(validators).Validate(stage)
        assert [error.GetMessage() for error in found] == []
    export(take, tmp_path / "take.glb", preset("web", "glb"))
    surroundings = {**os.environ, "NODE_PATH": str(Path(os.environ["FOREGONE_NODE_MODULES"]).resolve())}
    ran = subprocess.run(
        ["node", "-e", SCRIPT, str(tmp_path / "take.glb")], env=surroundings, capture_output=True, text=True, check=True
    )
    issues = json.loads(ran.stdout)
    assert (issues["numErrors"], issues["numWarnings"]) == (0, 0), issues["messages"]
    print(f"{len(validators)} validators of USD; glTF: {issues['numInfos']} infos, {issues['numHints']} hints")


def test_alembic_has_visibility(tmp_path: Path) -> None:
    """Read back by the library that wrote it: Blender takes no visibility from Alembic."""
    from alembic3d import Abc, AbcGeom

    path = tmp_path / "take.abc"
    clip = export(appearing(), path, preset("blender", "alembic", start=5))
    top = Abc.IArchive(str(path)).getTop()
    for i in range(top.getNumChildren()):
        body = top.getChild(i)
        place = [actor.name for actor in clip.actors].index(body.getName())
        visible = AbcGeom.GetVisibilityProperty(body)
        assert bool(visible) == bool(clip.actors[place].switches)
        if visible:
            times = (clip.frames.numbers / clip.fps).tolist()
            found = [int(visible.getValue(Abc.ISampleSelector(time))) for time in times]
            assert [value == 1 for value in found] == clip.shown[:, place].tolist() and set(found) == {0, 1}
