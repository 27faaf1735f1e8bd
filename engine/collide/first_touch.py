"""First touch: by which features did two polytopes meet that overlap now and were apart one step away?

The axis of least overlap is often wrong for a fast corner, and so is the widest gap one step away: the features that
meet are those of the moment of touching. Bisection on the motion between the two configurations finds a moment just
before it; there the axis of largest separation is the true one, and its features are contacts now, wherever they are.
"""

from __future__ import annotations

import math

from engine.collide.axes import FIRST, FIRST_FACE, SECOND, SECOND_FACE
from engine.collide.clip import INSIDE, outside_polygon
from engine.collide.cores import place_core
from engine.collide.manifold import CORNER_ON_FACE, EDGES, LINE_LINE, emit, emit_point_face
from engine.collide.solids import axis_contacts, best_axis, edge_line
from engine.jit import kernel, standalone
from engine.vec import axpy, dot, quat_unit, row, scale

HALVINGS = 20  # leaves a gap of v dt / 1e6
SAME_HEIGHT = 1e-5  # m: corners this close to the lowest one touch with it


@kernel
def between(x0, q0, x1, q1, t):
    """Pose a share t of the way from (x0, q0) to (x1, q1)."""
    near = 1.0 if q0[0] * q1[0] + q0[1] * q1[1] + q0[2] * q1[2] + q0[3] * q1[3] >= 0.0 else -1.0
    s = near * t
    x = axpy(t, x1, scale(1.0 - t, x0))
    q = quat_unit(
        (
            (1.0 - t) * q0[0] + s * q1[0],
            (1.0 - t) * q0[1] + s * q1[1],
            (1.0 - t) * q0[2] + s * q1[2],
            (1.0 - t) * q0[3] + s * q1[3],
        )
    )
    return x, q


@standalone
def touching_cores(cores, place, part_a, part_b, past_a, past_b, now_a, now_b, leader, size):
    """Both cores (in the places of the past) just before they meet. They are apart in the past and overlap now.

    past_*, now_*: poses (x, q) of the two bodies."""
    apart = 0.0
    overlap = 1.0
    for _ in range(HALVINGS):
        t = 0.5 * (apart + overlap)
        xa, qa = between(past_a[0], past_a[1], now_a[0], now_a[1], t)
        xb, qb = between(past_b[0], past_b[1], now_b[0], now_b[1], t)
        first = place_core(cores, part_a, xa, qa, xa, place.past_first)
        second = place_core(cores, part_b, xb, qb, xa, place.past_second)
        _, _, separation = best_axis(first, second, leader, size)
        if separation > 0.0:
            apart = t
        else:
            overlap = t
    xa, qa = between(past_a[0], past_a[1], now_a[0], now_a[1], apart)
    xb, qb = between(past_b[0], past_b[1], now_b[0], now_b[1], apart)
    return (
        place_core(cores, part_a, xa, qa, xa, place.past_first),
        place_core(cores, part_b, xb, qb, xa, place.past_second),
    )


@standalone
def met_contacts(found, first, second, met_first, met_second, leader, size):
    """Contacts now along the axis of the touching cores met_*, its touching features included wherever they are."""
    axis, _, _ = best_axis(met_first, met_second, leader, size)
    _, kind, i, j, n = axis
    if kind == FIRST_FACE or kind == SECOND_FACE:
        noted = found.state[1]
        for anywhere in range(2):  # corners beside the face did not touch it, unless nothing else did
            if kind == FIRST_FACE:
                lowest_corners(found, FIRST, first, i, second, met_first, met_second, anywhere == 1)
            else:
                lowest_corners(found, SECOND, second, j, first, met_second, met_first, anywhere == 1)
            axis_contacts(found, first, second, 0.0, 0.0, axis)
            if found.state[1] > noted:
                break
    else:
        pa, da, _ = edge_line(first, i)
        pb, db, _ = edge_line(second, j)
        emit(found, EDGES | i << 32 | j << 16, LINE_LINE, pa, da, 0.0, pb, db, 0.0, n)


@kernel
def lowest_corners(found, owner, reference, f, incident, met_reference, met_incident, anywhere):
    """The corners that touched face f, or the plane it lies in `anywhere`, as contacts where they are now."""
    n = row(met_reference.normals, f)
    low = math.inf
    for v in range(met_incident.verts.shape[0]):
        low = min(low, dot(n, row(met_incident.verts, v)))
    start, end = reference.loop_start[f], reference.loop_start[f + 1]
    base = row(reference.verts, reference.loop[start])
    for v in range(met_incident.verts.shape[0]):
        touched = row(met_incident.verts, v)
        if dot(n, touched) > low + SAME_HEIGHT:
            continue
        if anywhere or outside_polygon(met_reference.verts, reference.loop, start, end, n, touched) <= INSIDE:
            p = row(incident.verts, v)
            emit_point_face(found, CORNER_ON_FACE | f << 32 | v << 16, owner, p, 0.0, base, row(reference.normals, f))
