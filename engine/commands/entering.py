"""What the command line asks of how bodies come in, put on top of what the scene says itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.scene.entrance import Entrance, Stagger
from engine.scene.spec import Scene


def entering(
    scene: Scene,
    entrance: str | None = None,
    side: str | tuple[float, float] | None = None,
    height: tuple[float, float] | None = None,
    speed: tuple[float, float] | None = None,
    spin: tuple[float, float] | None = None,
    before: str | None = None,
    stagger: str | None = None,
    stagger_seconds: float | None = None,
) -> Scene:
    """The scene with an entrance for everything, as it has one already but for what is given here, and a stagger
    likewise. What it says of single bodies and groups is nearer to them and stays."""
    asked: dict[str, Any] = {
        "kind": entrance,
        "side": side,
        "height": height,
        "speed": speed,
        "spin": spin,
        "before": before,
    }
    given = {name: value for name, value in asked.items() if value is not None}
    if given:
        own = [each for each in scene.entrances if each.who == ""]
        scene = replace(scene, entrances=[*scene.entrances, replace(own[-1] if own else Entrance(), **given)])
    timing: dict[str, Any] = {"order": stagger, "seconds": stagger_seconds}
    changed = {name: value for name, value in timing.items() if value is not None}
    return replace(scene, stagger=replace(scene.stagger or Stagger(), **changed)) if changed else scene
