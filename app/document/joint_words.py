"""What joints are called in the window and in the history."""

from __future__ import annotations

from engine.scene.spec import Joint, Scene

KINDS = {"ball": "Ball joint", "hinge": "Hinge", "fixed": "Fixed joint", "slider": "Slider"}
MEANINGS = {
    "ball": "holds a point and lets it turn every way, like a shoulder or a link of a chain",
    "hinge": "turns about one axis, like a door",
    "fixed": "holds still, like glue",
    "slider": "slides along one axis, like a drawer",
}


def title_of(scene: Scene, joint: Joint) -> str:
    """ "Hinge: Door – Frame", "Ball joint: Lamp – world"."""
    return f"{KINDS.get(joint.kind, 'Joint')}: {' – '.join(_held(scene, joint))}"


def called(scene: Scene, joint: Joint) -> str:
    """ "the hinge of Door and Frame", for the names of commands."""
    first, second = _held(scene, joint)
    return f"the {KINDS.get(joint.kind, 'Joint').lower()} of {first}" + (f" and {second}" if joint.b else "")


def _held(scene: Scene, joint: Joint) -> tuple[str, str]:
    """The one that moves against the other, and the other."""
    first = scene.find(joint.a)
    name = first.name if first is not None else joint.a
    if not joint.b:
        return name, "world"
    second = scene.find(joint.b)
    return second.name if second is not None else joint.b, name
