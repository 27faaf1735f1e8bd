"""Where the time of a step goes, stage by stage."""

from __future__ import annotations

from typing import Literal

from engine.params import PREVIEW_DT
from engine.scene.spec import Scene
from tests.bench import scenes_exact, scenes_forward
from tests.bench.measure import Row, Tell
from tests.bench.profile_run import profile_run

FORWARD_STAGES = ("detect", "decide", "kick", "drift", "certify", "record")
BACKWARD_STAGES = ("drift", "detect", "decide", "kick", "certify", "record")
STAGES = {"forward": (*FORWARD_STAGES, "between"), "backward": (*BACKWARD_STAGES, "between")}


def profile(tell: Tell, quick: bool = False) -> list[Row]:
    """CPU ms per step of every stage, in its order, for scenes of few and of many contacts."""
    small = 4 if quick else 3037
    todo: list[tuple[str, Scene, Literal["backward", "forward"]]] = [
        ("balls in bins", scenes_forward.filled_bins(small), "backward"),
        ("balls into bins", scenes_forward.bins(small), "forward"),
        ("wall, built up", scenes_exact.arriving(scenes_exact.brick_wall(10 if quick else 30)), "backward"),
        ("wall, struck", scenes_exact.struck(scenes_exact.brick_wall(10 if quick else 30)), "forward"),
    ]
    seconds = 0.1 if quick else 1.0
    rows = []
    for number, (name, scene, direction) in enumerate(todo):
        tell(f"{name}, {direction}", number, len(todo))
        spent = profile_run(scene, seconds, PREVIEW_DT, direction)
        total, steps = sum(spent.values()), round(seconds / PREVIEW_DT)
        for stage in STAGES[direction]:
            rows.append(
                {
                    "scene": name,
                    "direction": direction,
                    "stage": stage,
                    "ms_per_step": 1e3 * spent[stage] / steps,
                    "share": spent[stage] / total if total else 0.0,
                }
            )
    return rows
