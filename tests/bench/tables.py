"""How each benchmark is printed: (title, column, how to write it), and what the titles mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from engine.commands.output import table
from engine.contact.tiers import TIER_NAMES
from tests.bench.measure import Row

Column: TypeAlias = tuple[str, str, str | Callable[[Any], str]]
"""A way of writing is a format specification or a function."""


def _percent(value: float) -> str:
    return f"{100.0 * value:.1f}"


def _step(value: float) -> str:
    return f"1/{1.0 / value:.0f}"


def _mega(value: float) -> str:
    return f"{value / 1e6:.1f}"


def _yes(value: bool) -> str:
    return "yes" if value else "NO"


TIERS: tuple[Column, ...] = tuple((f"{name.lower()} %", name, _percent) for name in TIER_NAMES)
NESTED_TIERS: tuple[Column, ...] = tuple((f"{name.lower()} %", f"tiers.{name}", _percent) for name in TIER_NAMES)

COLUMNS: dict[str, tuple[Column, ...]] = {
    "certification": (
        ("scene", "scene", ""),
        ("dt", "dt", _step),
        ("steps", "steps", "d"),
        ("in contact", "contact_steps", "d"),
        ("exact", "exact", ".3f"),
        ("tuned", "tuned", ".3f"),
        ("residual", "max_residual", ".0e"),
        ("replay m", "replay_error", ".0e"),
        ("cold", "cold_reproduced", ".3f"),
        ("largest m/s", "cold_largest", ".0e"),
        ("mirror Euler", "mirror_reproduced", ".3f"),
        ("largest m/s", "mirror_largest", ".2g"),
        ("sum m/s", "mirror_summed", ".2g"),
    ),
    "boxes": (
        ("scene", "scene", ""),
        ("policy", "policy", ""),
        ("seeds", "seeds", "d"),
        ("start J", "energy_start", ".3g"),
        ("worst J", "energy_start_worst", ".3g"),
        ("end J", "energy_end", ".3g"),
        ("start/end", "energy_ratio", ".2f"),
        ("worst", "energy_ratio_worst", ".3g"),
        *NESTED_TIERS,
        ("exact points %", "exact_points", _percent),
        ("ghosted awake %", "ghosted_awake", _percent),
        ("ghosted points", "ghosted", "d"),
        ("assist m/s", "assist", ".3g"),
        ("stopped", "stopped", "d"),
        ("CPU s", "cpu_s", ".1f"),
    ),
    "hints": (
        ("hint", "kind", ""),
        ("count", "count", "d"),
        ("met %", "met", _percent),
        ("angle, degrees", "angle_median", ".2f"),
        ("worst", "angle_worst", ".2f"),
        ("speed %", "speed_median", _percent),
        ("worst", "speed_worst", _percent),
        ("turns as asked %", "turned", _percent),
        ("certified %", "certified", _percent),
        *NESTED_TIERS,
        ("residual", "residual", ".0e"),
        ("ms", "ms", ".0f"),
    ),
    "meeting": (
        ("boxes", "boxes", "d"),
        ("backjumping", "backjumping", ""),
        ("seeds", "seeds", "d"),
        ("certified", "certified", "d"),
        ("collisions", "collisions", ".0f"),
        ("least", "collisions_least", "d"),
        ("in air", "in_air", ".0f"),
        ("least", "in_air_least", "d"),
        ("bodies, least", "bodies_least", "d"),
        ("worse than tuned", "beyond_tuned", "d"),
        *NESTED_TIERS,
        ("exact points %", "exact_points", _percent),
        ("start/end J", "energy_ratio", ".2f"),
        ("worst", "energy_ratio_worst", ".2f"),
        ("residual", "residual", ".0e"),
        ("reached s", "reached_s", ".2f"),
        ("jumps", "jumps", ".0f"),
        ("CPU s", "cpu_s", ".2f"),
        ("worst", "cpu_s_worst", ".2f"),
        ("islands", "states_islands", "d"),
        ("unlawful", "states_unlawful", "d"),
        ("m/s", "states_residual", ".0e"),
    ),
    "particles": (
        ("scene", "scene", ""),
        ("way", "way", ""),
        ("takes each", "tries", ".1f"),
        ("seeds", "seeds", "d"),
        ("certified", "certified", "d"),
        ("start/end J", "energy_ratio", ".2f"),
        ("worst", "energy_ratio_worst", ".2f"),
        ("exact %", "exact", _percent),
        ("starts m", "starts_m", ".2f"),
        ("directions", "directions", ".2f"),
        ("CPU s", "cpu_s", ".2f"),
        ("worst", "cpu_s_worst", ".2f"),
    ),
    "landings": (
        ("shape", "shape", ""),
        ("way", "way", ""),
        ("runs", "runs", "d"),
        ("accepted %", "accepted", _percent),
        ("TV", "tv", ".4f"),
        ("TV by time", "tv_by_time", ".4f"),
        ("KS worst", "ks_worst", ".3f"),
        ("events", "events", ".1f"),
        ("exact %", "exact", _percent),
        ("worst", "worst_tier", lambda tier: TIER_NAMES[tier].lower()),
        ("pose error m", "pose_error", ".0e"),
        ("CPU ms", "ms_per_body", ".1f"),
    ),
    "exit": (
        ("body", "body", ""),
        ("takes", "takes", "d"),
        ("through the exit", "through_exit", "d"),
        ("exact in motion", "exact_in_motion", ".3f"),
        ("CPU s", "cpu_s", ".3g"),
        ("worst", "cpu_s_worst", ".3g"),
    ),
    "inspectors": (
        ("inspector", "inspector", ""),
        ("problem", "problem", ""),
        ("size", "size", ""),
        ("cases", "cases", "d"),
        ("wrong", "wrong", "d"),
        ("CPU s", "cpu_s", ".3g"),
        ("worst", "cpu_s_worst", ".3g"),
    ),
    "verdicts": (
        ("family", "family", ""),
        ("scenes", "scenes", "d"),
        ("on the brink", "brink", "d"),
        ("contradicted", "wrong", "d"),
        ("CPU s", "cpu_s", ".2f"),
        ("by", "words", ""),
    ),
    "closed-forms": (
        ("case", "case", ""),
        ("asked", "asked", ""),
        ("cases", "cases", "d"),
        ("closed form", "closed", ".5g"),
        ("inspector", "found", ".5g"),
        ("", "unit", ""),
        ("off %", "off", lambda off: f"{100.0 * off:+.3f}"),
        ("run stays to", "stays", ".2f"),
        ("goes from", "goes", ".2f"),
        ("wrong", "wrong", "d"),
    ),
    "forgeries": (
        ("file", "file", ""),
        ("edits", "edits", "d"),
        ("refused", "refused", "d"),
        ("named", "named", "d"),
        ("no bit of what is seen", "unseen", "d"),
        ("lawful within 1e-6", "slight", "d"),
        ("unnoticed", "lost", "d"),
        ("where", "unnoticed", ""),
    ),
    "tunnelling": (
        ("direction", "direction", ""),
        ("cases", "cases", "d"),
        ("passed", "passed", "d"),
        ("named", "named", "d"),
        ("exact %", "exact", _percent),
        ("in motion %", "in_motion", _percent),
        ("not lawful", "unlawful", "d"),
        ("overlap mm", "overlap_mm", ".2f"),
        ("cpu s", "cpu_s", ".1f"),
    ),
    "wishes": (
        ("wish", "wish", ""),
        ("asked", "asked", "d"),
        ("kept", "kept", "d"),
        ("told", "told", "d"),
        ("lost in silence", "lost", "d"),
        ("ms", "ms", ".0f"),
    ),
    "joints": (
        ("scene", "scene", ""),
        ("policy", "policy", ""),
        ("seeds", "seeds", "d"),
        ("complete", "complete", "d"),
        ("joints m", "joint_error", ".0e"),
        ("residual", "residual", ".0e"),
        ("replay m", "replay_error", ".0e"),
        *NESTED_TIERS,
        ("assist m/s", "assist", ".2g"),
        ("end J", "energy_end", ".3g"),
        ("start J", "energy_start", ".3g"),
        ("worst J", "energy_start_worst", ".3g"),
        ("ms a take", "ms_per_take", ".0f"),
    ),
    "arrivals": (
        ("scene", "scene", ""),
        ("manner", "manner", ""),
        ("takes", "takes", "d"),
        ("certified", "certified", "d"),
        ("CPU s", "cpu_s", ".2f"),
        ("worst s", "cpu_s_worst", ".2f"),
        ("exact %", "exact_median", _percent),
        ("worst %", "exact_worst", _percent),
        (">=95 % <=20 x", "honest_and_calm", "d"),
        ("energy x", "energy_ratio", ".1f"),
        ("worst x", "energy_ratio_worst", ".1f"),
        ("bent/body", "bent_steps_per_body", ".1f"),
        ("at rest", "left_at_rest", "d"),
        ("tilt deg", "tilt_median", ".1f"),
        ("tilt p90", "tilt_p90", ".1f"),
        ("events", "events_median", ".1f"),
        ("replay m", "replay_error", ".0e"),
    ),
    "entrances": (
        ("part", "part", ""),
        ("case", "case", ""),
        ("takes", "takes", "d"),
        ("raised", "raised", "d"),
        ("stopped", "stopped", "d"),
        ("bodies", "bodies", "d"),
        ("by physics", "physics", "d"),
        ("held", "held", "d"),
        ("placed", "placed", "d"),
        ("still", "still", "d"),
        ("exact in motion %", "exact_in_motion", _percent),
        ("worst %", "exact_worst", _percent),
        ("unlawful %", "unlawful", _percent),
        ("energy x", "energy_ratio", ".1f"),
        ("worst x", "energy_worst", ".1f"),
        ("away m", "away", ".2g"),
        ("p95 m", "away_p95", ".2g"),
        ("inside", "inside", "d"),
        ("popped", "popped", "d"),
        ("CPU s", "cpu_s", ".2f"),
        ("worst s", "cpu_worst", ".2f"),
        ("growth", "growth", ".2f"),
        ("replay m", "replay_error", ".0e"),
        ("TV", "tv", ".3f"),
        ("of drops", "tv_drops", ".3f"),
        ("KS spin", "ks_spin", ".3f"),
        ("KS bounces", "ks_bounces", ".3f"),
        ("asked", "asked", "d"),
        ("met", "met", "d"),
        ("worst miss", "worst", ".2g"),
        ("hits", "hits", "d"),
        ("impulses", "impulses", "d"),
        ("joints turned %", "joints_turned", _percent),
        ("joints m", "joint_error", ".0e"),
        ("same", "same", _yes),
        ("error", "error", ""),
    ),
    "batch": (
        ("bricks", "bricks", "d"),
        ("asked", "asked", "d"),
        ("made", "made", "d"),
        ("certified", "certified", "d"),
        ("s", "wall_s", ".0f"),
        ("processes", "processes", "d"),
        ("exact %", "exact_median", _percent),
        ("energy x", "energy_ratio", ".1f"),
    ),
    "exports": (
        ("format", "format", ""),
        ("bodies", "bodies", "d"),
        ("frames", "frames", "d"),
        ("s", "wall_s", ".1f"),
        ("CPU s", "cpu_s", ".1f"),
        ("MB", "bytes", _mega),
        ("silence s", "longest_silence_s", ".2f"),
        ("stop s", "stop_s", ".2f"),
        ("ending off m", "ending_off_m", ".0e"),
    ),
    "reach": (
        ("scene", "scene", ""),
        ("throws", "throws", "d"),
        ("a second", "per_s", ".0f"),
        ("on all cores", "per_s_all", ".0f"),
        ("exactly", "exact_per_s", ".1f"),
        ("sample", "sample", "d"),
        ("rested", "rested", ".2f"),
        ("exactly", "rested_exact", ".2f"),
        ("apart", "apart", ".3f"),
        ("of 1 in 100", "rare", ".3f"),
    ),
    "walls": (
        ("step of a wall", "case", ""),
        ("bricks", "bricks", "d"),
        ("contacts", "contacts", "d"),
        ("cold ms", "cold_ms", ".1f"),
        ("warm ms", "warm_ms", ".1f"),
        ("residual", "residual", ".0e"),
    ),
    "patches": (
        ("scene", "scene", ""),
        ("normals", "normals_points", ".1f"),
        ("as patches", "normals_patches", ".1f"),
        ("ratio", "unknowns_ratio", ".2f"),
        ("ms/step", "ms_points", ".3f"),
        ("as patches", "ms_patches", ".3f"),
        ("ratio", "cost_ratio", ".2f"),
        ("one answer", "unique", _yes),
        ("apart m", "apart_m", ".0e"),
        ("exact %", "exact_points", _percent),
        ("as patches", "exact_patches", _percent),
        ("residual", "residual_patches", ".0e"),
    ),
    "determinism": (("way", "way", ""), ("hash", "hash", ".16"), ("same", "same", _yes)),
    "fast": (
        ("scene", "scene", ""),
        ("engine", "engine", ""),
        ("sleeps", "sleeps", ""),
        ("ms/step", "ms_per_step", ".3f"),
        ("fastest", "ms_fastest", ".3f"),
        ("slowest", "ms_slowest", ".3f"),
        ("ours / it", "cost_ratio", ".2f"),
        ("asleep %", "asleep", _percent),
        ("deepest mm", "deepest_mm", ".3f"),
        ("p99 mm", "p99_mm", ".3f"),
        ("mean mm", "mean_mm", ".3f"),
        ("moved mm", "moved_mm", ".3g"),
        ("drift mm", "drift_mm", ".2g"),
    ),
    "exact": (
        ("scene", "scene", ""),
        ("size", "size", "d"),
        ("case", "case", ""),
        ("direction", "direction", ""),
        ("dt", "dt", _step),
        ("contacts", "contacts", "d"),
        ("steps", "steps", "d"),
        ("asked", "steps_asked", "d"),
        ("at 1e-12 %", "reached", _percent),
        ("residual", "worst_residual", ".0e"),
        ("ms/step", "ms_mean", ".3g"),
        ("worst ms", "ms_worst", ".3g"),
        ("slope", "slope", ".2f"),
        *TIERS,
        ("asleep %", "asleep", _percent),
        ("ms asleep", "ms_asleep", ".3g"),
        ("moved m", "moved_m", ".1e"),
    ),
    "balls": (
        ("balls", "balls", "d"),
        ("dt", "dt", _step),
        ("steps", "steps", "d"),
        ("CPU s", "cpu_s", ".2f"),
        ("run s", "run_s", ".2f"),
        ("certify s", "certify_s", ".2f"),
        ("ms/step", "ms_per_step", ".3f"),
        ("peak MB", "peak_bytes", _mega),
        ("tape MB", "tape_bytes", _mega),
        *TIERS,
        ("residual", "max_residual", ".0e"),
        ("rapier s", "rapier_s", ".2f"),
        ("ours / it", "ours_over_rapier", ".2f"),
        ("failed", "failed", ""),
    ),
    "box": (
        ("engine", "engine", ""),
        ("steps", "steps", "d"),
        ("sims/s", "sims_per_s", ".0f"),
        ("ms/sim", "ms_per_sim", ".3f"),
        ("ours x it", "rate_ratio", ".2f"),
        ("deepest mm", "deepest_mm", ".3f"),
        ("height mm", "height_mm", ".3f"),
    ),
    "start": (
        ("kernels", "start", ""),
        ("CPU s", "process_s", ".2f"),
        ("wall s", "wall_s", ".2f"),
        ("import s", "import_s", ".2f"),
        ("first step s", "step_s", ".2f"),
        ("second step s", "second_step_s", ".4f"),
        ("peak MB", "peak_bytes", _mega),
        ("failed", "failed", ""),
    ),
    "memory": (
        ("balls", "balls", "d"),
        ("dt", "dt", _step),
        ("steps", "steps", "d"),
        ("peak MB, run and certificate", "run_peak_bytes", _mega),
        ("peak MB, saved too", "peak_bytes", _mega),
        ("tape MB", "tape_bytes", _mega),
        ("disk MB", "disk_bytes", _mega),
        ("CPU s", "cpu_s", ".1f"),
        ("residual", "max_residual", ".0e"),
        ("failed", "failed", ""),
    ),
    "sampling": (
        ("takes made by", "way", ""),
        ("takes", "takes", "d"),
        ("wall s", "wall_s", ".1f"),
        ("x one", "speedup", ".2f"),
        ("CPU s/take", "cpu_per_take_s", ".2f"),
        ("own CPU s", "own_cpu_s", ".2f"),
        ("fair s", "fair_s", ".1f"),
        ("fair x one", "cpu_speedup", ".2f"),
        ("same", "same", _yes),
        ("redone", "redone", "d"),
        ("same", "redone_same", _yes),
        ("stops in s", "cancel_s", ".3f"),
        ("free in s", "free_s", ".3f"),
        ("starts m", "starts_m", ".2f"),
        ("directions", "directions", ".2f"),
    ),
    "profile": (
        ("scene", "scene", ""),
        ("direction", "direction", ""),
        ("stage", "stage", ""),
        ("ms/step", "ms_per_step", ".4f"),
        ("share %", "share", _percent),
    ),
    "compare": (
        ("row", "row", ""),
        ("column", "column", ""),
        ("before", "before", ".4g"),
        ("now", "now", ".4g"),
        ("now / before", "ratio", ".2f"),
        ("commit", "commit", ""),
    ),
}

NOTES = {
    "landings": (
        "Contact states in the last second before rest, against drops of another seed: TV is the total variation of\n"
        "the shares of 0, 1, 2, 3+ contacts, by time its mean over twentieths, KS the largest distance of durations,\n"
        "events the median of touches in the last half second. Pose error: of the ending, replayed from its start."
    ),
    "certification": (
        "exact, tuned: share of contact steps by the law certificate. cold, mirror Euler: share of contact steps that\n"
        "one cold forward step reproduces to 1e-8 m/s, for our states and for those of mirror Euler."
    ),
    "hints": (
        "met: within 10 degrees and 15 % of the speed; of bounces the whole velocity counts. spin: asked to slide in\n"
        "with a velocity and a spin, by friction that differs from contact to contact; angle is that of the whole way."
    ),
    "wishes": (
        "kept: as measured from the motion (16 degrees, 26 %, .055 s), by code of its own. told: not kept, and a note\n"
        "of the take says so of the body."
    ),
    "meeting": (
        "Of takes that reached their start, nothing ghosted or assisted: collisions of two bodies; in air: both off\n"
        "the ground. islands, unlawful, m/s: the same law asked of the states alone, without the tape or a solver."
    ),
    "entrances": (
        "Bodies of all takes: by physics (let go .15 s before rest, half their size away), held at their ending,\n"
        "placed, still (never came in). inside: first seen within the stage; popped: that, and in no hand. exact in\n"
        "motion: of steps with a contact of a body under way. energy: at the releases over that of the ending. away:\n"
        "of releases from their places. growth: exponent of CPU time over bricks. worst miss: 1 is what may be missed."
    ),
    "patches": (
        "Planar contacts of two bodies as points and as one wrench each, nobody asleep. normals: normal unknowns in a\n"
        "step. one answer: whether the law of points determines the motion; it does not where bodies turn and slide."
    ),
    "fast": (
        "ms/step: process CPU, one thread, median of alternating repetitions. deepest, p99, mean: overlap of touching\n"
        "pairs at the end, by our exact detection for every engine. moved: from the start; drift: in the last second.\n"
        "ours / it: among engines whose bodies may sleep, and among those that keep them awake."
    ),
    "exact": (
        "at 1e-12: share of steps whose certificate residual is that small. slope: growth of ms/step with contacts\n"
        "(log-log) over the sizes of a scene. asked: steps asked for, fewer are done when a run takes too long."
    ),
    "balls": "CPU s: backward run, tape and certificate. Tiers by contact. rapier: its forward run of the same scene.",
    "reach": (
        "apart: the same throws in both engines, Kolmogorov-Smirnov distance of where they rest, along the worst\n"
        "axis; of two fair samples one pair in a hundred is further apart than the last column."
    ),
    "box": "Whole simulations of one dropped box per second of process CPU time, reset included, called from Python.",
    "tunnelling": (
        "passed: by closed form, the centre of a body through the middle plane of a plate, or of one ball through the\n"
        "other. named: by the certificate. in motion: share of EXACT among the contact steps of bodies that move."
    ),
    "start": "A fresh process: import and the first backward step of one box.",
    "sampling": (
        "x one: beside one process. fair: what the same CPU time takes on cores that nobody else uses (no less than\n"
        "the busiest process, nor than its share of all). same: hashes as made in this process; once more while a\n"
        "worker is killed, whose takes are redone. stops: from the request until the caller goes on; free: until the\n"
        "next errand is done. starts, directions: how much the takes differ."
    ),
}


def as_table(name: str, rows: Sequence[Row]) -> str:
    """The table of one benchmark, columns without any value left out."""
    shown = [column for column in COLUMNS[name] if any(_value(row, column[1]) is not None for row in rows)]
    body = [[_written(_value(row, key), how) for _, key, how in shown] for row in rows]
    text = table([title for title, _, _ in shown], body)
    return f"{text}\n{NOTES[name]}" if name in NOTES else text


def _value(row: Row, key: str) -> Any:
    """A column, or "outer.inner" of a table within the row."""
    outer, dot, inner = key.partition(".")
    return row[outer][inner] if dot else row[outer]


def _written(value: Any, how: str | Callable[[Any], str]) -> str:
    if value is None:
        return "-"
    return format(value, how) if isinstance(how, str) else how(value)
