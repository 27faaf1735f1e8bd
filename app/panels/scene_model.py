"""What the scene panel shows and does, without a window."""

from __future__ import annotations

from dataclasses import replace

from app.document.material_presets import PRESETS
from app.panels.body_model import replaced
from engine.scene.spec import Material, Scene, Vector

GRAVITIES: dict[str, tuple[str, Vector]] = {
    "earth": ("Earth", (0.0, 0.0, -9.81)),
    "moon": ("Moon", (0.0, 0.0, -1.62)),
    "mars": ("Mars", (0.0, 0.0, -3.73)),
    "none": ("None", (0.0, 0.0, 0.0)),
}
SAME_AS_BODY = "As what touches it"


def gravity_key(gravity: Vector) -> str | None:
    """The preset a gravity is, None for one of its own."""
    return next((key for key, (_, vector) in GRAVITIES.items() if vector == gravity), None)


def set_gravity(scene: Scene, key: str) -> Scene:
    return replace(scene, gravity=GRAVITIES[key][1])


def set_gravity_axis(scene: Scene, value: float, axis: int) -> Scene:
    return replace(scene, gravity=replaced(scene.gravity, axis, value))


def set_ground_preset(scene: Scene, name: str) -> Scene:
    if name == SAME_AS_BODY:
        return replace(scene, ground_material=None)
    return replace(scene, ground_material=replace(next(entry for entry in PRESETS if entry.name == name)))


def set_ground_field(scene: Scene, value: float, field: str) -> Scene:
    """Bounce or friction of the ground; a ground that had no material of its own gets one."""
    material = scene.ground_material if scene.ground_material is not None else Material()
    return replace(scene, ground_material=replace(material, **{field: value}))  # type: ignore[arg-type]


def counts(scene: Scene) -> list[tuple[str, int]]:
    static = sum(body.static for body in scene.bodies)
    return [
        ("Moving bodies", len(scene.bodies) - static),
        ("Static bodies", static),
        ("Groups", len(scene.groups)),
        ("Hints", len(scene.hints)),
    ]
