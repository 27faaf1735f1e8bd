"""Uses every kernel that a user can reach, so that all are compiled: `python -m tests.every_kernel` (make kernels).

The golden takes have every way to arrive, shape, joint, hint, law and remedy; then what is asked of takes and endings:
certificates, replays, settling, checking, inspectors, statistics of drops."""

from __future__ import annotations

import sys
import time

from engine import Scene, Take, certify
from engine.analysis.inspect import TOPICS, inspect, problems
from engine.certificate.replay import replay
from engine.film import film_of
from engine.jit import registry
from engine.settle import settle
from engine.work.warm import use_kernels
from tests.engine.golden.golden_takes import CASES, EXAMPLES


def main() -> None:
    began = time.monotonic()
    use_kernels()
    for number, (name, make) in enumerate(CASES.items()):
        look_at(make())
        tell(f"{number + 1} of {len(CASES)}: {name}", began)
    for file in sorted(EXAMPLES.glob("*.foregone")):
        ask(Scene.load(file))
        tell(file.stem, began)


def look_at(take: Take) -> None:
    if take.backward:
        film_of(take, certify(take))
        replay(take)


def ask(scene: Scene) -> None:
    settle(scene)
    problems(scene)
    for body in [body for body in scene.bodies if not body.static][:3]:
        for topic in TOPICS:
            inspect(scene, topic, body.id)


def tell(what: str, began: float) -> None:
    made = sum(kernel.compilations for kernel in registry.values())
    sys.stderr.write(f"{time.monotonic() - began:6.1f} s  {made:4d} compiled  {what}\n")


if __name__ == "__main__":
    main()
