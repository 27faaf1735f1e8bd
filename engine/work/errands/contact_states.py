"""Contact states of one body's drops before rest, and of as many backward runs."""

from __future__ import annotations

import io

from engine.arrivals.dropped.raster import figure
from engine.arrivals.dropped.setting import setting_of
from engine.errors import ForegoneError, ProjectError
from engine.picture.states import states_picture
from engine.scene.contact_states import ContactStates
from engine.scene.spec import Scene
from engine.work.errand import Desk
from engine.work.parcel import Parcel

STAGES = ("drops", "other drops", "landings tried backward")  # not every landing has a way back
MOST_VAIN = 40  # looks at drops of which none has come to rest yet, eight drops each


def measured(scene: Parcel[Scene], key: str, runs: int, dt: float, desk: Desk) -> ContactStates:
    body = scene.content.find(key)
    if body is None:
        raise ProjectError("The body is not in the scene any more.")
    hopeless = 0

    def told(what: str, found: int, count: int) -> None:
        nonlocal hopeless
        desk.check()
        hopeless = hopeless + 1 if found == 0 and what != STAGES[-1] else 0
        if hopeless > MOST_VAIN:
            raise ForegoneError(f"{body.name} hardly ever comes to rest when it falls.")
        share = (STAGES.index(what) + found / max(count, 1)) / len(STAGES)
        desk.tell("progress", share, f"{found} of {count} {what}")

    found = figure(setting_of(scene.content, body, dt), runs, told)
    stream = io.BytesIO()
    states_picture(found, f"Contact states of {body.name} before rest").save(stream, "PNG", optimize=True)
    apart = found.apart
    return ContactStates(found.dt, found.forward, found.backward, apart.marginal, apart.by_time, stream.getvalue())
