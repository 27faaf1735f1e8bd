"""The certificate: a take is checked against the forward contact law from its tape alone, without any solver.

For every step: (1) the drift identity, positions follow from velocities; (2) the kick identity, velocities change by
gravity, the recorded impulses and nothing else; what is left over is an outside impulse (ASSISTED); (3) every recorded
contact is where its features are, and obeys the law under its tier's coefficients; (4) bodies that overlap without a
recorded contact, or with one that was ignored, are GHOSTED, with their depth; (5) sleepers do not move a bit.
Contacts are found again here, not taken on trust.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.collide.recorded import place_contacts
from engine.contact.kick import GHOST, frames, push, speeds_after, speeds_before
from engine.contact.material import pair_materials
from engine.contact.tiers import ASSISTED, GHOSTED, TIER_NAMES
from engine.jit import kernel
from engine.model.arrays import Contacts, State
from engine.step.drift import drift
from engine.step.scratch import Scratch, make_scratch
from engine.step.stage_kernels import judge_contacts
from engine.take.take import Take
from engine.take.tape import Tape
from engine.vec import row


@dataclass(frozen=True, repr=False)
class Report:
    """The verdict on a take; index i is the step that leaves state i (the last state has none and counts as EXACT)."""

    tiers: np.ndarray  # (k,) int     worst tier of the step's contacts, 0 EXACT .. 4 ASSISTED; 0 without contacts
    residuals: np.ndarray  # (k,)     worst residual of drift, kick and law, relative to 1 + speed
    contacts: np.ndarray  # (k,) int  recorded contacts (those of sleepers not repeated)
    touching: np.ndarray  # (k,) bool step with any contact, a sleeper's included
    tier_counts: tuple[int, ...]  # contacts per tier
    assist: float  # m/s              sum over steps of outside changes of velocity and of breaches of the law
    max_depth: float  # m             deepest ignored overlap
    max_overlap: float  # m           deepest overlap of any contact in the recorded states (engine.Path shows none)
    ghosts: tuple[tuple[int, str, str, float], ...]  # (step, body, body, depth m)

    def __repr__(self) -> str:
        shares = ", ".join(f"{name} {100 * self.fraction(i):.1f} %" for i, name in enumerate(TIER_NAMES))
        return f"Report({self.contact_steps} contact steps: {shares}; residual {self.max_residual:.1e})"

    @property
    def contact_steps(self) -> int:
        """Steps with a contact, or with a breach of the law without one."""
        return int(self._judged.sum())

    @property
    def _judged(self) -> np.ndarray:
        return self.touching | (self.tiers > 0)

    @property
    def exact_fraction(self) -> float:
        """Share of contact steps in which every contact is EXACT (1 when there is none)."""
        return self.fraction(0)

    def fraction(self, tier: int) -> float:
        """Share of contact steps whose worst tier is `tier`."""
        if not self.contact_steps:
            return 1.0 if tier == 0 else 0.0
        return float((self.tiers[self._judged] == tier).mean())

    def awake_fraction(self, tier: int) -> float:
        """The same over steps with a contact of a body that is awake: long rests do not flatter it."""
        awake = self.contacts > 0
        return float((self.tiers[awake] == tier).mean()) if awake.any() else 0.0

    @property
    def max_residual(self) -> float:
        """Worst residual over all steps that claim to obey the law (ASSISTED ones say how far they are off)."""
        lawful = self.tiers < ASSISTED
        return float(self.residuals[lawful].max(initial=0.0))

    def summary(self) -> dict[str, object]:
        return {
            "contact_steps": self.contact_steps,
            "exact_fraction": self.exact_fraction,
            "tier_fractions": {name: self.fraction(i) for i, name in enumerate(TIER_NAMES)},
            "contacts_by_tier": dict(zip(TIER_NAMES, self.tier_counts, strict=True)),
            "max_residual": self.max_residual,
            "assist": self.assist,
            "max_depth": self.max_depth,
            "max_overlap": self.max_overlap,
        }


@kernel
def _add_impulses(count, contacts, kick, inverse_mass, v, l):
    """Give every body the recorded impulses."""
    for c in range(count):
        p = row(kick.impulse, c)
        t = row(kick.torque, c)
        push(v, l, contacts.a[c], inverse_mass, row(kick.ra, c), p, t, 1.0)
        push(v, l, contacts.b[c], inverse_mass, row(kick.rb, c), p, t, -1.0)


def certify(take: Take) -> Report:
    """Check a take (see the module docstring)."""
    tape, model = take.tape, take.model
    s = make_scratch(model, tape.params)
    k = tape.x.shape[0]
    tiers, residuals = np.zeros(k, np.int64), np.zeros(k)
    touching, counts = np.zeros(k, bool), np.zeros(5, np.int64)
    assist, ghosts = 0.0, []
    for i in range(tape.steps):
        tier, residual, outside, found = _check_step(s, tape, i, model.names)
        tiers[i], residuals[i] = max(tier.max(initial=0), GHOSTED if found else 0), residual
        if outside > tape.params.certificate_tolerance or not residual <= tape.params.certificate_tolerance:
            tiers[i] = ASSISTED  # positions, velocities or contacts do not follow from each other
            assist += outside
        counts += np.bincount(tier, minlength=5)
        touching[i] = tier.size > 0 or bool(tape.asleep[i].any())
        ghosts += [(i, *ghost) for ghost in found]
    depth = max((ghost[3] for ghost in ghosts), default=0.0)
    acting = tape.contacts["hold"] != GHOST
    overlap = float(-tape.contacts["gap"][acting].min(initial=0.0))
    return Report(
        tiers=tiers,
        residuals=residuals,
        contacts=np.append(np.diff(tape.start), 0),
        touching=touching,
        tier_counts=tuple(int(c) for c in counts),
        assist=assist,
        max_depth=depth,
        max_overlap=overlap,
        ghosts=tuple(ghosts),
    )


def _check_step(
    s: Scratch, tape: Tape, i: int, names: tuple[str, ...]
) -> tuple[np.ndarray, float, float, list[tuple[str, str, float]]]:
    """Tiers of step i's contacts, worst residual, outside velocity (m/s, summed over bodies), ignored overlaps."""
    bodies, p = s.model.bodies, tape.params
    before, after = tape.state(i), tape.state(i + 1)
    asleep = tape.asleep[i]
    speed = 1.0 + float(np.abs(after.v).max(initial=0.0))

    reached = State(*(np.empty_like(part) for part in after))
    drift(before.x, before.q, after.v, after.l, bodies.inverse_inertia, p.dt, reached.x, reached.q, s.spin)
    residual = float(np.abs(reached.x - after.x).max(initial=0.0)) / (p.dt * speed)
    sign = np.sign((reached.q * after.q).sum(1, keepdims=True))
    residual = max(residual, float(np.abs(reached.q - sign * after.q).max(initial=0.0)))

    contacts = _load(s, tape, i)
    count = len(contacts.a)
    frames(count, contacts, before.x, bodies.size, s.kick)
    speeds_before(count, contacts, s.kick, before.x, before.q, bodies.inverse_inertia, before.v, before.l, p.dt,
                  s.other_spin)  # fmt: skip
    speeds_after(count, contacts, s.kick, before.x, before.q, bodies.inverse_inertia, after.v, after.l, s.spin, p.dt)
    pair_materials(count, contacts.a, contacts.b, bodies, s.material)
    judge_contacts(count, contacts, s.kick, before.q, bodies, s.material, p, before.v, before.l, s.tier, s.residual)
    tier = s.tier[:count].copy()
    residual = max(residual, _misplaced(contacts, before))
    residual = max(residual, float(s.residual[:count][tier < ASSISTED].max(initial=0.0)))
    unlawful = speed * float(s.residual[:count][tier == ASSISTED].sum())

    v, l = before.v.copy(), before.l.copy()
    falls = s.moves & ~asleep
    v[falls] += p.dt * s.model.gravity
    _add_impulses(count, contacts, s.kick, bodies.inverse_mass, v, l)
    off = np.linalg.norm(after.v - v, axis=1) + _turn_error(s, after.l - l)
    moved = asleep & ((before.x != after.x).any(1) | (before.q != after.q).any(1) | (before.v != 0.0).any(1))
    off[moved] = np.inf  # a sleeper that moves is nobody's sleeper
    lawful = off <= p.certificate_tolerance * speed
    residual = max(residual, float(off[lawful].max(initial=0.0)) / speed)
    return tier, residual, float(off[~lawful].sum()) + unlawful, _ignored(s, contacts, before, asleep, names)


def _load(s: Scratch, tape: Tape, i: int) -> Contacts:
    """The recorded contacts of step i; their impulses and holds go to the scratch's kick."""
    rows = tape.rows(i)
    count = rows.stop - rows.start
    while s.base.shape[0] < count:
        s.enlarge()
    for name in ("hold", "impulse", "torque"):
        getattr(s.kick, name)[:count] = tape.contacts[name][rows]
    return Contacts(*(tape.contacts[name][rows] for name in Contacts._fields))


def _misplaced(contacts: Contacts, before: State) -> float:
    """How far (m, or radians of the normal) recorded contacts are from where their features are."""
    if not len(contacts.a):
        return 0.0
    placed = Contacts(*(column.copy() for column in contacts))
    place_contacts(len(placed.a), placed, before.x, before.q)
    off = [np.abs(getattr(placed, name) - getattr(contacts, name)).max() for name in ("point", "normal", "gap")]
    return float(max(off))


def _turn_error(s: Scratch, momentum: np.ndarray) -> np.ndarray:
    """Surface speed (m/s) that an angular momentum would give each body, by its smallest moment of inertia."""
    stiffest = np.array([np.linalg.norm(tensor, 2) for tensor in s.model.bodies.inverse_inertia])
    return np.linalg.norm(momentum, axis=1) * stiffest * s.model.bodies.size


def _ignored(
    s: Scratch, contacts: Contacts, before: State, asleep: np.ndarray, names: tuple[str, ...]
) -> list[tuple[str, str, float]]:
    """Overlaps deeper than the slop between parts without a recorded contact that acts."""
    acting = s.kick.hold[: len(contacts.a)] != GHOST
    known = set(zip(contacts.part_a[acting].tolist(), contacts.part_b[acting].tolist(), strict=True))
    count = s.detector.find(before.x, before.q, before.x, before.q, s.moves & ~asleep, -s.params.slop)
    found = s.contacts
    deepest: dict[tuple[int, int], float] = {}
    for c in range(count):
        pair = (int(found.part_a[c]), int(found.part_b[c]))
        if pair not in known:
            bodies = (int(found.a[c]), int(found.b[c]))
            deepest[bodies] = max(deepest.get(bodies, 0.0), -float(found.gap[c]))
    return [(names[a], names[b], depth) for (a, b), depth in sorted(deepest.items())]
