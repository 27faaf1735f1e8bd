"""foregone bench: measurements as tables, or as one JSON object; kept as CSV and compared with what was kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from engine.commands.output import answer, complain, say
from engine.commands.progress import Meter
from engine.errors import ForegoneError
from tests.bench.catalogue import BENCHES
from tests.bench.history import RESULTS, compare, keep, last_run, stamp
from tests.bench.stage_profile import profile
from tests.bench.tables import as_table


def bench(
    names: Sequence[str],
    as_json: bool = False,
    quick: bool = False,
    csv: bool = False,
    compared: bool = False,
    folder: Path | None = None,
    only: Sequence[str] = (),
) -> int:
    """Returns 1 when a promise is broken (a take that differs between two ways of running it). `only`: parts of those
    benchmarks that have some."""
    for name in names:
        _require_parts(name, only)
    when, folder = stamp(quick), folder or RESULTS
    results: dict[str, Any] = {}
    changes: dict[str, Any] = {}
    for name in names:
        measured = BENCHES[name]
        with Meter() as meter:
            rows = results[name] = measured.run(meter.show, quick, only)
        if compared:
            changes[name] = compare(rows, last_run(folder, name, when), measured.keys, measured.costs)
        if csv:
            keep(folder, name, rows, when)
        if not as_json:
            say(f"{name}\n{as_table(name, rows)}\n")
            if compared:
                say(f"{name}, compared with the last run kept\n{_changes(changes[name])}\n")
    if as_json:
        answer(
            results | ({"stamp": asdict(when)} if csv or compared else {}) | ({"compare": changes} if compared else {})
        )
    if not all(row["same"] for name in ("determinism", "sampling") for row in results.get(name, [])):
        complain("the same take came out differently")
        return 1
    return 0


def _require_parts(name: str, only: Sequence[str]) -> None:
    """Raises ForegoneError for parts that a benchmark does not have."""
    parts = BENCHES[name].parts
    unknown = [part for part in only if part not in parts]
    if unknown:
        known = f"its parts are {', '.join(parts)}" if parts else "it is measured as a whole"
        raise ForegoneError(f"{name} has no part {unknown[0]!r}: {known}")


def stages(as_json: bool = False, quick: bool = False) -> int:
    """The profile by stage."""
    with Meter() as meter:
        rows = profile(meter.show, quick)
    if as_json:
        answer({"profile": rows})
    else:
        say(f"profile\n{as_table('profile', rows)}\n")
    return 0


def _changes(rows: Sequence[dict[str, Any]]) -> str:
    return as_table("compare", rows) if rows else "nothing was kept on this machine so far"
