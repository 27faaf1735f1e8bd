"""Generate: takes from the pool, each a card in the document as it comes; one press is one command of the history."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from app.document.take_edits import add_takes, ask_for, ranked, reserve, shortfalls
from app.runs.generation import Generation, Loss
from app.shell.action import Action, Run, needs, needs_quiet, needs_shown
from app.shell.studio import Studio
from app.takes.choosing import takes_words
from engine.scene.fingerprint import fingerprint
from engine.scene.request import ARRIVALS, QUALITIES, REMEDIES
from engine.scene.shot import TakeCard
from engine.scene.spec import Scene

LARGEST_SEED = 10_000
DEFAULT_AFTER = 1.0  # s
DEFAULT_DISORDER = 0.003  # m
OPTIONS = "Takes/Options"  # menu
COMPARE = f"{OPTIONS}/Compare with the paper"
NO_REMEDY = next(iter(REMEDIES))
_presses = itertools.count(1)


def generate(studio: Studio) -> None:
    """As many takes as asked for, with seeds that no take of this very scene has yet."""
    scene = studio.document.scene
    request = scene.request
    given = reserve(scene, request.takes)[1]
    orders = [
        TakeCard(key, name, notes=request.overlooked, **request.asked(seed=seed))
        for (key, name), seed in zip(given, free_seeds(scene, request.takes), strict=True)
    ]
    _start(studio, orders, f"Generate {takes_words(len(orders))}")


def free_seeds(scene: Scene, count: int) -> list[int]:
    """From the asked-for seed on, without those that would give a take once more."""
    request, own = scene.request, fingerprint(scene)
    alike = request.asked(seed=0)
    used = {card.seed for card in scene.takes if card.scene == own and card.asked(seed=0) == alike}
    seeds = (seed for seed in itertools.count(request.seed) if seed not in used)
    return list(itertools.islice(seeds, count))


def regenerate(studio: Studio, keys: Sequence[str]) -> None:
    """The same takes, seeds and names for the scene as it is now. They get new ids, so that undo has both motions."""
    scene = studio.document.scene
    old = [card for card in scene.takes if card.id in keys]
    given = reserve(scene, len(old))[1]
    orders = [TakeCard(key, card.name, **card.asked()) for (key, _), card in zip(given, old, strict=True)]
    _start(studio, orders, f"Generate {takes_words(len(orders))} again", [card.id for card in old])


def _start(studio: Studio, orders: Sequence[TakeCard], label: str, instead: Sequence[str] = ()) -> None:
    """`instead`: takes that those of `orders` replace, one by one."""
    generation = studio.pool.generate(studio.document.scene, orders, str(studio.document.takes.folder))
    gesture = f"generate {next(_presses)}"
    replaced = dict(zip((order.id for order in orders), instead, strict=False))
    first_shown: list[str] = []

    def came(card: TakeCard) -> None:
        old = replaced.get(card.id)
        shown = studio.playback.key
        studio.document.edit(label, with_take(studio.document.scene, card, old), gesture)
        if not first_shown or shown == old:
            first_shown.append(card.id)
            studio.playback.show(card.id)

    def ended() -> None:
        studio.end_job()
        _tell(studio, generation)
        best = sorted(ranked(generation.cards), key=lambda card: bool(shortfalls(card)))  # who does less is calmer
        if best and studio.playback.key in first_shown and not instead:
            studio.playback.show(best[0].id)  # unless the artist has chosen another one meanwhile

    generation.came.connect(came)
    generation.lost.connect(lambda loss: _tell_loss(studio, generation, loss))
    generation.ended.connect(ended)
    studio.begin_job(generation, "Generating")
    generation.start(studio.worker)


def with_take(scene: Scene, card: TakeCard, instead: str | None = None) -> Scene:
    """The scene with one more card, at the place of the one it replaces."""
    number = max(scene.next_id, int(card.id[1:]) + 1)
    scene = replace(scene, next_id=number)
    place = next((i for i, old in enumerate(scene.takes) if old.id == instead), None)
    if place is None:
        return add_takes(scene, [card])
    old = scene.takes[place]
    kept = replace(card, pinned=old.pinned, rejected=old.rejected, note=old.note)
    takes = [*scene.takes[:place], kept, *scene.takes[place + 1 :]]
    return replace(scene, takes=takes, shot=card.id if scene.shot == old.id else scene.shot)


def _tell(studio: Studio, generation: Generation) -> None:
    count = len(generation.cards)
    kept = f"{takes_words(count)} kept." if count else "No take was finished."
    if generation.cancelled:
        studio.shell.say(f"Stopped. {kept}")
    elif count:
        studio.shell.say(f"{takes_words(count)}, calmest first.")
        _tell_misses(studio, generation.cards)
    elif not generation.losses:
        studio.shell.tell(kept, kind="warning")


def _tell_misses(studio: Studio, cards: Sequence[TakeCard]) -> None:
    """When no take did all that was asked, say what was not done: once, with the reasons."""
    if all(card.notes or card.stopped for card in cards):
        missed = all(len(card.hints) > 1 and card.hints[0] < card.hints[1] for card in cards)
        words = "No take followed every hint." if missed else "No take came out quite as asked."
        reasons = sorted({note for card in cards for note in (*card.notes, card.stopped) if note})
        first = f" {reasons[0][0].upper()}{reasons[0][1:]}."
        studio.shell.tell(words + first, kind="warning", details="\n".join(reasons))


def _tell_loss(studio: Studio, generation: Generation, loss: Loss) -> None:
    reasons = {each.reason for each in generation.losses}
    lost = len(generation.losses)
    words = f"{loss.order.name if lost == 1 else takes_words(lost)} did not come: {loss.reason}"
    details = "\n".join(sorted(reasons)) + "\n" + studio.pool.details
    studio.shell.tell(words, [("Try again", lambda: generate(studio))], kind="error", details=details)


def new_seed(studio: Studio) -> None:
    """Another number to start from, by chance."""
    seed = random.randrange(1, LARGEST_SEED)
    studio.document.edit(f"Seed {seed}", ask_for(studio.document.scene, seed=seed), "seed")


def asks(name: str, value: object, words: str) -> Run:
    """A command that asks for takes of another kind."""
    return lambda studio: studio.document.edit(words, ask_for(studio.document.scene, **{name: value}))


def asked(name: str, value: object) -> Callable[[Studio], bool]:
    return lambda studio: bool(getattr(studio.document.scene.request, name) == value)


def toggles(name: str, usual: float, on: str, off: str) -> Run:
    """A command that asks for a usual amount of something, or for none of it, and how both read in the history."""

    def run(studio: Studio) -> None:
        none = getattr(studio.document.scene.request, name) == 0.0
        asks(name, usual if none else 0.0, on if none else off)(studio)

    return run


def compares(name: str) -> Run:
    """A command that asks for one more of the paper's remedies, or no longer for it. "constant" is none of them, and
    stands alone."""

    def run(studio: Studio) -> None:
        had = set(studio.document.scene.request.remedies)
        if name in had:
            wanted = had - {name}
        else:
            wanted = {name} if name == NO_REMEDY else had - {NO_REMEDY} | {name}
        words = f"{'Without' if name in had else 'Compare with'} {REMEDIES[name][0].lower()}"
        asks("remedies", tuple(each for each in REMEDIES if each in wanted), words)(studio)

    return run


def compared(name: str) -> Callable[[Studio], bool]:
    return lambda studio: name in studio.document.scene.request.remedies


needs_ending = needs(lambda studio: not all(body.static for body in studio.document.scene.bodies),
                     "Place an ending first: nothing here can move.", needs_quiet)  # fmt: skip


SEARCHES = {
    "preview": "the first arrivals that work.",
    "default": "of several arrivals the one that looks best.",
    "final": "of several arrivals the one that looks best.",
}
"""How arrivals are searched for, by quality."""
ACTIONS = (
    Action("takes.generate", "Generate", "Takes", "Find motions that end in this pose.", generate, ("Ctrl+Return",),
           icon="generate", why_not=needs_ending),
    Action("takes.again", "Generate this take again", "Takes", "The same seed, for the scene as it is now.",
           lambda studio: regenerate(studio, [studio.playback.key]),
           why_not=lambda studio: needs_shown(studio) or needs_ending(studio)),
    Action("takes.new_seed", "Another seed", OPTIONS, "Start from another number, for other takes.", new_seed,
           icon="generate.seed"),
    *(
        Action(f"takes.quality_{name}", name.capitalize(), f"{OPTIONS}/Quality",
               f"Steps of 1/{round(1 / step)} s; {SEARCHES[name]}", asks("quality", name, f"Quality {name}"),
               checked=asked("quality", name))
        for name, step in QUALITIES.items()
    ),
    *(
        Action(f"takes.arrivals_{name}", words, f"{OPTIONS}/Arrivals", meaning, asks("arrivals", name, words),
               checked=asked("arrivals", name))
        for name, (words, meaning) in ARRIVALS.items()
    ),
    Action("takes.middle_frame", "Run on after this frame", OPTIONS,
           "This frame stands in the middle: bodies may be in motion (Body, Motion in this frame), and takes run both "
           "ways from it.", toggles("after", DEFAULT_AFTER, "Run on after this frame", "End with this frame"),
           checked=lambda studio: studio.document.scene.request.after > 0.0),
    Action("takes.disorder", "Disorder the ending", OPTIONS,
           "Perfect alignment looks false: what lies on something level ends up to some millimetres off its place, in "
           "every take differently. Off: takes end exactly as placed.",
           toggles("disorder", DEFAULT_DISORDER, "Disorder the ending", "End exactly as placed"),
           checked=lambda studio: studio.document.scene.request.disorder > 0.0,
           why_not=needs(lambda studio: studio.document.scene.request.after == 0.0,
                         "A frame in the middle is kept as it is.")),
    Action("takes.as_usual", "As usual", COMPARE, "No comparison: takes are made as Foregone makes them.",
           asks("remedies", (), "Make takes as usual"), checked=asked("remedies", ())),
    *(
        Action(f"takes.remedy_{name.replace('-', '_')}", words, COMPARE,
               f"As in Twigg and James 2008: all bodies go back at once. {meaning}", compares(name),
               checked=compared(name), line=name == NO_REMEDY)
        for name, (words, meaning) in REMEDIES.items()
    ),
)  # fmt: skip
