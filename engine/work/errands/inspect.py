"""What inspectors say about bodies; nothing while the scene has errors: those have their own list."""

from __future__ import annotations

from functools import lru_cache

from engine.analysis.inspect import inspect, problems, step_at
from engine.analysis.stability.loads import load_map
from engine.analysis.stacking import report
from engine.kept import open_part
from engine.rules import scene_problems
from engine.scene.fingerprint import fingerprint
from engine.scene.inspection import Inspection
from engine.scene.load_map import LoadMap
from engine.scene.seat import Stacking
from engine.scene.spec import Scene
from engine.scene.take_files import AFTER, TAPE
from engine.tape.take import Take
from engine.work.errand import Desk
from engine.work.parcel import Parcel
from engine.work.records import KeptTake, Question


def inspections(scene: Parcel[Scene], question: Question, desk: Desk) -> tuple[Inspection, ...]:
    if not _is_whole(scene.content):
        return ()
    what: Scene | Take = scene.content
    step = None
    if question.take is not None:
        what = _opened(_Asked(scene.content, question.take, AFTER if question.after else TAPE))
        step = step_at(what, question.time)
    return tuple(inspect(what, topic, question.body, step, question.push, desk.check) for topic in question.topics)


def survey(scene: Parcel[Scene], desk: Desk) -> tuple[Inspection, ...]:
    """Every body of the ending that does not stand, or is about to fall."""
    return tuple(problems(scene.content, desk.check)) if _is_whole(scene.content) else ()


def loads(scene: Parcel[Scene], body: str, desk: Desk) -> LoadMap:
    """Which forces at its middle a body of the ending withstands."""
    return load_map(scene.content, body, desk.check)


def stacking(scene: Parcel[Scene], desk: Desk) -> Stacking:
    """How the bodies hold each other."""
    return report(scene.content, desk.check) if _is_whole(scene.content) else Stacking((), ())


def _is_whole(scene: Scene) -> bool:
    return not any(problem.severity == "error" for problem in scene_problems(scene))


class _Asked:
    """A part of a take; the same as another when it would be read from the same file for the same scene."""

    def __init__(self, scene: Scene, take: KeptTake, part: str) -> None:
        self.scene, self.take, self.part = scene, take, part
        own = fingerprint(scene), tuple(body.name for body in scene.bodies)
        card, files = take.card, take.files
        self._key = own, card.id, card.seed, card.disorder, part, files, files.stamp(part.format(card.id))

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Asked) and other._key == self._key


@lru_cache(maxsize=1)  # of the take that is looked at, frame by frame: reading it takes longer than any answer
def _opened(asked: _Asked) -> Take:
    return open_part(asked.scene, asked.take.card, asked.take.files, asked.part)
