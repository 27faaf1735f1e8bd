"""What inspectors say of a scene, held against what the engine's own forward run does with it.

Bands. Within them neither word is wrong: a body that went less than GONE of its size in SECONDS has not gone, one that
went less than STAYED has stayed, in between it creeps; and where the answer changes with friction BRINK more or less,
or with gravity leaning by LEAN, the scene is on the brink. A turn counts as a slide, or a slide as a tip, only beyond
a factor of two about the limit that the words have."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from engine.analysis.consistency_inspect import judge, motion_at
from engine.analysis.consistency_motion import Kinematics
from engine.analysis.inspect import inspect, problems
from engine.analysis.leaving import way_out
from engine.analysis.stability.words import TURNS
from engine.analysis.stacking import report
from engine.analysis.touch import Touch, touch_of
from engine.model.compile import compile_scene
from engine.run import forward
from engine.scene.inspection import Inspection
from engine.scene.spec import Body, Material, Scene
from engine.tape.take import Take

SECONDS, EARLY = 1.0, 0.02  # s of the run; of its size, how far a body is when one looks how it goes
GONE, STAYED = 0.02, 1e-4  # of its size
BRINK, LEAN = 0.01, math.radians(0.3)
TOWARD = 0.5  # cosine between the way that is played and the way it goes
ALIKE = 0.1  # of g, or of the acceleration: so far an acceleration of a step is from the one of the instant
STEPS = 3  # of the run, that contact and consistency are asked about
RANDOM_WAYS = 24


@dataclass(frozen=True)
class Contradiction:
    inspector: str
    body: str
    words: str  # what was said
    motion: str  # what happened
    on_the_brink: bool = False


class Seen:
    """A scene and its forward run."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.take: Take = forward(scene, SECONDS)
        self.touch: Touch = touch_of(compile_scene(scene))
        self.size = np.maximum(self.take.model.bodies.size, 1e-9)
        x, q = self.take.tape.x, self.take.tape.q
        self.turns = np.stack([_turns(q[0], each) for each in q])
        far = np.linalg.norm(x - x[0], axis=2) / self.size + np.linalg.norm(self.turns, axis=2)
        self.far = np.maximum.accumulate(far, axis=0)

    def row(self, body: Body) -> int:
        return self.take.model.ids.index(body.id)

    def went(self, body: Body) -> float:
        """Of its size, at most."""
        return float(self.far[-1, self.row(body)])

    def early(self, body: Body) -> tuple[np.ndarray, np.ndarray]:
        """(3,) m and (3,) rad, when it has just gone."""
        row = self.row(body)
        at = min(int(np.searchsorted(self.far[:, row], EARLY)), len(self.far) - 1)
        return self.take.tape.x[at, row] - self.take.tape.x[0, row], self.turns[at, row]


def contradictions(scene: Scene) -> list[Contradiction]:
    seen = Seen(scene)
    found = [*_standing(seen), *_whole(seen), *_stacking(seen), *_in_motion(seen)]
    return [replace(each, on_the_brink=True) for each in found] if found and _on_the_brink(scene) else found


def moving(scene: Scene) -> list[Body]:
    return [body for body in scene.bodies if not body.static]


# ---- the ending -----------------------------------------------------------------------------------------


def _standing(seen: Seen) -> Iterator[Contradiction]:
    """Stability, contact and wedged, of every body."""
    for body in moving(seen.scene):
        went = seen.went(body)
        for topic in ("stability", "contact", "wedged"):
            told = inspect(seen.scene, topic, body.id)
            stays = _says_it_stays(told)
            if stays is True and went > GONE or stays is False and went < STAYED:
                yield Contradiction(topic, body.name, told.sentence, f"it went {went:.2g} of its size")
            elif stays is False and topic == "stability" and went > GONE:
                yield from _how(seen, body, told)
            if told.fix is not None:
                yield from _fixed(seen.scene, told)


def _says_it_stays(told: Inspection) -> bool | None:
    """None: it says neither."""
    if told.topic == "wedged":
        return True if told.title == "Wedged" else None
    if told.title in ("Touches nothing", "Among falling bodies", "Not known", "Held by a joint"):
        return None
    return told.level != "bad"


def _how(seen: Seen, body: Body, told: Inspection) -> Iterator[Contradiction]:
    """The verb, and the motion that is played."""
    way, turn = seen.early(body)
    share = float(np.linalg.norm(turn)) * float(seen.size[seen.row(body)]) / max(float(np.linalg.norm(way)), 1e-12)
    verb = re.search(r"would (slide|tip over|roll off|fall|swing)", told.sentence)
    said = "" if verb is None else verb[1]
    slides, turns = share < 0.5 * TURNS, share > 2.0 * TURNS
    if said in ("slide", "fall") and turns or said in ("tip over", "roll off") and slides:
        yield Contradiction("stability", body.name, told.sentence, f"it turned {share:.2g} times as fast as it went")
    played = np.array(told.motion[0] if told.motion is not None else way)
    if slides and np.linalg.norm(played) > 0.0:
        cosine = float(played @ way) / float(np.linalg.norm(played) * np.linalg.norm(way))
        if cosine < TOWARD:
            yield Contradiction("stability", body.name, f"plays {played.round(3)}", f"it went {way.round(4)}")


def _fixed(scene: Scene, told: Inspection) -> Iterator[Contradiction]:
    fix = told.fix
    assert fix is not None
    moved = [
        replace(b, position=tuple(np.add(b.position, fix.by).tolist())) if b.id in fix.bodies else b
        for b in scene.bodies
    ]
    after = Seen(replace(scene, bodies=moved))
    for body in moving(after.scene):
        if after.went(body) > GONE:
            yield Contradiction("fix", body.name, fix.words, f"then it went {after.went(body):.2g} of its size")


def _whole(seen: Seen) -> Iterator[Contradiction]:
    """The list of problems: somebody is on it exactly when somebody goes."""
    bad = [told for told in problems(seen.scene) if told.level == "bad"]
    most = max(map(seen.went, moving(seen.scene)))
    if not bad and most > GONE:
        yield Contradiction("problems", "", "nothing is wrong", f"something went {most:.2g} of its size")
    if bad and most < STAYED:
        yield Contradiction("problems", "", bad[0].sentence, "nothing moved")


def _on_the_brink(scene: Scene) -> bool:
    """Whether who falls changes with a little more or less friction, or with the way in which gravity leans."""
    verdicts = {_falls(each) for each in _nearly(scene)}
    return len(verdicts) > 1


def _falls(scene: Scene) -> frozenset[str]:
    return frozenset(body.id for body in moving(scene) if inspect(scene, "stability", body.id).level == "bad")


def _nearly(scene: Scene) -> Iterator[Scene]:
    yield scene
    for factor in (1.0 - BRINK, 1.0 + BRINK):
        yield replace(scene, bodies=[replace(b, material=_rougher(b.material, factor)) for b in scene.bodies])
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        g = abs(scene.gravity[2])
        yield replace(scene, gravity=(x * g * math.tan(LEAN), y * g * math.tan(LEAN), -g))


def _rougher(material: Material, factor: float) -> Material:
    return replace(material, friction=factor * material.friction)


# ---- stacking -------------------------------------------------------------------------------------------


def _stacking(seen: Seen) -> Iterator[Contradiction]:
    told = report(seen.scene)
    said = {id for trouble in told.troubles for id in trouble.ids[:1] if "does not stand" in trouble.words}
    jointed = {key for each in seen.scene.joints for key in (each.a, each.b)}
    stands = all(seen.went(body) <= GONE for body in moving(seen.scene))
    for body in moving(seen.scene):
        went = seen.went(body)
        if body.id in said and went < STAYED:
            yield Contradiction("stacking", body.name, "does not stand where it is", "it stayed")
        if not told.troubles and went > GONE:
            yield Contradiction("stacking", body.name, "no trouble", f"it went {went:.2g} of its size")
        if body.name in jointed or body.id in jointed:
            continue
        seat = next(seat for seat in told.seats if seat.id == body.id)
        yield from _leaves(seen, body, seat.free)
        if stands and not seat.above:
            yield from _without(seen.scene, body, told.troubles)


def _leaves(seen: Seen, body: Body, free: bool) -> Iterator[Contradiction]:
    """Free means: there is a motion that no contact resists."""
    touch, row = seen.touch, seen.row(body)
    rows = touch.rows_of(row)
    normals = touch.side(row, rows)[:, None] * touch.normal[rows]
    arms = (touch.point[rows] - touch.model.start.x[row]) / seen.size[row]
    way = way_out(normals, arms, np.array([0.0, 0.0, 1.0]))
    if (way is not None) != free:
        yield Contradiction("stacking", body.name, f"free: {free}", "the program over motions says otherwise")
    elif way is not None and not _unhindered(seen.scene, body, way, float(seen.size[row])):
        yield Contradiction("stacking", body.name, "it can leave", "set in motion on its way out it was stopped")


def _unhindered(scene: Scene, body: Body, way: np.ndarray, size: float) -> bool:
    """Whether, set in motion without weight and friction, it keeps its motion, everything else held."""
    speed = 1e-3 / max(float(np.linalg.norm(way)), 1e-12)
    v, w = (speed * size * way[:3]).tolist(), (speed * way[3:]).tolist()
    smooth = [replace(b, static=b.id != body.id, material=replace(b.material, friction=0.0)) for b in scene.bodies]
    bodies = [replace(b, velocity=tuple(v), angular_velocity=tuple(w)) if b.id == body.id else b for b in smooth]
    tape = forward(replace(scene, bodies=bodies, gravity=(0.0, 0.0, 0.0), joints=[]), 0.01).tape
    row = compile_scene(replace(scene, joints=[])).ids.index(body.id)
    return bool(np.linalg.norm(tape.v[1, row] - tape.v[0, row]) < 1e-3 * speed * size)


def _without(scene: Scene, body: Body, troubles: tuple) -> Iterator[Contradiction]:  # type: ignore[type-arg]
    """Bodies that stand only because this one weighs them down go without it, and nobody else does."""
    left = replace(scene, bodies=[b for b in scene.bodies if b.id != body.id])
    if not moving(left):
        return
    needs = {trouble.ids[0] for trouble in troubles if len(trouble.ids) > 1 and trouble.ids[1] == body.id}
    seen = Seen(left)
    for other in moving(left):
        went = seen.went(other)
        if other.id in needs and went < STAYED:
            yield Contradiction("stacking", other.name, f'needs "{body.name}"', "it stayed without it")
        if not needs and not troubles and went > GONE:
            yield Contradiction("stacking", other.name, f'does not need "{body.name}"', "it went without it")


# ---- in motion ------------------------------------------------------------------------------------------


def _in_motion(seen: Seen) -> Iterator[Contradiction]:
    """Contact and consistency, at a few steps of the run."""
    take = seen.take
    last = take.tape.steps - 4
    for step in {int(s) for s in np.linspace(2, last, STEPS)} if last > 2 else ():
        for body in moving(seen.scene):
            told = inspect(take, "contact", body.id, step)
            here, after = take.tape.state(step), take.tape.state(step + 1)
            row = seen.row(body)
            speed = float(np.linalg.norm(after.v[row]))
            if told.title == "Rests" and not _rides(seen, row) and speed > 1e-3:
                yield Contradiction("contact", body.name, told.sentence, f"it moves at {speed:.2g} m/s")
            if told.title in ("Slides", "Rolls", "Tips") and speed == 0.0 and not here.v[row].any():
                yield Contradiction("contact", body.name, told.sentence, "it is at rest")
            yield from _goes_on(seen, body, step)


def _rides(seen: Seen, row: int) -> bool:
    """Whether it rests on something that can move itself."""
    return len(seen.touch.moving) > 1


def _goes_on(seen: Seen, body: Body, step: int) -> Iterator[Contradiction]:
    """Where physics has one answer, the run takes it, and where the run goes on calmly there is one."""
    take, row = seen.take, seen.row(body)
    motion = motion_at(take, step)
    names = [_names(motion_at(take, k)) for k in (step, step + 1, step + 2)]
    now, then = _pushes(take, row, step + 1), _pushes(take, row, step + 2)
    g = float(np.linalg.norm(take.model.gravity))
    if names != names[:1] * 3 or not motion.moving[row] or np.linalg.norm(then - now) > ALIKE * g:
        return  # something begins or ends here
    found = judge(motion, row)
    if found.verdict == "none":
        yield Contradiction("consistency", body.name, "no answer", f"at step {step} it goes on calmly")
    if found.verdict != "one" or found.question is None or found.found is None:
        return
    asked = found.question
    k = asked.bodies.tolist().index(row)
    said = asked.acceleration(found.found.forces[0])[6 * k : 6 * k + 3]
    if np.linalg.norm(now - said) > ALIKE * max(float(np.linalg.norm(said)), g):
        words = f"its contacts accelerate it by {said.round(2)} m/s2 at step {step}"
        yield Contradiction("consistency", body.name, words, f"they do by {now.round(2)}")


def _names(motion: Kinematics) -> set[tuple[int, int, int]]:
    contacts = motion.contacts
    return {
        (int(a), int(b), int(f)) for a, b, f in zip(contacts.part_a, contacts.part_b, contacts.feature, strict=True)
    }


def _pushes(take: Take, row: int, step: int) -> np.ndarray:
    """(3,) m/s^2 that contacts give to a body in the kick of a step."""
    change = take.tape.state(step + 1).v[row] - take.tape.state(step).v[row]
    return np.asarray(change / take.tape.params.dt - take.model.gravity)


def _turns(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """(n, 3) rad from quaternions p to q."""
    w = (p * q).sum(1)
    axis = p[:, :1] * q[:, 1:] - q[:, :1] * p[:, 1:] + np.cross(q[:, 1:], p[:, 1:])
    length = np.linalg.norm(axis, axis=1)
    angle = 2.0 * np.arctan2(length, np.abs(w))
    return np.asarray((np.sign(w) * angle / np.maximum(length, 1e-300))[:, None] * axis)
