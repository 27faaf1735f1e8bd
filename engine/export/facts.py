"""What is written beside the motion: where it comes from, how honest it is, what was asked of each body. Plain values
that every format can keep as custom properties, and from which an import finds the same bodies again."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from engine.certificate.audit import certify
from engine.contact.tiers import TIER_NAMES
from engine.release_energy import release_energy
from engine.scene.dice import PIPS, is_die
from engine.scene.spec import Body, Scene
from engine.tape.take import Take


def take_facts(
    take: Take, called: str, after: Take | None = None, tiers: Sequence[float] | None = None
) -> dict[str, Any]:
    """`tiers` are shares of contact steps, when they are known already: certifying a long take takes a while. (Those of
    an older take name fewer tiers: it had nothing of the others.)"""
    if tiers is None:
        report = certify(take)
        tiers = [report.fraction(i) for i in range(len(TIER_NAMES))]
    released, ending = release_energy(take)  # from the ending's lowest point; the other two are from the origin
    facts: dict[str, Any] = {
        "take": called,
        "seed": take.seed,
        "seconds": float(take.times[-1] - take.times[0]),
        "energy_start_J": float(take.energy[0]),
        "energy_end_J": float(take.energy[-1]),
        "energy_release_J": float(take.energy[-1]) + released - ending,
        "hash": take.hash(),
        "gravity": list(take.scene.gravity),
    }
    named = itertools.zip_longest(TIER_NAMES, tiers, fillvalue=0.0)
    facts |= {f"tier_{str(name).lower()}": float(share) for name, share in named}
    if after is not None:
        facts["seconds_after"] = float(after.times[-1] - after.times[0])
    if take.notes:
        facts["notes"] = " ".join(take.notes)
    return facts


def body_facts(scene: Scene, body: Body) -> dict[str, Any]:
    material = body.material
    facts: dict[str, Any] = {
        "id": body.id,
        "name": body.name,
        "static": bool(body.static),
        "shape": type(body.shape).__name__.lower(),
        "density": material.density,
        "friction": material.friction,
        "restitution": material.restitution,
    }
    if is_die(body):
        facts[PIPS] = True
    hints = [hint for hint in scene.hints if hint.body in (body.id, body.name)]
    if hints:
        facts["hints"] = "; ".join(_hint_words(asdict(hint)) for hint in hints)
    return facts


def _hint_words(hint: dict[str, Any]) -> str:
    """ "bounce direction=(1, 0, 0) speed=2"."""
    left_out = ("kind", "body", "id", "stroke", "extra")
    told = [f"{key}={_short(value)}" for key, value in hint.items() if value is not None and key not in left_out]
    return " ".join([str(hint["kind"]), *told])


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, (tuple, list)):
        return "(" + ", ".join(_short(each) for each in value) + ")"
    return str(value)
