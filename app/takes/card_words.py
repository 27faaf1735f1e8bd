"""What a card of the browser says when the mouse rests on it."""

from __future__ import annotations

from collections.abc import Sequence

from app.document.take_edits import exact_of_all, exact_words, shortfalls, worst_tier
from app.look.number_text import length_text
from app.look.quantity_words import energy_words, share_words
from app.look.tiers import tier_label
from engine.scene.request import REMEDIES
from engine.scene.shot import TakeCard

LEAST_TOLD = 5e-5  # m; less is a tenth of a millimetre, or none
PIN, REJECT = "pin", "reject"
IN_THE_SHOT = "in the shot"
PUT_BACK = "Rejected · ", "put back"
"""What stands on a rejected card: why it is pale, and what a click does."""


def card_tip(card: TakeCard, part: str, stale: bool, is_shot: bool) -> str:
    if part == PIN:
        return f"{'Unpin' if card.pinned else 'Pin'} {card.name}  (P)"
    if part == REJECT:
        return f"{'Put back' if card.rejected else 'Reject'} {card.name}  (X)"
    lines = [f"{card.name}: {contact_words(card)}, {energy_words(card.energy)} when let go"]
    lines += [overlap_words(card)] if card.overlap > LEAST_TOLD else []
    lines += ["Used in the shot."] if is_shot else []
    lines += [f"Ends up to {length_text(card.disorder)} off the placed pose."] if card.disorder else []
    lines += [f"To compare with the paper: {remedy_words(card.remedies)}."] if card.remedies else []
    lines += [f"{card.name} is older than the scene."] if stale else []
    return "\n".join([*lines, *shortfalls(card), *([card.note] if card.note else [])])


def remedy_words(remedies: Sequence[str]) -> str:
    """ "blended bounces, attraction"; of a file from a newer version what it calls them."""
    return ", ".join(REMEDIES[name][0].lower() if name in REMEDIES else name for name in remedies)


def missed_words(card: TakeCard) -> str:
    """The first thing that did not come out as asked; its reason stands in the tip."""
    found = shortfalls(card)
    if not found:
        return ""
    first = found[0] if card.stopped or not card.notes else found[-len(card.notes)]
    return first.removesuffix(".").split(": ")[0]


def overlap_words(card: TakeCard) -> str:
    return f"Impacts are found up to {length_text(card.overlap)} deep; none of it is shown."


def contact_words(card: TakeCard) -> str:
    if not card.tiers:
        return "no contacts"
    first = "" if card.exact_in_motion is None else f"{exact_words(card)}, "
    of_all, worst = share_words(exact_of_all(card)), tier_label(worst_tier(card)).lower()
    where = f" ({card.worst})" if card.worst and worst_tier(card) else ""
    return f"{first}{of_all} of contacts exact, worst {worst}{where}"
