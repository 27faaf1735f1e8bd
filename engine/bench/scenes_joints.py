"""Scenes with joints: the two blocks of paper 001 fig. 7, a chain, a door, a ragdoll."""

from __future__ import annotations

import math

from engine.scene.spec import Body, Box, Capsule, Joint, Material, Scene, Sphere, Vector

STONE = Material(friction=0.5, restitution=0.5, density=600.0)
FLESH = Material(friction=0.6, restitution=0.3, density=900.0)
LYING = (math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0)  # turns a capsule's z onto x
ACROSS = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)  # and onto -y


def two_blocks() -> Scene:
    """Two cubes side by side, hinged along their upper common edge: the faces between them are the joint's limits."""
    half = (0.1, 0.1, 0.1)
    left = Body("left", Box(half), (-0.1, 0, 0.1), material=STONE)
    right = Body("right", Box(half), (0.1, 0, 0.1), material=STONE)
    hinge = Joint("hinge", "left", "right", anchor=(0, 0, 0.2), axis=(0, 1, 0), lo=-math.pi, hi=0.0, restitution=0.5)
    return Scene(bodies=[left, right], joints=[hinge], name="Two blocks on a hinge")


def thrown_blocks() -> Scene:
    """The same in the air, half open and opening: what is left of a motion about the joint hits its limits again and
    again, which is what made the paper's example explode."""
    half, quarter = (0.1, 0.1, 0.1), (math.sqrt(0.5), 0.0, -math.sqrt(0.5), 0.0)
    rate = 4.0  # rad/s about the hinge
    left = Body("left", Box(half), (-0.1, 0, 0.9), material=STONE, velocity=(0.5, 0.2, -1.0))
    swing = (0.5 + 0.1 * rate, 0.2, -1.0 - 0.1 * rate)
    right = Body("right", Box(half), (0.1, 0, 1.1), quarter, STONE, velocity=swing, angular_velocity=(0, rate, 0))
    hinge = Joint(
        "hinge", "left", "right", (0, 0, 1.0), (0, 1, 0), lo=-0.5 * math.pi, hi=0.5 * math.pi, restitution=0.5
    )
    return Scene(bodies=[left, right], joints=[hinge], name="Two blocks on a hinge, in the air")


def chain(links: int = 6) -> Scene:
    """Capsules in a row on the ground, ball joints between them."""
    radius, half, gap = 0.03, 0.1, 0.07
    pitch = 2 * half + gap
    bodies = [
        Body(f"link {i + 1}", Capsule(radius, half), (i * pitch, 0, radius), LYING, material=STONE)
        for i in range(links)
    ]
    joints = [
        Joint("ball", f"link {i + 1}", f"link {i + 2}", anchor=((i + 0.5) * pitch, 0, radius), name=f"joint {i + 1}")
        for i in range(links - 1)
    ]
    return Scene(bodies=bodies, joints=joints, name=f"A chain of {links} links")


def door() -> Scene:
    """A door that fell shut: it hangs on the world and rests against its stop."""
    leaf = Body("door", Box((0.4, 0.02, 0.9)), (0.4, 0, 1.0), material=STONE)
    hinge = Joint("hinge", "door", anchor=(0, 0, 1.0), axis=(0, 0, 1), lo=0.0, hi=2.4, restitution=0.6, name="hinge")
    return Scene(bodies=[leaf], joints=[hinge], name="A door falls shut")


def _limb(name: str, place: Vector, half: float, radius: float, turn: tuple[float, float, float, float]) -> Body:
    return Body(name, Capsule(radius, half), place, turn, material=FLESH)


def ragdoll() -> Scene:
    """Eight parts lying on the ground: trunk, head, upper and lower arm and leg of each side in one plane."""
    thick, thin, head = 0.09, 0.05, 0.1
    trunk = Body("trunk", Box((0.25, 0.15, thick)), (0, 0, thick), material=FLESH)
    skull = Body("head", Sphere(head), (0.38, 0, head), material=FLESH)
    bodies, joints = [trunk, skull], [Joint("ball", "trunk", "head", anchor=(0.27, 0, head), name="neck")]
    for side, sign in (("left", 1.0), ("right", -1.0)):
        bodies.append(_limb(f"{side} upper arm", (0.18, sign * 0.36, thin), 0.1, thin, ACROSS))
        bodies.append(_limb(f"{side} lower arm", (0.18, sign * 0.68, thin), 0.1, thin, ACROSS))
        bodies.append(_limb(f"{side} leg", (-0.5, sign * 0.1, thin), 0.17, thin, LYING))
        elbow = Joint("hinge", f"{side} upper arm", f"{side} lower arm", anchor=(0.18, sign * 0.52, thin),
                      axis=(0, 0, sign), lo=-0.1, hi=2.4, restitution=0.3, name=f"{side} elbow")  # fmt: skip
        joints += [
            Joint("ball", "trunk", f"{side} upper arm", anchor=(0.18, sign * 0.2, thin), name=f"{side} shoulder"),
            elbow,
            Joint("ball", "trunk", f"{side} leg", anchor=(-0.27, sign * 0.1, thin), name=f"{side} hip"),
        ]
    return Scene(bodies=bodies, joints=joints, name="A ragdoll of eight parts")


JOINT_SCENES = {
    "two blocks": two_blocks,
    "thrown blocks": thrown_blocks,
    "chain": chain,
    "ragdoll": ragdoll,
    "door": door,
}
