"""Entrances: how bodies come in. Every part is a list of rows of one table; `--only` chooses parts.

wall    the shipped wall, over seeds, lengths and manners
bond    running-bond walls: how the cost grows with the number of bricks
lone    bodies alone beside forward drops
asked   sides, heights, speeds, arcs, off camera
hard    endings in which bodies hold each other
many    thousands of boxes; boxes that meet
joints  articulations: do their joints turn on the way in
start   carried from a start pose
same    replays, and the same bits in other processes"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing import get_context
from typing import get_args

import numpy as np

from engine.arrivals.options import MannerName, Options
from engine.arrivals.scale import scale_of
from engine.certificate.audit import certify
from engine.certificate.replay import replay
from engine.model.compile import compile_scene
from engine.run import backward
from engine.scene.entrance import Entrance
from engine.scene.spec import Scene
from engine.work.sample import sample
from tests.bench import catalogue_endings as endings
from tests.bench.entrance_asked import asked, start
from tests.bench.entrance_figures import Figures
from tests.bench.entrance_lone import lone
from tests.bench.entrance_rows import Made, make, row, same_scene, words_of
from tests.bench.exact import growth
from tests.bench.measure import Row, Tell
from tests.bench.meeting import collisions, impulses
from tests.bench.scenes import scattered_boxes
from tests.bench.scenes_director import letters
from tests.bench.scenes_endings import arrow_word, running_bond, wall_of_45

SECONDS = 4.0
BODIES_A_SECOND = 16  # a longer take for more of them
TURNED = 20.0  # degrees: a joint that turns less is stiff to the eye
Make = Callable[[], Scene]


@dataclass(frozen=True)
class Effort:
    """How much is made of each part."""

    seeds: int = 10
    wall: Make = wall_of_45
    lengths: Sequence[float] = (4.0, 2.0)  # s, of takes of the wall
    manners: Sequence[MannerName] = ("natural", "preview")
    counts: Sequence[int] = (100, 200, 500, 1000)  # bricks
    lone: Sequence[str] = tuple(endings.LONE)
    lone_lengths: Sequence[float] = (1.0, 4.0, 10.0)  # s
    lone_takes: int = 300
    drops: int = 2000  # forward ones to compare with
    asked: int = 100
    cameras: int = 20
    hard: Sequence[str] = tuple(endings.HARD)
    many: dict[int, Make] = field(default_factory=lambda: dict(endings.MANY))
    meeting: Make = arrow_word
    jointed: Sequence[str] = tuple(endings.JOINTED)
    pairs: int = 20
    longest: float | None = None  # s, of any take; None: as long as each asks for


WHOLE = Effort()
SMALL = Effort(
    seeds=1,
    wall=partial(running_bond, 10),
    lengths=(1.0,),
    manners=("preview",),
    counts=(4, 10),
    lone=("die of 2 cm",),
    lone_lengths=(1.0,),
    lone_takes=2,
    drops=4,
    asked=1,
    cameras=1,
    hard=("L", "heavy on light"),
    many={4: partial(scattered_boxes, 1, 4)},
    meeting=partial(letters, 20),
    jointed=("chain of 12",),
    pairs=1,
    longest=1.0,
)


def entrances(tell: Tell, only: Sequence[str] = (), effort: Effort = WHOLE) -> list[Row]:
    if effort.longest is None:
        _load_kernels()
    return [found for name in only or PARTS for found in PARTS[name](tell, effort)]


def _load_kernels() -> None:
    """A take of every kind that counts nowhere: compiling is no part of what a take costs."""
    kinds: list[tuple[Make, Options]] = [
        *((SMALL.wall, Options(manner=manner)) for manner in get_args(MannerName)),
        *((scene, Options()) for scene in (endings.LONE["die of 2 cm"], endings.JOINTED["chain of 12"])),
        (SMALL.meeting, Options(arrivals="meeting")),
    ]
    for scene, options in kinds:
        make([scene], 1.0, [0], options)


def fitting(scene: Make, effort: Effort) -> float:
    """s: longer for many bodies, and for large ones, which fall as slowly as they are large."""
    made = scene()
    model = compile_scene(made)
    moving = model.bodies.inverse_mass > 0.0
    slow = scale_of(float(np.median(model.bodies.size[moving])), float(np.linalg.norm(made.gravity))).time
    seconds = max(SECONDS * max(slow, 1.0), float(moving.sum()) / BODIES_A_SECOND)
    return seconds if effort.longest is None else min(seconds, effort.longest)


def wall(tell: Tell, effort: Effort) -> list[Row]:
    rows = []
    cases = [(seconds, manner) for seconds in effort.lengths for manner in effort.manners]
    for number, (seconds, manner) in enumerate(cases):
        tell(f"wall, {seconds:g} s, {manner}", number, len(cases))
        made = make(same_scene(effort.wall, effort.seeds), seconds, range(effort.seeds), Options(manner=manner))
        rows.append(row("wall", f"{seconds:g} s, {manner}", **made.summary()))
    for seconds in effort.lengths:
        tell(f"wall, {seconds:g} s, dropped", len(cases), len(cases))
        made = make(same_scene(partial(dropped, effort.wall), effort.seeds), seconds, range(effort.seeds))
        rows.append(row("wall", f"{seconds:g} s, dropped", **made.summary()))
    return rows


def dropped(scene: Make) -> Scene:
    """The same ending, entered from above the stage."""
    return replace(scene(), entrances=[Entrance(kind="drop")])


def bond(tell: Tell, effort: Effort) -> list[Row]:
    rows = []
    for k, (gap, name) in enumerate(((0.002, "2 mm"), (0.0, "touching"))):
        of_gap = []
        for number, count in enumerate(effort.counts):
            tell(f"{count} bricks, {name}", k * len(effort.counts) + number, 2 * len(effort.counts))
            scene = partial(running_bond, count, gap)
            made = make([scene], fitting(scene, effort), [0])
            of_gap.append(row("bond", f"{count} bricks, {name}", **made.summary()))
        rows += with_growth(of_gap, effort.counts)
    return rows


def with_growth(rows: list[Row], counts: Sequence[int]) -> list[Row]:
    """The exponent of CPU time over the number of bodies, in every row; takes that raised say nothing."""
    known = [(count, each["cpu_s"]) for count, each in zip(counts, rows, strict=True) if each["cpu_s"]]
    exponent = growth([count for count, _ in known], [cpu for _, cpu in known])
    return [each | {"growth": exponent} for each in rows]


def hard(tell: Tell, effort: Effort) -> list[Row]:
    rows = []
    for number, name in enumerate(effort.hard):
        tell(name, number, len(effort.hard))
        scene = endings.HARD[name]
        made = make(same_scene(scene, effort.seeds), fitting(scene, effort), range(effort.seeds))
        rows.append(row("hard", name, **made.summary()))
    return rows


def many(tell: Tell, effort: Effort) -> list[Row]:
    rows = []
    for number, (count, scene) in enumerate(effort.many.items()):
        tell(f"{count} scattered boxes", number, len(effort.many) + 1)
        seconds = SECONDS if effort.longest is None else effort.longest
        rows.append(row("many", f"{count} scattered boxes", **make([scene], seconds, [0]).summary()))
    tell("boxes that meet", len(effort.many), len(effort.many) + 1)
    made = make([effort.meeting], effort.longest or 3.0, [0], Options(arrivals="meeting"))
    hits = [len(collisions(each.take)) for each in made.figures]
    strikes = [len(impulses(each.take)) for each in made.figures]
    known = {"hits": min(hits, default=None), "impulses": min(strikes, default=None)}
    rows.append(row("many", effort.meeting().name, **made.summary(), **known))
    return rows


def joints(tell: Tell, effort: Effort) -> list[Row]:
    rows = []
    for number, name in enumerate(effort.jointed):
        tell(name, number, len(effort.jointed))
        scene = endings.JOINTED[name]
        made = make(same_scene(scene, effort.seeds), fitting(scene, effort), range(effort.seeds))
        turned = [float((joint_turns(each) >= TURNED).mean()) for each in made.figures]
        apart = max((each.report.joint_error for each in made.figures), default=None)
        rows.append(row("joints", name, **made.summary(), joints_turned=min(turned, default=None), joint_error=apart))
    return rows


def joint_turns(figures: Figures) -> np.ndarray:
    """(joints,) degrees: how far from its final position each one was, at most, after both its bodies were let go."""
    take = figures.take
    row_of = {key: int(row) for body, row in zip(take.scene.bodies, take.model.row_of, strict=True)
              for key in (body.name, body.id)}  # fmt: skip
    pairs = [(row_of[joint.a], row_of[joint.b] if joint.b else -1) for joint in take.scene.joints]
    largest = np.zeros(len(pairs))
    for opened in take.tape.opened():
        q, number = opened.states.q, opened.first + np.arange(len(opened.states.q))
        for k, (a, b) in enumerate(pairs):
            first = max(int(figures.releases.step[body]) for body in (a, b) if body >= 0)
            now, end = _between(q[:, a], q[:, b] if b >= 0 else None), _final(figures, a, b)
            turned = 2.0 * np.degrees(np.arccos(np.clip(np.abs(now @ end), 0.0, 1.0)))
            largest[k] = max(largest[k], float(turned[number >= first].max(initial=0.0)))
    return largest


def _final(figures: Figures, a: int, b: int) -> np.ndarray:
    q = figures.ending.q
    found: np.ndarray = _between(q[a][None], q[b][None] if b >= 0 else None)[0]
    return found


def _between(a: np.ndarray, b: np.ndarray | None) -> np.ndarray:
    """(k, 4): orientation of b as a sees it; of a alone when b is the world."""
    if b is None:
        return a
    w, u, s, v = a[:, :1], -a[:, 1:], b[:, :1], b[:, 1:]
    return np.hstack([w * s - (u * v).sum(axis=1, keepdims=True), w * v + s * u + np.cross(u, v)])


def same(tell: Tell, effort: Effort) -> list[Row]:
    """Takes of the wall made here and in two other processes."""
    tell("the same bits in other processes", 0, 1)
    seconds = effort.lengths[-1]
    try:
        here = [backward(effort.wall(), seconds, seed=seed) for seed in (0, 1)]
        with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
            there = sample(effort.wall(), 2, seconds, 0, executor=pool)
        hashes = {take.seed: take.hash() for take in there}
        alike = all(hashes.get(take.seed) == take.hash() for take in here)
        made = Made(
            [Figures(take, certify(take)) for take in here], replays=[float(replay(take).max()) for take in here]
        )
        return [row("same", "1 and 2 processes", **made.summary(), same=alike)]
    except Exception as error:
        return [row("same", "1 and 2 processes", raised=1, error=words_of(error))]


PARTS: dict[str, Callable[[Tell, Effort], list[Row]]] = {
    "wall": wall,
    "bond": bond,
    "lone": lambda tell, effort: lone(
        tell, {name: endings.LONE[name] for name in effort.lone}, effort.lone_lengths, effort.lone_takes, effort.drops
    ),
    "asked": lambda tell, effort: asked(tell, effort.asked, effort.cameras),
    "hard": hard,
    "many": many,
    "joints": joints,
    "start": lambda tell, effort: start(tell, effort.pairs),
    "same": same,
}
