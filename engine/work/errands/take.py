"""One take for the studio: run, checked, its motion in files, its card filled in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from engine.analysis.consistency_inspect import lowered
from engine.arrivals.follows import met_words
from engine.certificate.audit import certify
from engine.errors import SceneError
from engine.film import film_of
from engine.scene.film import write_film
from engine.scene.shot import TakeCard
from engine.scene.spec import Scene
from engine.scene.take_files import AFTER, FILM, TAPE
from engine.tape.store import replacing, save_take
from engine.work.errand import Desk
from engine.work.parcel import Parcel
from engine.work.takes import CHECKED, RUN, Judged, Order, make_both


def take(scene: Parcel[Scene], card: TakeCard, folder: str, desk: Desk) -> TakeCard:
    """The card is the order, too: it says what is asked."""
    desk.progress(0.0)
    problems = scene.content.problems()
    errors = [f"{problem.message} {problem.fix}" for problem in problems if problem.severity == "error"]
    if errors:
        raise SceneError(errors)
    made, after = make_both(Order.of(scene.content, card), card.seed, lambda share: desk.progress(RUN * share))
    judged = Judged(made, certify(made))
    desk.progress(CHECKED)
    friction = np.array([each.step for each in lowered(made)], np.int32)
    film = replace(film_of(made, judged.report, after), lowered=friction)
    place = Path(folder)
    save_take(place / TAPE.format(card.id), made)
    if after is not None:
        save_take(place / AFTER.format(card.id), after)
    with replacing(place / FILM.format(card.id)) as stream:
        write_film(stream, film)
    hints = judged.hints
    return replace(
        card,
        energy=judged.energies[0] - judged.energies[1],
        exact_in_motion=judged.report.exact_in_motion,
        worst=judged.report.worst_words,
        overlap=judged.report.max_overlap,
        tiers=tuple(judged.tiers),
        bounces=film.bounces,
        hints=(sum(hint.followed for hint in hints), len(hints)) if hints else (),
        met=tuple(f"{hint.hint} {met_words(hint)}" for hint in hints),
        notes=(*card.notes, *judged.notes),
        stopped="; ".join(part.stopped for part in (made, after) if part is not None and part.stopped),
        hash=made.hash(),
    )
