"""Throw a body many times, and find the nearest ending that a throw reached."""

from __future__ import annotations

from engine.reach.explore import explore
from engine.reach.snap import snapped
from engine.scene.reach_map import ReachMap
from engine.scene.settled import Settled
from engine.scene.spec import Scene
from engine.work.errand import Desk
from engine.work.parcel import Parcel
from engine.work.workers import cores


def reached(scene: Parcel[Scene], body: str, throws: int, seed: int, desk: Desk) -> ReachMap:
    def told(done: int, count: int) -> None:
        desk.progress(done / count, f"{done:,} of {count:,} throws")

    return explore(scene.content, body, throws, seed, jobs=cores(), told=told)


def nearest_reached(scene: Parcel[Scene], found: ReachMap, desk: Desk) -> Settled:
    return snapped(scene.content, found, lambda tried, count: desk.progress(tried / count, "Settling"))
