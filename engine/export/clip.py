"""Clip: a take as a program wants it. Frames, bodies with legal names, surfaces and curves, in its unit and axes.

Writers read a clip and nothing else; none of them steps physics or knows what a tape is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from engine.export.appearing import Switch, note, switches
from engine.export.axes import Axes
from engine.export.dice import body_surface
from engine.export.facts import body_facts, take_facts
from engine.export.frames import Frames, Span, frames_of
from engine.export.motion import TakeMotion
from engine.export.names import legal_names
from engine.export.pivots import pivots_of
from engine.export.rotations import blend, continuous, euler, slerp, unrolled
from engine.export.settings import Settings
from engine.export.spinning import fast_spinners, too_fast
from engine.export.thin import kept_keys
from engine.scene.colors import body_color
from engine.scene.dice import is_die
from engine.scene.spec import Body, Scene
from engine.shapes.surface import Surface, shape_key
from engine.tape.take import Take

Progress = Callable[[float], None]
"""Hears how far it is, from 0 to 1, and may raise to stop."""
SAMPLED = 0.3  # share of an export's time that reading the motion takes


@dataclass(frozen=True)
class Track:
    """Keys of one body: frames (k,) float as the file counts them, positions (k, 3), orientations (k, 4)."""

    frames: np.ndarray
    positions: np.ndarray
    orientations: np.ndarray
    turned: np.ndarray | None = None  # (k, 3) rad, unrolled when every frame was there: left-out keys still count

    @cached_property
    def angles(self) -> np.ndarray:
        """(k, 3) degrees about x, then y, then z, without jumps."""
        return np.degrees(unrolled(euler(self.orientations)) if self.turned is None else self.turned)


@dataclass(frozen=True)
class Actor:
    """A body as it is written."""

    body: Body
    name: str  # legal, and no other actor's
    color: str  # "#rrggbb"
    surface: Surface
    moves: bool  # anywhere in the frames
    keyed: bool  # it gets keys
    track: Track  # one key when it is not keyed
    facts: dict[str, Any]
    switches: tuple[Switch, ...] = ()  # when it is shown and when not; none: always


@dataclass(frozen=True)
class Clip:
    name: str
    settings: Settings
    axes: Axes
    frames: Frames
    actors: tuple[Actor, ...]
    positions: np.ndarray  # (F, n, 3) of all actors at all frames
    orientations: np.ndarray  # (F, n, 4) w x y z, neighbours with a product >= 0
    shown: np.ndarray  # (F, n) bool: is it to be seen?
    facts: dict[str, Any]  # of the take; empty when they are not wanted
    notes: tuple[str, ...]  # what the artist should know

    @property
    def fps(self) -> float:
        return self.frames.fps

    @property
    def first(self) -> int:
        return int(self.frames.numbers[0])

    @property
    def last(self) -> int:
        return int(self.frames.numbers[-1])

    @property
    def all_shown(self) -> bool:
        """In all frames; then no file says anything about it."""
        return bool(self.shown.all())

    @property
    def ending(self) -> int | None:
        """Number of the frame with the authored pose."""
        return None if self.frames.ending is None else int(self.frames.numbers[self.frames.ending])


def clip_of(
    take: Take,
    settings: Settings,
    after: Take | None = None,
    name: str = "",
    progress: Progress | None = None,
    tiers: Sequence[float] | None = None,
    called: str = "",
) -> Clip:
    """`name` is that of the whole, the same for every take of a project; `called` is the take's own. `after` goes on
    from the authored frame of `take`; `tiers` are its shares of contact steps, when known already. Raises ExportError
    for what cannot be done."""
    settings = settings.settled()
    motion = TakeMotion(take, after, {} if settings.kind.pictures else pivots_of(take.scene))
    frames = frames_of(motion.span, settings)
    tell = progress or (lambda share: None)
    positions, orientations = motion.sampled(frames.times, lambda share: tell(SAMPLED * share))
    anchor = frames.ending if frames.ending is not None else frames.count - 1
    axes = Axes(settings.unit, settings.up, settings.hand)
    scene = take.scene
    title = name or scene.name or "Foregone"
    spinners = fast_spinners(motion, frames) if frames.count > 1 else {}
    keys = _Keys(settings, axes, frames, motion, anchor, axes.points(positions),
                 continuous(axes.quaternions(orientations), anchor), take.shown_at(frames.times), spinners)  # fmt: skip
    return Clip(
        name=title,
        settings=settings,
        axes=axes,
        frames=frames,
        actors=_actors(scene, keys),
        positions=keys.positions,
        orientations=keys.orientations,
        shown=keys.shown,
        facts=take_facts(take, called or f"seed {take.seed}", after, tiers) if settings.extras else {},
        notes=_notes(scene, motion.span, keys),
    )


@dataclass(frozen=True)
class _Keys:
    """What the keys of all bodies are made from."""

    settings: Settings
    axes: Axes
    frames: Frames
    motion: TakeMotion
    anchor: int
    positions: np.ndarray  # in the program's axes
    orientations: np.ndarray
    shown: np.ndarray  # (F, n)
    spinners: dict[int, np.ndarray]  # body -> frame numbers between whole frames

    @cached_property
    def angles(self) -> np.ndarray:
        """(F, n, 3) rad of all bodies: at once, which takes a hundredth of the time of one after another."""
        return unrolled(euler(self.orientations))

    def moves(self, i: int) -> bool:
        x, q = self.positions[:, i], self.orientations[:, i]
        return bool((x != x[self.anchor]).any() or (q != q[self.anchor]).any())

    def track(self, i: int, keyed: bool, reach: float) -> Track:
        x, q = self.positions[:, i], self.orientations[:, i]
        numbers = self.frames.numbers.astype(float)
        if not keyed:
            at = slice(self.anchor, self.anchor + 1)
            return Track(numbers[at], x[at], q[at])
        angles = self.angles[:, i] if self.settings.rotation == "euler" else None
        track = Track(numbers, x, q, angles)
        spins = i in self.spinners and self.settings.subframes
        if spins:
            track = self._with(track, i, self.spinners[i])
        if self.settings.thin is None or spins:
            return track
        between = blend if self.settings.kind.names == "blender" else slerp
        most = self.settings.thin * self.axes.scale
        kept = kept_keys(numbers, x, q, reach * self.axes.scale, most, between, np.array([self.anchor]), angles)
        return Track(numbers[kept], x[kept], q[kept], None if angles is None else angles[kept])

    def _with(self, track: Track, i: int, extra: np.ndarray) -> Track:
        """The same with keys at frames in between."""
        x, q = self.motion.at(np.interp(extra, self.frames.numbers, self.frames.times), i)
        frames = np.concatenate([track.frames, extra])
        order = np.argsort(frames, kind="stable")
        positions = np.concatenate([track.positions, self.axes.points(x)])[order]
        orientations = np.concatenate([track.orientations, self.axes.quaternions(q)])[order]
        place = int(np.flatnonzero(order == self.anchor)[0])
        return Track(frames[order], positions, continuous(orientations, place))


def _actors(scene: Scene, keys: _Keys) -> tuple[Actor, ...]:
    settings, axes = keys.settings, keys.axes
    names = legal_names([body.name for body in scene.bodies], settings.kind.names)
    surfaces: dict[Any, tuple[Surface, float]] = {}
    found = []
    for i, body in enumerate(scene.bodies):
        pivot = keys.motion.pivots.get(i)
        key = shape_key(body.shape), is_die(body), pivot
        if key not in surfaces:
            surface = body_surface(body)
            surface = pivot.surface(surface) if pivot is not None else surface
            surfaces[key] = _turned(surface, axes), surface.reach
        surface, reach = surfaces[key]
        moves = keys.moves(i)
        keyed = settings.kind.keys and (moves or settings.still_keys)
        facts = body_facts(scene, body) if settings.extras else {}
        track = keys.track(i, keyed, reach)
        turned = switches(keys.shown[:, i], keys.frames.numbers)
        found.append(Actor(body, names[i], body_color(body, i), surface, moves, keyed, track, facts, turned))
    return tuple(found)


def _turned(surface: Surface, axes: Axes) -> Surface:
    turned = replace(surface, points=axes.points(surface.points), normals=axes.directions(surface.normals))
    return turned.mirrored() if axes.mirrored else turned


def _notes(scene: Scene, span: Span, keys: _Keys) -> tuple[str, ...]:
    notes = []
    if keys.settings.handles > 0 and keys.frames.moving.start > 0:
        count = keys.frames.moving.start
        notes.append(f"The take begins at its first frame: {count} frames of the handles stand still.")
    if keys.frames.ending is None:
        notes.append("The ending is not among the frames chosen.")
    spinning = [scene.bodies[i].name for i in keys.spinners]
    if spinning and not (keys.settings.subframes and keys.settings.kind.keys):
        notes.append(too_fast(spinning))
    appear = note(keys.settings.format, int((~keys.shown.all(axis=0)).sum()))
    return (*notes, appear) if appear else tuple(notes)
