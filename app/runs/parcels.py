"""A scene on its way to the worker: a few bodies per message, so that packing never holds up the window."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from app.document.pieces import decode_bodies, decode_frame, encode_bodies, encode_frame
from app.runs.protocol import Message
from engine.errors import ProjectError
from engine.scene.spec import Body, Scene

BODIES_PER_PARCEL = 100  # some 3 ms of packing


def parcels(scene: Scene, job: int) -> Iterator[Message]:
    """All bodies, then the rest of the scene. Raises engine.errors.ProjectError for values that no file could hold."""
    for first in range(0, len(scene.bodies), BODIES_PER_PARCEL):
        arrays: dict[str, np.ndarray] = {}

        def store(mesh: Mapping[str, np.ndarray], arrays: dict[str, np.ndarray] = arrays) -> str:
            name = f"m{len(arrays)}"
            arrays.update({f"{name}/{part}": array for part, array in mesh.items()})
            return name

        rows = encode_bodies(scene.bodies[first : first + BODIES_PER_PARCEL], store)
        yield Message("bodies", {"job": job, "rows": rows}, arrays)
    yield Message("scene", {"job": job, "frame": encode_frame(scene)})


class Collector:
    """The other end: gathers parcels until the scene is whole, or one of them cannot be understood."""

    def __init__(self) -> None:
        self.scene: Scene | None = None
        self.complaint = "the scene did not come along"
        self._bodies: list[Body] = []
        self._spoilt = False

    def add(self, message: Message) -> None:
        try:
            if message.kind == "bodies":
                self._bodies += decode_bodies(message["rows"], lambda name, where: _mesh(message, name))
            elif not self._spoilt:
                self.scene = decode_frame(message["frame"], self._bodies)
        except ProjectError as error:
            self.complaint, self._spoilt = str(error), True


def _mesh(message: Message, name: str) -> Mapping[str, np.ndarray]:
    mesh = {key.partition("/")[2]: array for key, array in message.arrays.items() if key.partition("/")[0] == name}
    if not mesh:
        raise ProjectError(f"the mesh {name!r:.40} did not come along")
    return mesh
