"""The middle frame: a scene in motion, run backward to where it came from and forward to where it goes."""

from __future__ import annotations

from engine.arrivals.options import Options
from engine.params import DEFAULT_DT
from engine.run import Progress, backward, forward
from engine.scene.spec import Scene
from engine.tape.take import Take


def both_ways(
    scene: Scene,
    before: float = 1.0,
    after: float = 1.0,
    dt: float = DEFAULT_DT,
    seed: int = 0,
    options: Options | None = None,
    progress: Progress | None = None,
    explodes_at: float | None = None,
) -> tuple[Take, Take]:
    """A take that ends in the scene's poses and velocities (see `backward`), and one that starts in them.

    The authored frame is the last state of the first take and the first of the second, bit for bit. The first take's
    times run from 0 to `before`, the second's from 0 to `after`; in one film the second plays at its times + `before`.
    Progress is told for both as one run; what stops the first may stop the second too."""
    steps = [max(1, round(seconds / dt)) for seconds in (before, after)]

    def told(done_before: int) -> Progress | None:
        if progress is None:
            return None
        return lambda done, _: progress(done_before + done, sum(steps))

    options = options or Options()
    came = backward(scene, before, dt, seed, options, told(0), explodes_at=explodes_at)
    goes = forward(came.scene, after, dt, "exact", told(steps[0]), landing=options.landing)
    return came, goes
