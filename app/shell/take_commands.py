"""Choosing among takes: look at the next one, pin, reject, compare, use one in the shot, and clear up."""

from __future__ import annotations

from collections.abc import Callable

from app.document.take_edits import SORTS, card_of, remove_takes
from app.look.quantity_words import energy_words
from app.shell.action import Action, Run
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
    studio.shell.enlarge_takes(not studio.shell.takes_enlarged)


def look_at(step: int) -> Run:
    def run(studio: Studio) -> None:
        studio.playback.show(studio.browsing.neighbour(step))

    return run


def pin(studio: Studio) -> None:
    choosing.toggle_pin(studio.document, studio.playback.key)


def reject(studio: Studio) -> None:
    choosing.toggle_rejected(studio.document, studio.playback.key)


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


def use_in_shot(studio: Studio) -> None:
    choosing.use_in_shot(studio.document, studio.playback.key)


def discard(studio: Studio) -> None:
    choosing.discard_shown(studio.document, studio.playback, studio.browsing)


def thin(studio: Studio) -> None:
    keep = studio.questions.takes_to_keep(USUAL_KEEP, len(studio.document.scene.takes))
    if keep is not None:
        choosing.thin(studio.document, keep)


def discard_above(studio: Studio) -> None:
    if studio.browsing.threshold is not None:
        choosing.discard_above(studio.document, studio.browsing.threshold)


def show_contacts(studio: Studio) -> None:
    studio.shell.show_contacts()


def set_sort(by: str) -> Run:
    return lambda studio: studio.browsing.set_sort(by)


def sorted_by(by: str) -> Callable[[Studio], bool]:
    return lambda studio: studio.browsing.sort == by


# -- how they read, and why they cannot be given ---------------------------------------------------------------------


def needs_shown(studio: Studio) -> str:
    return "" if studio.playback.card is not None else "No take is shown."


def needs_moving(studio: Studio) -> str:
    body = studio.selection.active_body()
    return "" if body is not None and not body.static else "Select a body that can move first."


def needs_takes(studio: Studio) -> str:
    return "" if studio.document.scene.takes else "Generate a take first."


def loose(studio: Studio) -> list[str]:
    """Ids of takes that nobody chose."""
    scene = studio.document.scene
    return [card.id for card in scene.takes if not card.pinned and card.id != scene.shot]


def discard_takes(studio: Studio) -> None:
    gone = loose(studio)
    words = f"Discard {choosing.takes_words(len(gone))}"
    studio.document.edit(words, remove_takes(studio.document.scene, gone))


def needs_loose(studio: Studio) -> str:
    return "" if loose(studio) else "There are no takes but the pinned ones."


def needs_neighbour(step: int) -> Callable[[Studio], str]:
    words = "This is the last take of the list." if step > 0 else "This is the first take of the list."

    def reason(studio: Studio) -> str:
        return needs_takes(studio) or ("" if studio.browsing.neighbour(step) else words)

    return reason


def needs_another(studio: Studio) -> str:
    return needs_shown(studio) or ("" if len(studio.document.scene.takes) > 1 else "There is no other take.")


def needs_not_shot(studio: Studio) -> str:
    is_shot = studio.document.scene.shot == studio.playback.key
    return needs_shown(studio) or ("This take is in the shot already." if is_shot else "")


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
    def check(studio: Studio) -> bool:
        card = card_of(studio.document.scene, studio.playback.key)
        return card is not None and test(card)

    return check


ACTIONS = (
    Action("takes.next", "Next take", "Takes", "Look at the next take of the list.", look_at(1), ("PgDown",),
           why_not=needs_neighbour(1), line=True),
    Action("takes.previous", "Previous take", "Takes", "Look at the take before this one in the list.", look_at(-1),
           ("PgUp",), why_not=needs_neighbour(-1)),
    Action("takes.pin", "Pin", "Takes", "Keep this take whatever is discarded.", pin, list_key="P",
           icon="take.pin", why_not=needs_shown, checked=shown_is(lambda card: card.pinned)),
    Action("takes.reject", "Reject", "Takes", "Take it out of the list, or put it back.", reject,
           list_key="X", icon="take.reject", why_not=needs_shown, checked=shown_is(lambda card: card.rejected)),
    Action("takes.rename", "Rename take", "Takes", "Type another name for this take.", rename,
           list_key="F2", why_not=needs_shown),
    Action("takes.note", "Note on take…", "Takes", "Write down what you think of this take.", note, icon="take.note",
           why_not=needs_shown),
    Action("takes.compare", "Compare", "Takes", "See this take and the one you looked at before in one "
           "picture.", compare, list_key="C", icon="take.compare", why_not=needs_another,
           checked=lambda studio: studio.browsing.other is not None),
    Action("takes.use", "Use in the shot", "Takes", "Make this take the shot.", use_in_shot, list_key="Enter",
           icon="take.use", why_not=needs_not_shot),
    *(
        Action(f"takes.sort_{by}", SORT_TIPS[by][0], "Takes/Sort by", SORT_TIPS[by][1], set_sort(by),
               checked=sorted_by(by))
        for by in SORTS
    ),
    Action("takes.enlarge", "Enlarge takes", "Takes", "Show the takes over the whole window, or the view again.",
           enlarge, ("Ctrl+Space",), icon="takes.enlarge", checked=lambda studio: studio.shell.takes_enlarged),
    Action("takes.statistics", "Contact statistics", "Takes", "Measure how the active body touches the ground before "
           "it rests, when it falls and when it is run backward.", show_contacts, icon="tab.contact",
           why_not=needs_moving, line=True),
    Action("takes.discard_shown", "Discard take", DISCARD, "Remove this take.", discard, list_key="Del",
           icon="edit.delete", why_not=needs_shown, line=True),
    Action("takes.thin", "Keep the calmest…", DISCARD, "Discard all but the calmest takes, the pinned ones and the "
           "shot.", thin, why_not=needs_takes),
    Action("takes.discard_above", "Discard takes above the line", DISCARD, "Remove takes that need more energy than "
           "the line in the Energy tab allows; pinned ones and the shot stay.", discard_above, why_not=needs_above,
           label=above_words),
    Action("takes.discard", "Discard takes", DISCARD, "Remove all takes but the pinned ones and the shot.",
           discard_takes, why_not=needs_loose),
)  # fmt: skip
