"""A brief: an ending, what is asked of the way to it, and what follows from these, found out once for all who ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from engine.algebra import norm
from engine.arrivals.along import ways_along
from engine.arrivals.enclosed import WayOut, ways_out
from engine.arrivals.ending import Ending, ending_of
from engine.arrivals.hints import hinted_launches
from engine.arrivals.options import Options
from engine.arrivals.stage import StageBox, stage_of
from engine.arrivals.structure import Structure, structure_of
from engine.contact.energy import own_energies
from engine.decide.launch import Launch, level_axes, random_launch
from engine.model.compile import Model
from engine.params import Params
from engine.scene.entrance import Entrance
from engine.scene.nearest import entrances_of
from engine.scene.spec import Body, Scene
from engine.tape.drive import ON_REQUEST, Progress
from engine.vec import turned_back


class Stopped(Exception):
    """The artist does not want to wait."""


@dataclass(frozen=True)
class Brief:
    """Bodies go by the model's rows."""

    scene: Scene
    model: Model
    params: Params
    steps: int
    seconds: float  # as asked: steps times params.dt but for rounding
    seed: int = 0
    options: Options = field(default_factory=Options)
    progress: Progress | None = None
    sleep: bool = True  # of a run together, like the next two (run.py)
    clock: np.ndarray | None = None
    explodes_at: float | None = None
    told: list[str] = field(default_factory=list)  # notes on what was asked and nobody can do

    def tell(self, done: int) -> None:
        """How many steps are done, or would be; raises Stopped when nobody wants the rest."""
        if self.progress is not None and self.progress(done, self.steps) is False:
            raise Stopped

    def stopped_after(self, steps: int) -> str:
        return f"{ON_REQUEST} after {steps} of {self.steps} steps"

    @cached_property
    def moves(self) -> np.ndarray:
        """(n,) bool: bodies that are not static."""
        return self.model.bodies.inverse_mass > 0.0

    @cached_property
    def bodies(self) -> dict[int, Body]:
        """All of the scene, in its order."""
        return {int(row): body for body, row in zip(self.scene.bodies, self.model.row_of, strict=True)}

    @cached_property
    def staying(self) -> frozenset[int]:
        """Who is to stay at rest."""
        return frozenset(row for row, body in self.bodies.items() if body.leaves == "never" and not body.static)

    @cached_property
    def entrances(self) -> dict[int, Entrance]:
        """What is asked of the way in which each moving body enters."""
        found = zip(self.bodies.items(), entrances_of(self.scene, self.bodies.values()), strict=True)
        return {row: entrance for (row, body), entrance in found if not body.static}

    @cached_property
    def lets_go(self) -> bool:
        """Whether bodies are let go, or are all under way from the first frame."""
        if not self.scene.entrances and self.options.arrivals != "natural":
            return False
        return any(entrance.kind != "flight" for entrance in self.entrances.values())

    @cached_property
    def unsettled(self) -> str:
        """Why bodies did not come to rest each by itself, "" when they did."""
        moves, start = self.moves, self.model.start
        if len(self.model.joints.kind):
            return "some are held together by joints"
        if not self.model.gravity.any():
            return "there is no gravity to bring them to rest"
        if start.v[moves].any() or start.l[moves].any():
            return "the ending is in motion"
        return ""

    @cached_property
    def in_turn(self) -> bool:
        """Whether each body comes to rest before those that it will carry; else all go back together."""
        found = self.options.arrivals == "ahead" or (self.options.arrivals == "natural" and self.lets_go)
        return found and self.options.searches and not self.unsettled

    @cached_property
    def ways_out(self) -> Mapping[int, WayOut]:
        """Of those who are let go, are enclosed, and of whose way in nothing is asked."""
        if not self.lets_go:
            return {}
        free = set(self.entrances) - self.staying - set(self.launches)
        return ways_out(self.scene, self.model, [row for row in sorted(free) if self.entrances[row].asks_nothing])

    @cached_property
    def stage(self) -> StageBox:
        return stage_of(self.scene, self.model)

    @cached_property
    def ending(self) -> Ending:
        return ending_of(self.model)

    @cached_property
    def structure(self) -> Structure:
        return structure_of(self.model)

    @cached_property
    def directed(self) -> tuple[Scene, tuple[str, ...]]:
        """The scene with hints for those who are to come in along the ground, and notes."""
        if not self.lets_go:
            return self.scene, ()
        hints, notes = ways_along(self.scene, self.model, self.ending, self.entrances, self.seed)
        return replace(self.scene, hints=[*self.scene.hints, *hints]) if hints else self.scene, notes

    @cached_property
    def hinted(self) -> tuple[dict[int, Launch], tuple[str, ...]]:
        """What hints ask for, and notes."""
        scene, notes = self.directed
        if not scene.hints:
            return {}, notes
        dt, later = self.params.dt, self.structure.carried if self.in_turn else None
        launches, left_out = hinted_launches(scene, self.model, self.ending, dt, self.seed, self.lets_go, later)
        return launches, (*notes, *left_out)

    @cached_property
    def launches(self) -> dict[int, Launch]:
        """What hints ask of those who do not stay."""
        return {row: launch for row, launch in self.hinted[0].items() if row not in self.staying}

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What could not be kept of the hints."""
        left_out = sorted(self.staying & set(self.hinted[0]))
        names = (self.model.names[row] for row in left_out)
        return *self.hinted[1], *(f'"{name}" stays at rest, as asked: its hint is left out' for name in names)

    def landing(self, row: int, time: float, energy: float, rng: np.random.Generator) -> Launch:
        """One by chance, `time` s before the end, with up to `energy` J/kg."""
        size, friction = float(self.model.bodies.size[row]), self.bodies[row].material.friction
        return random_launch(row, time, energy, friction, size, self._axes, rng)

    @cached_property
    def _axes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Up, against gravity, and two level ones."""
        up = -self.model.gravity / norm(self.model.gravity)
        return up, *level_axes(up)

    @cached_property
    def heights(self) -> np.ndarray:
        """(n,) m: of each centre of mass over the body's lowest point at the ending."""
        geometry, start = self.model.geometry, self.model.start
        height = np.zeros(len(self.model.names))
        gravity = norm(self.model.gravity)
        down = self.model.gravity / gravity if gravity > 0.0 else np.array([0.0, 0.0, -1.0])
        body = geometry.part_body
        seen = turned_back(start.q, down)[body]  # downward as the body of each part sees it
        axis = np.abs((geometry.part_axis * seen).sum(1))
        reach = (geometry.part_center * seen).sum(1) + geometry.part_half * axis + geometry.part_radius
        corners = np.diff(geometry.vert_start)
        owner = np.repeat(np.arange(len(body)), corners)
        lowest = np.full(len(body), -np.inf)
        np.maximum.at(lowest, owner, (geometry.verts * seen[owner]).sum(1))
        np.maximum.at(height, body, np.where(corners > 0, lowest, reach))
        height[~self.moves] = 0.0
        return height

    @cached_property
    def ending_energy(self) -> np.ndarray:
        """(n,) J"""
        energy = np.zeros(len(self.model.names))
        own_energies(self.model.bodies, self.params, self.model.start, energy)
        return energy

    @cached_property
    def budget(self) -> np.ndarray:
        """(n,) J over its energy at the ending that a body may have had, with room for what its hints ask."""
        mass, moves = self.model.bodies.mass, self.moves
        gravity = norm(self.model.gravity)
        room = self.options.budget_heights * np.where(moves, mass, 0.0) * gravity * self.heights
        budget = np.where(moves, room, 0.0)
        for row, launch in self.launches.items():
            budget[row] = max(budget[row], 2.0 * mass[row] * _asked_energy(launch))
        return budget


def _asked_energy(launch: Launch) -> float:
    """J/kg, the most that a chain of hints asks for."""
    own = max(launch.energy, 0.0 if launch.slide or launch.roll else 0.5 * sum(v * v for v in launch.velocity))
    return own if launch.then is None else max(own, _asked_energy(launch.then))
