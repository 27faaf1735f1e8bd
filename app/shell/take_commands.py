"""Choosing among takes: look at the next one, pin, reject, compare, use one in the shot, and clear up."""

from __future__ import annotations

from collections.abc import Callable

from app.document.take_edits import SORTS, remove_takes
from app.look.quantity_words import energy_words
from app.shell.action import Action, Run, needs, needs_moving, needs_shown
from app.shell.studio import Studio
from app.takes import choosing
from engine.scene.shot import TakeCard

USUAL_KEEP = 8
DISCARD = "Takes/Discard"  # menu
SORT_TIPS = {
    "energy": ("Energy", "Calmest takes first."),
    "certificate": ("Certificate", "Most honest takes first."),
    "length": ("Length", "Longest takes first."),
}


def enlarge(studio: Studio) -> None:
    studio.shell.enlarge_takes(not studio.shell.takes.enlarged)


def look_at(step: int) -> Run:
    return lambda studio: studio.playback.show(studio.browsing.neighbour(step))


def rename(studio: Studio) -> None:
    studio.shell.show_panel("takes")
    studio.browsing.rename_asked.emit()


def note(studio: Studio) -> None:
    card = studio.playback.card
    if card is not None:
        written = studio.questions.note_on(card.name, card.note)
        if written is not None:
            choosing.write_note(studio.document, card.id, written)


def compare(studio: Studio) -> None:
    studio.browsing.toggle_compare()
    if studio.browsing.other is not None:
        studio.shell.enlarge_takes(True)


def thin(studio: Studio) -> None:
    keep = studio.questions.takes_to_keep(USUAL_KEEP, len(studio.document.scene.takes))
    if keep is not None:
        choosing.thin(studio.document, keep)


def discard_above(studio: Studio) -> None:
    if studio.browsing.threshold is not None:
        choosing.discard_above(studio.document, studio.browsing.threshold)


# -- how they read, and why they cannot be given ---------------------------------------------------------------------


def loose(studio: Studio) -> list[str]:
    """Ids of takes that nobody chose."""
    scene = studio.document.scene
    return [card.id for card in scene.takes if not card.pinned and card.id != scene.shot]


def discard_takes(studio: Studio) -> None:
    gone = loose(studio)
    words = f"Discard {choosing.takes_words(len(gone))}"
    studio.document.edit(words, remove_takes(studio.document.scene, gone))


needs_takes = needs(lambda studio: studio.document.scene.takes, "Generate a take first.")
needs_loose = needs(loose, "There are no takes but the pinned ones.")
needs_another = needs(lambda studio: len(studio.document.scene.takes) > 1, "There is no other take.", needs_shown)
needs_not_shot = needs(lambda studio: studio.document.scene.shot != studio.playback.key,
                       "This take is in the shot already.", needs_shown)  # fmt: skip


def needs_neighbour(step: int) -> Callable[[Studio], str]:
    words = "This is the last take of the list." if step > 0 else "This is the first take of the list."
    return needs(lambda studio: studio.browsing.neighbour(step), words, needs_takes)


def needs_above(studio: Studio) -> str:
    limit = studio.browsing.threshold
    if limit is None:
        return "Choose how much is too much in the Energy tab first."
    return "" if choosing.above(studio.document.scene, limit) else f"No take is above {energy_words(limit)}."


def above_words(studio: Studio) -> str:
    limit = studio.browsing.threshold
    if limit is None:
        return "Discard takes above the line"
    count = choosing.takes_words(len(choosing.above(studio.document.scene, limit)))
    return f"Discard {count} above {energy_words(limit)}"


def shown_is(test: Callable[[TakeCard], bool]) -> Callable[[Studio], bool]:
    return lambda studio: (card := studio.playback.card) is not None and test(card)


def sorts(by: str, words: str, tip: str) -> Action:
    return Action(f"takes.sort_{by}", words, "Takes/Sort by", tip, lambda studio: studio.browsing.set_sort(by),
                  checked=lambda studio: studio.browsing.sort == by)  # fmt: skip


ACTIONS = (
    Action("takes.next", "Next take", "Takes", "Look at the next take of the list.", look_at(1), ("PgDown",),
           why_not=needs_neighbour(1), line=True),
    Action("takes.previous", "Previous take", "Takes", "Look at the take before this one in the list.", look_at(-1),
           ("PgUp",), why_not=needs_neighbour(-1)),
    Action("takes.pin", "Pin", "Takes", "Keep this take whatever is discarded.",
           lambda studio: choosing.toggle_pin(studio.document, studio.playback.key), list_key="P",
           icon="take.pin", why_not=needs_shown, checked=shown_is(lambda card: card.pinned)),
    Action("takes.reject", "Reject", "Takes", "Take it out of the list, or put it back.",
           lambda studio: choosing.toggle_rejected(studio.document, studio.playback.key), list_key="X",
           icon="take.reject", why_not=needs_shown, checked=shown_is(lambda card: card.rejected)),
    Action("takes.rename", "Rename take", "Takes", "Type another name for this take.", rename,
           list_key="F2", why_not=needs_shown),
    Action("takes.note", "Note on take…", "Takes", "Write down what you think of this take.", note, icon="take.note",
           why_not=needs_shown),
    Action("takes.compare", "Compare", "Takes", "See this take and the one you looked at before in one "
           "picture.", compare, list_key="C", icon="take.compare", why_not=needs_another,
           checked=lambda studio: studio.browsing.other is not None),
    Action("takes.use", "Use in the shot", "Takes", "Make this take the shot.",
           lambda studio: choosing.use_in_shot(studio.document, studio.playback.key), list_key="Enter",
           icon="take.use", why_not=needs_not_shot),
    *(sorts(by, *SORT_TIPS[by]) for by in SORTS),
    Action("takes.enlarge", "Enlarge takes", "Takes", "Show the takes over the whole window, or the view again.",
           enlarge, ("Ctrl+Space",), icon="takes.enlarge", checked=lambda studio: studio.shell.takes.enlarged),
    Action("takes.statistics", "Contact statistics", "Takes", "Measure how the active body touches the ground before "
           "it rests, when it falls and when it is run backward.", lambda studio: studio.shell.contacts.open(),
           icon="tab.contact",
           why_not=needs_moving, line=True),
    Action("takes.discard_shown", "Discard take", DISCARD, "Remove this take.",
           lambda studio: choosing.discard_shown(studio.document, studio.playback, studio.browsing), list_key="Del",
           icon="edit.delete", why_not=needs_shown, line=True),
    Action("takes.thin", "Keep the calmest…", DISCARD, "Discard all but the calmest takes, the pinned ones and the "
           "shot.", thin, why_not=needs_takes),
    Action("takes.discard_above", "Discard takes above the line", DISCARD, "Remove takes that need more energy than "
           "the line in the Energy tab allows; pinned ones and the shot stay.", discard_above, why_not=needs_above,
           label=above_words),
    Action("takes.discard", "Discard takes", DISCARD, "Remove all takes but the pinned ones and the shot.",
           discard_takes, why_not=needs_loose),
)  # fmt: skip
