"""A quick look before the narrow phase: most pairs whose boxes meet are plainly apart."""

from __future__ import annotations

from engine.jit import kernel
from engine.model.arrays import PLANE, POLYTOPE, SPHERE
from engine.vec import add, dot, quat_row, rotate, rotate_back, row, sub

RIGHT = 1e-12  # cosine of faces that are square to each other


@kernel
def part_centre(p, body, centre, x, q):
    return add(row(x, body), rotate(quat_row(q, body), row(centre, p)))


@kernel
def beyond_its_faces(p, body, face_start, normals, offsets, x, q, centre, reach):
    """Is a ball (world centre, radius `reach`) surely outside the polytope p?

    Heights over faces that are square to each other add up like the sides of a right triangle; for a box that is the
    distance itself."""
    c = rotate_back(quat_row(q, body), sub(centre, row(x, body)))
    square = 0.0
    first, second = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for f in range(face_start[p], face_start[p + 1]):
        n = row(normals, f)
        height = dot(n, c) - offsets[f]
        if height > 0.0 and abs(dot(n, first)) < RIGHT and abs(dot(n, second)) < RIGHT:
            square += height * height
            if dot(first, first) == 0.0:
                first = n
            else:
                second = n
    return square > reach * reach


@kernel
def ball_beyond(ball, p, part_body, centre, radius, face_start, normals, offsets, x, q, slop):
    """Is a ball surely apart from the polytope p? (far_apart for the commonest pair, with few arrays to hand over.)"""
    middle = part_centre(ball, part_body[ball], centre, x, q)
    reach = radius[ball] * (1.0 + 1e-9) + abs(slop)
    return beyond_its_faces(p, part_body[p], face_start, normals, offsets, x, q, middle, reach)


@kernel
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
    if kind_b == POLYTOPE and beyond_its_faces(
        part_b, body_b, cores.face_start, cores.normals, cores.offsets, x, q, a, bound_a + margin
    ):
        return True
    return kind_a == POLYTOPE and beyond_its_faces(
        part_a, body_a, cores.face_start, cores.normals, cores.offsets, x, q, b, bound_b + margin
    )
