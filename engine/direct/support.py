"""Free or constrained: may a resting body have arrived last? (paper 001, "Stacking")

A body is free when every two of its contact normals have a positive dot product: nothing holds it from the other side.
The heuristic is wrong for ball pockets and leaning boxes; the artist may override it.
"""

from __future__ import annotations

from engine.jit import kernel

CONSTRAINED, FREE, UNTOUCHED = range(3)


@kernel
def support_of(body, count, a, b, normal, ignored):
    """CONSTRAINED, FREE or UNTOUCHED; contacts c with ignored[c] != 0 are not looked at."""
    answer = UNTOUCHED
    for c in range(count):
        if ignored[c] != 0 or (a[c] != body and b[c] != body):
            continue
        answer = FREE
        side = 1.0 if a[c] == body else -1.0
        for d in range(c):
            if ignored[d] != 0 or (a[d] != body and b[d] != body):
                continue
            other = side if a[d] == body else -side
            product = normal[c, 0] * normal[d, 0] + normal[c, 1] * normal[d, 1] + normal[c, 2] * normal[d, 2]
            if product * other <= 0.0:
                return CONSTRAINED
    return answer
