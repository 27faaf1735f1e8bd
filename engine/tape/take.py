"""Take: a kept run - the request, the tape and what the artist sees of it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from engine.algebra import each_times
from engine.model.arrays import State
from engine.model.compile import Model, poses_of
from engine.scene.film import SAME_MOMENT
from engine.scene.spec import Scene
from engine.scene.vectors import as_vector
from engine.shapes.turns import rotation_matrices
from engine.tape.origin import Origin, overtaken
from engine.tape.release import Release, packed
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
    made: Origin | None = None  # what it was made of, when it was read from a file

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

    @cached_property
    def overtaken(self) -> tuple[str, ...]:
        """By which edits of the scene, in sentences. (Edits of poses are found when a take is read.)"""
        return tuple(overtaken(self.made, self.tape.params, self.scene))

    def authored_pose(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions (n, 3) and orientations (n, 4) of the scene, bit for bit."""
        positions = np.array([body.position for body in self.scene.bodies], float).reshape(-1, 3)
        return positions, np.array([body.orientation for body in self.scene.bodies], float).reshape(-1, 4)

    @cached_property
    def positions(self) -> np.ndarray:
        """(k, n, 3) m, of the authored body origins. The authored pose itself is returned bit for bit."""
        positions = poses_of(self.model, *self._shown)[:, self.model.row_of]
        positions[self._authored] = self.authored_pose()[0]
        return positions

    @cached_property
    def orientations(self) -> np.ndarray:
        """(k, n, 4) w x y z."""
        orientations = self._shown[1][:, self.model.row_of]
        orientations[self._authored] = self.authored_pose()[1]
        return orientations

    @cached_property
    def _shown(self) -> tuple[np.ndarray, np.ndarray]:
        """Centres of mass (k, n, 3) and orientations (k, n, 4); before its release a body is where its hand has it."""
        x, q = self.tape.x, self.tape.q
        rows = np.flatnonzero(self.tape.releases.step)
        if len(rows):
            x, q = x.copy(), q.copy()
        for row in map(int, rows):
            until = int(self.tape.releases.step[row])
            x[:until, row], q[:until, row] = self.in_hand(row, np.arange(until))
        return x, q

    def in_hand(self, row: int, steps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Centre of mass (m, 3) and orientation (m, 4) of a body (row of the model) at steps before its release."""
        releases = self.tape.releases
        hand = releases.hands.get(row)
        if hand is not None:
            return hand.at(steps, self.tape.params.dt)
        state = self.tape.state(int(releases.step[row]))
        return np.repeat(state.x[row][None], len(steps), axis=0), np.repeat(state.q[row][None], len(steps), axis=0)

    @cached_property
    def releases(self) -> dict[str, Release]:
        """By the name of every body that moves or is let go: where physics takes over."""
        tape, model = self.tape, self.model
        releases, first = tape.releases, float(self.times[0])
        state = self._let_go()
        places = poses_of(model, state.x, state.q)
        found = {}
        for body, row in zip(self.scene.bodies, map(int, model.row_of), strict=True):
            if body.static:
                continue
            step = int(releases.step[row])
            ends = step == (tape.steps if self.backward else 0)
            x = np.array(body.position) if ends else places[row]
            turn = rotation_matrices(state.q[row])
            own = each_times(model.bodies.inverse_inertia[row], each_times(turn.T, state.l[row]))
            found[body.name] = Release(
                time=first + step * tape.params.dt,
                position=as_vector(x),
                orientation=tuple(map(float, state.q[row])),  # type: ignore[arg-type]
                velocity=as_vector(state.v[row]),
                angular_velocity=as_vector(each_times(turn, own)),
                how=releases.how[row] or "flight",
                held=bool(releases.held[row]),
                seen=first + int(releases.shown[row]) * tape.params.dt,
            )
        return found

    def _let_go(self) -> State:
        """Of all bodies, each where it is let go: one block after another is opened for them, once."""
        step, end = self.tape.releases.step, self.tape.state(self.tape.steps)
        found = State(*(part.copy() for part in end))
        for opened in self.tape.opened():
            here = np.flatnonzero((step >= opened.first) & (step < opened.first + opened.block.steps))
            for part, whole in zip(found, opened.states, strict=True):
                part[here] = whole[step[here] - opened.first, here]
        return found

    @cached_property
    def seen_from(self) -> np.ndarray:
        """(n,) s on `times`, of the scene's bodies: when each is first shown; those of the first moment always are."""
        return self.times[0] + self.tape.releases.shown[self.model.row_of] * self.tape.params.dt

    def shown_at(self, times: float | np.ndarray) -> np.ndarray:
        """(n,) bool: which of the scene's bodies are to be seen at a moment; of m moments (m, n). Before the first
        state its moment counts, as for poses."""
        moments = np.maximum(np.asarray(times, float), self.times[0])[..., None]
        return np.asarray(self.seen_from <= moments + SAME_MOMENT)

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
        if self.tape.released is not None:
            for name, array in packed(self.tape.released).items():
                digest.update(f"{name} {array.shape}".encode())
                digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()
