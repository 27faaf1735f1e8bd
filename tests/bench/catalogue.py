"""The benchmarks by name: what each measures, its small version, and which of its columns name a row or are a cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.params import PREVIEW_DT
from tests.bench import (
    arrivals,
    balls,
    batch,
    boxes,
    closed_forms,
    entrances,
    exact,
    exit,
    exports,
    fast,
    forgeries,
    hints,
    inspectors,
    joints,
    landings,
    meeting,
    particles,
    patches,
    reach,
    sampling,
    start,
    table,
    tunnelling,
    verdicts,
    wishes,
)
from tests.bench.measure import Row, Tell
from tests.bench.verdict_scenes import FAMILIES


@dataclass(frozen=True)
class Bench:
    measure: Callable[..., list[Row]]
    quick: dict[str, Any] = field(default_factory=dict)  # arguments of the version that takes seconds
    keys: tuple[str, ...] = ()  # columns that name a row
    costs: tuple[str, ...] = ()  # columns of which more is worse, compared with earlier runs
    parts: tuple[str, ...] = ()  # what can be measured alone

    def run(self, tell: Tell, quick: bool = False, only: Sequence[str] = ()) -> list[Row]:
        return self.measure(tell, **(self.quick if quick else {}), **({"only": tuple(only)} if only else {}))


BENCHES: dict[str, Bench] = {
    "certification": Bench(
        table.certification,
        {"names": ("two spheres",), "steps": (PREVIEW_DT,)},
        ("scene", "dt"),
        ("max_residual",),
    ),
    "boxes": Bench(
        boxes.boxes,
        {"count": 1, "seeds": 1, "walls": 1, "seconds": 0.2},
        ("scene", "policy"),
        ("cpu_s", "energy_ratio"),
    ),
    "hints": Bench(hints.hints, {"count": 1, "seconds": 0.5}, ("kind",), ("angle_worst", "speed_worst", "ms")),
    "meeting": Bench(
        meeting.meeting,
        {"counts": (20,), "seeds": 1, "seconds": 0.5, "checked": 1},
        ("boxes", "backjumping"),
        ("cpu_s", "cpu_s_worst", "energy_ratio"),
    ),
    "particles": Bench(
        particles.particles,
        {"scenes": particles.SMALL, "seeds": 2, "count": 2},
        ("scene", "way"),
        ("energy_ratio", "cpu_s"),
    ),
    "landings": Bench(
        landings.landings,
        {"shapes": ("box",), "count": 6, "backward": 3, "tails": (0.3,)},
        ("shape", "way"),
        ("tv", "tv_by_time", "ms_per_body"),
    ),
    "joints": Bench(
        joints.joints,
        {"scenes": ("chain",), "seeds": 1, "seconds": 0.3},
        ("scene", "policy"),
        ("joint_error", "residual", "energy_start", "ms_per_take"),
    ),
    "arrivals": Bench(
        arrivals.arrivals,
        {"cases": arrivals.SMALL},
        ("scene", "manner"),
        ("cpu_s", "cpu_s_worst", "energy_ratio", "bent_steps_per_body"),
    ),
    "entrances": Bench(
        entrances.entrances,
        {"effort": entrances.SMALL},
        ("part", "case"),
        ("cpu_s", "energy_ratio", "away", "placed", "still"),
        tuple(entrances.PARTS),
    ),
    "batch": Bench(batch.batch, {"takes": 2, "courses": 1, "width": 1, "seconds": 0.3}, ("bricks",), ("wall_s",)),
    "exports": Bench(
        exports.exports,
        {"bodies": 4, "frames": 4, "ways": exports.WAYS[:3]},
        ("format", "bodies", "frames"),
        ("wall_s", "cpu_s", "bytes", "longest_silence_s", "stop_s"),
    ),
    "exit": Bench(exit.exits, {"seeds": 1, "bodies": ("ball",)}, ("body",), ("cpu_s", "cpu_s_worst")),
    "inspectors": Bench(
        inspectors.inspectors,
        {"quick": True},
        ("inspector", "problem", "size"),
        ("wrong", "cpu_s", "cpu_s_worst"),
    ),
    "verdicts": Bench(verdicts.verdicts, {"count": 3}, ("family",), ("wrong", "brink", "cpu_s"), tuple(FAMILIES)),
    "closed-forms": Bench(
        closed_forms.closed_forms, {"yaws": 1, "kinds": closed_forms.SMALL}, ("case", "asked"), ("wrong",)
    ),
    "forgeries": Bench(forgeries.forgeries, {"count": 20, "takes": 1}, ("file",), ("lost",)),
    "tunnelling": Bench(
        tunnelling.tunnelling,
        {"count": 8, "back": 4},
        ("direction",),
        ("passed", "overlap_mm", "cpu_s"),
        tunnelling.DIRECTIONS,
    ),
    "wishes": Bench(wishes.wishes, {"count": 3}, ("wish",), ("lost", "ms")),
    "reach": Bench(
        reach.reach,
        {"throws": 200, "sample": 4, "scenes": reach.SMALL},
        ("scene",),
        ("apart",),
    ),
    "walls": Bench(
        table.walls, {"courses": 2, "width": 2, "repeats": 1}, ("case", "bricks"), ("cold_ms", "warm_ms", "residual")
    ),
    "patches": Bench(
        patches.patches,
        {"cases": ("box tips",), "repeats": 1},
        ("scene",),
        ("unknowns_ratio", "cost_ratio", "apart_m", "residual_patches"),
    ),
    "determinism": Bench(table.determinism, {"count": 1, "seconds": 0.1}, ("way",)),
    "fast": Bench(
        fast.fast,
        {"cases": fast.SMALL, "steps": 24, "repeats": 1},
        ("scene", "engine", "sleeps"),
        ("ms_per_step", "p99_mm", "moved_mm"),
    ),
    "exact": Bench(
        exact.exact,
        {"families": exact.SMALL},
        ("scene", "size", "case", "direction", "dt"),
        ("ms_mean", "ms_worst", "worst_residual"),
    ),
    "balls": Bench(
        balls.balls,
        {"counts": (4,), "steps": (PREVIEW_DT,), "seconds": 0.1, "with_peer": 4},
        ("balls", "dt"),
        ("cpu_s", "ms_per_step", "peak_bytes", "tape_bytes"),
    ),
    "box": Bench(fast.box, {"steps": 24, "sims": 2, "repeats": 1}, ("engine",), ("ms_per_sim",)),
    "start": Bench(start.start, {"repeats": 1, "cold": False}, ("start",), ("process_s", "wall_s", "peak_bytes")),
    "memory": Bench(
        balls.memory, {"count": 4, "seconds": 0.1}, ("balls", "dt"), ("peak_bytes", "tape_bytes", "disk_bytes")
    ),
    "sampling": Bench(
        sampling.sampling,
        {"takes": 3, "courses": 1, "width": 1, "seconds": 0.3, "killed": 3, "ways": ("this process", "2 processes")},
        ("way",),
        ("cpu_per_take_s", "fair_s", "cancel_s"),
    ),
}
