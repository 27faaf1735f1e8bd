"""What was asked of an entrance and whether it was met: sides, heights, speeds, arcs, off camera, start poses."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.hints.lift import lift_arc
from engine.hints.sketch import arc_hint
from engine.scene.spec import Scene
from engine.tape.path import Path
from tests.bench.entrance_figures import Figures
from tests.bench.entrance_rows import make, row
from tests.bench.measure import Row, Tell
from tests.bench.scenes_settled import lone

BODY = "die of 8 cm"
SIDE_OFF, SHARE_OFF, ARC_OFF = 15.0, 0.15, 0.05  # degrees; of the height or speed; of the arc's length
RANGE = 0.05  # a height or a speed is asked for as a range about it
EXACTLY, SMOOTH = 1e-9, 1e-3  # m of a start pose; of the speed at the release
SECONDS = 3.0


@dataclass(frozen=True)
class Asked:
    """A scene with a wish, and how far off a take of it is, in parts of what is allowed: 1 or less is met."""

    scene: Callable[[], Scene]
    off: Callable[[Figures], float]


def asked(tell: Tell, count: int, cameras: int) -> list[Row]:
    wishes = {"side": _side, "height": _height, "speed": _speed, "arc": _arc}
    rows = []
    for number, (name, wish) in enumerate(wishes.items()):
        tell(f"asked: {name}", number, len(wishes) + 1)
        rows.append(met_row("asked", name, [wish(np.random.default_rng((11, k))) for k in range(count)]))
    tell("asked: off camera", len(wishes), len(wishes) + 1)
    rows.append(met_row("asked", "off camera", [_off_camera(np.random.default_rng((12, k))) for k in range(cameras)]))
    return rows


def start(tell: Tell, pairs: int) -> list[Row]:
    tell("start poses", 0, 1)
    return [met_row("start", "start pose", [_start(np.random.default_rng((13, k))) for k in range(pairs)])]


def met_row(part: str, case: str, wishes: Sequence[Asked]) -> Row:
    """A take that raises meets nothing; `worst` is the largest miss of those that were made."""
    made = [make([wish.scene], SECONDS, [seed]) for seed, wish in enumerate(wishes)]
    off = [wish.off(each.figures[0]) for wish, each in zip(wishes, made, strict=True) if each.figures]
    whole = made[0]
    for each in made[1:]:
        for name in ("figures", "cpu", "replays", "errors"):
            getattr(whole, name).extend(getattr(each, name))
    met = sum(value <= 1.0 for value in off)
    return row(part, case, **whole.summary(), asked=len(wishes), met=met, worst=max(off, default=None))


def _wished(**fields: Any) -> Callable[[], Scene]:
    """The die with an entrance. Records are asked for when the scene is made: what is missing is told of that take."""

    def scene() -> Scene:
        from engine import Entrance

        made = lone(BODY)
        return Scene(bodies=made.bodies, name=made.name, entrances=[Entrance(**fields)])

    return scene


def _way(figures: Figures) -> np.ndarray:
    """(3,) m from its place to where the body was let go."""
    found: np.ndarray = figures.let_go_place(BODY) - np.array(figures.take.scene.bodies[0].position)
    return found


def _side(rng: np.random.Generator) -> Asked:
    degrees = float(rng.uniform(0.0, 360.0))

    def off(figures: Figures) -> float:
        x, y, _ = _way(figures)
        if math.hypot(x, y) < 1e-6:
            return math.inf
        apart = (math.degrees(math.atan2(y, x)) - degrees + 180.0) % 360.0 - 180.0
        return abs(apart) / SIDE_OFF

    return Asked(_wished(kind="toss", side=(degrees, SIDE_OFF)), off)


def _height(rng: np.random.Generator) -> Asked:
    height = float(rng.uniform(0.2, 1.0))
    scene = _wished(kind="drop", height=((1.0 - RANGE) * height, (1.0 + RANGE) * height))
    return Asked(scene, lambda figures: abs(float(_way(figures)[2]) / height - 1.0) / SHARE_OFF)


def _speed(rng: np.random.Generator) -> Asked:
    speed = float(rng.uniform(0.5, 3.0))

    def off(figures: Figures) -> float:
        return abs(math.hypot(*figures.take.releases[BODY].velocity) / speed - 1.0) / SHARE_OFF

    return Asked(_wished(kind="toss", speed=((1.0 - RANGE) * speed, (1.0 + RANGE) * speed)), off)


def _arc(rng: np.random.Generator) -> Asked:
    angle, away, rise = rng.uniform(0.0, 2.0 * math.pi), rng.uniform(0.2, 0.8), float(rng.uniform(0.15, 0.5))
    drawn = np.array([away * math.cos(angle), away * math.sin(angle), 0.0])

    def scene() -> Scene:
        made = lone(BODY)
        place = made.bodies[0].position
        throw = lift_arc(tuple((np.array(place) + drawn).tolist()), place, rise, made.gravity)
        made.hints.append(arc_hint(BODY, throw, stroke=[tuple(drawn.tolist()), (0.0, 0.0, 0.0)]))
        made.assign_ids()
        return made

    def off(figures: Figures) -> float:
        return float(np.linalg.norm(_way(figures) - drawn)) / (ARC_OFF * float(np.linalg.norm(drawn)))

    return Asked(scene, off)


def _off_camera(rng: np.random.Generator) -> Asked:
    """A camera somewhere around, 1 to 3 m away and above the ground. Seen when it enters counts as missed."""
    angle, away, high = rng.uniform(0.0, 2.0 * math.pi), rng.uniform(1.0, 3.0), rng.uniform(0.2, 1.5)
    eye, lens = (away * math.cos(angle), away * math.sin(angle), high), float(rng.uniform(24.0, 85.0))

    def camera() -> Any:
        from engine import Camera

        return Camera.look_at(eye, (0.0, 0.0, 0.04), lens=lens)

    def scene() -> Scene:
        made = _wished(off_camera=True)()
        made.camera = camera()
        return made

    def off(figures: Figures) -> float:
        (entry,) = figures.entries
        half = figures.take.scene.bodies[0].shape.half
        return 2.0 if camera().sees(figures.corners_first_seen(entry.row, half)).any() else 0.0

    return Asked(scene, off)


def _start(rng: np.random.Generator) -> Asked:
    """Carried from a pose that somebody keyed, seconds before the end."""
    place = tuple(float(value) for value in (*rng.uniform(-1.0, 1.0, 2), rng.uniform(0.2, 1.0)))
    turned = rng.normal(size=4)
    orientation, before = tuple((turned / np.linalg.norm(turned)).tolist()), float(rng.uniform(1.5, 2.5))

    def off(figures: Figures) -> float:
        take = figures.take
        positions, orientations = Path(take).at(float(take.times[-1]) - before)
        far = float(np.linalg.norm(positions[0] - place))
        far = max(far, float(1.0 - abs(orientations[0] @ np.array(orientation))))
        return max(far / EXACTLY, jump(figures, BODY) / SMOOTH)

    return Asked(_wished(start=(place, orientation, before)), off)


def jump(figures: Figures, name: str) -> float:
    """How much the speed changes when the hand lets go, of the speed there (at least 1 m/s)."""
    take = figures.take
    entry = next(each for each in figures.entries if each.name == name)
    if entry.row not in take.tape.releases.hands:
        return math.inf
    little = 1e-4  # steps
    x, _ = take.in_hand(entry.row, entry.step - little * np.array([1.0, 0.0]))
    carried = (x[1] - x[0]) / (little * figures.dt)
    velocity = figures.let_go.v[entry.row]
    return float(np.linalg.norm(carried - velocity)) / max(float(np.linalg.norm(velocity)), 1.0)
