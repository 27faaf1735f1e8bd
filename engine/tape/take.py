"""Take: a kept run - the request, the tape and what the artist sees of it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from engine.algebra import each_times
from engine.model.compile import Model, poses_of
from engine.scene.spec import Scene
from engine.shapes.turns import rotation_matrices
from engine.tape.tape import Tape


@dataclass(frozen=True, repr=False)
class Take:
    """Arrays are in forward time; body columns are those of scene.bodies, in order.

    Poses are those of the states, which overlap by up to speed times dt at impacts; engine.Path shows them without."""

    scene: Scene
    model: Model
    tape: Tape
    seconds: float  # asked for
    seed: int
    backward: bool  # True: the last state is the authored ending; False: the first state is the authored start
    stopped: str | None = None  # why the run ended early, None when it did not
    notes: tuple[str, ...] = field(default=())  # what could not be done as asked

    def __repr__(self) -> str:
        direction = "backward" if self.backward else "forward"
        end = f", {self.stopped}" if self.stopped else ""
        return f"Take({direction}, {self.model.count} bodies, {self.tape.steps} steps, seed {self.seed}{end})"

    @cached_property
    def times(self) -> np.ndarray:
        """(k,) s, increasing; the ending is at `seconds`."""
        k = self.tape.steps + 1
        dt = self.tape.params.dt
        if not self.backward:
            return np.arange(k) * dt
        return self.seconds - dt * np.arange(k - 1, -1, -1)

    def authored_pose(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions (n, 3) and orientations (n, 4) of the scene, bit for bit."""
        positions = np.array([body.position for body in self.scene.bodies], float).reshape(-1, 3)
        return positions, np.array([body.orientation for body in self.scene.bodies], float).reshape(-1, 4)

    @cached_property
    def positions(self) -> np.ndarray:
        """(k, n, 3) m, of the authored body origins. The authored pose itself is returned bit for bit."""
        positions = poses_of(self.model, self.tape.x, self.tape.q)[:, self.model.row_of]
        positions[self._authored] = self.authored_pose()[0]
        return positions

    @cached_property
    def orientations(self) -> np.ndarray:
        """(k, n, 4) w x y z."""
        orientations = self.tape.q[:, self.model.row_of]
        orientations[self._authored] = self.authored_pose()[1]
        return orientations

    @property
    def _authored(self) -> int:
        return -1 if self.backward else 0

    @property
    def velocities(self) -> np.ndarray:
        """(k, n, 3) m/s, of the centres of mass."""
        return self.tape.v[:, self.model.row_of]

    @cached_property
    def angular_velocities(self) -> np.ndarray:
        """(k, n, 3) rad/s, world axes."""
        rows = self.model.row_of
        turn = rotation_matrices(self.tape.q[:, rows])
        body = each_times(turn.swapaxes(-1, -2), self.tape.l[:, rows])
        body = each_times(self.model.bodies.inverse_inertia[rows], body)
        return each_times(turn, body)

    @property
    def energy(self) -> np.ndarray:
        """(k,) J, kinetic plus potential of all moving bodies."""
        return self.tape.energy

    def hash(self) -> str:
        """Fingerprint of the motion: states, impulses and decisions, bit for bit."""
        digest = hashlib.sha256()
        for opened in self.tape.opened():
            columns = [opened.start, opened.column("impulse"), opened.column("tier"), *opened.states]
            if opened.joint_count:
                columns += [opened.joints.joint_impulse, opened.joints.limit_impulse]
            for array in columns:
                digest.update(str(array.shape).encode())
                digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()
