"""The way of the centre of pressure while a body stays on one plane."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engine.analysis.patch_contacts import ONE_PLANE, PARALLEL, Patch, footprints, moment_of_take
from engine.scene.inspection import Curve, Plot
from engine.shapes.turns import rotation_matrix
from engine.tape.take import Take

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


def trail_plots(trail: Trail, edge: np.ndarray | None = None) -> tuple[Plot, ...]:
    """The centre of pressure in its patch, with the edge (2, 2) it tips over, and its distance from the edge over
    time."""
    if not len(trail.times):
        return ()
    at = int(np.argmin(np.abs(trail.times - trail.now)))
    way = _curve("centre of pressure", trail.in_patch)
    plots = [_in_patch(trail.corners, edge, [way, _now(trail.in_patch[at], float(trail.margins[at]))])]
    known = np.isfinite(trail.margins)
    if known.any():
        margin = Curve("distance", _floats(trail.times[known]), _floats(trail.margins[known]))
        plots.append(Plot("Pressure to the nearest edge", "time, s", "m", (margin,)))
    return tuple(plots)


def pressure_plots(patch: Patch, edge: np.ndarray | None = None) -> tuple[Plot, ...]:
    """The centre of pressure in its patch, of one moment; none without pressure or without an area."""
    reading = patch.reading
    if reading.cop is None or not reading.hull.is_area:
        return ()
    return (_in_patch(reading.hull.corners, edge, [_now(reading.cop, reading.margin)]),)


def _in_patch(corners: np.ndarray, edge: np.ndarray | None, curves: list[Curve]) -> Plot:
    outline = Curve("patch", _floats(corners[:, 0]), _floats(corners[:, 1]), closed=True)
    sides = [] if edge is None else [replace(_curve("tipping edge", edge), warning=True)]
    return Plot("Where it presses", "m", "m", (outline, *sides, *curves), equal=True)


def _now(cop: np.ndarray, margin: float | None) -> Curve:
    known = margin is not None and np.isfinite(margin)
    label = f"{1000.0 * margin:.0f} mm" if known and margin is not None and margin < 0.0995 else ""
    return replace(_curve(label, cop.reshape(1, 2)), dots=True)


def _curve(label: str, points: np.ndarray) -> Curve:
    return Curve(label, _floats(points[:, 0]), _floats(points[:, 1]))


def _floats(values: np.ndarray) -> tuple[float, ...]:
    return tuple(float(v) for v in values)
