"""How honest a contact is: judge a recorded impulse against the contact law, without solving anything.

EXACT     the authored materials explain it
TUNED     restitution and friction of this collision inside the artist's ranges explain it, at any speed
PLASTIC   a dead landing: comes to rest from above the bounce speed (restitution 0)
GHOSTED   the contact had to be ignored, or passive but outside the ranges
ASSISTED  no passive contact does this: an outside impulse was needed
HELD      one of the two is held by a hand, which takes up whatever the contact asks of it (tape/release.py)
"""

from __future__ import annotations

import math

from engine.contact.law import ball_residual, disc_residual, normal_bias, normal_residual
from engine.jit import kernel

EXACT, TUNED, PLASTIC, GHOSTED, ASSISTED, HELD = range(6)
TIER_NAMES = ("EXACT", "TUNED", "PLASTIC", "GHOSTED", "ASSISTED", "HELD")
RANK = (0, 1, 2, 4, 5, 3)  # from best to worst: what was asked of a hand is better than what was ignored


@kernel
def worse(one, other):
    """The tier that names a step with both."""
    return one if RANK[one] >= RANK[other] else other


@kernel
def _clamp(value, low, high):
    return min(max(value, low), high)


@kernel
def _tangent_residual(z, slide, roll, friction, rolling, response):
    support = max(z[0], 0.0)
    r = disc_residual(z[1], z[2], slide[0], slide[1], friction * support, response[1])
    return max(r, ball_residual(z[3], z[4], z[5], roll[0], roll[1], roll[2], rolling * support, response[2]))


@kernel
def _tuned(used, moving, low, high, authored):
    """Coefficient that a saturated row used; a row that holds still needs no more than the authored one."""
    return _clamp(used, low, high) if moving else authored


@kernel
def judge(z, before, after, closing, pull, slide, roll, response, material, params, scale):
    """(tier, residual m/s, restitution, forced, friction, rolling) of one contact.

    z: six impulses (normal, tangents, rolling / length); before: v_n-; after: V_n+; closing, pull: of the landing law
    (law.py); slide, roll: rows after the kick, m/s; response: (an, at, ar); material: (friction, low, top, restitution,
    low, top, rolling / length); scale: one plus the speed in m/s.
    The last four are the coefficients under which the law holds (forced: restitution at any approach speed); they are
    what a replay needs."""
    friction, friction_low, friction_top, restitution, restitution_low, restitution_top, rolling = material
    tolerance = params.certificate_tolerance * scale
    bias = normal_bias(before, restitution, params.bounce_speed, closing, pull)
    r = normal_residual(z[0], after + bias, response[0])
    r = max(r, _tangent_residual(z, slide, roll, friction, rolling, response))
    if r <= tolerance:
        return EXACT, r, restitution, 0, friction, rolling
    slides = math.sqrt(slide[0] * slide[0] + slide[1] * slide[1]) > params.rest_speed
    rolls = math.sqrt(roll[0] * roll[0] + roll[1] * roll[1] + roll[2] * roll[2]) > params.rest_speed
    used_friction = math.sqrt(z[1] * z[1] + z[2] * z[2]) / z[0] if z[0] > 0.0 else 0.0
    used_rolling = math.sqrt(z[3] * z[3] + z[4] * z[4] + z[5] * z[5]) / z[0] if z[0] > 0.0 else 0.0
    mu = _tuned(used_friction, slides, friction_low, friction_top, friction)
    mu_r = _tuned(used_rolling, rolls, 0.0, rolling, rolling)
    tangents = _tangent_residual(z, slide, roll, mu, mu_r, response)
    chosen = 0.0
    forced = 0
    if z[0] > 0.0:
        if before < 0.0:
            chosen = _clamp(after / -before, restitution_low, restitution_top)
            forced = 1
        r = max(normal_residual(z[0], after + normal_bias(before, chosen, 0.0, closing, pull), response[0]), tangents)
    else:
        # Passive: the least restitution in range asks for the least separation.
        chosen = restitution_low
        bias = normal_bias(before, chosen, params.bounce_speed, closing, pull)
        r = max(normal_residual(z[0], after + bias, response[0]), tangents)
    if r <= tolerance:
        return TUNED, r, chosen, forced, mu, mu_r
    r = max(normal_residual(z[0], after + closing, response[0]), tangents)
    if r <= tolerance and abs(after + closing) <= tolerance:
        return PLASTIC, r, 0.0, 0, mu, mu_r
    # Out of range but passive: any restitution in [0, 1], friction that opposes sliding or holds.
    mu = used_friction if slides else max(used_friction, friction)
    mu_r = used_rolling if rolls else max(used_rolling, rolling)
    chosen = _clamp(after / -before, 0.0, 1.0) if before < 0.0 and z[0] > 0.0 else 0.0
    r = max(
        normal_residual(z[0], after + normal_bias(before, chosen, 0.0, closing, pull), response[0]),
        _tangent_residual(z, slide, roll, mu, mu_r, response),
    )
    return GHOSTED if r <= tolerance else ASSISTED, r, chosen, 1, mu, mu_r
