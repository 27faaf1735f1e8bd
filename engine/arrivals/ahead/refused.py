"""A second look: where hands hold bodies that others land on, or a push is left that nothing carries, the certificate
is asked, and whoever it refuses is laid by a hand."""

from __future__ import annotations

from engine.arrivals.ahead.assemble import Assembly
from engine.arrivals.ahead.order import NEVER
from engine.arrivals.brief import Brief
from engine.certificate.audit import certify
from engine.tape.take import Take
from engine.tape.tape import Tape


def refused(brief: Brief, assembly: Assembly, tape: Tape) -> set[int]:
    """Bodies by row whose way the certificate does not accept; those of its worst step."""
    search = assembly.search
    if not ((search.held_from < NEVER).any() or assembly.leaves_a_push):
        return set()
    report = certify(Take(brief.scene, brief.model, tape, brief.seconds, brief.seed, True))
    if report.ok:
        return set()
    return {row for row, each in search.found.items() if not each.is_placed and search.name(row) in report.worst[0]}
