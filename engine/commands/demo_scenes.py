"""The scenes of `foregone demo`."""

from __future__ import annotations

from engine.scene.dice import PIPS
from engine.scene.spec import Body, Box, Hint, Material, Scene


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
