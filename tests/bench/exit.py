"""The box with a single exit (Twigg and James 2008, section 4): does what rests in it find its way out?"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from engine import backward
from engine.certificate.audit import certify
from engine.commands.demo_scenes import ball_with_one_exit, die_with_one_exit
from engine.scene.spec import Scene
from engine.tape.take import Take
from tests.bench.measure import Row, Tell

BOXES: Mapping[str, Callable[[], Scene]] = {"ball": ball_with_one_exit, "die": die_with_one_exit}
WALL = (0.3, 0.32)  # m along x, with the exit
EXIT = ((-0.06, 0.06), (0.18, 0.3))  # m along y and z
SECONDS = 3.0


def exits(tell: Tell, seeds: int = 10, bodies: Sequence[str] = tuple(BOXES)) -> list[Row]:
    """The first take of a process pays for starting; it is not counted."""
    rows: list[Row] = []
    for name in bodies:
        make = BOXES[name]
        backward(make(), seconds=0.5, seed=0)
        out, exact, cpu = 0, [], []
        for seed in range(seeds):
            tell(name, seed, seeds)
            began = time.process_time()
            take = backward(make(), seconds=SECONDS, seed=seed)
            cpu.append(time.process_time() - began)
            out += came_through(take)
            exact.append(certify(take).exact_in_motion)
        rows.append(
            {
                "body": name,
                "takes": seeds,
                "through_exit": out,
                "exact_in_motion": float(np.mean(exact)),
                "cpu_s": float(np.mean(cpu)),
                "cpu_s_worst": max(cpu),
            }
        )
    return rows


def came_through(take: Take) -> bool:
    """Whether the body was let go outside, and crossed the wall once and in the exit; it moved by less than the wall is
    thick in every step."""
    row = int(take.model.row_of[0])
    x = take.tape.x[int(take.tape.releases.step[row]) :, row]
    inside = x[:, 0] < WALL[0]
    crossing = x[(x[:, 0] >= WALL[0]) & (x[:, 0] <= WALL[1])]
    (y, z) = EXIT
    in_exit = (crossing[:, 1] > y[0]) & (crossing[:, 1] < y[1]) & (crossing[:, 2] > z[0]) & (crossing[:, 2] < z[1])
    slow = np.linalg.norm(np.diff(x, axis=0), axis=1).max() < WALL[1] - WALL[0]
    return bool(not inside[0] and inside[-1] and slow and len(crossing) and in_exit.all())
