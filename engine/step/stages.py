"""Stages that forward and backward steps share. Each works on the parts of a Scratch it names."""

from __future__ import annotations

from engine.collide.detect import detect
from engine.collide.islands import find_islands
from engine.collide.recorded import place_contacts
from engine.contact.island_solver import island_room
from engine.contact.kick import (
    APART,
    CONTACTS,
    GHOST,
    ISLANDS,
    JOINED_BODIES,
    JOINED_CONTACTS,
    ROOM_BODIES,
    ROOM_CONTACTS,
    WARM,
    body_speed,
    frames,
    pair_speed,
    predict,
)
from engine.contact.material import pair_materials
from engine.contact.verdict import judge_contact
from engine.jit import cpu_clock, inline, kernel, standalone
from engine.joint.limits import find_limits
from engine.joint.linkage import LIMITS, drop_linked, linked_islands
from engine.kick.jointed import joint_room
from engine.params import CAUGHT
from engine.rest import REST_OF_ISLAND_IN, REST_OF_ISLAND_OUT
from engine.status import CONTACTS_FULL, ISLAND_FULL, JOINTS_FULL
from engine.step.ahead import add_ahead
from engine.step.reach import foresee, hold_rims, keep_reachable, rounded_up


@kernel
def tick(clock, stage):
    """Add the time since the last tick to a stage."""
    if clock.shape[0] > 0:
        now = cpu_clock()
        clock[stage] += now - clock[-1]
        clock[-1] = now


@standalone
def find_contacts(s, params, at, came_from):
    """Contacts at the configuration `at`, coming from another, with frames, materials, warm impulses and authored
    coefficients. Wakes sleepers that are touched. Returns a status."""
    x, q, x_from, q_from = at.x, at.q, came_from.x, came_from.q
    margin = params.slop
    if params.landing != CAUGHT:
        foresee(s.bodies.size, params, x, q, x_from, q_from, s.reach)
        margin += rounded_up(s.reach, s.margin, s.detect.near.counts)
    while True:
        for body in range(s.awake.shape[0]):
            s.awake[body] = not s.is_static[body] and not s.asleep[body]
        count, status = detect(s.geometry, s.detect, s.contacts, x, q, x_from, q_from, s.awake, s.is_static, margin)
        if status != 0:
            return status
        count = drop_linked(count, s.contacts, s.linkage.joints.linked, s.asleep.shape[0])
        if params.landing != CAUGHT:
            count = keep_reachable(count, s.contacts, s.reach, params.slop)
            hold_rims(count, s.contacts, q, s.reach)
        count, status = add_ahead(s, count)
        if status != 0:
            return status
        if not wake_touched(count, s.contacts.a, s.contacts.b, s.asleep, s.ring):
            break
    s.counts[CONTACTS] = count
    open_contacts(s, params, at)
    recall_impulses(s)
    joints = s.linkage.joints.kind.shape[0]
    if joints > 0:
        if count + 2 * joints > s.base.shape[0]:
            return CONTACTS_FULL
        find_limits(s, params, at)
    return 0


@kernel
def open_contacts(s, params, at):
    """Places, frames, materials and authored coefficients of the contacts found."""
    place_contacts(s.counts[CONTACTS], s.contacts, at.x, at.q)
    frames(s, at.x)
    predict(s, params)
    pair_materials(s.counts[CONTACTS], s.contacts.a, s.contacts.b, s.bodies, s.material)
    decide_as_authored(s)


@kernel
def wake(body, asleep, ring):
    """Wake a body and all that fell asleep with it."""
    while asleep[body]:
        asleep[body] = False
        body = ring[body]


@inline
def wake_touched(count, a, b, asleep, ring):
    """Wake every sleeping group that an awake body touches; True when there was one."""
    found = False
    for c in range(count):
        found = found or asleep[a[c]] or asleep[b[c]]
        wake(a[c], asleep, ring)
        wake(b[c], asleep, ring)
    return found


@standalone
def recall_impulses(s):
    """kick.impulse and torque of last step's contact with the same parts and feature, else zero.

    Both lists are sorted by (part a, part b, feature), so one pass over each is enough."""
    contacts, kick, warm, keys, known = s.contacts, s.kick, s.warm, s.warm.keys, s.counts[WARM]
    j = 0
    for c in range(s.counts[CONTACTS]):
        while j < known and (
            keys[j, 0] < contacts.part_a[c]
            or (keys[j, 0] == contacts.part_a[c] and keys[j, 1] < contacts.part_b[c])
            or (
                keys[j, 0] == contacts.part_a[c]
                and keys[j, 1] == contacts.part_b[c]
                and keys[j, 2] < contacts.feature[c]
            )
        ):
            j += 1
        same = (
            j < known
            and keys[j, 0] == contacts.part_a[c]
            and keys[j, 1] == contacts.part_b[c]
            and keys[j, 2] == contacts.feature[c]
        )
        for k in range(3):
            kick.impulse[c, k] = warm.impulse[j, k] if same else 0.0
            kick.torque[c, k] = warm.torque[j, k] if same else 0.0


@standalone
def remember(s):
    """Keep this step's impulses for the next one's warm start."""
    contacts, kick, warm = s.contacts, s.kick, s.warm
    s.counts[WARM] = s.counts[CONTACTS]
    for c in range(s.counts[CONTACTS]):
        warm.keys[c, 0] = contacts.part_a[c]
        warm.keys[c, 1] = contacts.part_b[c]
        warm.keys[c, 2] = contacts.feature[c]
        for k in range(3):
            warm.impulse[c, k] = kick.impulse[c, k]
            warm.torque[c, k] = kick.torque[c, k]


@standalone
def decide_as_authored(s):
    """Every contact FREE with the authored coefficients and no goals."""
    kick, material = s.kick, s.material
    for c in range(s.counts[CONTACTS]):
        kick.hold[c] = 0
        kick.used[c] = 1
        kick.restitution[c] = material.restitution[c]
        kick.friction[c] = material.friction[c]
        kick.rolling[c] = material.rolling[c]
        kick.forced[c] = 0
        kick.goal_n[c] = 0.0
        for k in range(3):
            kick.goal_t[c, k] = 0.0
            kick.goal_r[c, k] = 0.0


@standalone
def link(s, asleep):
    """Islands of the contacts that are met (ghosts and those apart get no rows and no impulse), of limits and joints.
    Returns a status."""
    counts, contacts, kick, linkage, islands = s.counts, s.contacts, s.kick, s.linkage, s.islands
    inverse_mass = s.bodies.inverse_mass
    count = counts[CONTACTS] + linkage.counts[LIMITS]
    for c in range(count):
        kick.used[c] = 0 if kick.hold[c] == GHOST or kick.hold[c] == APART else 1
        if kick.used[c] == 0:
            for k in range(3):
                kick.impulse[c, k] = 0.0
                kick.torque[c, k] = 0.0
    if linkage.joints.kind.shape[0] == 0:
        counts[ISLANDS] = find_islands(count, contacts.a, contacts.b, kick.used, inverse_mass, islands)
    else:
        counts[ISLANDS] = linked_islands(
            count, contacts.a, contacts.b, kick.used, inverse_mass, asleep, linkage, islands
        )
    counts[ROOM_BODIES], counts[ROOM_CONTACTS] = island_room(islands, counts[ISLANDS], s.rows, s.solver)
    counts[JOINED_BODIES], counts[JOINED_CONTACTS] = joint_room(islands, counts[ISLANDS], s.joint_work)
    full = ISLAND_FULL if counts[ROOM_BODIES] > 0 else 0
    return full | JOINTS_FULL if counts[JOINED_BODIES] > 0 else full


@standalone
def group_by_body(count, a, b, touching):
    """Fill `touching`: the contacts of every body, in order."""
    start = touching.start
    n = start.shape[0] - 1
    for i in range(n + 1):
        start[i] = 0
    for c in range(count):
        start[a[c]] += 1
        start[b[c]] += 1
    total = 0
    for i in range(n + 1):
        total += start[i]
        start[i] = total
    for c in range(count - 1, -1, -1):  # from the end, so that each body's list comes out in order
        start[a[c]] -= 1
        touching.contacts[start[a[c]]] = c
        start[b[c]] -= 1
        touching.contacts[start[b[c]]] = c


@kernel
def fall_time(sign, dt, inverse_mass, asleep):
    """For how long (s, signed) gravity pulls a body in a step: not at all when it is static or asleep."""
    return sign * dt if inverse_mass > 0.0 and not asleep else 0.0


@standalone
def free_flight(sign, params, inverse_mass, asleep, v, l, v_out, l_out):
    """Velocities across a kick without contacts: gravity for awake moving bodies, nothing for the others."""
    g = (params.gravity_x, params.gravity_y, params.gravity_z)
    for body in range(v.shape[0]):
        falls = fall_time(sign, params.dt, inverse_mass[body], asleep[body])
        for k in range(3):
            v_out[body, k] = v[body, k] + falls * g[k]
            l_out[body, k] = l[body, k]


@standalone
def put_to_rest(s, params, at, given, found):
    """Islands at rest on both sides of the kick, with nothing asked of them, fall asleep: their velocities become
    exactly zero, and their bodies form a ring that wakes together."""
    islands, kick, bodies, tolerance = s.islands, s.kick, s.bodies, params.solver_tolerance
    for island in range(s.counts[ISLANDS]):
        first, last = islands.body_start[island], islands.body_start[island + 1]
        fastest_in, fastest_out = 0.0, 0.0
        for i in range(first, last):
            body = islands.bodies[i]
            fastest_in = max(fastest_in, body_speed(bodies, body, at, given))
            fastest_out = max(fastest_out, body_speed(bodies, body, at, found))
            if fastest_in > REST_OF_ISLAND_IN * tolerance:
                break
        quiet = fastest_in <= REST_OF_ISLAND_IN * tolerance
        quiet = quiet and fastest_out <= (REST_OF_ISLAND_IN if fastest_in == 0.0 else REST_OF_ISLAND_OUT) * tolerance
        if not quiet:
            continue
        for i in range(islands.contact_start[island], islands.contact_start[island + 1]):
            c = islands.order[i]
            asked = abs(kick.goal_n[c])
            for k in range(3):
                asked += abs(kick.goal_t[c, k]) + abs(kick.goal_r[c, k])
            quiet = quiet and asked == 0.0
        if not quiet:
            continue
        for i in range(first, last):
            body = islands.bodies[i]
            s.asleep[body] = True
            s.ring[body] = islands.bodies[i + 1] if i + 1 < last else islands.bodies[first]
            for k in range(3):
                found.v[body, k] = 0.0
                found.l[body, k] = 0.0


@standalone
def judge_contacts(s, params, at, side):
    """s.tier and residual (relative to 1 + speed) of every contact, from the impulses and speeds in `kick`, whose
    coefficients become those under which the law holds. `side`: velocities before the kick."""
    kick = s.kick
    for c in range(s.counts[CONTACTS]):
        fast = max(pair_speed(s, c, at, side), abs(kick.before[c]))
        verdict, r, restitution, forced, friction, rolling = judge_contact(s, c, params, at, 1.0 + fast)
        s.tier[c] = verdict
        s.residual[c] = r / (1.0 + fast)
        kick.restitution[c] = restitution
        kick.forced[c] = forced
        kick.friction[c] = friction
        kick.rolling[c] = rolling
