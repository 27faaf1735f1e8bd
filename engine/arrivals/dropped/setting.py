"""What drops of an authored body depend on: its pair with what it falls on, gravity, the step."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.algebra import norm
from engine.arrivals.dropped.drop import ROW, Setting
from engine.contact.material import empty_materials, pair_materials
from engine.errors import ForegoneError
from engine.model.compile import Model, compile_scene
from engine.scene.spec import Body, Scene
from engine.shapes.ask import ask


def setting_on(model: Model, dt: float, body: Body, row: int, part: int) -> Setting:
    """Of body `row` of a model, on the given part of something static."""
    material = empty_materials(1)
    on = np.array([model.geometry.part_body[part]])
    pair_materials(1, np.array([row]), on, model.bodies, material)
    strength = norm(model.gravity)
    return Setting(
        body.shape, float(material.friction[0]), float(material.restitution[0]), float(material.rolling[0]), strength,
        dt, (float(material.friction_low[0]), float(material.friction_top[0])),
        (float(material.restitution_low[0]), float(material.restitution_top[0])),
    )  # fmt: skip


def setting_of(scene: Scene, body: Body, dt: float) -> Setting:
    """Of a body that falls on the scene's ground, or on level ground of its own material where there is none. Raises
    ForegoneError, with the reason, for what would never come to rest."""
    if not ask(body.shape).massive:
        raise ForegoneError(f"{body.name} cannot fall: only solid shapes can.")
    if not any(scene.gravity):
        raise ForegoneError("Nothing falls without gravity.")
    free = replace(body, static=False, arrival=None, velocity=(0.0, 0.0, 0.0), angular_velocity=(0.0, 0.0, 0.0))
    alone = Scene([free], ground=True, gravity=scene.gravity, ground_material=scene.ground_material)
    model = compile_scene(alone)
    ground = int(np.flatnonzero(model.geometry.part_body == model.count)[0])
    setting = setting_on(model, dt, free, ROW, ground)
    if ask(body.shape).rolls and setting.rolling == 0.0:
        raise ForegoneError(f"{body.name} is round and never comes to rest. Give its material some rolling friction.")
    return setting
