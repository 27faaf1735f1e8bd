"""The benchmarks of `foregone bench`: numbers only, the command prints them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

from engine.arrivals.options import Options
from engine.decide.plan import CONSTANT, make_plan
from engine.model.arrays import copy_state
from engine.model.compile import Model, compile_scene
from engine.params import DEFAULT_DT, FINAL_DT, PREVIEW_DT, Params, make_params
from engine.run import backward
from engine.scene.spec import Body, Scene, Sphere
from engine.step.backward import backward_step
from engine.step.forward import forward_step
from engine.step.scratch import Scratch, enlarge, forget, make_scratch
from engine.work.sample import sample
from tests.bench import scenes
from tests.bench.measure import Row, Tell
from tests.bench.mirror import inversion, mirror_run
from tests.bench.suite import CASES, run_case

PLAIN = Options(policy="constant", launch=False)


def certification(
    tell: Tell, names: Sequence[str] = tuple(CASES), steps: Sequence[float] = (PREVIEW_DT, FINAL_DT)
) -> list[Row]:
    """Every case of the suite: ours by the law and by a cold forward step, mirror Euler by the same forward step."""
    rows = []
    for number, (dt, name) in enumerate((dt, name) for dt in steps for name in names):
        tell(f"{name}, dt {dt:.4g}", number, len(steps) * len(names))
        row = run_case(name, dt)
        tape = row.take.tape
        ours = inversion(row.take.model, tape.params, [tape.state(i) for i in range(tape.steps + 1)])
        make, seconds = CASES[name]
        mirrored = mirror_run(make(), seconds, dt, PLAIN)
        mirror = inversion(*mirrored)
        rows.append(
            {
                "scene": name,
                "dt": dt,
                "steps": tape.steps,
                "contact_steps": row.report.contact_steps,
                "exact": row.report.exact_fraction,
                "tuned": row.report.fraction(1),
                "max_residual": row.report.max_residual,
                "replay_error": row.replay_error,
                "cold_reproduced": ours.share,
                "cold_largest": ours.largest,
                "mirror_reproduced": mirror.share,
                "mirror_largest": mirror.largest,
                "mirror_summed": mirror.summed,
                "mirror_steps": mirror.steps,
            }
        )
    return rows


def walls(tell: Tell, courses: int = 8, width: int = 12, repeats: int = 5) -> list[Row]:
    """One step of a brick wall, at rest in both directions of time and hit by a ball; cold, and from the last one."""
    wall = scenes.wall(courses, width)
    top = max(body.position[2] for body in wall.bodies) + 0.0325
    length = max(body.position[0] for body in wall.bodies)
    ball = Body("ball", Sphere(0.1), (length / 2, 0, top + 0.1), velocity=(0.3, 0.0, -3.0), material=scenes.material())
    struck = Scene(bodies=[*wall.bodies, ball])
    rows = []
    for number, (name, scene, direction) in enumerate(
        [("at rest, backward", wall, -1), ("at rest, forward", wall, 1), ("struck by a ball, forward", struck, 1)]
    ):
        tell(name, number, 3)
        model, params = compile_scene(scene), make_params(DEFAULT_DT, scene.gravity)
        times: dict[str, list[float]] = {"cold": [], "warm": []}
        residual, contacts = 0.0, 0
        s = make_scratch(model)
        for repeat in range(repeats + 1):  # the first one compiles and does not count
            for start in ("cold", "warm"):
                s.asleep[:] = False
                if start == "cold":
                    forget(s)
                begun = time.perf_counter()
                s, reached = _one_step(s, model, params, direction)
                residual = max(residual, reached)
                if repeat:
                    times[start].append(1e3 * (time.perf_counter() - begun))
                contacts = s.found
        rows.append(
            {
                "case": name,
                "bricks": len(wall.bodies),
                "contacts": contacts,
                "cold_ms": float(np.median(times["cold"])),
                "warm_ms": float(np.median(times["warm"])),
                "residual": residual,
            }
        )
    return rows


def _one_step(s: Scratch, model: Model, params: Params, direction: int) -> tuple[Scratch, float]:
    """The scratch (enlarged where it had to be) and the kick's residual."""
    state, other = copy_state(model.start), copy_state(model.start)
    nothing = np.zeros(len(model.names))
    plan = make_plan(CONSTANT, 0.0, {}, nothing, nothing)
    while True:
        if direction < 0:
            status, residual, _ = backward_step(s, plan, params.dt, params, state, other)
        else:
            status, residual = forward_step(s, params, state, state, other, False)
        if status == 0:
            return s, float(residual)
        s = enlarge(s, status)


def determinism(tell: Tell, count: int = 6, seconds: float = 1.0, dt: float = DEFAULT_DT) -> list[Row]:
    """One take, several ways to run it; every fingerprint must be the same."""
    scene = scenes.scattered_boxes(1, count)
    shuffled = Scene(bodies=[scene.bodies[i] for i in np.random.default_rng(0).permutation(count)])
    tell("in this process", 0, 4)
    expected = backward(scene, seconds, dt, 0)
    rows: list[Row] = [{"way": "in this process", "hash": expected.hash()}]
    rows.append({"way": "again", "hash": backward(scene, seconds, dt, 0).hash()})
    tell("bodies in another order", 1, 4)
    rows.append({"way": "bodies in another order", "hash": backward(shuffled, seconds, dt, 0).hash()})
    tell("in two other processes", 2, 4)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        takes = sample(scene, 2, seconds, 0, executor=pool, dt=dt)
    rows.append({"way": "in another process", "hash": next(take for take in takes if take.seed == 0).hash()})
    for row in rows:
        row["same"] = row["hash"] == expected.hash()
    return rows
