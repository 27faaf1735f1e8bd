"""What counts as rest: every tolerance of it, in one table. A name says of what, the comment the unit, then what
happens beyond it and who asks.

They differ because the questions do: the solver leaves 1e-12 of a speed, a pose of single precision 1e-6 of a metre,
an eye sees tenths of a millimetre. Kernels have these numbers in their machine code: an edit compiles them again.
"""

from __future__ import annotations

# A step and its solve. Those in solver tolerances or rest speeds follow the numbers of params.py.
REST_OF_CONTACT = 1e-9  # m/s: faster is a bounce or a slide. It is Params.rest_speed, which tells more
REST_OF_ARRIVING_CONTACT = 10.0  # rest speeds: what opens faster came out of what it rests on (arrivals/ahead/flight)
REST_OF_ISLAND_IN, REST_OF_ISLAND_OUT = 10.0, 0.5
"""Solver tolerances: a body may come in with so much speed, and must be left with so little, to fall asleep
(step/stages). What is left is taken away, so it must stay below what the law allows; an island that came in without
any momentum is as the artist left it, and keeps its pose to the bit."""
REST_OF_STRUCK_BODY = 10.0  # solver tolerances: one that gets no faster goes on resting (arrivals/meeting/step)
RESIDUAL_OF_RESTING_ISLAND = 0.05  # share of the tolerance to which one without momentum is solved (kick/rounds)

# Speeds of bodies and of contacts in finished motions.
REST_OF_REMAINDER = 1e-9  # m/s: a faster body does not stand without those that left (arrivals/ahead/standing)
REST_OF_DROP = 1e-10  # m/s, also of the surface: faster has not come to rest yet (arrivals/dropped/motion)
REST_OF_HINTED_BODY = 1e-6  # m/s: faster is on the way in (arrivals/follows)
REST_OF_BODY_IN_TAKE = 1e-6  # m/s of its fastest point: slower has no motion to explain (analysis/consistency_motion)
REST_OF_JUDGED_BODY = 1e-6  # m/s of its surface: a contact of a faster one is a contact in motion (certificate/check)
REST_OF_SEPARATION = 1e-6  # m/s: contacts that separate faster carry no force (analysis/consistency_motion)
REST_OF_SLIP = 1e-6  # m/s: slower contacts stick (analysis/consistency_motion)
REST_OF_PATCH = 1e-9  # m/s: a patch that moves less does not move, in exact numbers (analysis/patch)
REST_OF_PATCH_IN_TAKE = 1e-7  # m/s: the same in a take; what the solver leaves is far below (analysis/patch_contacts)
REST_OF_LAW_SPEED = 1e-6  # m/s: slower is rounding of single precision (analysis/patch_check)

# The fast engine.
REST_OF_FAST_BODY = 0.02  # m/s of any point of it: slower is quiet (fast/run)
REST_OF_FAST_ISLAND = 0.5  # s that all its bodies have been quiet: then it sleeps (fast/sleep)

# Ways.
REST_OF_POLISHING = 1e-9  # m: a round that moves nothing further ends it (polish)
REST_OF_POLISHED_BODY = 1e-6  # m: what the exact engine moves more is polished again (settle)
REST_OF_SETTLED_BODY = 1e-4  # m: what it moves more in the end is called restless (settle)
REST_OF_SHOWN_STEP = 1e-9  # m, and of a quaternion, per step: bodies at rest are not moved aside (tape/path)
REST_OF_FILM_SAMPLE = 2e-6  # m, and of a quaternion, from sample to sample: less is before or after the motion (film)
REST_OF_FLOP = 1e-9  # m: a body that is nearer to its place rests there (arrivals/natural/loose)
REST_OF_TRAIL = 1e-6  # m: a shorter one is not drawn (picture/sheet)
REST_OF_ARRIVAL = 1e-9  # m: a body that moved less has not arrived from anywhere (analysis/spread)
