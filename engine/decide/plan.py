"""The plan of one backward run: what the director wants of every body, as arrays that kernels read and mark."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.decide.launch import Launch
from engine.record import Record

# Plan.policy: how the coefficients of collisions are chosen (coefficients.py).
CONSTANT, BLEND, BUDGET = range(3)

# Plan.mark: what has become of a body's launch.
WAITING, LEAVING, LEFT, STUCK = range(4)
"""LEAVING: its launch was asked in this step; STUCK: it was, and nothing moved."""

# Plan.counts
NEXT, DUE = range(2)


class Later(Record):
    """k stages of chains that wait behind the first one (chain.py)."""

    time: np.ndarray  # (k,) s before the end; infinite: when the stage before it is done
    velocity: np.ndarray  # (k, 3) m/s
    spin: np.ndarray  # (k, 3) rad/s
    next: np.ndarray  # (k,) int64      the stage behind this one, -1: none


class Plan(Record):
    """n bodies; m of them have a launch (rows of bodies without one mean nothing). Of a chain the current stage."""

    policy: int
    damping: float  # 1/s, angular damping (Twigg and James 2008)
    time: np.ndarray  # (n,) s before the end
    velocity: np.ndarray  # (n, 3) m/s of the centre of mass just before coming to rest
    spin: np.ndarray  # (n, 3) rad/s
    slide: np.ndarray  # (n,) bool
    roll: np.ndarray  # (n,) bool
    drawn: np.ndarray  # (n,) bool
    fastest: np.ndarray  # (n,) m/s, infinite without a limit
    reach: np.ndarray  # (n,) m, infinite without a limit
    grip: np.ndarray  # (n,)            largest friction of its slide and of the landing into it
    way: np.ndarray  # (n,) m           how far the body has slid
    held: np.ndarray  # (n,) bool       its slide is as fast or as long as it should be
    stage: np.ndarray  # (n,) int64     of its chain, from 0
    next: np.ndarray  # (n,) int64      in `later`, -1: none
    chained: np.ndarray  # int64        bodies with a chain
    sliders: np.ndarray  # int64        bodies whose slide has a limit
    later: Later
    mark: np.ndarray  # (n,) int64      WAITING ... STUCK
    queue: np.ndarray  # (m,) int64     bodies by time, then row
    due: np.ndarray  # (m,) int64       those whose time has come and who have not left
    counts: np.ndarray  # (2,) int64    next in the queue; how many are due
    budget: np.ndarray  # (n,) J above the energy at the ending; 0: no limit
    ending_energy: np.ndarray  # (n,) J
    room: np.ndarray  # (n,) J          what a body may still gain
    saturated: np.ndarray  # (n,)       how far it is over half its budget, 0 to 1
    bounce_pair: np.ndarray  # (H,) int64   blend: pairs that have bounced (hashed; -1: free place)
    bounce_time: np.ndarray  # (H,) s
    articulation: np.ndarray  # (n,) int64  bodies held together by joints have one number, others -1
    groups: int  # articulations
    unit_links: bool  # nothing is lost between bodies held together by joints (papers/remedies.py)
    attraction: bool  # contacts of bodies that are held in place may pull (papers/attract.py)


def make_plan(
    policy: int,
    damping: float,
    launches: Mapping[int, Launch],
    budget: np.ndarray,
    ending_energy: np.ndarray,
    articulation: np.ndarray | None = None,
    unit_links: bool = False,
    attraction: bool = False,
) -> Plan:
    n = len(budget)
    articulation = np.full(n, -1, np.int64) if articulation is None else articulation
    time, fastest = np.full(n, np.inf), np.full(n, np.inf)
    velocity, spin = np.zeros((n, 3)), np.zeros((n, 3))
    slide, roll, drawn = np.zeros(n, bool), np.zeros(n, bool), np.zeros(n, bool)
    for i, launch in launches.items():
        time[i], fastest[i], velocity[i], spin[i] = launch.time, launch.fastest, launch.velocity, launch.spin
        slide[i], roll[i], drawn[i] = launch.slide, launch.roll, launch.drawn
    following, later = _stages_behind(launches, n)
    limited = [i for i, one in launches.items() if one.slide and min(one.fastest, one.reach) < np.inf]
    queue = np.array(sorted(launches, key=lambda i: (launches[i].time, i)), np.int64)
    places = 1 << max(6, int(64 * n if policy == BLEND else 1).bit_length())
    return Plan(
        policy=policy,
        damping=float(damping),
        time=time,
        velocity=velocity,
        spin=spin,
        slide=slide,
        roll=roll,
        drawn=drawn,
        fastest=fastest,
        reach=np.array([launches[i].reach if i in launches else np.inf for i in range(n)]),
        grip=np.array([launches[i].grip if i in launches else np.inf for i in range(n)]),
        way=np.zeros(n),
        held=np.zeros(n, bool),
        stage=np.zeros(n, np.int64),
        next=following,
        chained=np.flatnonzero(following >= 0),
        sliders=np.array(sorted(limited), np.int64),
        later=later,
        mark=np.zeros(n, np.int64),
        queue=queue,
        due=np.zeros(len(queue), np.int64),
        counts=np.zeros(2, np.int64),
        budget=budget,
        ending_energy=ending_energy,
        room=np.zeros(n),
        saturated=np.zeros(n),
        bounce_pair=np.full(places, -1, np.int64),
        bounce_time=np.zeros(places),
        articulation=articulation,
        groups=int(articulation.max(initial=-1)) + 1,
        unit_links=bool(unit_links),
        attraction=bool(attraction),
    )


def _stages_behind(launches: Mapping[int, Launch], n: int) -> tuple[np.ndarray, Later]:
    """For each body the stage behind its first (-1: none), and all such stages."""
    following = np.full(n, -1, np.int64)
    stages: list[Launch] = []
    links: list[int] = []
    for i, launch in launches.items():
        behind = launch.then
        if behind is not None:
            following[i] = len(stages)
        while behind is not None:
            stages.append(behind)
            links.append(len(stages) if behind.then is not None else -1)
            behind = behind.then
    later = Later(
        time=np.array([stage.time for stage in stages], float),
        velocity=np.array([stage.velocity for stage in stages], float).reshape(-1, 3),
        spin=np.array([stage.spin for stage in stages], float).reshape(-1, 3),
        next=np.array(links, np.int64),
    )
    return following, later
