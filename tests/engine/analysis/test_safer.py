"""One click makes a body safe, and nobody else falls for it: towers at the edge of a plinth, fixed and run forward."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.analysis.inspect import inspect, problems
from engine.run import forward
from engine.scene.inspection import Fix
from engine.scene.spec import Body, Box, Scene

TOWERS = 6


def tower(rng: np.random.Generator, blocks: int) -> Scene:
    """Blocks on a plinth, one of them with its burden about to tip over the edge of what it stands on."""
    bodies = [Body("plinth", Box((0.5, 0.4, 0.25)), (0.0, 0.0, 0.25), static=True, id="plinth")]
    x, top, half = 0.0, 0.5, 0.5
    juts = int(rng.integers(blocks))
    for k in range(blocks):
        wide, high = rng.uniform(0.15, 0.4), rng.uniform(0.03, 0.1)
        if k == juts:
            x = x + half - rng.uniform(0.002, 0.004)
        bodies.append(Body(f"block {k}", Box((wide, 0.2, high)), (x, 0.0, top + high), id=f"block {k}"))
        top, half = top + 2.0 * high, wide
    return Scene(bodies)


def clicked(scene: Scene, fix: Fix) -> Scene:
    def there(body: Body) -> Body:
        return replace(body, position=tuple(a + b for a, b in zip(body.position, fix.by, strict=True)))

    return replace(scene, bodies=[there(body) if body.id in fix.bodies else body for body in scene.bodies])


def falls(scene: Scene) -> bool:
    x = forward(scene, 1.0).tape.x
    return bool(np.abs(x[-1] - x[0]).max() > 0.01)


def test_after_every_fix_that_is_offered_the_whole_tower_stands() -> None:
    rng = np.random.default_rng(21)
    for _ in range(TOWERS):
        scene = tower(rng, int(rng.integers(2, 5)))
        offered = [each.fix for each in problems(scene) if each.fix is not None]
        assert offered
        for fix in offered:
            assert not falls(clicked(scene, fix))


def test_what_stands_far_out_on_a_body_comes_along() -> None:
    plinth = Body("plinth", Box((0.5, 0.4, 0.25)), (0.0, 0.0, 0.25), static=True, id="plinth")
    lower = Body("lower", Box((0.3, 0.2, 0.1)), (0.5 - 0.003 - 0.27 / 9.0, 0.0, 0.6), id="lower")
    upper = Body("upper", Box((0.15, 0.1, 0.05)), (lower.position[0] + 0.27, 0.0, 0.75), id="upper")  # an eighth of it
    (found,) = (each for each in problems(Scene([plinth, lower, upper])) if each.ids == ("lower",))
    assert found.fix is not None and found.fix.bodies == ("lower", "upper")
    assert found.fix.words.startswith("Move it and what it carries")
    alone = replace(found.fix, bodies=("lower",))
    assert falls(clicked(Scene([plinth, lower, upper]), alone))
    assert not falls(clicked(Scene([plinth, lower, upper]), found.fix))


def test_no_fix_is_offered_that_pulls_a_block_from_under_another() -> None:
    """The upper block leans on a pillar too: it can neither stay behind nor come along."""
    plinth = Body("plinth", Box((0.5, 0.4, 0.25)), (0.0, 0.0, 0.25), static=True, id="plinth")
    lower = Body("lower", Box((0.45, 0.2, 0.1)), (0.495, 0.0, 0.6), id="lower")
    upper = Body("upper", Box((0.2, 0.1, 0.05)), (1.0, 0.0, 0.75), id="upper")
    pillar = Body("pillar", Box((0.1, 0.3, 0.35)), (1.1, 0.0, 0.35), static=True, id="pillar")
    scene = Scene([plinth, lower, upper, pillar])
    found = inspect(scene, "contact", "lower")
    assert found.level == "warning" and found.fix is None
