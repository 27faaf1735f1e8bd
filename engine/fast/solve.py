"""The solver: soft contacts in substeps.

Per substep of length h: gravity and the impulses of the last substep act; one sweep with a bias that lets overlaps go
like damped springs; positions move; one sweep without the bias takes out the speed it gave. Restitution
comes once, at the end of the step. Contact frames stay fixed over the step; gaps follow the bodies' displacements.

A spring of frequency f and damping ratio z, implicit in time, acts on a contact's velocity u with overlap s < 0 as

    dz_n = - m c (u + b s) - d z_n,   b = w / (2 z + h w),   c = h w (2 z + h w) / (1 + h w (2 z + h w)),   d = 1 - c,
    w = 2 pi f,   m = 1 / response
"""

from __future__ import annotations

import math

from engine.fast import row_columns as at
from engine.fast.movers import AWAKE, DX, II, IM, ROWS, V, W
from engine.jit import kernel

SUBSTEPS = 4
STIFFNESS = 0.18  # frequency of a contact's spring per substep rate
DAMPING = 10.0  # ratio
BOUNCES = 4  # passes of restitution, so that the corners of a face share it
FASTEST_PUSH = 2.0  # m/s, at which overlaps are pushed apart
ALLOWED_OVERLAP = 2e-5  # m: resting contacts keep this much, so that they do not flicker


@kernel
def solve(m, rows, params, rolling):
    """Velocities and displacements of the step."""
    motion, base, drive, awake, bodies = m.motion, m.base, m.drive, m.list, m.counts[AWAKE]
    a, b, hot, cold, count = rows.a, rows.b, rows.hot, rows.cold, m.counts[ROWS]
    gravity = (params.gravity_x, params.gravity_y, params.gravity_z)
    h = params.dt / SUBSTEPS
    omega = 2.0 * math.pi * STIFFNESS / h
    damped = 2.0 * DAMPING + h * omega
    share = h * omega * damped / (1.0 + h * omega * damped)
    for _ in range(SUBSTEPS):
        accelerate(motion, base, drive, awake, bodies, gravity, h)
        sweep(a, b, hot, motion, 0, count, 1, 1.0 / h, omega / damped, share, 1.0 - share)
        if rolling:
            roll(a, b, hot, cold, motion, count)
        advance(motion, awake, bodies, h)
        sweep(a, b, hot, motion, count - 1, -1, -1, 1.0 / h, 0.0, 1.0, 0.0)
        if rolling:
            roll(a, b, hot, cold, motion, count)
        keep_drive(motion, base, drive, awake, bodies)
    for _ in range(BOUNCES):
        if not restore(a, b, hot, cold, motion, count, params.bounce_speed):
            break


@kernel
def fly(motion, awake, bodies, params):
    """What the substeps come to without any contact."""
    dt = params.dt
    gravity = (params.gravity_x, params.gravity_y, params.gravity_z)
    fall = 0.5 * dt * dt * (1.0 + 1.0 / SUBSTEPS)
    for k in range(bodies):
        i = awake[k]
        for c in range(6):
            motion[i, DX + c] = dt * motion[i, c]
        for c in range(3):
            motion[i, DX + c] += fall * gravity[c]
            motion[i, c] += dt * gravity[c]


@kernel
def accelerate(motion, base, drive, awake, bodies, gravity, h):
    """Gravity, and what the impulses did in the last substep (the contact frames are the same, so they do it again)."""
    for k in range(bodies):
        i = awake[k]
        for c in range(3):
            motion[i, c] += h * gravity[c]
        for c in range(6):
            base[i, c] = motion[i, c]
            motion[i, c] += drive[i, c]


@kernel
def keep_drive(motion, base, drive, awake, bodies):
    for k in range(bodies):
        i = awake[k]
        for c in range(6):
            drive[i, c] = motion[i, c] - base[i, c]


@kernel
def advance(motion, awake, bodies, h):
    for k in range(bodies):
        i = awake[k]
        for c in range(6):
            motion[i, DX + c] += h * motion[i, c]


@kernel
def apply(motion, i, rx, ry, rz, px, py, pz):
    """Impulse p at arm r of body i."""
    mass = motion[i, IM]
    tx, ty, tz = ry * pz - rz * py, rz * px - rx * pz, rx * py - ry * px
    motion[i, V] += mass * px
    motion[i, V + 1] += mass * py
    motion[i, V + 2] += mass * pz
    motion[i, W] += motion[i, II] * tx + motion[i, II + 1] * ty + motion[i, II + 2] * tz
    motion[i, W + 1] += motion[i, II + 1] * tx + motion[i, II + 3] * ty + motion[i, II + 4] * tz
    motion[i, W + 2] += motion[i, II + 2] * tx + motion[i, II + 4] * ty + motion[i, II + 5] * tz


@kernel
def moved(motion, i, c, rx, ry, rz):
    """Columns c: of motion as a rigid velocity (or small displacement) at arm r."""
    return (
        motion[i, c] + motion[i, c + 4] * rz - motion[i, c + 5] * ry,
        motion[i, c + 1] + motion[i, c + 5] * rx - motion[i, c + 3] * rz,
        motion[i, c + 2] + motion[i, c + 3] * ry - motion[i, c + 4] * rx,
    )


@kernel
def sweep(row_a, row_b, hot, motion, first, last, way, rate, bias, hard, soft):
    """One pass over all rows: friction, then the normal; rate = 1/h, the others as b, c and d above."""
    for c in range(first, last, way):
        a, b = row_a[c], row_b[c]
        nx, ny, nz = hot[c, at.N], hot[c, at.N + 1], hot[c, at.N + 2]
        tx, ty, tz = hot[c, at.T], hot[c, at.T + 1], hot[c, at.T + 2]
        sx, sy, sz = ny * tz - nz * ty, nz * tx - nx * tz, nx * ty - ny * tx
        ax, ay, az = hot[c, at.RA], hot[c, at.RA + 1], hot[c, at.RA + 2]
        bx, by, bz = hot[c, at.RB], hot[c, at.RB + 1], hot[c, at.RB + 2]
        ux, uy, uz = moved(motion, a, V, ax, ay, az)
        dx, dy, dz = moved(motion, a, DX, ax, ay, az)
        if b >= 0:
            vx, vy, vz = moved(motion, b, V, bx, by, bz)
            ux, uy, uz = ux - vx, uy - vy, uz - vz
            ex, ey, ez = moved(motion, b, DX, bx, by, bz)
            dx, dy, dz = dx - ex, dy - ey, dz - ez
        gap = hot[c, at.GAP] + nx * dx + ny * dy + nz * dz + ALLOWED_OVERLAP
        un, ut, us = nx * ux + ny * uy + nz * uz, tx * ux + ty * uy + tz * uz, sx * ux + sy * uy + sz * uz

        z, z1, z2 = hot[c, at.Z], hot[c, at.Z + 1], hot[c, at.Z + 2]
        g11, g12, g22 = hot[c, at.GRIP], hot[c, at.GRIP + 1], hot[c, at.GRIP + 2]
        y1, y2 = z1 - g11 * ut - g12 * us, z2 - g12 * ut - g22 * us
        bound = hot[c, at.FRICTION] * z
        square = y1 * y1 + y2 * y2
        if square > bound * bound:
            # It slides. One step size for both axes: friction must oppose the velocity, not the response to it.
            mean = 2.0 * (g11 * g22 - g12 * g12) / (g11 + g22)
            y1, y2 = z1 - mean * ut, z2 - mean * us
            square = y1 * y1 + y2 * y2
            if square > bound * bound:
                shrink = bound / math.sqrt(square)
                y1, y2 = y1 * shrink, y2 * shrink
        d1, d2 = y1 - z1, y2 - z2
        un += hot[c, at.COUPLE] * d1 + hot[c, at.COUPLE + 1] * d2

        if gap > 0.0:
            y = z - hot[c, at.MASS] * (un + gap * rate)
        else:
            y = z - hot[c, at.MASS] * hard * (un + max(bias * gap, -FASTEST_PUSH)) - soft * z
        y = max(y, 0.0)
        dn = y - z
        hot[c, at.Z] = y
        hot[c, at.Z + 1] = y1
        hot[c, at.Z + 2] = y2
        hot[c, at.PEAK] = max(hot[c, at.PEAK], y)
        px, py, pz = nx * dn + tx * d1 + sx * d2, ny * dn + ty * d1 + sy * d2, nz * dn + tz * d1 + sz * d2
        apply(motion, a, ax, ay, az, px, py, pz)
        if b >= 0:
            apply(motion, b, bx, by, bz, -px, -py, -pz)


@kernel
def spin_up(motion, i, tx, ty, tz):
    """Angular impulse t on body i."""
    motion[i, W] += motion[i, II] * tx + motion[i, II + 1] * ty + motion[i, II + 2] * tz
    motion[i, W + 1] += motion[i, II + 1] * tx + motion[i, II + 3] * ty + motion[i, II + 4] * tz
    motion[i, W + 2] += motion[i, II + 2] * tx + motion[i, II + 4] * ty + motion[i, II + 5] * tz


@kernel
def roll(row_a, row_b, hot, cold, motion, count):
    """Rolling friction: a torque against the relative spin, at most rolling * normal impulse."""
    for c in range(count):
        if cold[c, at.ROLLING] == 0.0:
            continue
        bound = cold[c, at.ROLLING] * hot[c, at.Z]
        a, b = row_a[c], row_b[c]
        wx, wy, wz = motion[a, W], motion[a, W + 1], motion[a, W + 2]
        if b >= 0:
            wx, wy, wz = wx - motion[b, W], wy - motion[b, W + 1], wz - motion[b, W + 2]
        mass = cold[c, at.ROLL_MASS]
        x, y, z = cold[c, at.ROLL] - mass * wx, cold[c, at.ROLL + 1] - mass * wy, cold[c, at.ROLL + 2] - mass * wz
        square = x * x + y * y + z * z
        if square > bound * bound:
            shrink = bound / math.sqrt(square)
            x, y, z = x * shrink, y * shrink, z * shrink
        tx, ty, tz = x - cold[c, at.ROLL], y - cold[c, at.ROLL + 1], z - cold[c, at.ROLL + 2]
        cold[c, at.ROLL] = x
        cold[c, at.ROLL + 1] = y
        cold[c, at.ROLL + 2] = z
        spin_up(motion, a, tx, ty, tz)
        if b >= 0:
            spin_up(motion, b, -tx, -ty, -tz)


@kernel
def restore(row_a, row_b, hot, cold, motion, count, bounce_speed):
    """Restitution: contacts that were hit faster than bounce_speed leave with their share of that speed.

    Says whether there were any."""
    any_hit = False
    for c in range(count):
        before = cold[c, at.BEFORE]
        if before > -bounce_speed or hot[c, at.PEAK] == 0.0 or cold[c, at.BOUNCE] == 0.0:
            continue
        any_hit = True
        a, b = row_a[c], row_b[c]
        nx, ny, nz = hot[c, at.N], hot[c, at.N + 1], hot[c, at.N + 2]
        ux, uy, uz = moved(motion, a, V, hot[c, at.RA], hot[c, at.RA + 1], hot[c, at.RA + 2])
        if b >= 0:
            vx, vy, vz = moved(motion, b, V, hot[c, at.RB], hot[c, at.RB + 1], hot[c, at.RB + 2])
            ux, uy, uz = ux - vx, uy - vy, uz - vz
        un = nx * ux + ny * uy + nz * uz
        y = max(hot[c, at.Z] - hot[c, at.MASS] * (un + cold[c, at.BOUNCE] * before), 0.0)
        dn = y - hot[c, at.Z]
        hot[c, at.Z] = y
        apply(motion, a, hot[c, at.RA], hot[c, at.RA + 1], hot[c, at.RA + 2], nx * dn, ny * dn, nz * dn)
        if b >= 0:
            apply(motion, b, hot[c, at.RB], hot[c, at.RB + 1], hot[c, at.RB + 2], -nx * dn, -ny * dn, -nz * dn)
    return any_hit
