"""Results kept as CSV, one file per benchmark, so that a slowdown is seen.

Every row says when, on which commit and on which machine it was measured. Rows of one run share these columns.
"""

from __future__ import annotations

import csv
import datetime
import importlib.metadata
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.bench.measure import Row

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "tests" / "bench" / "results"


@dataclass(frozen=True)
class Stamp:
    """When, what and where was measured."""

    date: str  # UTC, to the second
    commit: str  # short hash, with a + when the engine differs from it
    machine: str  # processor
    python: str
    numba: str
    version: str  # of the benchmark: "full" or "quick"


def stamp(quick: bool = False) -> Stamp:
    return Stamp(
        date=datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        commit=commit(),
        machine=processor(),
        python=platform.python_version(),
        numba=importlib.metadata.version("numba"),
        version="quick" if quick else "full",
    )


def commit(folder: Path = ROOT) -> str:
    """Of the repository in a folder, with a + when its engine was edited since; "unknown" where there is none."""
    head = _git(folder, "rev-parse", "--short", "HEAD")
    if head is None or head.returncode != 0:
        return "unknown"
    edited = _git(folder, "diff", "--quiet", "HEAD", "--", "engine")
    return head.stdout.strip() + ("" if edited is not None and edited.returncode == 0 else "+")


def _git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str] | None:
    try:
        return subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True)
    except OSError:  # no git here
        return None


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def keep(folder: Path, name: str, rows: Sequence[Row], when: Stamp) -> Path:
    """Append rows to the file of a benchmark; columns it did not have so far are added to it."""
    path = folder / f"{name}.csv"
    kept = read(path)
    fresh = [asdict(when) | {key: _text(value) for key, value in _flat(row).items()} for row in rows]
    columns = list(dict.fromkeys(column for row in (*kept, *fresh) for column in row))
    folder.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".part")
    with open(temporary, "w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows([*kept, *fresh])
    os.replace(temporary, path)
    return path


def read(path: Path) -> list[dict[str, str]]:
    """All rows of a file, none when there is no file."""
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def last_run(folder: Path, name: str, like: Stamp) -> list[dict[str, str]]:
    """Rows of the latest run of the same version on the same machine; none when there was none."""
    kept = read(folder / f"{name}.csv")
    rows = [row for row in kept if (row["machine"], row["version"]) == (like.machine, like.version)]
    return [row for row in rows if row["date"] == rows[-1]["date"]]


def compare(
    rows: Sequence[Row], before: Sequence[Mapping[str, str]], keys: Sequence[str], costs: Sequence[str]
) -> list[Row]:
    """Costs of this run beside those of an earlier one; ratio > 1 is worse, None where it means nothing."""
    known = {tuple(row.get(key, "") for key in keys): row for row in before}
    compared = []
    for row in rows:
        other = known.get(tuple(_text(row[key]) for key in keys))
        for cost in costs:
            now = row.get(cost)
            if other is None or now is None or not other.get(cost):
                continue
            then = float(other[cost])
            name = ", ".join(_short(row[key]) for key in keys)
            compared.append({"row": name, "column": cost, "before": then, "now": float(now),
                             "ratio": float(now) / then if then else None, "commit": other["commit"]})  # fmt: skip
    return compared


def _flat(row: Row) -> Row:
    """Nested tables become columns of their own, "tiers.EXACT"."""
    flat: Row = {}
    for key, value in row.items():
        if isinstance(value, Mapping):
            flat |= {f"{key}.{name}": entry for name, entry in value.items()}
        else:
            flat[key] = value
    return flat


def _text(value: object) -> str:
    """As written to the file: nine digits are more than any clock has."""
    if value is None:
        return ""
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
