"""Free or constrained: may a resting body have arrived last? (Twigg and James 2008, "Stacking")

A body is free when no two of its contact normals oppose each other: nothing holds it from the other side. They
ask for positive dot products; here a right angle counts as free too, or nothing that touches a wall could ever arrive.
The heuristic is wrong for pockets; the artist may override it.
"""

from __future__ import annotations

from engine.jit import kernel

CONSTRAINED, FREE, UNTOUCHED = range(3)
RIGHT_ANGLE = 1e-6  # cosine: normals this close to perpendicular do not oppose each other


@kernel
def support_of(body, mine, a, normal, ignored):
    """CONSTRAINED, FREE or UNTOUCHED, by the contacts `mine` of the body; those with ignored[c] != 0 do not count."""
    answer = UNTOUCHED
    for i in range(mine.shape[0]):
        c = mine[i]
        if ignored[c] != 0:
            continue
        answer = FREE
        side = 1.0 if a[c] == body else -1.0
        for j in range(i):
            d = mine[j]
            if ignored[d] != 0:
                continue
            other = side if a[d] == body else -side
            product = normal[c, 0] * normal[d, 0] + normal[c, 1] * normal[d, 1] + normal[c, 2] * normal[d, 2]
            if product * other < -RIGHT_ANGLE:
                return CONSTRAINED
    return answer
