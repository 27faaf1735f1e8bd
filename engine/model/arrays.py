"""The arrays every kernel works on: constant (Geometry, Bodies), changing (State), found each step (Contacts).

Frames. A body's state is that of its centre of mass: x is the centre of mass (m), q turns the body frame
(axes as authored, origin at the centre of mass) into the world. Everything in Geometry is given in the body
frame. Static bodies are rows like any other, with zero inverse mass and inertia.
"""

from __future__ import annotations

import numpy as np

from engine.record import Record

# Kinds of convex part (Geometry.part_kind).
SPHERE, CAPSULE, POLYTOPE, CYLINDER, PLANE, TRIANGLE = range(6)

# Kinds of contact feature (Contacts.kind_a, kind_b).
POINT, LINE, FACE, CIRCLE = range(4)


class Geometry(Record):
    """Convex parts of all bodies, in body frames. P parts, V vertices, F faces, E edges."""

    part_body: np.ndarray  # (P,) int64    body the part belongs to
    part_kind: np.ndarray  # (P,) int64    SPHERE ... TRIANGLE
    part_center: np.ndarray  # (P, 3) m    centre; a point on a PLANE; vertex mean of a POLYTOPE or TRIANGLE
    part_axis: np.ndarray  # (P, 3)        unit axis of CAPSULE and CYLINDER; outward normal of PLANE and TRIANGLE
    part_radius: np.ndarray  # (P,) m      radius of SPHERE, CAPSULE, CYLINDER; else 0
    part_half: np.ndarray  # (P,) m        half length of the CAPSULE's core, half height of the CYLINDER; else 0
    part_bound: np.ndarray  # (P,) m       radius of a ball about part_center that holds the part (inf for PLANE)
    vert_start: np.ndarray  # (P+1,) int64 vertices of part p: verts[vert_start[p]:vert_start[p+1]]
    face_start: np.ndarray  # (P+1,) int64 faces of part p
    edge_start: np.ndarray  # (P+1,) int64 edges of part p
    verts: np.ndarray  # (V, 3) m
    face_normal: np.ndarray  # (F, 3)      outward unit normals (coplanar triangles are merged into one face)
    face_offset: np.ndarray  # (F,) m      face plane: face_normal . p = face_offset
    loop_start: np.ndarray  # (F+1,) int64 corners of face f: loop[loop_start[f]:loop_start[f+1]]
    loop: np.ndarray  # (sum,) int64       vertex indices, counter-clockwise seen from outside
    edge_verts: np.ndarray  # (E, 2) int64
    edge_faces: np.ndarray  # (E, 2) int64 the two faces meeting there; (f, -1) at the rim of an open mesh


class Bodies(Record):
    """Constant data of n bodies (static ones included)."""

    mass: np.ndarray  # (n,) kg              inf for static
    inverse_mass: np.ndarray  # (n,) 1/kg
    inertia: np.ndarray  # (n, 3, 3) kg m^2  about the centre of mass, body frame (identity for static)
    inverse_inertia: np.ndarray  # (n, 3, 3) 1/(kg m^2), zero for static
    size: np.ndarray  # (n,) m               bounding radius about the centre of mass, 0 for static
    friction: np.ndarray  # (n,)             authored material (pairs combine them: see engine/contact/material.py)
    restitution: np.ndarray  # (n,)
    rolling: np.ndarray  # (n,) m            rolling friction: torque bound per normal impulse
    friction_low: np.ndarray  # (n,)         tuning range of friction
    friction_top: np.ndarray  # (n,)
    restitution_low: np.ndarray  # (n,)      tuning range of restitution
    restitution_top: np.ndarray  # (n,)


class State(Record):
    """What changes: one row per body."""

    x: np.ndarray  # (n, 3) m            centre of mass
    q: np.ndarray  # (n, 4)              orientation w x y z
    v: np.ndarray  # (n, 3) m/s
    l: np.ndarray  # (n, 3) kg m^2/s     angular momentum, world axes


class Contacts(Record):
    """Contacts found at one configuration, capacity C. The normal points from body b to body a.

    A contact is a pair of features fixed in the two bodies; its gap is a function of the two poses alone
    (engine/collide/features.py), which is what the secant law needs. Body a is never static.
    """

    a: np.ndarray  # (C,) int64
    b: np.ndarray  # (C,) int64
    part_a: np.ndarray  # (C,) int64
    part_b: np.ndarray  # (C,) int64
    feature: np.ndarray  # (C,) int64   which feature pair of the two parts; the same pair has the same number next step
    point: np.ndarray  # (C, 3) m       midway between the two surfaces, world
    normal: np.ndarray  # (C, 3)        unit, from b to a, world
    gap: np.ndarray  # (C,) m           negative when overlapping
    kind_a: np.ndarray  # (C,) int64    POINT, LINE, FACE, CIRCLE
    kind_b: np.ndarray  # (C,) int64
    point_a: np.ndarray  # (C, 3) m     feature's point in the frame of body a (relative to its centre of mass)
    point_b: np.ndarray  # (C, 3) m
    dir_a: np.ndarray  # (C, 3)         LINE direction, FACE outward normal, CIRCLE axis, in the frame of body a
    dir_b: np.ndarray  # (C, 3)
    circle_a: np.ndarray  # (C,) m      radius of a CIRCLE feature; rounding radius of a POINT or LINE; 0 for a FACE
    circle_b: np.ndarray  # (C,) m
    round: np.ndarray  # (C,) m         sum of the rounding radii (ball and capsule radius, cylinder side radius)


def empty_contacts(capacity: int) -> Contacts:
    """Contacts with room for `capacity` rows."""
    whole = {"a", "b", "part_a", "part_b", "feature", "kind_a", "kind_b"}
    vectors = {"point", "normal", "point_a", "point_b", "dir_a", "dir_b"}

    def column(name: str) -> np.ndarray:
        if name in whole:
            return np.zeros(capacity, np.int64)
        return np.zeros((capacity, 3) if name in vectors else capacity)

    return Contacts(*(column(name) for name in Contacts._fields))


def copy_state(state: State) -> State:
    return State(*(part.copy() for part in state))
