"""Stacking: which bodies of an ending are free to have arrived last?"""

from __future__ import annotations

import numpy as np

from engine.collide.detect import Detector
from engine.direct.support import CONSTRAINED, support_of
from engine.model.compile import compile_scene
from engine.params import SLOP
from engine.scene.spec import Scene

CONTACTS_PER_PART = 32


def free_bodies(scene: Scene) -> dict[str, bool]:
    """Moving bodies by name: True when nothing holds the body from the other side (see engine/direct/support.py).

    A body that touches nothing is free."""
    model = compile_scene(scene)
    moves = model.bodies.inverse_mass > 0.0
    capacity = CONTACTS_PER_PART * (len(model.geometry.part_body) + 1)
    detector = Detector(model.geometry, model.bodies.inverse_mass, capacity)
    count = detector.find(model.start.x, model.start.q, model.start.x, model.start.q, moves, SLOP)
    contacts = detector.contacts
    a, b = contacts.a[:count], contacts.b[:count]
    none_ignored = np.zeros(count, np.int64)

    def free(row: int) -> bool:
        mine = np.flatnonzero((a == row) | (b == row))
        return bool(support_of(row, mine, contacts.a, contacts.normal, none_ignored) != CONSTRAINED)

    return {body.name: free(model.index(body)) for body in scene.bodies if not body.static}
