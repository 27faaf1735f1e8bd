"""What the artist decides about takes, each decision one command of the history; for buttons, keys and menus alike."""

from __future__ import annotations

from app.document.document import Document
from app.document.take_edits import card_of, change_takes, promote, remove_takes, thin_takes
from app.look.quantity_words import energy_words
from app.session.playback import Playback
from app.takes.browsing import Browsing
from engine.scene.shot import TakeCard
from engine.scene.spec import Scene


def toggle_pin(document: Document, key: str) -> None:
    card = card_of(document.scene, key)
    if card is not None:
        words = f"{'Unpin' if card.pinned else 'Pin'} {card.name}"
        document.edit(words, change_takes(document.scene, [key], pinned=not card.pinned))


def toggle_rejected(document: Document, key: str) -> None:
    """Reject, or put back. What is rejected is no longer pinned: nobody means both."""
    card = card_of(document.scene, key)
    if card is not None and card.rejected:
        document.edit(f"Put back {card.name}", change_takes(document.scene, [key], rejected=False))
    elif card is not None:
        document.edit(f"Reject {card.name}", change_takes(document.scene, [key], rejected=True, pinned=False))


def rename(document: Document, key: str, name: str) -> None:
    card, name = card_of(document.scene, key), " ".join(name.split())
    if card is not None and name and name != card.name:
        document.edit(f"Rename {card.name}", change_takes(document.scene, [key], name=name))


def write_note(document: Document, key: str, note: str) -> None:
    card, note = card_of(document.scene, key), note.strip()
    if card is not None and note != card.note:
        document.edit(f"Note on {card.name}", change_takes(document.scene, [key], note=note))


def use_in_shot(document: Document, key: str) -> None:
    card = card_of(document.scene, key)
    if card is not None:
        document.edit(f"Use {card.name} in the shot", promote(document.scene, key))


def discard(document: Document, key: str) -> None:
    """The artist says which, so a pinned one goes as well."""
    card = card_of(document.scene, key)
    if card is not None:
        document.edit(f"Discard {card.name}", remove_takes(document.scene, [key]))


def discard_shown(document: Document, playback: Playback, browsing: Browsing) -> None:
    """And look at the one after it, or before it."""
    then = browsing.neighbour(1) or browsing.neighbour(-1)
    discard(document, playback.key)
    playback.show(then)


def thin(document: Document, keep: int) -> None:
    document.edit(f"Keep the calmest {keep}", thin_takes(document.scene, keep))


def above(scene: Scene, joules: float) -> list[TakeCard]:
    """Takes that a threshold would discard: pinned ones and the shot stay, and rejected ones, which are not seen where
    it is chosen."""
    seen = [card for card in scene.takes if not card.rejected and card.energy > joules]
    return [card for card in seen if not card.pinned and card.id != scene.shot]


def discard_above(document: Document, joules: float) -> None:
    gone = [card.id for card in above(document.scene, joules)]
    if gone:
        words = f"Discard {takes_words(len(gone))} above {energy_words(joules)}"
        document.edit(words, remove_takes(document.scene, gone))


def takes_words(count: int) -> str:
    return f"{count} take{'' if count == 1 else 's'}"
