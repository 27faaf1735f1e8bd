"""What a card of the browser says when the mouse rests on it."""

from __future__ import annotations

from app.document.take_edits import exact_share, shortfalls, worst_tier
from app.look.number_text import length_text
from app.look.quantity_words import energy_words, share_words
from app.look.tiers import tier_label
from engine.scene.shot import TakeCard

PIN, REJECT = "pin", "reject"
IN_THE_SHOT = "in the shot"
PUT_BACK = "Rejected · ", "put back"
"""What stands on a rejected card: why it is pale, and what a click does."""


def card_tip(card: TakeCard, part: str, stale: bool, is_shot: bool) -> str:
    if part == PIN:
        return f"{'Unpin' if card.pinned else 'Pin'} {card.name}  (P)"
    if part == REJECT:
        return f"{'Put back' if card.rejected else 'Reject'} {card.name}  (X)"
    lines = [f"{card.name}: {energy_words(card.energy)} at the start, {contact_words(card)}"]
    lines += ["Used in the shot."] if is_shot else []
    lines += [f"Ends up to {length_text(card.disorder)} off the placed pose."] if card.disorder else []
    lines += [f"{card.name} is older than the scene."] if stale else []
    return "\n".join([*lines, *shortfalls(card), *([card.note] if card.note else [])])


def contact_words(card: TakeCard) -> str:
    if not card.tiers:
        return "no contacts"
    return f"{share_words(exact_share(card))} of contacts exact, worst {tier_label(worst_tier(card)).lower()}"
