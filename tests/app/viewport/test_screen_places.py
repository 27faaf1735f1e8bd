"""Places of glyphs over bodies, of many at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.camera import Camera
from app.document import edits
from app.look.look import Look
from app.viewport.scene_cache import SceneCache
from app.viewport.screen_places import GLYPH_ABOVE, problem_glyphs
from engine.scene.spec import Body, Box, Scene

EXTENT = (800, 600)


def test_every_body_gets_its_own_glyph(qapp: object) -> None:
    places = [(0.5 * i - 1.0, 0.1 * i, 0.3) for i in range(4)]
    behind = tuple((3.0 * Camera().eye - 2.0 * np.array(Camera().target)).tolist())
    bodies = [Body(f"Box {i}", Box((0.1, 0.1, 0.1)), place) for i, place in enumerate([*places, behind])]
    scene, ids = edits.add(Scene(), bodies)
    scene = replace(scene, bodies=[*scene.bodies[:3], replace(scene.bodies[3], hidden=True), scene.bodies[4]])
    cache = SceneCache(Look())
    cache.set_scene(scene)
    codes = {ids[2]: "floating", ids[0]: "overlap", "gone": "floating", ids[3]: "overlap", ids[4]: "floating"}
    glyphs = problem_glyphs(cache, codes, Camera(), EXTENT)
    assert [problem for _, _, problem in glyphs] == ["floating", "overlap"]  # hidden, gone and behind: none
    for (x, y, _), row in zip(glyphs, [2, 0], strict=True):
        pixels, _ = Camera().project(cache.corners(cache.rows([ids[row]])), *EXTENT)
        assert x == pytest.approx(pixels[:, 0].mean()) and y == pytest.approx(pixels[:, 1].min() - GLYPH_ABOVE)
    assert problem_glyphs(cache, {}, Camera(), EXTENT) == [] == problem_glyphs(cache, {"gone": "x"}, Camera(), EXTENT)
