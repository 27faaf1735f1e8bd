"""Other engines as runners of our scenes: rapier3d and MuJoCo, one thread, on spheres, boxes and the ground plane.

A runner is built once, put back to the start by `reset`, and stepped by `run`; only `run` is timed. Both are
development dependencies: nothing of the engine needs them.
"""

from __future__ import annotations

import importlib
from typing import Any, Protocol

import numpy as np

from engine.errors import ForegoneError
from engine.scene.spec import Body, Box, Scene, Sphere

MUJOCO_ARENA = 1 << 30  # bytes for contacts and solver; the pile needs several hundred megabytes


class Runner(Protocol):
    """One engine with one scene. Poses are in the order of scene.bodies."""

    name: str

    def reset(self) -> None:
        """Back to the scene's poses and velocities."""

    def run(self, steps: int) -> None: ...

    def poses(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions (n, 3) m and orientations (n, 4) w x y z."""

    def asleep(self) -> float:
        """Share of moving bodies that sleep."""


def need(module: str) -> Any:
    """Import a peer, or say what is missing."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ForegoneError(
            f"foregone bench needs the development extras ({module} is not installed): pip install 'foregone[dev]'"
        ) from error


class Rapier:
    """rapier3d with its default settings (single precision); bodies may sleep, as by default, or not."""

    name = "rapier3d"

    def __init__(self, scene: Scene, dt: float, sleep: bool = True) -> None:
        self._rapier, self._scene, self._dt, self._sleep = need("rapier3d"), scene, dt, sleep
        self.reset()

    def reset(self) -> None:
        """A new world: putting bodies back would keep contacts and sleepers of the last run."""
        rapier = self._rapier
        self._world = rapier.PhysicsWorld(gravity=self._scene.gravity)
        self._world.set_num_threads(1)
        self._world.integration_parameters.dt = self._dt
        self._handles = []
        if self._scene.ground:
            self._world.add_collider(
                self._surface(rapier.Collider.halfspace((0.0, 0.0, 1.0)), _resting_on(self._scene))
            )
        for body in self._scene.bodies:
            pose = rapier.Isometry3(body.position, rapier.Rotation3(*body.orientation))
            if body.static:
                builder = rapier.RigidBody.fixed().position(pose)
            else:
                builder = rapier.RigidBody.dynamic().position(pose).linvel(body.velocity).angvel(body.angular_velocity)
                builder = builder.can_sleep(self._sleep)
            self._handles.append(self._world.add_body(builder, [self._surface(self._shape(body), body)]))

    def _shape(self, body: Body) -> Any:
        if isinstance(body.shape, Sphere):
            return self._rapier.Collider.ball(body.shape.radius)
        return self._rapier.Collider.cuboid(*_half(body))

    @staticmethod
    def _surface(collider: Any, body: Body) -> Any:
        material = body.material
        return collider.density(material.density).friction(material.friction).restitution(material.restitution)

    def run(self, steps: int) -> None:
        step = self._world.step
        for _ in range(steps):
            step()

    def poses(self) -> tuple[np.ndarray, np.ndarray]:
        bodies = [self._world.rigid_bodies[handle] for handle in self._handles]
        q = np.array([(r.w, r.i, r.j, r.k) for r in (body.rotation for body in bodies)])
        x = np.array([(body.translation.x, body.translation.y, body.translation.z) for body in bodies])
        return x, q / np.linalg.norm(q, axis=1, keepdims=True)

    def asleep(self) -> float:
        moving = [handle for handle, body in zip(self._handles, self._scene.bodies, strict=True) if not body.static]
        return float(np.mean([self._world.rigid_bodies[handle].is_sleeping for handle in moving]))


class MuJoCo:
    """MuJoCo with its default settings: Newton, or conjugate gradients where a Newton step would be too costly.

    Bodies do not sleep, as by default, whether they may or not."""

    name = "mujoco"
    MOST_FOR_NEWTON = 500  # boxes in one heap

    def __init__(self, scene: Scene, dt: float, sleep: bool = False) -> None:
        self._mujoco, self._scene = need("mujoco"), scene
        self._model = self._compiled(dt)
        self._data = self._mujoco.MjData(self._model)
        self._rows = [self._model.body(_key(i)).id for i in range(len(scene.bodies))]
        self.reset()

    def _compiled(self, dt: float) -> Any:
        mujoco, scene = self._mujoco, self._scene
        spec = mujoco.MjSpec()
        spec.option.timestep, spec.option.gravity, spec.memory = dt, scene.gravity, MUJOCO_ARENA
        boxes = sum(isinstance(body.shape, Box) and not body.static for body in scene.bodies)
        spec.option.solver = (
            mujoco.mjtSolver.mjSOL_CG if boxes > self.MOST_FOR_NEWTON else mujoco.mjtSolver.mjSOL_NEWTON
        )
        if scene.ground:
            friction = [_resting_on(scene).material.friction, 0.0, 0.0]
            spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1], friction=friction)
        for i, body in enumerate(scene.bodies):
            owner = spec.worldbody.add_body(name=_key(i), pos=body.position, quat=body.orientation)
            if not body.static:
                owner.add_freejoint()
            ball = isinstance(body.shape, Sphere)
            owner.add_geom(
                type=mujoco.mjtGeom.mjGEOM_SPHERE if ball else mujoco.mjtGeom.mjGEOM_BOX,
                size=[body.shape.radius, 0, 0] if isinstance(body.shape, Sphere) else _half(body),
                density=body.material.density,
                friction=[body.material.friction, 0.0, 0.0],
            )
        return spec.compile()

    def reset(self) -> None:
        """Angular velocities of free joints are in the body frame."""
        self._mujoco.mj_resetData(self._model, self._data)
        moving = [body for body in self._scene.bodies if not body.static]
        speeds = self._data.qvel.reshape(-1, 6)
        for row, body in zip(speeds, moving, strict=True):
            row[:3] = body.velocity
            back = np.array(body.orientation) * (1, -1, -1, -1)
            self._mujoco.mju_rotVecQuat(row[3:], np.array(body.angular_velocity, float), back)

    def run(self, steps: int) -> None:
        self._mujoco.mj_step(self._model, self._data, steps)

    def poses(self) -> tuple[np.ndarray, np.ndarray]:
        self._mujoco.mj_kinematics(self._model, self._data)
        return self._data.xpos[self._rows].copy(), self._data.xquat[self._rows].copy()

    def asleep(self) -> float:
        return 0.0  # it does not, by default


def _key(i: int) -> str:
    return f"body{i}"


def _half(body: Body) -> tuple[float, float, float]:
    if not isinstance(body.shape, Box):
        raise ValueError(f"{body.name}: peers run spheres and boxes, not {type(body.shape).__name__}")
    return body.shape.half


def _resting_on(scene: Scene) -> Body:
    """The body whose material the neutral ground takes on (the scenes have one material)."""
    return next(body for body in scene.bodies if not body.static)
