"""Thousands of balls run backward from their bins: time, memory and honesty, each count in a fresh process."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Mapping, Sequence

from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.contact.tiers import TIER_NAMES
from engine.params import DEFAULT_DT, FINAL_DT, PREVIEW_DT
from engine.run import backward
from engine.tape.store import save_take
from tests.bench import scenes_forward as scenes
from tests.bench.child import in_child, peak_memory
from tests.bench.measure import Row, Tell
from tests.bench.peers import Rapier

COUNTS = (100, 300, 1000, 3037, 10000, 30000)
WITH_PEER = 3037  # balls
FLIGHTS = Options(arrivals="ahead")
LONGEST = 900.0  # CPU s of one run; what was reached by then is reported


def balls(
    tell: Tell,
    counts: Sequence[int] = COUNTS,
    steps: Sequence[float] = (PREVIEW_DT, FINAL_DT),
    seconds: float = 4.0,
    with_peer: int = WITH_PEER,
) -> list[Row]:
    """Run, tape and certificate of `counts` balls; rapier's forward run of the same scene beside one count."""
    rows = []
    for number, (dt, count) in enumerate((dt, count) for dt in steps for count in counts):
        tell(f"{count} balls, dt {dt:.4g}", number, len(counts) * len(steps))
        row = _row(in_child("tests.bench.balls:run_balls", count=count, dt=dt, seconds=seconds), count, dt)
        row["rapier_s"] = row["ours_over_rapier"] = None
        if count == with_peer:
            peer = in_child("tests.bench.balls:run_rapier", count=count, dt=dt, seconds=seconds)
            row["rapier_s"] = peer.get("cpu_s")
            if row["cpu_s"] and row["rapier_s"]:
                row["ours_over_rapier"] = row["cpu_s"] / row["rapier_s"]
        rows.append(row)
    return rows


def memory(tell: Tell, count: int = 3037, seconds: float = 4.0, dt: float = DEFAULT_DT) -> list[Row]:
    """Memory of one long take while it runs and is certified, and its size on disk."""
    tell(f"{count} balls, {seconds:g} s", 0, 1)
    found = in_child("tests.bench.balls:run_balls", count=count, dt=dt, seconds=seconds, keep=True)
    return [_row(found, count, dt)]


def _row(found: Mapping[str, object], count: int, dt: float) -> Row:
    """The same columns whether or not the run survived."""
    columns = ("steps", "cpu_s", "run_s", "certify_s", "ms_per_step", "run_peak_bytes", "peak_bytes", "tape_bytes",
               "disk_bytes", "max_residual", *TIER_NAMES, "stopped", "failed")  # fmt: skip
    return {"balls": count, "dt": dt, **{name: found.get(name) for name in columns}}


def run_balls(count: int, dt: float, seconds: float, keep: bool = False) -> Row:
    """In this process: backward from filled bins, certified; with `keep` also saved."""
    certify(backward(scenes.filled_bins(4), 2 * dt, dt, options=FLIGHTS))  # loads kernels, which is not measured
    scene = scenes.filled_bins(count)
    begun = time.process_time()
    in_time = lambda done, total: time.process_time() - begun < LONGEST  # noqa: E731
    take = backward(scene, seconds, dt, options=FLIGHTS, progress=in_time)
    ran = time.process_time()
    report = certify(take)
    ended = time.process_time()
    row = {
        "steps": take.tape.steps,
        "cpu_s": ended - begun,
        "run_s": ran - begun,
        "certify_s": ended - ran,
        "ms_per_step": 1e3 * (ended - begun) / max(take.tape.steps, 1),
        "tape_bytes": take.tape.blocks.nbytes,
        "max_residual": report.max_residual,
        "stopped": take.stopped,
        **{
            name: number / max(sum(report.tier_counts), 1)
            for name, number in zip(TIER_NAMES, report.tier_counts, strict=True)
        },
    }
    if keep:
        row["run_peak_bytes"] = peak_memory()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "take.npz")
            save_take(path, take)
            row["disk_bytes"] = os.path.getsize(path)
    return row


def run_rapier(count: int, dt: float, seconds: float) -> Row:
    """In this process: the same balls dropped forward by rapier3d."""
    runner = Rapier(scenes.bins(count), dt)
    begun = time.process_time()
    runner.run(round(seconds / dt))
    return {"cpu_s": time.process_time() - begun}
