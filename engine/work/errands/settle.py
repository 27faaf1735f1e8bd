"""Let bodies come to rest, and show them on their way."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from engine.scene.settled import Poses, Settled
from engine.scene.spec import Scene
from engine.settle import settle
from engine.work.errand import MOST_LOOKS, Desk
from engine.work.parcel import Parcel

BODIES_PER_SECOND = 6000.0  # in all poses that are shown: more would make a window stutter


def settled(scene: Parcel[Scene], ids: Sequence[str] | None, desk: Desk) -> Settled:
    looked = 0.0

    def watch(stage: str, at_rest: int, count: int, poses: Callable[[], Poses]) -> None:
        nonlocal looked
        share = {"settling": 0.8 * at_rest / max(count, 1), "polishing": 0.85, "testing": 0.95}[stage]
        desk.progress(share, f"Settling · {at_rest} of {count} at rest")
        pause = max(1.0 / MOST_LOOKS, count / BODIES_PER_SECOND)
        if stage == "settling" and time.monotonic() - looked >= pause:
            looked = time.monotonic()
            desk.tell("posed", poses())

    result = settle(scene.content, ids, watch)
    desk.check()
    return result
