"""Bodies that sleep through a whole tape with nothing on record of their contacts: could what they touch carry them?

Drops write nothing of those that stay where they are (arrivals/dropped/assemble.py). A body at rest before and after a
kick obeys the law under any impulses in its friction cones that sum to its weight, so it is enough that there are such:
a fit by weights that are not negative of the cones' edges. Only what never moves counts: static bodies and the others
of this kind. Cones are narrowed to pyramids, so a body that is found to be carried is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from engine.algebra import norm
from engine.collide.detect import Detector
from engine.contact.material import empty_materials, pair_materials
from engine.factors import nonnegative
from engine.functions import sine_cosine
from engine.joint.linkage import drop_linked
from engine.model.arrays import Contacts, State
from engine.model.compile import Model
from engine.params import Params
from engine.scene.vectors import across

EDGES = 16  # of a friction pyramid; it has 98 % of the cone's friction at least
CONTACTS_PER_PART = 32


def lacking(model: Model, params: Params, at: State, rests: np.ndarray, stiffest: np.ndarray) -> dict[int, float]:
    """m/s that nothing can give a body in a step to carry it, by row. rests: (n,) bool, whom to ask."""
    contacts = _touching(model, at, rests, params.slop)
    counts = rests | (model.bodies.inverse_mass == 0.0)
    own = np.flatnonzero(counts[contacts.a] & counts[contacts.b])
    found: dict[int, float] = {}
    for group, rows in _islands(contacts, own, rests):
        found |= _lack_of(model, params, at, stiffest, contacts, group, rows)
    return found


def _touching(model: Model, at: State, rests: np.ndarray, slop: float) -> Contacts:
    capacity = CONTACTS_PER_PART * (len(model.geometry.part_body) + 1)
    while True:
        detector = Detector(model.geometry, model.bodies.inverse_mass, capacity)
        count = detector.find(at.x, at.q, at.x, at.q, rests, slop)
        if not detector.status:
            break
        capacity *= 2
    count = drop_linked(count, detector.contacts, model.joints.linked, len(model.names))
    return Contacts(*(column[:count].copy() for column in detector.contacts))


def _islands(contacts: Contacts, own: Iterable[int], rests: np.ndarray) -> Iterator[tuple[list[int], list[int]]]:
    """Bodies that touch each other, and their contacts."""
    leader = np.arange(len(rests))

    def led(body: int) -> int:
        while leader[body] != body:
            body = int(leader[body])
        return body

    for c in own:
        a, b = int(contacts.a[c]), int(contacts.b[c])
        if rests[a] and rests[b]:
            low, high = sorted((led(a), led(b)))
            leader[high] = low
    groups: dict[int, tuple[list[int], list[int]]] = {}
    for body in map(int, np.flatnonzero(rests)):
        groups.setdefault(led(body), ([], []))[0].append(body)
    for c in own:
        body = int(contacts.a[c]) if rests[contacts.a[c]] else int(contacts.b[c])
        groups[led(body)][1].append(int(c))
    yield from groups.values()


def _lack_of(
    model: Model, params: Params, at: State, stiffest: np.ndarray, contacts: Contacts, group: list[int], own: list[int]
) -> dict[int, float]:
    """Of an island: six rows a body, in m/s; a column for every edge of a friction pyramid."""
    bodies = model.bodies
    place = {body: i for i, body in enumerate(group)}
    material = empty_materials(len(own))
    pair_materials(len(own), contacts.a[own], contacts.b[own], bodies, material)
    gravity = np.array([params.gravity_x, params.gravity_y, params.gravity_z])
    right = np.zeros((len(group), 6))
    right[:, :3] = -params.dt * gravity
    columns = np.zeros((len(group), 6, len(own) * EDGES))
    circle = np.array([sine_cosine(2.0 * np.pi * k / EDGES) for k in range(EDGES)])
    for i, c in enumerate(own):
        normal = contacts.normal[c]
        first, second = across(normal)
        around = circle[:, :1] * first + circle[:, 1:] * second
        edges = normal + material.friction[i] * around  # (EDGES, 3), on the first body
        for body, sign in ((int(contacts.a[c]), 1.0), (int(contacts.b[c]), -1.0)):
            if body in place:
                mine = slice(i * EDGES, (i + 1) * EDGES)
                turning = np.cross(contacts.point[c] - at.x[body], edges)
                columns[place[body], :3, mine] = sign * bodies.inverse_mass[body] * edges.T
                columns[place[body], 3:, mine] = sign * stiffest[body] * turning.T
    flat = columns.reshape(6 * len(group), -1)
    given = np.zeros(6 * len(group))
    if len(own):
        given = np.add.reduce(flat * nonnegative(flat, right.reshape(-1)).weights, axis=1)
    left = right - given.reshape(-1, 6)
    return {body: norm(left[i, :3]) + norm(left[i, 3:]) for body, i in place.items()}
