"""Bodies in a closed box with one exit find their way out, seen backward: they came in through it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from engine import backward
from engine.arrivals.enclosed import ways_out
from engine.certificate.audit import certify
from engine.commands.demo_scenes import ball_with_one_exit, die_with_one_exit
from engine.contact.tiers import GHOSTED
from engine.model.compile import compile_scene
from engine.scene.spec import Body, Box, Scene
from tests.bench.exit import came_through

BOARD = Box((0.32, 0.32, 0.01))


def enclosed(scene: Scene) -> list[str]:
    model = compile_scene(scene)
    rows = [model.index(body) for body in scene.bodies if not body.static]
    return [model.names[row] for row in ways_out(scene, model, rows)]


def without(scene: Scene, *names: str) -> Scene:
    return replace(scene, bodies=[body for body in scene.bodies if body.name not in names])


@pytest.mark.parametrize(("make", "seed"), [(ball_with_one_exit, 5), (die_with_one_exit, 0)], ids=["ball", "die"])
def test_it_came_in_through_the_exit(make: Callable[[], Scene], seed: int) -> None:
    take = backward(make(), seconds=3.0, seed=seed)
    assert not take.notes and not certify(take).faults
    assert came_through(take)
    assert take.tape.contact_column("tier").max() < GHOSTED


def test_only_who_sees_little_of_the_open_is_enclosed() -> None:
    box = ball_with_one_exit()
    assert enclosed(box) == ["ball"]
    assert not enclosed(without(box, "lid")), "an open crate"
    exit_wall = ("below the exit", "above the exit", "behind the exit", "before the exit")
    assert not enclosed(without(box, "front", *exit_wall, "left")), "under a table"
    plug = Body("plug", Box((0.01, 0.06, 0.06)), (0.31, 0.0, 0.24), static=True)
    assert not enclosed(replace(box, bodies=[*box.bodies, plug])), "nothing leads out"


def test_the_way_out_is_as_long_as_a_string_through_the_exit() -> None:
    scene = ball_with_one_exit()
    model = compile_scene(scene)
    ball = model.index(scene.bodies[0])
    way = ways_out(scene, model, [ball])[ball]
    path = way.path(model.start.x[ball])
    at_exit = path[np.abs(path[:, 0] - 0.31).argmin()]
    assert abs(at_exit[1]) <= 0.06 and 0.18 < at_exit[2] < 0.3
    assert way.at(path).tolist() == sorted(way.at(path).tolist(), reverse=True) and way.at(path)[-1] == 0.0
    rise = path[:, 2].max() - path[0, 2]
    assert 0.18 + 0.045 - 0.065 - way.cell <= rise <= 0.3 - 0.045 - 0.065 + way.cell
