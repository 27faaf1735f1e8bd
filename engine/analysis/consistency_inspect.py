"""Has physics an answer at this instant? For a body in motion, and for the steps of a take in which friction was
lowered because it had none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from engine.analysis.asked import called, row_of
from engine.analysis.consistency import Answers, answers
from engine.analysis.consistency_motion import ForceProblem, Island, Kinematics, island_of, islands_of, question
from engine.analysis.speeds import motion_of
from engine.analysis.touch import materials_of
from engine.arrivals.ending import touching
from engine.contact.kick import GHOST
from engine.model.arrays import Contacts, State
from engine.model.compile import Model, compile_scene
from engine.scene.inspection import Arrow, Drawing, Inspection, Level, Mark, Number
from engine.scene.spec import Scene
from engine.scene.vectors import as_vector
from engine.tape.take import Take

MOST_NODES = 200_000  # about a second
MOST_NODES_EACH = 20_000  # of each step, where a whole take is asked
SAME_MOTION = 1e-6  # relative: answers with accelerations this near are one motion
EASE, ALMOST_SAME = 1e-6, 1e-3  # relative: rounding of gaps; how near answers are that differ by it alone
LESS = 1e-9  # relative: friction that much below the authored one was lowered
HALVINGS = 20  # of the search for the most friction that has an answer

Verdict = Literal["none", "one", "several", "unknown", "nothing slides"]


@dataclass(frozen=True)
class Consistency:
    verdict: Verdict
    island: Island | None = None
    question: ForceProblem | None = None
    found: Answers | None = None
    motions: int = 0  # ways in which it can go on

    @property
    def contacts(self) -> int:
        return 0 if self.question is None else len(self.question.rows)


@dataclass(frozen=True)
class Lowered:
    """A step that has an answer only because friction was lowered."""

    step: int
    time: float  # s
    ids: tuple[str, str]  # of the contact with the lowest share
    authored: float
    used: float


def motion_at(take: Take, step: int) -> Kinematics:
    """Poses of a step and the velocities with which it goes on."""
    tape, model = take.tape, take.model
    step = int(np.clip(step, 0, max(tape.steps - 1, 0)))
    opened = tape.at_step(step)
    rows = opened.rows(step)
    kept = opened.column("hold")[rows] != GHOST
    contacts = Contacts(*(column[rows][kept].copy() for column in opened.contacts))
    here, after = tape.state(step), tape.state(step + 1)
    opening = opened.column("after")[rows][kept].astype(float)
    return _motion(model, State(here.x, here.q, after.v, after.l), contacts, opening)


def motion_of_scene(model: Model) -> Kinematics:
    """The authored poses and velocities."""
    contacts = touching(model)
    motion = _motion(model, model.start, contacts, np.zeros(len(contacts.a)))
    a, b, x = contacts.a, contacts.b, model.start.x
    u = model.start.v[a] + np.cross(motion.spin[a], contacts.point - x[a])
    u -= model.start.v[b] + np.cross(motion.spin[b], contacts.point - x[b])
    return _motion(model, model.start, contacts, np.einsum("ij,ij->i", u, contacts.normal))


def _motion(model: Model, state: State, contacts: Contacts, opening: np.ndarray) -> Kinematics:
    material = materials_of(model, contacts.a, contacts.b)
    return Kinematics(model, state, contacts, opening, material.friction, material.rolling, motion_of(model, state)[1])


def judge(motion: Kinematics, body: int, most_nodes: int = MOST_NODES) -> Consistency:
    """None, one or several ways for a body and all that moves with it to go on, under the authored friction. Bodies at
    rest are asked with it where that is answered; otherwise they are held."""
    told = Consistency("nothing slides")
    islands = islands_of(motion, body)
    for k, island in reversed(list(enumerate(islands))):
        if not len(island.rows):
            return told
        told = _judged(question(motion, island), island, min(most_nodes, MOST_NODES_EACH) if k else most_nodes)
        if told.verdict != "unknown":
            return told
    return told


def _judged(asked: ForceProblem, island: Island, most_nodes: int) -> Consistency:
    if not asked.sliding.any():
        return Consistency("nothing slides")
    found = answers(asked.A, asked.b, most_nodes, gauge=asked.gauge, same=SAME_MOTION)
    loose = answers(asked.A, _eased(asked), most_nodes, gauge=asked.gauge, same=ALMOST_SAME)
    ways = [[asked.acceleration(f) for f in each.forces] for each in (found, loose)]
    motions = _different(ways[0]) or _different(ways[1], ALMOST_SAME)
    found = found if len(found.forces) else loose
    if motions > 1 or _different(ways[0] + ways[1], ALMOST_SAME) > 1:
        return Consistency("several", island, asked, found, max(motions, 2))
    if not found.proven:
        return Consistency("unknown", island, asked, found, motions)
    return Consistency("one" if motions else "none", island, asked, found, motions)


def _eased(asked: ForceProblem) -> np.ndarray:
    """b with gaps that may close by what rounding is: whether something fits without play between two walls must not
    hang on it, and where one more way to go on depends on it there is that way too."""
    b = asked.b.copy()
    b[: asked.pushing] += EASE * max(float(np.abs(b).max(initial=0.0)), EASE)
    return b


def _different(accelerations: list[np.ndarray], same: float = SAME_MOTION) -> int:
    kept: list[np.ndarray] = []
    for one in accelerations:
        if all(np.abs(one - other).max() > same * (1.0 + np.abs(other).max()) for other in kept):
            kept.append(one)
    return len(kept)


def lowered(take: Take, most_nodes: int = MOST_NODES_EACH) -> list[Lowered]:
    """Steps in which a sliding contact has less than the authored friction and the bodies would have no answer at that
    instant with all of it. Friction that was lowered for other reasons is not among them."""
    tape = take.tape
    found = []
    for opened in tape.opened():
        material = materials_of(take.model, opened.contacts.a, opened.contacts.b)
        used = opened.column("friction")
        pushes = (opened.column("impulse") != 0.0).any(1)
        less = pushes & (used < material.friction * (1.0 - LESS)) & (opened.column("hold") != GHOST)
        for step in range(opened.first, opened.first + opened.block.steps):
            rows = opened.rows(step)
            low = rows.start + np.flatnonzero(less[rows])
            if len(low) and (which := _without_answer(take, step, opened.contacts, low, most_nodes)) is not None:
                ids = take.model.ids[opened.contacts.a[which]], take.model.ids[opened.contacts.b[which]]
                values = float(material.friction[which]), float(used[which])
                found.append(Lowered(step, float(take.times[step]), ids, *values))
    return found


def _without_answer(take: Take, step: int, contacts: Contacts, low: np.ndarray, most_nodes: int) -> int | None:
    """The first of the contacts `low` whose island has no answer with the authored friction."""
    motion = motion_at(take, step)
    seen: dict[tuple[int, ...], bool] = {}
    for c in low.tolist():
        body = int(contacts.a[c]) if motion.moving[contacts.a[c]] else int(contacts.b[c])
        island = tuple(island_of(motion, body).bodies.tolist())
        if island not in seen:
            seen[island] = judge(motion, body, most_nodes).verdict == "none"
        if seen[island]:
            return c
    return None


def inspect_consistency(what: Take | Scene, body: str, step: int | None = None) -> Inspection:
    """Of the body with this id: in a step of a take (the last one), or in a scene with its authored velocities."""
    model = compile_scene(what) if isinstance(what, Scene) else what.model
    row = row_of(model, body)
    if isinstance(what, Scene):
        motion = motion_of_scene(model)
    else:
        motion = motion_at(what, what.tape.steps - 1 if step is None else step)
    return _inspection(motion, row, judge(motion, row))


def _inspection(motion: Kinematics, row: int, found: Consistency) -> Inspection:
    name = called(motion.model, row)
    words: dict[Verdict, tuple[Level, str, str]] = {
        "none": ("bad", "No answer", "At this instant rigid bodies with this friction have no answer."),
        "one": ("fine", "One answer", f"{name} slides, and there is one way for it to go on."),
        "several": (
            "warning",
            "Several answers",
            f"At this instant {name} could go on in {found.motions} ways, and physics does not say which.",
        ),
        "unknown": ("unknown", "Not proven", "Whether physics has an answer here could not be found out."),
        "nothing slides": ("fine", "Nothing slides", f"{name} slides on nothing here, so there is nothing to decide."),
    }
    level, title, sentence = words[found.verdict]
    if found.island is not None and found.island.held:
        sentence += " What rests beyond is taken to stay where it is: too much touches to ask it all."
    numbers, drawing = (_numbers(motion, found), _drawing(motion, found)) if found.question is not None else ((), None)
    ids = (motion.model.ids[row],)
    return Inspection("consistency", ids, level, title, sentence, numbers, drawing or Drawing())


def _numbers(motion: Kinematics, found: Consistency) -> tuple[Number, ...]:
    asked, island = found.question, found.island
    assert asked is not None and island is not None
    friction = float(motion.friction[asked.rows[asked.sliding]].max())
    numbers = [
        Number("Contacts", float(found.contacts)),
        Number("of which slide", float(asked.sliding.sum())),
        Number("Friction", friction),
    ]
    if found.found is not None:
        numbers.append(Number("Ways to go on", float(found.motions) if found.found.proven else None, "",
                              "" if found.found.proven else "the search was ended early"))  # fmt: skip
    if found.verdict == "none":
        share = _most_share(motion, island)
        numbers.append(Number("Friction up to which there is an answer", share * friction))
    return tuple(numbers)


def _most_share(motion: Kinematics, island: Island) -> float:
    """Of the authored friction, by bisection; frictionless contacts always have an answer."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        asked = question(motion, island, middle)
        if answers(asked.A, asked.b, MOST_NODES_EACH, first_only=True).consistent:
            low = middle
        else:
            high = middle
    return low


def _drawing(motion: Kinematics, found: Consistency) -> Drawing:
    """Marks where there is no answer; the forces of the answer that pushes most."""
    asked = found.question
    assert asked is not None
    places = [as_vector(motion.contacts.point[c]) for c in asked.rows]
    if found.verdict == "none":
        return Drawing(marks=tuple(Mark("inconsistent", at) for at in places))
    if found.found is None or not len(found.found.forces):
        return Drawing()
    most = found.found.forces[int(np.argmax(found.found.forces[:, : len(places)].sum(1)))]
    arrows = []
    for at, c, force in zip(places, asked.rows.tolist(), most, strict=False):
        if force <= 0.0:
            continue
        body = motion.model.ids[int(motion.contacts.a[c])]
        arrows.append(Arrow("normal", at, as_vector(force * motion.contacts.normal[c]), body))
        slip = motion.slip(c)
        if asked.sliding[asked.rows.tolist().index(c)] and motion.friction[c] > 0.0:
            along = -force * motion.friction[c] * slip / np.linalg.norm(slip)
            arrows.append(Arrow("friction", at, as_vector(along), body))
    return Drawing(arrows=tuple(arrows))
