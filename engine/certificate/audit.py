"""The certificate: a take is checked against the forward contact law from its tape alone, without any solver.

For every step: (1) the drift identity, positions follow from velocities; (2) the kick identity, velocities change by
gravity, the recorded impulses and nothing else; what is left over is an outside impulse (ASSISTED); (3) every recorded
contact touches, by its features, and obeys the law under its tier's coefficients; (4) bodies that overlap without a
recorded contact, or with one that was ignored, are GHOSTED, with their depth; (5) sleepers do not move a bit, and are
carried (sleepers.py); (6) joints are closed, and the recorded impulses close them one step on; limits obey the law like
contacts; (7) a block of the tape begins in the state in which the one before it ended, bit for bit. Contacts are found
again here, not taken on trust. Of a body before its release (tape/release.py) nothing is asked of the law: it is not
there, or it is held and stands still; contacts with it are HELD. That its hand leads to its release is asked by
hands.py; what is wrong there, between blocks, with the energies told (energy_check.py) and with the take as a whole
(whole.py), is told in words: Report.faults. A body that begins inside another is GHOSTED, however lawfully it stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from engine.certificate.check import AUDIT_FULL, Findings, check_steps, make_findings
from engine.certificate.energy_check import EnergyCheck
from engine.certificate.hands import HandCheck
from engine.certificate.seams import Seams
from engine.certificate.sleepers import Watch
from engine.certificate.whole import faults_of_whole
from engine.contact.tiers import ASSISTED, GHOSTED, RANK, TIER_NAMES
from engine.factors import singular
from engine.model.compile import Model
from engine.status import CONTACTS_FULL
from engine.step.scratch import Scratch, enlarge, make_scratch
from engine.tape.take import Take
from engine.tape.tape import Opened, Recorded, Tape


@dataclass(frozen=True, repr=False)
class Report:
    """The verdict on a take; index i is the step that leaves state i (the last state has none and counts as EXACT)."""

    tiers: np.ndarray  # (k,) int     worst tier of the step's contacts (contact/tiers.py); 0 without contacts
    residuals: np.ndarray  # (k,)     worst residual of drift, kick and law, relative to 1 + speed
    contacts: np.ndarray  # (k,) int  recorded contacts (those of sleepers not repeated)
    touching: np.ndarray  # (k,) bool step with any contact, a sleeper's included
    tier_counts: tuple[int, ...]  # contacts per tier
    assists: np.ndarray  # (k,) m/s   outside changes of velocity and breaches of the law
    assist: float  # m/s              sum over steps of outside changes of velocity and of breaches of the law
    max_depth: float  # m             deepest ignored overlap
    max_overlap: float  # m           deepest overlap of any contact in the recorded states (engine.Path shows none)
    ghosts: tuple[tuple[int, str, str, float], ...]  # (step, body, body, depth m)
    joint_error: float = 0.0  # m        widest opening of a joint in the recorded states
    in_motion: np.ndarray = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    """(k, 2) int: bodies that move and touch something in a step, and how many of these touch by the authored law"""
    held: np.ndarray = field(default_factory=lambda: np.zeros(0, bool))  # (k,) somebody touches what a hand holds
    worst: tuple[tuple[str, ...], float, str] = ((), 0.0, "")  # bodies, s on take.times, what: of the worst contact
    faults: tuple[str, ...] = ()  # what is wrong with hands, releases and blocks, in words

    def __repr__(self) -> str:
        shares = ", ".join(f"{name} {100 * self.fraction(i):.1f} %" for i, name in enumerate(TIER_NAMES))
        first = f"{100 * self.exact_in_motion:.1f} % EXACT in motion"
        return f"Report({first}; {self.contact_steps} contact steps: {shares}; residual {self.max_residual:.1e})"

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

    @property
    def exact_in_motion(self) -> float:
        """Share of EXACT among the contact steps of bodies that move, each counted by itself (1 when there is none)."""
        steps, exact = (int(count) for count in self.in_motion.sum(axis=0))
        return exact / steps if steps else 1.0

    @property
    def held_steps(self) -> int:
        """Steps in which somebody touches what a hand holds."""
        return int(self.held.sum())

    @property
    def ok(self) -> bool:
        """Everything holds: nothing was ignored, nothing came from outside, hands lead to what they let go."""
        return not self.faults and not np.isin(self.tiers, (GHOSTED, ASSISTED)).any()

    @property
    def worst_words(self) -> str:
        """The worst contact: who, and when; nothing where nobody touches anything."""
        names, when, _ = self.worst
        return f"{' on '.join(names)} at {when:.2f} s" if names else ""

    @property
    def max_residual(self) -> float:
        """Worst residual over all steps that claim to obey the law (ASSISTED ones say how far they are off)."""
        lawful = self.tiers != ASSISTED
        return float(self.residuals[lawful].max(initial=0.0))

    def summary(self) -> dict[str, object]:
        return {
            "contact_steps": self.contact_steps,
            "exact_in_motion": self.exact_in_motion,
            "exact_fraction": self.exact_fraction,
            "held_steps": self.held_steps,
            "tier_fractions": {name: self.fraction(i) for i, name in enumerate(TIER_NAMES)},
            "contacts_by_tier": dict(zip(TIER_NAMES, self.tier_counts, strict=True)),
            "max_residual": self.max_residual,
            "assist": self.assist,
            "max_depth": self.max_depth,
            "max_overlap": self.max_overlap,
            "worst": {"bodies": list(self.worst[0]), "time": self.worst[1], "what": self.worst[2]},
            "joint_error": self.joint_error,
            "faults": list(self.faults),
        }


def certify(take: Take) -> Report:
    """Check a take (see the module docstring)."""
    tape, model = take.tape, take.model
    s = make_scratch(model)
    states = tape.steps + 1
    tiers, residuals, assists = np.zeros(states, np.int64), np.zeros(states), np.zeros(states)
    touching, held, counts = np.zeros(states, bool), np.zeros(states, bool), np.zeros(len(TIER_NAMES), np.int64)
    in_motion, pairs = np.zeros((states, 2), np.int64), np.full((states, 2), -1)
    overlap, opened_by, ghosts = 0.0, 0.0, []
    stiffest = np.array([singular(each).values[0] for each in model.bodies.inverse_inertia]) * model.bodies.size
    watch, seams, untrue = Watch(tape, stiffest), Seams(take), 0
    in_words = (seams, HandCheck(take), EnergyCheck(take))
    for opened in tape.opened():
        steps = opened.block.steps
        for check in in_words:
            check.see(opened)
        recorded = opened.recorded()
        s, findings = _check(s, tape, recorded, stiffest)
        watch.see(opened.first, recorded)
        here = slice(opened.first, opened.first + steps)
        tiers[here], residuals[here] = findings.tier, findings.residual
        rests = opened.asleep & (np.arange(steps)[:, None] >= recorded.release)
        touching[here] = (np.diff(opened.start) > 0) | rests.any(1) | (recorded.joints.limit_impulse != 0.0).any(1)
        in_motion[here], pairs[here], held[here] = findings.in_motion, findings.worst, _held(opened)
        counts += findings.tier_counts
        untrue += int(findings.untrue[0])
        assists[here] = findings.assist
        overlap = max(overlap, float(findings.overlap[0]))
        opened_by = max(opened_by, float(findings.opened[0]))
        ghosts += _named(findings, opened, model)
    uncarried, sleeper = watch.close()
    lost = np.flatnonzero(uncarried > 0.0)
    tiers[lost], pairs[lost, 0], pairs[lost, 1] = ASSISTED, sleeper[lost], -1
    assists += uncarried
    for step, body in seams.torn.items():
        tiers[step], pairs[step] = ASSISTED, (body, -1)
    return Report(
        tiers=tiers,
        residuals=residuals,
        contacts=np.append(np.diff(tape.start), 0),
        touching=touching,
        tier_counts=tuple(int(c) for c in counts),
        assists=assists,
        assist=float(assists.sum()),
        max_depth=max((ghost[3] for ghost in ghosts), default=0.0),
        max_overlap=overlap,
        ghosts=tuple(ghosts),
        joint_error=opened_by,
        in_motion=in_motion,
        held=held,
        worst=_worst(take, tiers, residuals, pairs, ghosts),
        faults=(*faults_of_whole(take), *(each for check in in_words for each in check.found), *_untrue(untrue)),
    )


def _check(s: Scratch, tape: Tape, recorded: Recorded, stiffest: np.ndarray) -> tuple[Scratch, Findings]:
    """A block, step by step, with as much room as it needs."""
    steps = len(recorded.start) - 1
    while len(s.base) < max(np.diff(recorded.start), default=0) + len(tape.model.joints.kind):
        s = enlarge(s, CONTACTS_FULL)
    findings, done = make_findings(steps, stiffest), 0
    damping = max(tape.damping, tape.linear_damping)
    while done < steps:
        done, status = check_steps(s, tape.params, damping, done, steps, recorded, findings)
        if status == AUDIT_FULL:
            findings = findings.enlarged()
        elif status:
            s = enlarge(s, status)
    return s, findings


def _untrue(contacts: int) -> Iterator[str]:
    if contacts:
        yield f"of {contacts} contacts the take tells something else than their impulses and speeds do"


def _held(opened: Opened) -> np.ndarray:
    """(s,) bool: whether a contact of a step is one with a body in a hand."""
    step = np.repeat(np.arange(opened.block.steps), np.diff(opened.start))
    release = opened.releases.step - opened.first
    touched = (step < release[opened.contacts.a]) | (step < release[opened.contacts.b])
    found = np.zeros(opened.block.steps, bool)
    found[step[touched]] = True
    return found


def _worst(
    take: Take,
    tiers: np.ndarray,
    residuals: np.ndarray,
    pairs: np.ndarray,
    ghosts: list[tuple[int, str, str, float]],
) -> tuple[tuple[str, ...], float, str]:
    """The worst contact of a take, or a sleeper that nothing carries: whose, when, and what it is called."""
    at = int(np.lexsort((residuals, np.array(RANK)[tiers]))[-1])
    names = tuple(take.model.names[body] for body in pairs[at] if body >= 0)
    ignored = [ghost for ghost in ghosts if ghost[0] == at]
    if tiers[at] == GHOSTED and ignored:  # it may well be on no record
        names = max(ignored, key=lambda ghost: ghost[3])[1:3]
    return names, float(take.times[at]), TIER_NAMES[int(tiers[at])]


def _named(findings: Findings, opened: Opened, model: Model) -> list[tuple[int, str, str, float]]:
    """Ignored overlaps as (step, body, body, depth), one per pair of bodies and step."""
    deepest: dict[tuple[int, int, int], float] = {}
    for i in range(int(findings.ghosts[0])):
        step, a, b = (int(value) for value in findings.ghost[i])
        key = (opened.first + step, a, b)
        deepest[key] = max(deepest.get(key, 0.0), float(findings.depth[i]))
    return [(step, model.names[a], model.names[b], depth) for (step, a, b), depth in sorted(deepest.items())]
