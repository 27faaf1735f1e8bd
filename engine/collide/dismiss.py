"""A quick look before the narrow phase: most pairs whose boxes meet are plainly apart."""

from __future__ import annotations

import math

from engine.jit import inline, kernel
from engine.model.arrays import PLANE, POLYTOPE, SPHERE
from engine.vec import add, dot, quat_row, rotate, rotate_back, row, sub

RIGHT = 1e-12  # cosine of faces that are square to each other


@kernel
def part_centre(p, body, centre, x, q):
    return add(row(x, body), rotate(quat_row(q, body), row(centre, p)))


@kernel
def height_over_plane(plane, ground, centre, axis, x, q, point):
    """Signed distance (m) of a point from a plane."""
    turn = quat_row(q, ground)
    return dot(rotate(turn, row(axis, plane)), sub(point, add(row(x, ground), rotate(turn, row(centre, plane)))))


@kernel
def height_over_polytope(p, body, face_start, normals, offsets, x, q, point):
    """At most the distance (m) of a point from the polytope p; 0 inside.

    Heights over faces that are square to each other add up like the sides of a right triangle; for a box that is the
    distance itself."""
    c = rotate_back(quat_row(q, body), sub(point, row(x, body)))
    square, highest = 0.0, 0.0
    first, second = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for f in range(face_start[p], face_start[p + 1]):
        n = row(normals, f)
        height = dot(n, c) - offsets[f]
        highest = max(highest, height)
        if height > 0.0 and abs(dot(n, first)) < RIGHT and abs(dot(n, second)) < RIGHT:
            square += height * height
            if dot(first, first) == 0.0:
                first = n
            else:
                second = n
    return max(highest, math.sqrt(square))


@inline
def far_apart(geometry, cores, part_a, part_b, x, q, slop):
    """True only if the gap of two parts is surely larger than the slop. Goes by the balls around them."""
    kind_a, kind_b = geometry.part_kind[part_a], geometry.part_kind[part_b]
    if kind_b == PLANE:
        return False
    body_a, body_b = geometry.part_body[part_a], geometry.part_body[part_b]
    a = part_centre(part_a, body_a, geometry.part_center, x, q)
    b = part_centre(part_b, body_b, geometry.part_center, x, q)
    bound_a, bound_b = geometry.part_bound[part_a], geometry.part_bound[part_b]
    margin = abs(slop) + 1e-9 * (bound_a + bound_b)
    if kind_a == SPHERE or kind_b == SPHERE:
        apart = sub(a, b)
        if dot(apart, apart) > (bound_a + bound_b + margin) ** 2:
            return True
    faces, normals, offsets = cores.face_start, cores.normals, cores.offsets
    if kind_b == POLYTOPE and height_over_polytope(part_b, body_b, faces, normals, offsets, x, q, a) > bound_a + margin:
        return True
    return (
        kind_a == POLYTOPE and height_over_polytope(part_a, body_a, faces, normals, offsets, x, q, b) > bound_b + margin
    )
