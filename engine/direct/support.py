"""Free or constrained: may a resting body have arrived last? (paper 001, "Stacking")

A body is free when every two of its contact normals have a positive dot product: nothing holds it from the other side.
The heuristic is wrong for ball pockets and leaning boxes; the artist may override it.
"""

from __future__ import annotations

from engine.jit import kernel


@kernel
def free_bodies(count, a, b, normal, hold_out, free):
    """free[i] = 1 when no two contacts of body i oppose each other, 0 when some do, -1 when it touches nothing.

    Contacts with hold_out[c] != 0 are not looked at."""
    for i in range(free.shape[0]):
        free[i] = -1
    for c in range(count):
        if hold_out[c] != 0:
            continue
        for side in range(2):
            body = a[c] if side == 0 else b[c]
            if free[body] == -1:
                free[body] = 1
            if free[body] == 0:
                continue
            sign = 1.0 if side == 0 else -1.0
            for d in range(count):
                if hold_out[d] != 0 or (a[d] != body and b[d] != body):
                    continue
                other = sign if a[d] == body else -sign
                product = normal[c, 0] * normal[d, 0] + normal[c, 1] * normal[d, 1] + normal[c, 2] * normal[d, 2]
                if product * other <= 0.0:
                    free[body] = 0
