"""Scenes with joints: the two blocks of Twigg and James 2008 (fig. 7), and those of the demos."""

from __future__ import annotations

import math

from engine.commands.demo_scenes import STONE, chain, door, ragdoll
from engine.scene.spec import Body, Box, Joint, Scene


def two_blocks() -> Scene:
    """Two cubes side by side, hinged along their upper common edge: the faces between them are the joint's limits."""
    half = (0.1, 0.1, 0.1)
    left = Body("left", Box(half), (-0.1, 0, 0.1), material=STONE)
    right = Body("right", Box(half), (0.1, 0, 0.1), material=STONE)
    hinge = Joint("hinge", "left", "right", anchor=(0, 0, 0.2), axis=(0, 1, 0), lo=-math.pi, hi=0.0, restitution=0.5)
    return Scene(bodies=[left, right], joints=[hinge], name="Two blocks on a hinge")


def thrown_blocks() -> Scene:
    """The same in the air, half open and opening: what is left of a motion about the joint hits its limits again and
    again, which is what made their example explode."""
    half, quarter = (0.1, 0.1, 0.1), (math.sqrt(0.5), 0.0, -math.sqrt(0.5), 0.0)
    rate = 4.0  # rad/s about the hinge
    left = Body("left", Box(half), (-0.1, 0, 0.9), material=STONE, velocity=(0.5, 0.2, -1.0))
    swing = (0.5 + 0.1 * rate, 0.2, -1.0 - 0.1 * rate)
    right = Body("right", Box(half), (0.1, 0, 1.1), quarter, STONE, velocity=swing, angular_velocity=(0, rate, 0))
    hinge = Joint(
        "hinge", "left", "right", (0, 0, 1.0), (0, 1, 0), lo=-0.5 * math.pi, hi=0.5 * math.pi, restitution=0.5
    )
    return Scene(bodies=[left, right], joints=[hinge], name="Two blocks on a hinge, in the air")


JOINT_SCENES = {
    "two blocks": two_blocks,
    "thrown blocks": thrown_blocks,
    "chain": chain,
    "ragdoll": ragdoll,
    "door": door,
}
