"""The scenes of `foregone demo`."""

from __future__ import annotations

import math

import numpy as np

from engine.decide.launch import vector
from engine.scene.dice import PIPS
from engine.scene.spec import Body, Box, Capsule, Hint, Joint, Material, Scene, Sphere, Vector

STONE = Material(friction=0.5, restitution=0.5, density=600.0)
FLESH = Material(friction=0.6, restitution=0.3, density=900.0)
LYING = (math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0)  # turns a capsule's z onto x
ACROSS = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)  # and onto -y


def die_shows_six() -> Scene:
    """A die of 10 cm that ends with its six up."""
    bone = Material(density=1200.0, friction=0.4, restitution=0.5, name="bone")
    die = Body("die", Box((0.05, 0.05, 0.05)), (0, 0, 0.05), (0.9914448613738104, 0, 0, -0.13052619222005157), bone)
    die.extra[PIPS] = True
    return Scene(bodies=[die], name="A die shows six")


def crate_slides() -> Scene:
    """A crate that slid to where it stands."""
    wood = Material(density=500.0, friction=0.35, restitution=0.3, name="wood")
    crate = Body("crate", Box((0.25, 0.2, 0.15)), (0, 0, 0.15), material=wood)
    return Scene(
        bodies=[crate], hints=[Hint("slide", "crate", direction=(1, 0.4, 0), time=0.15)], name="A crate slides in"
    )


def stack_arrives(count: int = 5) -> Scene:
    """Bricks that arrive one after another, the lowest first."""
    clay = Material(density=1900.0, friction=0.6, restitution=0.2, name="fired clay")
    half = (0.2, 0.12, 0.08)
    bodies = [
        Body(f"brick {i + 1}", Box(half), (0.02 * (-1) ** i, 0.01 * (i % 3 - 1), half[2] * (2 * i + 1)), material=clay,
             arrival=0.15 + 0.35 * (count - 1 - i))
        for i in range(count)
    ]  # fmt: skip
    return Scene(bodies=bodies, name="A stack of five bricks")


def ball_with_one_exit() -> Scene:
    """A ball that rests in a closed box: it came in through the only opening."""
    rubber = Material(density=1100.0, friction=0.4, restitution=0.6, rolling_friction=0.0005, name="rubber")
    ball = Body("ball", Sphere(0.045), (-0.12, 0.1, 0.065), material=rubber)
    return Scene(bodies=[ball, *_box_with_one_exit()], name="A ball in a box with one exit")


def die_with_one_exit() -> Scene:
    """A die that rests in a closed box: it came in through the only opening."""
    bone = Material(density=1200.0, friction=0.4, restitution=0.5, name="bone")
    turn = (0.9659258262890683, 0, 0, 0.25881904510252074)  # 30 degrees
    die = Body("die", Box((0.028, 0.028, 0.028)), (-0.12, 0.1, 0.048), turn, bone)
    die.extra[PIPS] = True
    return Scene(bodies=[die, *_box_with_one_exit()], name="A die in a box with one exit")


def _box_with_one_exit() -> list[Body]:
    """60 by 60 by 40 cm inside, with a window of 12 cm in the wall at the right. The lid and the wall in front are of
    glass: pictures leave them out."""
    wood = Material(density=600.0, friction=0.4, restitution=0.5, name="wood")

    def board(name: str, low: Vector, high: Vector, glass: bool = False) -> Body:
        half, middle = (vector(0.5 * (np.array(high) + sign * np.array(low))) for sign in (-1.0, 1.0))
        return Body(name, Box(half), middle, material=wood, static=True, hidden=glass)

    inner, outer, floor, lid, sill, lintel, side = 0.3, 0.32, 0.02, 0.42, 0.18, 0.3, 0.06
    return [
        board("floor", (-outer, -outer, 0.0), (outer, outer, floor)),
        board("lid", (-outer, -outer, lid), (outer, outer, lid + floor), glass=True),
        board("left", (-outer, -outer, floor), (-inner, outer, lid)),
        board("back", (-inner, inner, floor), (outer, outer, lid)),
        board("front", (-inner, -outer, floor), (outer, -inner, lid), glass=True),
        board("below the exit", (inner, -inner, floor), (outer, inner, sill)),
        board("above the exit", (inner, -inner, lintel), (outer, inner, lid)),
        board("behind the exit", (inner, side, sill), (outer, inner, lintel)),
        board("before the exit", (inner, -inner, sill), (outer, -side, lintel)),
    ]


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
