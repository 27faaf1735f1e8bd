"""Honest takes, and what is needed to forge them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from engine import Body, Box, Scene, backward, forward
from engine.model.arrays import State
from engine.model.compile import compile_scene
from engine.params import make_params
from engine.tape.block import Block, block_of_states
from engine.tape.spool import Spool
from engine.tape.store import load_take, save_take
from engine.tape.take import Take
from engine.tape.tape import Tape
from tests.bench import scenes, scenes_director
from tests.engine.golden.golden_takes import CASES

DT = 1 / 240  # s


@functools.cache
def stack() -> Take:
    """Three bricks, asleep from the second step on."""
    return forward(scenes.brick_stack(3), 0.4, DT)


@functools.cache
def flights() -> Take:
    """Boxes that come in by hand, fly and rest."""
    return backward(scenes_director.tower(3), 1.5, DT, seed=1)


@functools.cache
def held() -> Take:
    """Cards of which some are held until others lean on them."""
    return CASES["let go cards"]()


def spread(take: Take, change: Callable[[dict[str, np.ndarray]], None]) -> Take:
    other = take.tape.spread()
    arrays = dict(other.blocks[0].arrays)
    change(arrays)
    return with_blocks(take, [Block(other.steps, other.blocks[0].bodies, arrays)])


def with_blocks(take: Take, blocks: list[Block]) -> Take:
    tape, spool = take.tape, Spool()
    for block in blocks:
        spool.append(block)
    return replace(
        take, tape=Tape(tape.model, tape.params, tape.backward, spool, tape.first_energy, tape.damping, tape.released)
    )


def box(name: str, x: float, z: float, **how: Any) -> Body:
    return Body(name, Box((0.1, 0.1, 0.1)), (x, 0.0, z), material=scenes.material(), **how)


def asleep_for_ever(scene: Scene, steps: int = 30) -> Take:
    """Nothing on record but sleep."""
    model, params = compile_scene(scene), make_params(DT, scene.gravity)
    block = block_of_states(State(*(np.repeat(part[None], steps + 1, axis=0) for part in model.start)), np.zeros(steps))
    arrays = {**block.arrays, "asleep": np.packbits(np.ones((steps, len(model.names)), bool), axis=1)}
    spool = Spool()
    spool.append(Block(steps, block.bodies, arrays))
    return Take(scene, model, Tape(model, params, False, spool, 0.0), steps * DT, 0, False)


def read_again(take: Take, path: Path) -> Take:
    save_take(path / "take.npz", take)
    return load_take(path / "take.npz", take.scene)
