"""The way of the centre of pressure while a body stays on one plane."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.analysis.patch_contacts import ONE_PLANE, PARALLEL, Patch, footprints, moment_of_take
from engine.geometry.turns import rotation_matrix
from engine.scene.inspection import Curve, Plot
from engine.take.take import Take

MOST_SAMPLES = 160  # of a trail: steps between them are left out
SECONDS = 1.0  # s of the trail, before and after the moment


@dataclass(frozen=True)
class Trail:
    """k samples."""

    times: np.ndarray  # (k,) s
    places: np.ndarray  # (k, 3) m
    in_patch: np.ndarray  # (k, 2) m: carried along by the body, in the plane of the patch of the moment
    margins: np.ndarray  # (k,) m to the nearest side of the patch; nan: a point or a segment
    corners: np.ndarray  # (h, 2) m of that patch
    now: float  # s


def trail_of(take: Take, step: int, body: int, patch: Patch) -> Trail:
    """Around a step, as far as the body goes on pressing on the plane of the patch."""
    tape = take.tape
    step = int(np.clip(step, 0, tape.steps - 1))
    span = round(SECONDS / tape.params.dt)
    stride = max(1, 2 * span // MOST_SAMPLES)
    here = tape.state(step)
    turn = rotation_matrix(here.q[body])
    samples = []
    for way in (-1, 1):
        for at in range(step if way > 0 else step - stride, step + way * span, way * stride):
            found = _pressure(take, at, body, patch) if 0 <= at < tape.steps else None
            if found is None:
                break
            place, margin = found
            then = tape.state(at)
            carried = here.x[body] + turn @ rotation_matrix(then.q[body]).T @ (place - then.x[body])
            samples.append((take.times[at], place, (carried - patch.origin) @ patch.axes[:2].T, margin))
    samples.sort(key=lambda sample: sample[0])
    columns = [np.array(column) for column in zip(*samples, strict=True)] or [np.zeros(0)] * 4
    times, places, in_patch, margins = columns
    return Trail(
        times=times,
        places=places.reshape(-1, 3),
        in_patch=in_patch.reshape(-1, 2),
        margins=margins,
        corners=patch.reading.hull.corners,
        now=float(take.times[step]),
    )


def _pressure(take: Take, step: int, body: int, patch: Patch) -> tuple[np.ndarray, float] | None:
    """Where a body presses on the plane of the patch in a step, and how far inside its own patch."""
    for foot in footprints(moment_of_take(take, step, body), body):
        off = abs(float((foot.origin - patch.origin) @ patch.axes[2]))
        if foot.axes[2] @ patch.axes[2] > PARALLEL and off <= ONE_PLANE and foot.reading.cop is not None:
            margin = foot.reading.margin if foot.reading.hull.is_area else None
            return foot.place(foot.reading.cop), np.nan if margin is None else margin
    return None


def trail_plots(trail: Trail) -> tuple[Plot, ...]:
    """The centre of pressure in its patch, and its distance from the edge over time."""
    if not len(trail.times):
        return ()
    corners = trail.corners
    way = Curve("centre of pressure", _floats(trail.in_patch[:, 0]), _floats(trail.in_patch[:, 1]))
    at = int(np.argmin(np.abs(trail.times - trail.now)))
    now = Curve("now", _floats(trail.in_patch[at : at + 1, 0]), _floats(trail.in_patch[at : at + 1, 1]), dots=True)
    outline = Curve("patch", _floats(corners[:, 0]), _floats(corners[:, 1]), closed=True)
    plots = [Plot("Centre of pressure in its patch", "m", "m", (outline, way, now), equal=True)]
    known = np.isfinite(trail.margins)
    if known.any():
        margin = Curve("distance", _floats(trail.times[known]), _floats(trail.margins[known]))
        plots.append(Plot("Pressure to the nearest edge", "time, s", "m", (margin,)))
    return tuple(plots)


def _floats(values: np.ndarray) -> tuple[float, ...]:
    return tuple(float(v) for v in values)
