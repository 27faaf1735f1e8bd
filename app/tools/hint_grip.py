"""Taking hold of hints in the view: which one is under the mouse, and dragging its far end or its top. No Qt."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np

from app.document.hint_edits import body_of, change_hint, find_hint
from app.tools.drag import Sight
from app.tools.gizmo import to_segments
from app.tools.hint_path import HintPath, aimed, hint_path
from app.tools.sketch_lift import came_from
from app.tools.stage import Stage
from app.tools.tool import Pointer
from engine.hints.lift import LiftError
from engine.scene.spec import Hint

NEAR = 7.0  # px from a curve that still mean it
GRIP = 10.0  # px from a handle
LOWEST = 0.01  # m, of an arc under the hand

Handle = Literal["start", "top"]


def path_of(stage: Stage, hint: Hint) -> HintPath | None:
    body = body_of(stage.document.shown, hint)
    return hint_path(stage.document.shown, hint, body) if body is not None and not body.hidden else None


def hint_at(stage: Stage, x: float, y: float, hints: Iterable[Hint]) -> str:
    """Id of the hint whose curve is nearest to a pixel, "" when none is near."""
    sight, best, found = Sight(stage.camera, *stage.extent), NEAR, ""
    for hint in hints:
        path = path_of(stage, hint)
        if path is not None:
            away = _away(sight, path.points, np.array([x, y]))
            if away <= best:
                best, found = away, hint.id
    return found


def _away(sight: Sight, points: np.ndarray, pixel: np.ndarray) -> float:
    """Pixels between a pixel and a polyline in the world."""
    pixels, ahead = sight.camera.project(points, sight.width, sight.height)
    return to_segments(pixel, pixels[:-1], pixels[1:]) if ahead.all() else np.inf


class HintDrag:
    """A handle of a hint in the hand: previews while it moves, then one command."""

    def __init__(self, stage: Stage, hint: Hint, path: HintPath, handle: Handle) -> None:
        self._stage, self._hint, self._path, self.handle = stage, hint, path, handle

    def move(self, pointer: Pointer) -> None:
        stage = self._stage
        try:
            fresh = self._aimed(np.array([pointer.x, pointer.y]))
        except LiftError as error:
            stage.say(str(error))
            return
        stage.document.preview(change_hint(stage.document.scene, self._hint.id, lambda _: fresh))

    def _aimed(self, pixel: np.ndarray) -> Hint:
        path, gravity = self._path, self._stage.document.scene.gravity
        if self.handle == "start":
            start = came_from(self._stage, path.place, pixel, path.flies)
            over = float((start - path.end) @ path.place.up)
            return aimed(self._hint, path, start, max(path.height, over), gravity)
        over = float((path.start - path.end) @ path.place.up)
        top = path.height + self._raised(pixel)
        return aimed(self._hint, path, path.start, max(top, over, LOWEST), gravity)

    def _raised(self, pixel: np.ndarray) -> float:
        """How far above the top (m) the line of sight passes it."""
        up, top = self._path.place.up, self._path.top
        ray = Sight(self._stage.camera, *self._stage.extent).ray(pixel)
        across = np.cross(np.cross(up, ray.direction), up)
        if float(np.linalg.norm(across)) < 0.1:  # from above: upright lines are dots
            return 0.0
        met = ray.meet_plane(top, across)
        return float((met - top) @ up) if met is not None else 0.0

    def finish(self) -> None:
        document = self._stage.document
        shown = find_hint(document.shown, self._hint.id)
        body = body_of(document.scene, self._hint)
        if shown is None or body is None:
            document.preview(None)
            return
        verb = "Aim" if self.handle == "start" else "Raise"
        document.edit(f"{verb} the hint of {body.name}", change_hint(document.scene, self._hint.id, lambda _: shown))

    def cancel(self) -> None:
        self._stage.document.preview(None)


def handles(stage: Stage, hint: Hint) -> dict[Handle, np.ndarray]:
    """Where the handles of a hint are (m)."""
    path = path_of(stage, hint)
    if path is None:
        return {}
    return {"start": path.start, "top": path.top} if path.flies else {"start": path.start}


def grab(stage: Stage, x: float, y: float) -> HintDrag | None:
    """Take hold of what is under the mouse of the chosen hint."""
    handle = handle_at(stage, x, y)
    hint = stage.selection.chosen_hint()
    path = path_of(stage, hint) if hint is not None else None
    return HintDrag(stage, hint, path, handle) if hint is not None and path is not None and handle is not None else None


def handle_at(stage: Stage, x: float, y: float) -> Handle | None:
    hint = stage.selection.chosen_hint()
    places = handles(stage, hint) if hint is not None else {}
    sight = Sight(stage.camera, *stage.extent)
    for name, point in places.items():
        if float(np.linalg.norm(sight.pixel(point) - np.array([x, y]))) <= GRIP:
            return name
    return None
