"""A quick look before the narrow phase: most pairs whose boxes meet are plainly apart."""

from __future__ import annotations

from engine.jit import kernel
from engine.model.arrays import PLANE, POLYTOPE, SPHERE
from engine.vec import add, dot, quat_row, rotate, rotate_back, row, sub


@kernel
def part_centre(geometry, p, x, q):
    body = geometry.part_body[p]
    return add(row(x, body), rotate(quat_row(q, body), row(geometry.part_center, p)))


@kernel
def beyond_a_face(geometry, cores, p, x, q, centre, reach):
    """Is a ball (world centre, radius `reach`) outside one of the faces of the polytope p?"""
    body = geometry.part_body[p]
    c = rotate_back(quat_row(q, body), sub(centre, row(x, body)))
    for f in range(cores.face_start[p], cores.face_start[p + 1]):
        if dot(row(cores.normals, f), c) - cores.offsets[f] > reach:
            return True
    return False


@kernel
def far_apart(geometry, cores, part_a, part_b, x, q, slop):
    """True only if the gap of two parts is surely larger than the slop. Goes by the balls around them."""
    kind_a, kind_b = geometry.part_kind[part_a], geometry.part_kind[part_b]
    if kind_b == PLANE:
        return False
    a, b = part_centre(geometry, part_a, x, q), part_centre(geometry, part_b, x, q)
    margin = abs(slop) + 1e-9 * (geometry.part_bound[part_a] + geometry.part_bound[part_b])
    if kind_a == SPHERE or kind_b == SPHERE:
        apart = sub(a, b)
        reach = geometry.part_bound[part_a] + geometry.part_bound[part_b] + margin
        if dot(apart, apart) > reach * reach:
            return True
    if kind_b == POLYTOPE and beyond_a_face(geometry, cores, part_b, x, q, a, geometry.part_bound[part_a] + margin):
        return True
    return kind_a == POLYTOPE and beyond_a_face(geometry, cores, part_a, x, q, b, geometry.part_bound[part_b] + margin)
