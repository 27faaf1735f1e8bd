"""Pictures of a motion, one per frame, drawn without a display: for videos on machines that have none."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.picture.camera import camera_for
from engine.picture.render import Backdrop, on_view, only, props_of
from engine.picture.sheet import grid_for, reach_of
from engine.scene.spec import Scene

FINER = 2  # rays per pixel along each side: motion hides what is coarser than in a still picture
MOST_POSES = 200  # frames that the camera looks at before it chooses its place


def pictures(
    scene: Scene, positions: np.ndarray, orientations: np.ndarray, shown: np.ndarray, width: int, height: int
) -> Iterator[np.ndarray]:
    """(height, width, 3) bytes for every frame of positions (F, n, 3) m and orientations (F, n, 4); bodies that are not
    `shown` (F, n) are left out. The camera stands still and sees all that moves."""
    props = props_of(scene)
    radii = np.array([reach_of(prop) for prop in props])
    moving = [i for i, prop in enumerate(props) if not prop.body.static] or list(range(len(props)))
    few = np.unique(np.linspace(0, len(positions) - 1, min(MOST_POSES, len(positions))).astype(int))
    seen = shown[few][:, moving]
    seen = seen if seen.any() else ~seen  # nobody at all: look where they would be
    centers, around = positions[few][:, moving][seen], np.broadcast_to(radii[moving], seen.shape)[seen]
    camera = camera_for(centers, around, width, height)
    stage = Backdrop(camera, scene.ground, grid_for(camera), FINER)
    for x, q, there in zip(positions, orientations, shown & on_view(props), strict=True):
        yield (255.0 * stage.draw(only(props, there), x[there], q[there])[0] + 0.5).astype(np.uint8)
