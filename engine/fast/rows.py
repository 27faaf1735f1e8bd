"""From manifolds to contact rows and back."""

from __future__ import annotations

from engine.fast import row_columns as at
from engine.fast.movers import II, IM, ROWS, V, W
from engine.fast.pairs import CURRENT, LISTED, PUSH, RUB
from engine.fast.touch import place_point
from engine.jit import kernel
from engine.status import CONTACTS_FULL
from engine.vec import add, any_perpendicular, cross, dot, scale, sub

ALWAYS = 5e-4  # m: contacts nearer than this get a row, others only if they could close during the step


@kernel
def gather_rows(pairs, m, rows, dt):
    """Rows of all contacts that may act during the step, and the drive of last step's impulses: (status, rolling?).

    All first points come first, then all second ones and so on: neighbouring rows then seldom share a body, so that the
    processor can work on several at once, and a face is not settled corner by corner before its neighbours are asked.
    """
    count, listed = 0, pairs.counts[LISTED]
    rolling = False
    current, slots, body_a, body_b = pairs.counts[CURRENT], pairs.slots, pairs.a, pairs.b
    counts, point, material = pairs.points, pairs.point, pairs.material
    friction, restitution, roll = material.friction, material.restitution, material.rolling
    awake, motion, mass, frame, x, drive = m.awake, m.motion, m.mass, m.frame, m.x, m.drive
    row_a, row_b, home, hot, cold = rows.a, rows.b, rows.home, rows.hot, rows.cold
    for j in range(4):
        for k in range(listed):
            slot = slots[current, k]
            if counts[slot] <= j:
                continue
            a, b = body_a[slot], body_b[slot]
            if not (awake[a] or awake[b]):
                continue
            moves = mass[b, 0] > 0.0
            if count == row_a.shape[0]:
                return CONTACTS_FULL, rolling
            arm_a, arm_b, n, gap = place_point(point, slot, j, frame, x, a, b)
            before = dot(n, sub(point_velocity(motion, a, arm_a), point_velocity(motion, b, arm_b)))
            if gap > ALWAYS - 2.0 * dt * min(before, 0.0):
                for i in range(PUSH, RUB + 3):
                    point[slot, j, i] = 0.0
                continue
            row_a[count] = a
            row_b[count] = b if moves else -1
            home[count] = 4 * slot + j
            put_row(hot, count, motion, a, b, moves, arm_a, arm_b, n, gap)
            hot[count, at.FRICTION] = friction[slot]
            cold[count, at.BEFORE] = before
            cold[count, at.BOUNCE] = restitution[slot]
            cold[count, at.ROLLING] = roll[slot]
            if roll[slot] > 0.0:
                rolling = True
                put_rolling(cold, count, motion, a, b, moves)
            warm_start(hot, count, point, slot, j, drive, motion, a, b, moves)
            count += 1
    m.counts[ROWS] = count
    return 0, rolling


@kernel
def point_velocity(motion, i, r):
    return (
        motion[i, V] + motion[i, W + 1] * r[2] - motion[i, W + 2] * r[1],
        motion[i, V + 1] + motion[i, W + 2] * r[0] - motion[i, W] * r[2],
        motion[i, V + 2] + motion[i, W] * r[1] - motion[i, W + 1] * r[0],
    )


@kernel
def twist(motion, i, t):
    """I^-1 t."""
    return (
        motion[i, II] * t[0] + motion[i, II + 1] * t[1] + motion[i, II + 2] * t[2],
        motion[i, II + 1] * t[0] + motion[i, II + 3] * t[1] + motion[i, II + 4] * t[2],
        motion[i, II + 2] * t[0] + motion[i, II + 4] * t[1] + motion[i, II + 5] * t[2],
    )


@kernel
def response(motion, i, r):
    """Velocity of the point at arm r per unit impulse there, a symmetric matrix: 1/m - [r] I^-1 [r]."""
    x, y, z = r
    xx, xy, xz = motion[i, II], motion[i, II + 1], motion[i, II + 2]
    yy, yz, zz = motion[i, II + 3], motion[i, II + 4], motion[i, II + 5]
    mass = motion[i, IM]
    # Rows of I^-1 [r], as far as they are needed.
    a1, a2 = xz * x - xx * z, xx * y - xy * x
    b0, b1, b2 = yy * z - yz * y, yz * x - xy * z, xy * y - yy * x
    c0, c1, c2 = yz * z - zz * y, zz * x - xz * z, xz * y - yz * x
    return (
        mass + z * b0 - y * c0,
        z * b1 - y * c1,
        z * b2 - y * c2,
        mass + x * c1 - z * a1,
        x * c2 - z * a2,
        mass + y * a2 - x * b2,
    )


@kernel
def product(k, a):
    """k a, for a symmetric matrix k."""
    return (
        k[0] * a[0] + k[1] * a[1] + k[2] * a[2],
        k[1] * a[0] + k[3] * a[1] + k[4] * a[2],
        k[2] * a[0] + k[4] * a[1] + k[5] * a[2],
    )


@kernel
def put_row(hot, c, motion, a, b, moves, arm_a, arm_b, n, gap):
    """Frame, arms and responses of one contact."""
    t = any_perpendicular(n)
    s = cross(n, t)
    k = response(motion, a, arm_a)
    if moves:
        o = response(motion, b, arm_b)
        k = (k[0] + o[0], k[1] + o[1], k[2] + o[2], k[3] + o[3], k[4] + o[4], k[5] + o[5])
    by_t, by_s = product(k, t), product(k, s)
    for i in range(3):
        hot[c, at.N + i] = n[i]
        hot[c, at.T + i] = t[i]
        hot[c, at.RA + i] = arm_a[i]
        hot[c, at.RB + i] = arm_b[i]
    hot[c, at.GAP] = gap
    hot[c, at.MASS] = 1.0 / dot(n, product(k, n))
    hot[c, at.COUPLE] = dot(n, by_t)
    hot[c, at.COUPLE + 1] = dot(n, by_s)
    tt, ts, ss = dot(t, by_t), dot(t, by_s), dot(s, by_s)
    determinant = 1.0 / (tt * ss - ts * ts)
    hot[c, at.GRIP] = ss * determinant
    hot[c, at.GRIP + 1] = -ts * determinant
    hot[c, at.GRIP + 2] = tt * determinant
    hot[c, at.PEAK] = 0.0


@kernel
def put_rolling(cold, c, motion, a, b, moves):
    """One number for the response to a torque: the mean of the three axes."""
    total = motion[a, II] + motion[a, II + 3] + motion[a, II + 5]
    if moves:
        total += motion[b, II] + motion[b, II + 3] + motion[b, II + 5]
    cold[c, at.ROLL_MASS] = 3.0 / total
    for k in range(3):
        cold[c, at.ROLL + k] = 0.0


@kernel
def warm_start(hot, c, point, slot, j, drive, motion, a, b, moves):
    """Start from the impulses of the last step, the friction turned into the new tangent plane."""
    push = point[slot, j, PUSH]
    rub = (point[slot, j, RUB], point[slot, j, RUB + 1], point[slot, j, RUB + 2])
    n, t = (hot[c, at.N], hot[c, at.N + 1], hot[c, at.N + 2]), (hot[c, at.T], hot[c, at.T + 1], hot[c, at.T + 2])
    s = cross(n, t)
    along, across = dot(rub, t), dot(rub, s)
    hot[c, at.Z] = push
    hot[c, at.Z + 1] = along
    hot[c, at.Z + 2] = across
    if push == 0.0 and along == 0.0 and across == 0.0:
        return
    p = add(scale(push, n), add(scale(along, t), scale(across, s)))
    add_drive(drive, motion, a, (hot[c, at.RA], hot[c, at.RA + 1], hot[c, at.RA + 2]), p)
    if moves:
        add_drive(drive, motion, b, (hot[c, at.RB], hot[c, at.RB + 1], hot[c, at.RB + 2]), scale(-1.0, p))


@kernel
def add_drive(drive, motion, i, r, p):
    w = twist(motion, i, cross(r, p))
    for k in range(3):
        drive[i, k] += motion[i, IM] * p[k]
        drive[i, 3 + k] += w[k]


@kernel
def store_impulses(point, home, hot, count):
    """Impulses back to where the next step finds them."""
    for c in range(count):
        slot, j = home[c] >> 2, home[c] & 3
        n, t = (hot[c, at.N], hot[c, at.N + 1], hot[c, at.N + 2]), (hot[c, at.T], hot[c, at.T + 1], hot[c, at.T + 2])
        s = cross(n, t)
        point[slot, j, PUSH] = hot[c, at.Z]
        for k in range(3):
            point[slot, j, RUB + k] = hot[c, at.Z + 1] * t[k] + hot[c, at.Z + 2] * s[k]
