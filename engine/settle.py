"""Settle: let bodies come to rest from where they are, and say where.

The fast engine does the falling, without bounces and with a little drag, so that things come to rest near
where they were put. Then `polish` makes the poses touch exactly, and a short run of the exact engine tells whether they
really rest; what does not is let go again from there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np

from engine.fast.world import FastWorld
from engine.lay_flat import lay_flat
from engine.model.arrays import State, copy_state
from engine.model.compile import Model, compile_scene, poses_of
from engine.params import PREVIEW_DT
from engine.polish import polish
from engine.rest import REST_OF_POLISHED_BODY, REST_OF_SETTLED_BODY
from engine.run import forward
from engine.scene.settled import Poses, Settled
from engine.scene.spec import Body, Scene

LIMIT = 30.0  # s of simulated time
CHUNK = 0.03  # s of computing between two looks at the caller's wish
BEAT = 8  # steps between two looks at who moves; fixed, so that the same scene settles the same way
TEST_SECONDS = 0.25  # of the exact engine
SLIGHT = 1e-3  # m: what moved less only has to be polished again
ATTEMPTS = 3
DRAG = 0.7  # 1/s: while settling, so that a ball does not roll on for ever; unlike friction it holds nothing on a slope
SHALLOW, PUSHES = 1e-3, 240  # m, steps: overlaps deeper than this are pushed apart first, for at most so long
FALLEN = 20.0  # m below everything: it will not come back

Stage: TypeAlias = Literal["settling", "polishing", "testing"]
Watch: TypeAlias = Callable[[Stage, int, int, Callable[[], Poses]], bool | None]
"""Told (stage, bodies at rest, bodies in all, what reads their poses now); returning False stops."""


def settle(scene: Scene, ids: Collection[str] | None = None, watch: Watch | None = None) -> Settled:
    """Resting poses of the bodies `ids` (None: all that are not static); the others are held where they are, and so is
    what has joints: these belong to the final poses.

    Raises SceneError when the scene has errors. Velocities count as zero: an ending is where things come to rest."""
    jointed = {body.id for joint in scene.joints for key in (joint.a, joint.b) if (body := scene.find(key))}
    free = {body.id for body in scene.bodies if not body.static} - jointed
    chosen = free if ids is None else free & set(ids)
    run = _Run(scene, chosen, watch or (lambda *_: None))
    return run.settle()


class _Run:
    def __init__(self, scene: Scene, chosen: set[str], watch: Watch) -> None:
        bodies = [_held(body, body.id in chosen) for body in scene.bodies]
        self.scene = replace(scene, bodies=bodies, hints=[], joints=[], entrances=[])
        self.model: Model = compile_scene(self.scene)
        dead = self.model.bodies._replace(restitution=np.zeros_like(self.model.bodies.restitution))
        self.world = FastWorld(replace(self.model, bodies=dead), PREVIEW_DT)
        self.rows = np.flatnonzero(self.model.bodies.inverse_mass > 0.0)
        self.fallen = np.zeros(len(self.model.names), bool)
        self.watch = watch
        self.stopped = False
        self.seconds = 0.0

    def settle(self) -> Settled:
        self._push_apart()
        self._fall()
        resting = copy_state(self.world.state)
        for attempt in range(ATTEMPTS):
            if self.stopped or not polish(self.model, resting, self._go_on):
                return self._result(self.world.state, self._awake())
            self._tell("testing", len(self.rows))
            end = self._tested(resting)
            if self.stopped:
                return self._result(resting, self._awake())
            moved = self._moved(resting, end)
            if not len(moved) or attempt + 1 == ATTEMPTS or self.seconds >= LIMIT:
                break
            if np.linalg.norm(end.x - resting.x, axis=1)[moved].max() > SLIGHT:
                self.world.reset(end)
                self._fall()
                end = copy_state(self.world.state)
            resting = end
        moving = np.union1d(self._moved(resting, end, REST_OF_SETTLED_BODY), self._awake())
        lay_flat(self.model, resting)
        return self._result(resting, moving)

    def _push_apart(self) -> None:
        """Bodies through each other go apart without keeping any speed from it, else they would fly."""
        for _ in range(PUSHES):
            self.world.run(1)
            self.world.state.v[:], self.world.state.l[:] = 0.0, 0.0
            if self.world.penetration() < SHALLOW or not self._tell("settling", 0):
                return

    def _fall(self) -> None:
        down = self.model.gravity / max(float(np.linalg.norm(self.model.gravity)), 1e-300)
        lowest = float((self.world.state.x @ down).max()) + FALLEN
        drag = float(np.exp(-DRAG * BEAT * PREVIEW_DT))
        told = time.perf_counter()
        while not self.world.at_rest and self.seconds < LIMIT and not self.stopped:
            self.seconds += self.world.run(BEAT) * PREVIEW_DT
            self.world.state.v[:] *= drag
            self.world.state.l[:] *= drag
            moving = self._awake()
            self.fallen[moving] = self.world.state.x[moving] @ down > lowest
            if self.fallen[moving].all():
                break
            if time.perf_counter() - told > CHUNK:
                self._tell("settling", int(self.world.asleep.sum()))
                told = time.perf_counter()

    def _awake(self) -> np.ndarray:
        return self.rows[~self.world.asleep[self.rows]]

    def _tested(self, resting: State) -> State:
        """Where the exact engine brings the poses, which stay as they are when they rest."""
        poses = self._poses(resting)
        placed = replace(
            self.scene,
            bodies=[
                replace(body, position=poses[body.id][0], orientation=poses[body.id][1]) if body.id in poses else body
                for body in self.scene.bodies
            ],
        )
        take = forward(placed, TEST_SECONDS, progress=lambda *_: self._tell("testing", len(self.rows)))
        return copy_state(take.tape.state(take.tape.steps))

    def _moved(self, before: State, after: State, limit: float = REST_OF_POLISHED_BODY) -> np.ndarray:
        way = np.linalg.norm(after.x - before.x, axis=1)
        turn = 2.0 * np.linalg.norm(after.q - before.q * np.sign((after.q * before.q).sum(1))[:, None], axis=1)
        far = way + turn * self.model.bodies.size > limit
        return self.rows[far[self.rows] & ~self.fallen[self.rows]]

    def _go_on(self) -> bool:
        return self._tell("polishing", len(self.rows))

    def _tell(self, stage: Stage, at_rest: int) -> bool:
        if self.watch(stage, at_rest, len(self.rows), lambda: self._poses(self.world.state)) is False:
            self.stopped = True
        return not self.stopped

    def _poses(self, state: State) -> Poses:
        places, turns = poses_of(self.model, state.x, state.q).tolist(), state.q.tolist()
        return {self.model.ids[i]: (tuple(places[i]), tuple(turns[i])) for i in self.rows if not self.fallen[i]}

    def _result(self, state: State, moving: np.ndarray) -> Settled:
        away = self.fallen[moving]
        ids = self.model.ids
        poses = self._poses(state)
        poses |= {b.id: (b.position, b.orientation) for b in self.scene.bodies if not b.static and b.id not in poses}
        return Settled(
            poses,
            moving=tuple(ids[i] for i in moving[~away]),
            fallen=tuple(ids[i] for i in moving[away]),
            seconds=self.seconds,
            stopped=self.stopped,
        )


def _held(body: Body, free: bool) -> Body:
    """At rest; fixed unless it is let go."""
    return replace(body, velocity=(0.0, 0.0, 0.0), angular_velocity=(0.0, 0.0, 0.0), static=not free, arrival=None)
