"""Recorded contacts at another configuration: where their features have got to, and how far apart they are."""

from __future__ import annotations

from engine.collide.features import feature_gap
from engine.jit import kernel, standalone
from engine.vec import add, put, quat_row, rotate, row


@kernel
def recorded_gap(contacts, c, x, q):
    """Gap (m), normal and point of recorded contact c at the configuration (x, q)."""
    a = contacts.a[c]
    b = contacts.b[c]
    qa = quat_row(q, a)
    qb = quat_row(q, b)
    return feature_gap(
        contacts.kind_a[c],
        add(row(x, a), rotate(qa, row(contacts.point_a, c))),
        rotate(qa, row(contacts.dir_a, c)),
        contacts.circle_a[c],
        contacts.kind_b[c],
        add(row(x, b), rotate(qb, row(contacts.point_b, c))),
        rotate(qb, row(contacts.dir_b, c)),
        contacts.circle_b[c],
        contacts.round[c],
        row(contacts.normal, c),
    )


@standalone
def place_contacts(count, contacts, x, q):
    """Gap, normal and point of recorded contacts, in place."""
    for c in range(count):
        _place(contacts, c, x, q)


@kernel
def place_by_step(start, contacts, x, q):
    """The same for contacts of many steps: those of step j are start[j]:start[j + 1], at the poses x[j], q[j]."""
    for j in range(start.shape[0] - 1):
        for c in range(start[j], start[j + 1]):
            _place(contacts, c, x[j], q[j])


@kernel
def _place(contacts, c, x, q):
    gap, n, p = recorded_gap(contacts, c, x, q)
    contacts.gap[c] = gap
    put(contacts.normal, c, n)
    put(contacts.point, c, p)
