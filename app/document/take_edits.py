"""Edits of the table of takes: functions from a scene to a new scene, like those of edits.py."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from app.look.quantity_words import share_words
from app.look.tiers import tier_rank, worst_of
from engine.scene.request import Request
from engine.scene.shot import TakeCard
from engine.scene.spec import Scene


def exact_share(card: TakeCard) -> float:
    """Of the contact steps of bodies in motion, 0 to 1; an older take only knows that of all contact steps."""
    return exact_of_all(card) if card.exact_in_motion is None else card.exact_in_motion


def exact_of_all(card: TakeCard) -> float:
    """Of contact steps, those at rest included."""
    return card.tiers[0] if card.tiers else 1.0


def exact_words(card: TakeCard) -> str:
    """ "99 % exact in motion"."""
    return f"{share_words(exact_share(card))} exact{'' if card.exact_in_motion is None else ' in motion'}"


def worst_tier(card: TakeCard) -> int:
    return worst_of(tier for tier, share in enumerate(card.tiers) if share > 0.0)


def shortfalls(card: TakeCard) -> list[str]:
    """What did not come out as it was asked for, each in a sentence; none for a take that did."""
    found = [f"Ended early: {card.stopped}"] if card.stopped else []
    if len(card.hints) > 1 and card.hints[0] < card.hints[1]:
        found.append(f"Follows {card.hints[0]:.0f} of {card.hints[1]:.0f} hints")
    return [words if words.endswith(".") else f"{words}." for words in (*found, *card.notes)]


SORTS: dict[str, Callable[[TakeCard], Any]] = {
    "energy": lambda card: (bool(card.stopped), card.energy, card.seed),
    "certificate": lambda card: (bool(card.stopped), tier_rank(worst_tier(card)), -exact_share(card), card.energy),
    "length": lambda card: (-(card.seconds + card.after), card.energy, card.seed),
}
"""How the browser may order takes: calmest, most honest, longest first."""


def ranked(cards: Collection[TakeCard], by: str = "energy") -> list[TakeCard]:
    return sorted(cards, key=SORTS[by])


def card_of(scene: Scene, key: str) -> TakeCard | None:
    return next((card for card in scene.takes if card.id == key), None)


def reserve(scene: Scene, count: int) -> tuple[Scene, list[tuple[str, str]]]:
    """Ids and names for new takes; the scene remembers that they are given."""
    number = scene.next_id
    taken = {card.id for card in scene.takes}
    names = len(scene.takes)
    given: list[tuple[str, str]] = []
    used = {card.name for card in scene.takes}
    while len(given) < count:
        key = f"t{number}"
        number += 1
        if key in taken:
            continue
        names += 1
        while f"Take {names:02d}" in used:
            names += 1
        given.append((key, f"Take {names:02d}"))
    return replace(scene, next_id=number), given


def add_takes(scene: Scene, cards: Collection[TakeCard]) -> Scene:
    """New cards at the end; a card with a known id takes the place of the old one."""
    fresh = {card.id: card for card in cards}
    kept = [fresh.pop(card.id, card) for card in scene.takes]
    return replace(scene, takes=[*kept, *fresh.values()])


def change_takes(scene: Scene, keys: Collection[str], **fields: Any) -> Scene:
    """Pin, reject, rename, note: the same value for a field of some takes."""
    chosen = set(keys)
    return replace(scene, takes=[replace(card, **fields) if card.id in chosen else card for card in scene.takes])


def remove_takes(scene: Scene, keys: Collection[str]) -> Scene:
    gone = set(keys)
    shot = "" if scene.shot in gone else scene.shot
    return replace(scene, takes=[card for card in scene.takes if card.id not in gone], shot=shot)


def thin_takes(scene: Scene, keep: int) -> Scene:
    """Only the calmest `keep` takes, the pinned ones and the shot."""
    calm = {card.id for card in ranked([card for card in scene.takes if not card.rejected])[:keep]}
    gone = [card.id for card in scene.takes if card.id not in calm and not card.pinned and card.id != scene.shot]
    return remove_takes(scene, gone)


def promote(scene: Scene, key: str) -> Scene:
    """This take is the shot."""
    return replace(scene, shot=key)


def ask_for(scene: Scene, **fields: Any) -> Scene:
    """Change the request: takes, seconds, seed, quality, fps, ..."""
    request: Request = replace(scene.request, **fields)
    return replace(scene, request=request)
