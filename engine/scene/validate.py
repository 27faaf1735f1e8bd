"""Rules a scene must keep (first draft)."""

from __future__ import annotations

from engine.scene.spec import Problem, Scene


def scene_problems(scene: Scene) -> list[Problem]:
    return []


def all_problems(scene: Scene) -> list[Problem]:
    return scene_problems(scene)
