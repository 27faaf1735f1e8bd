"""What a move, turn or scale makes of a scene, in the world's axes or in a body's own. No Qt.

`basis` has the axes as columns. The world's own are told by None, so that typed numbers reach positions bit for bit.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from app.document import edits
from app.document.joint_edits import placed
from app.document.sizing import scaled_shape
from app.tools.snap_move import Landing
from engine.scene.spec import Body, Quaternion, Scene, Vector
from engine.shapes.turns import inverse, matrix_turn, product


def moved(scene: Scene, ids: Collection[str], basis: np.ndarray | None, along: Sequence[float]) -> Scene:
    """Moved by `along` (m) on the axes of a basis."""
    if basis is None:
        return edits.translate(scene, ids, [float(c) for c in along])
    x, y, z = basis @ np.asarray(along, float)
    return edits.translate(scene, ids, (float(x), float(y), float(z)))


def landed(scene: Scene, ids: Collection[str], active: Body, basis: np.ndarray | None, landing: Landing) -> Scene:
    """Moved as snapping wants it, the active body to the last bit."""
    if landing.turn is not None:
        scene = edits.turn(scene, ids, active.position, landing.turn)
    scene = moved(scene, ids, basis, landing.along)
    return edits.set_fields(scene, [active.id], position=landing.place) if landing.place is not None else scene


def scaled(
    scene: Scene, ids: Collection[str], pivot: np.ndarray, basis: np.ndarray | None, factors: Sequence[float]
) -> Scene:
    """Places and shapes scaled along the axes of a basis."""
    if basis is None:
        return edits.scale(scene, ids, [float(c) for c in pivot], [float(f) for f in factors])
    stretch = basis @ np.diag(np.asarray(factors, float)) @ basis.T
    back: Quaternion = inverse(matrix_turn(basis))

    def place(point: Vector) -> Vector:
        x, y, z = pivot + stretch @ (np.array(point) - pivot)
        return (float(x), float(y), float(z))

    def one(body: Body) -> Body:
        seen = product(back, body.orientation)
        fx, fy, fz = (float(f) for f in factors)
        return replace(body, position=place(body.position), shape=scaled_shape(body.shape, seen, (fx, fy, fz)))

    free = edits.movable(scene, ids)
    return replace(edits.alter(scene, free, one), joints=placed(scene, free, place))
