"""Everything wrong with a scene."""

from __future__ import annotations

import numpy as np

from engine.hints.lift import as_vector, up_of
from engine.model.check import Finding, flying_rows, gauge, pose_findings
from engine.model.compile import Model, compile_scene
from engine.rules import scene_problems
from engine.scene.spec import Scene
from engine.work.errand import Desk
from engine.work.parcel import Parcel
from engine.work.records import Called, Checked, PoseFinding


def checked(scene: Parcel[Scene], desk: Desk) -> Checked:
    problems = tuple(scene_problems(scene.content))
    if any(problem.severity == "error" for problem in problems):
        return Checked(problems)
    model = compile_scene(scene.content)
    measure = gauge(model)

    def measured(first: int, second: int, x: np.ndarray, q: np.ndarray) -> tuple[float, np.ndarray]:
        desk.check()
        return measure(first, second, x, q)

    found = pose_findings(model, measured, flying_rows(scene.content, model))
    return Checked(problems, tuple(_plain(model, finding) for finding in found))


def _plain(model: Model, finding: Finding) -> PoseFinding:
    def called(row: int) -> Called:
        return model.ids[row], model.names[row]

    bodies = tuple(called(row) for row in finding.members)
    other = called(finding.other) if finding.other is not None else None
    up = as_vector(up_of(as_vector(model.gravity)))
    return PoseFinding(
        finding.code, finding.severity, bodies, other, finding.distance, as_vector(finding.normal), up
    )  # fmt: skip
