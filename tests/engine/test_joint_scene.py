"""Joints in the document: files keep them, fingerprints see them, and what is wrong with them is told."""

from __future__ import annotations

import json
import math
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine import Body, Box, Joint, Scene
from engine.model.compile import compile_scene
from engine.rules import scene_problems
from engine.scene.fingerprint import fingerprint


def scene(**values: object) -> Scene:
    """Two blocks on a hinge, with some of its fields changed."""
    left = Body("left", Box((0.1, 0.1, 0.1)), (-0.1, 0, 0.1))
    right = Body("right", Box((0.1, 0.1, 0.1)), (0.1, 0, 0.1))
    floor = Body("floor", Box((1, 1, 0.1)), (0, 0, -0.1), static=True)
    fields = dict(kind="hinge", a="left", b="right", anchor=(0, 0, 0.2), axis=(0, 1, 0), lo=-3.0, hi=0.0)
    return Scene([left, right, floor], ground=False, joints=[Joint(**{**fields, **values})])  # type: ignore[arg-type]


def test_a_sound_joint_is_no_problem() -> None:
    assert scene().problems() == []
    assert scene(b=None).joints[0].b == "" and scene(b="").problems() == []


@pytest.mark.parametrize(
    "values, code, words",
    [
        (dict(kind="spring"), "joint-kind", "'spring'"),
        (dict(a="nobody"), "joint-body", "'nobody', which is not in the scene"),
        (dict(b="left"), "joint-same", "left with itself"),
        (dict(a="floor", b=""), "joint-static", "nothing that moves"),
        (dict(anchor=(0, math.nan, 0)), "joint-anchor", "nan"),
        (dict(axis=(0, 0, 0)), "joint-axis", "(0.0, 0.0, 0.0)"),
        (dict(lo=1.0, hi=0.5), "joint-limits", "out of order: 1 to 0.5 rad"),
        (dict(lo=0.1, hi=0.5), "joint-limits", "ends outside its limits 0.1 to 0.5 rad"),
        (dict(lo=-4.0, hi=4.0), "joint-limits", "nearly a full circle"),
        (dict(kind="ball"), "joint-limits", "cannot have limits"),
        (dict(lo="far"), "joint-limits", "'far'"),
        (dict(restitution=1.5), "joint-restitution", "1.5"),
        (dict(name=5), "joint-name", "not text"),
    ],
)
def test_every_rule_fires(values: dict[str, object], code: str, words: str) -> None:
    found = [problem for problem in scene_problems(scene(**values)) if problem.severity == "error"]
    assert code in [problem.code for problem in found]
    assert any(words in problem.message for problem in found) and all(problem.fix for problem in found)


@pytest.mark.parametrize(
    "change, code",
    [
        (lambda made: made.joints.append(replace(made.joints[0], id="other", name="same")), "duplicate-joint-name"),
        (lambda made: made.joints.append(replace(made.joints[0], name="other")), "duplicate-joint-id"),
        (lambda made: made.joints.append("glue"), "not-a-joint"),
        (lambda made: setattr(made, "joints", 5), "joints"),
        (lambda made: setattr(made.bodies[1], "name", "left"), "joint-body"),
    ],
)
def test_rules_about_all_joints(change: Callable[[Scene], None], code: str) -> None:
    made = scene(name="same")
    change(made)
    assert code in [problem.code for problem in scene_problems(made)]


def test_files_keep_joints_and_what_they_do_not_know(tmp_path: Path) -> None:
    made = scene(name="lid", restitution=0.7)
    made.joints[0].extra["motor"] = {"torque": 3}
    path = tmp_path / "lid.foregone"
    made.save(path)
    assert Scene.load(path) == made and Scene.load(path).joints[0].extra == {"motor": {"torque": 3}}
    with zipfile.ZipFile(path) as archive:
        tree = json.loads(archive.read("project.json"))
    assert tree["joints"][0]["name"] == "lid" and tree["joints"][0]["id"] == "j1"
    plain = replace(made, joints=[])
    plain.save(path)
    with zipfile.ZipFile(path) as archive:
        assert "joints" not in json.loads(archive.read("project.json"))


def test_the_fingerprint_sees_what_moves() -> None:
    base = fingerprint(scene())
    assert base == fingerprint(scene(name="lid"))
    for values in (dict(anchor=(0, 0, np.nextafter(0.2, 1))), dict(kind="slider"), dict(hi=0.1), dict(restitution=0.5)):
        assert fingerprint(scene(**values)) != base
    assert fingerprint(replace(scene(), joints=[])) != base


def test_anchors_follow_from_the_final_poses() -> None:
    """Wherever bodies end, their joint is closed there, to rounding, and its angle is zero."""
    made = scene()
    made.bodies[1].orientation = (0.8, 0.1, -0.5, 0.3)
    made.bodies[1].position = (0.3, 0.2, 0.7)
    model = compile_scene(made)
    turn = model.start
    for side, body in (("a", model.index(made.bodies[0])), ("b", model.index(made.bodies[1]))):
        w, u = turn.q[body, 0], turn.q[body, 1:]
        local = getattr(model.joints, f"point_{side}")[0]
        t = 2 * np.cross(u, local)
        assert turn.x[body] + local + w * t + np.cross(u, t) == pytest.approx((0, 0, 0.2), abs=1e-15)
