"""A cache that follows edits step by step knows the same as one that starts from the scene."""

from __future__ import annotations

import numpy as np
import scenes
from hypothesis import given, settings
from hypothesis import strategies as st

from app.document import edits
from app.document.difference import difference
from app.look.look import Look
from app.viewport.layout import Layout, layout_of
from app.viewport.scene_cache import SceneCache
from engine.scene.spec import Box, Scene
from engine.shapes.turns import about

LOOK = Look("dark")
STEPS = ("move", "turn", "scale", "hide", "paint", "remove", "copy", "reshape", "reorder")


def ids_of(layout: Layout) -> list[str]:
    return [body.id for body in layout.bodies]


def step(scene: Scene, kind: str, ids: list[str]) -> Scene:
    if kind == "move":
        return edits.translate(scene, ids, (0.1, 0.2, 0.3))
    if kind == "turn":
        return edits.turn(scene, ids, (0.5, 0.0, 0.0), about((1.0, 2.0, 0.5), 0.7))
    if kind == "scale":
        return edits.scale(scene, ids, (0.0, 0.0, 0.0), (1.1, 1.2, 0.9))
    if kind == "hide":
        return edits.set_fields(scene, ids, hidden=True)
    if kind == "paint":
        return edits.set_fields(scene, ids, color="#123456")
    if kind == "remove":
        return edits.remove(scene, ids)
    if kind == "copy":
        return edits.duplicate(scene, ids)[0]
    if kind == "reshape":
        return edits.set_fields(scene, ids, shape=Box((0.2, 0.1, 0.05)))
    return edits.reorder(scene, ids, None)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(STEPS), st.lists(st.integers(0, 60), min_size=1, max_size=4)), max_size=8))
def test_following_edits_is_like_starting_over(history: list[tuple[str, list[int]]]) -> None:
    scene = scenes.every_shape()
    cache = SceneCache(LOOK)
    cache.set_scene(scene)
    for kind, numbers in history:
        _ = cache.batches
        ids = [scene.bodies[k % len(scene.bodies)].id for k in numbers]
        after = step(scene, kind, ids)
        cache.set_scene(after, difference(scene, after))
        scene = after
        fresh = SceneCache(LOOK)
        fresh.set_scene(scene)
        assert ids_of(cache.layout) == ids_of(fresh.layout)
        assert cache.layout.bodies == fresh.layout.bodies
        assert np.array_equal(cache.layout.low, fresh.layout.low)
        assert np.array_equal(cache.layout.high, fresh.layout.high)
        assert np.array_equal(cache.rows(ids), fresh.rows(ids))
        for mine, theirs in zip(cache.batches, fresh.batches, strict=True):
            assert mine.key == theirs.key and np.array_equal(mine.instances, theirs.instances)


def test_bodies_that_only_moved_are_not_laid_out_anew(monkeypatch) -> None:
    scene = scenes.every_shape()
    cache = SceneCache(LOOK)
    cache.set_scene(scene)
    before = cache.layout
    monkeypatch.setattr("app.viewport.scene_cache.layout_of", lambda scene: 1 / 0)
    moved = edits.translate(scene, [scene.bodies[3].id], (0.0, 0.0, 1.0))
    cache.set_scene(moved, difference(scene, moved))
    assert np.allclose(cache.layout.low[3] - before.low[3], [0.0, 0.0, 1.0])
    assert ids_of(layout_of(moved)) == ids_of(cache.layout)
