"""Hints of the scene become launches.

bounce   it landed with `speed` along `direction` (defaults: downward with 1 m/s), or with the full `velocity`; with
         the spin that landing there takes unless `angular_velocity` says otherwise; too flat for friction: into a slide
slide    it slid in along `direction`, never faster than `speed` nor gaining speed over more than `distance`; with
         `velocity`, `angular_velocity`: spinning in
roll     it rolled in along `direction`
launch   the same with `angular_velocity`: exactly this just before coming to rest

Several hints of one body are a chain, the latest first; without times slides come after bounces. Only bounces and
launches can lie before something else.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.algebra import norm, times
from engine.arrivals.arrive import MAXIMAL, landed, slid, tossed
from engine.arrivals.ending import Ending, before
from engine.arrivals.times import hinted_time
from engine.arrivals.vary import varied
from engine.decide.launch import Launch, vector
from engine.functions import cosine
from engine.hints.sketch import thrown
from engine.hints.stroke import Stroke, StrokeError, read_stroke
from engine.model.compile import Model
from engine.scene.spec import Body, Hint, Scene, Vector
from engine.scene.vectors import up_of

__all__ = ["Stroke", "StrokeError", "chain_of", "hinted_launches", "read_stroke"]  # the design's name for strokes

BEND = 15.0  # degrees: hints that differ by more come from different sides
DEFAULT_BOUNCE = 1.0  # m/s
ENDLESS_SLIDE = 0.3  # s: how long a slide without speed and length lasts when something lies before it


def chain_of(scene: Scene, body: Body) -> list[Hint]:
    """The hints of a body as time runs backward from its resting."""
    own = [thrown(hint, scene.gravity) for hint in scene.hints if scene.find(hint.body) is body]
    return sorted(own, key=lambda hint: (math.inf if hint.time is None else hint.time, hint.kind != "slide"))


def hinted_launches(
    scene: Scene,
    model: Model,
    ending: Ending,
    dt: float,
    seed: int,
    from_start: bool = False,
    later: Sequence[frozenset[int]] | None = None,
) -> tuple[dict[int, Launch], tuple[str, ...]]:
    """Launches by body row, chains linked by `then`; and what had to be left out, in the artist's words. from_start:
    bodies are let go where their hints were drawn from. later: by row, who comes to rest only after a body, so that its
    hints know nothing of them; None: everybody is there."""
    launches: dict[int, Launch] = {}
    notes: list[str] = []
    for body in scene.bodies:
        if body.static:
            continue
        hints = [varied(hint, seed, scene.gravity, from_start) for hint in chain_of(scene, body)]
        if not hints:
            continue
        row = model.index(body)
        there = ending if later is None else before(ending, row, later[row])
        first = hints[0].time if hints[0].time is not None else body.arrival
        launch = _launch(hints[0], row, hinted_time(body, seed) if first is None else float(first), model)
        stages, note = _arrival(hints[0], launch, model, there, dt, from_start)
        notes += [f'"{body.name}" {note}'] if note else []
        for hint in hints[1:]:
            if hint.kind not in ("bounce", "launch"):
                notes.append(f'"{body.name}": a {hint.kind} cannot lie before another hint; it was left out')
                continue
            stages.append(_launch(hint, row, _own_time(hint, stages[-1]), model))
            if _bends(stages[-2], stages[-1], model):
                notes.append(f'"{body.name}" comes in along its slide, not from the side of the {hint.kind} before it')
        toss = tossed(stages[0], model, there) if len(stages) == 1 and stages[0].slide else None
        launches[row] = linked([*stages, toss] if toss is not None else stages)
    return launches, tuple(notes)


def _arrival(
    hint: Hint, launch: Launch, model: Model, ending: Ending, dt: float, from_start: bool
) -> tuple[list[Launch], str]:
    """The stages of a body's last hint, with what landing or sliding there takes."""
    if hint.kind == "bounce" and hint.angular_velocity is None:
        return landed(launch, model, ending, dt, hint.distance if from_start else None)
    if hint.kind == "slide" and hint.velocity is None:
        slide, note = slid(launch, model, ending, dt)
        return [slide], note
    return [launch], ""


def _bends(slide: Launch, before: Launch, model: Model) -> bool:
    """Whether a landing into a slide was asked from another side: friction acts along the slide, so it cannot be."""
    up = up_of(vector(model.gravity))
    one, other = (np.array(launch.velocity) - times(launch.velocity, up) * up for launch in (slide, before))
    lengths = norm(one) * norm(other)
    return slide.slide and float(times(one, other)) < cosine(math.radians(BEND)) * lengths


def _own_time(hint: Hint, after: Launch) -> float:
    """When a stage begins that lies before `after`; infinite: when that is done."""
    if hint.time is not None:
        return float(hint.time)
    endless = after.slide and not math.isfinite(min(after.fastest, after.reach))
    return after.time + ENDLESS_SLIDE if endless else math.inf


def linked(stages: Sequence[Launch]) -> Launch:
    """A chain of stages, the latest first."""
    chain = stages[-1]
    for stage in stages[-2::-1]:
        chain = replace(stage, then=chain)
    return chain


def _launch(hint: Hint, i: int, time: float, model: Model) -> Launch:
    up = up_of(vector(model.gravity))
    direction = np.array(hint.direction if hint.direction is not None else -up, float)
    length = norm(direction)
    direction = direction / length if length > 0.0 else -up
    spin = _vector(hint.angular_velocity)
    if hint.kind == "slide":
        velocity = vector(MAXIMAL * direction) if hint.velocity is None else hint.velocity
        fastest = math.inf if hint.speed is None else float(hint.speed)
        reach = math.inf if hint.distance is None else float(hint.distance)
        return Launch(i, time, velocity, spin, slide=True, fastest=fastest, reach=reach)
    if hint.velocity is not None:
        return Launch(i, time, hint.velocity, spin)
    if hint.kind == "roll":
        return Launch(i, time, spin=vector(MAXIMAL * np.cross(up, direction)), roll=True)
    speed = DEFAULT_BOUNCE if hint.speed is None else float(hint.speed)
    return Launch(i, time, vector(speed * direction), spin)


def _vector(value: Vector | None) -> Vector:
    return (0.0, 0.0, 0.0) if value is None else value
