"""Pictures of a motion, one per frame, drawn without a display: for videos on machines that have none."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.picture.camera import camera_for
from engine.picture.render import Backdrop, props_of
from engine.picture.sheet import grid_for, reach_of
from engine.scene.spec import Scene

FINER = 2  # rays per pixel along each side: motion hides what is coarser than in a still picture
MOST_POSES = 200  # frames that the camera looks at before it chooses its place


def pictures(
    scene: Scene, positions: np.ndarray, orientations: np.ndarray, width: int, height: int
) -> Iterator[np.ndarray]:
    """(height, width, 3) bytes for every frame of positions (F, n, 3) m and orientations (F, n, 4). The camera stands
    still and sees all that moves."""
    props = props_of(scene)
    radii = np.array([reach_of(prop) for prop in props])
    moving = [i for i, prop in enumerate(props) if not prop.body.static] or list(range(len(props)))
    few = np.unique(np.linspace(0, len(positions) - 1, min(MOST_POSES, len(positions))).astype(int))
    centers = positions[few][:, moving].reshape(-1, 3)
    camera = camera_for(centers, np.tile(radii[moving], len(few)), width, height)
    stage = Backdrop(camera, scene.ground, grid_for(camera), FINER)
    for x, q in zip(positions, orientations, strict=True):
        yield (255.0 * stage.draw(props, x, q)[0] + 0.5).astype(np.uint8)
