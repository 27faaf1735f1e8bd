"""One take, from the order to its files: run backward, check, make the film. In the worker's process only."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from app.document.take_store import AFTER, FILM, TAPE
from engine.analysis.consistency_inspect import lowered
from engine.arrivals.follows import follows, met_words, miss_words
from engine.arrivals.options import MannerName, Options
from engine.both_ways import both_ways
from engine.certificate.audit import certify
from engine.contact.tiers import TIER_NAMES
from engine.errors import SceneError
from engine.film import bounces, film_of, write_film
from engine.run import backward
from engine.scene.shot import QUALITIES
from engine.scene.spec import Scene
from engine.tape.store import replacing, save_take
from engine.work.errand import EXPLODES_AT

RUN, CHECKED = 0.8, 0.9
"""Share of a take's time after which its run, and its certificate, are done."""

Tell = Callable[[float], None]


def make_take(scene: Scene, asked: dict[str, Any], tell: Tell) -> dict[str, Any]:
    """The fields of its card; its motion is in asked["folder"]. `tell` hears how far it is and may raise."""
    errors = [f"{problem.message} {problem.fix}" for problem in scene.problems() if problem.severity == "error"]
    if errors:
        raise SceneError(errors)
    folder, key = Path(asked["folder"]), str(asked["key"])
    dt, seconds, after = QUALITIES[asked["quality"]], float(asked["seconds"]), float(asked["after"])

    def progress(done: int, steps: int) -> None:
        tell(RUN * done / steps)

    if after > 0.0:
        take, onward = both_ways(scene, seconds, after, dt, int(asked["seed"]), progress=progress)
    else:
        manner: MannerName = "preview" if asked["quality"] == "preview" else "natural"
        options = Options(arrivals=asked["arrivals"], manner=manner, disorder=float(asked["disorder"]))
        take = backward(scene, seconds, dt, int(asked["seed"]), options, progress, explodes_at=EXPLODES_AT)
        onward = None
    report = certify(take)
    tell(CHECKED)
    film = film_of(take, report, onward)
    film["lowered"] = np.array([each.step for each in lowered(take)], np.int32)
    save_take(folder / TAPE.format(key), take)
    if onward is not None:
        save_take(folder / AFTER.format(key), onward)
    with replacing(folder / FILM.format(key)) as stream:
        write_film(stream, film)
    asked_for = follows(take)
    names = {body.id: body.name for body in scene.bodies}
    misses = [miss_words(hint, names[hint.body]) for hint in asked_for]
    ends = [part.stopped for part in (take, onward) if part is not None and part.stopped]
    return {
        "id": key,
        "name": str(asked["name"]),
        "seed": int(asked["seed"]),
        "seconds": seconds,
        "after": after,
        "quality": str(asked["quality"]),
        "arrivals": str(asked["arrivals"]),
        "disorder": 0.0 if after > 0.0 else float(asked["disorder"]),
        "energy": float(film["energy"][0]),
        "tiers": [report.fraction(tier) for tier in range(len(TIER_NAMES))],
        "bounces": bounces(film),
        "hints": [sum(hint.followed for hint in asked_for), len(asked_for)] if asked_for else [],
        "met": [f"{hint.hint} {met_words(hint)}" for hint in asked_for],
        "notes": list(dict.fromkeys([*take.notes, *filter(None, misses)])),
        "stopped": "; ".join(ends),
        "hash": take.hash(),
    }
