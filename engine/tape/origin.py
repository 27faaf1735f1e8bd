"""What a motion was made of: the part of a scene that the laws of motion ask for, body by body.

A take keeps it, so that it can say which edit has overtaken it: who opens it with the scene as it is now is told what
differs, in words. Hints, colours and names do not count; poses are compared bit for bit elsewhere (store.py)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from engine.params import Params
from engine.scene.fingerprint import words_of
from engine.scene.spec import Body, Scene

MOST_NAMED = 3  # bodies in one sentence

SIDES: dict[str, tuple[str, Callable[[Body], object]]] = {
    "shape": ("another shape", lambda body: body.shape),
    "material": ("another material", lambda body: body.material),
    "fixed": ("been fixed in place or set free", lambda body: body.static),
    "speed": ("another speed at the ending", lambda body: (body.velocity, body.angular_velocity)),
}
"""What is asked of every body: how a difference is called, and what is compared."""


@dataclass(frozen=True)
class Origin:
    ground: str  # digests
    joints: str
    bodies: Mapping[str, tuple[str, ...]]  # by id, one digest for each of SIDES


def origin_of(scene: Scene) -> Origin:
    return Origin(
        ground=_digest((scene.ground, scene.ground_material if scene.ground else None)),
        joints=_digest(scene.joints),
        bodies={body.id: tuple(_digest(value(body)) for _, value in SIDES.values()) for body in scene.bodies},
    )


def _digest(value: object) -> str:
    return hashlib.sha256(words_of(value).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def overtaken(made: Origin | None, params: Params, now: Scene) -> Iterator[str]:
    """What has changed in a scene since a take was made with these numbers, a sentence each. Of a take that does not
    know what it was made of, the certificate has to find out whether materials still explain it."""
    here, gravity = origin_of(now), (params.gravity_x, params.gravity_y, params.gravity_z)
    if gravity != tuple(map(float, now.gravity)):
        yield _made(f"under a gravity of {_vector(gravity)}, and the scene now has {_vector(now.gravity)}")
    if made is not None:
        yield from map(_made, _differences(made, here, now))


def _made(how: str) -> str:
    return f"this take was made {how}: generate it again"


def _vector(values: tuple[float, ...]) -> str:
    return f"({', '.join(f'{value:g}' for value in values)}) m/s²"


def _differences(made: Origin, here: Origin, now: Scene) -> Iterator[str]:
    if made.ground != here.ground:
        yield "with another ground than the scene has now"
    if made.joints != here.joints:
        yield "with other joints than the scene has now"
    for i, (words, _) in enumerate(SIDES.values()):
        other = [body.name for body in now.bodies if made.bodies.get(body.id, here.bodies[body.id])[i] !=
                 here.bodies[body.id][i]]  # fmt: skip
        if other:
            yield f"before {_listed(other)} {'has' if len(other) == 1 else 'have'} got {words}"


def _listed(names: list[str]) -> str:
    quoted = [f'"{name}"' for name in names[:MOST_NAMED]]
    if len(names) > MOST_NAMED:
        return f"{', '.join(quoted)} and {len(names) - MOST_NAMED} others"
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def packed_origin(origin: Origin) -> dict[str, np.ndarray]:
    """Plain arrays, for a file."""
    return {
        "made_with": np.array([origin.ground, origin.joints], dtype=np.str_),
        "made_bodies": np.array(list(origin.bodies), dtype=np.str_),
        "made_of": np.array(list(origin.bodies.values()), dtype=np.str_).reshape(-1, len(SIDES)),
    }


def unpacked_origin(arrays: Mapping[str, np.ndarray]) -> Origin | None:
    """What `packed_origin` made; None where there is none. Raises ValueError for arrays that do not fit each other."""
    if "made_of" not in arrays:
        return None
    ground, joints = (str(each) for each in arrays["made_with"])
    ids, rows = arrays["made_bodies"], arrays["made_of"]
    if rows.shape != (len(ids), len(SIDES)):
        raise ValueError("what it was made of cannot be read")
    bodies = {str(key): tuple(map(str, row)) for key, row in zip(ids, rows, strict=True)}
    return Origin(ground, joints, bodies)
