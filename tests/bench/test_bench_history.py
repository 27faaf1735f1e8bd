"""Kept results: rows append, columns grow, and only like is compared with like."""

from __future__ import annotations

import csv
import dataclasses
import subprocess
from pathlib import Path

import pytest

from tests.bench.history import Stamp, commit, compare, keep, last_run, read, stamp

NOW = Stamp("2030-01-02T00:00:00Z", "abc1234", "fast chip", "3.11", "0.68", "full")
KEYS, COSTS = ("scene", "dt"), ("ms", "bytes")


def row(scene: str, ms: float | None, dt: float = 1 / 240, size: int = 100) -> dict[str, object]:
    return {"scene": scene, "dt": dt, "ms": ms, "bytes": size}


def test_rows_append_with_their_stamp(tmp_path: Path) -> None:
    path = keep(tmp_path / "new", "fast", [row("a", 1.0), row("b", None)], NOW)
    keep(tmp_path / "new", "fast", [row("a", 2.0)], dataclasses.replace(NOW, date="2030-01-03T00:00:00Z"))
    rows = read(path)
    assert [(r["scene"], r["ms"]) for r in rows] == [("a", "1"), ("b", ""), ("a", "2")]
    assert rows[0]["machine"] == "fast chip" and rows[0]["commit"] == "abc1234" and rows[2]["date"] > rows[0]["date"]
    assert list(tmp_path.rglob("*.part")) == []


def test_columns_may_come_and_go(tmp_path: Path) -> None:
    path = keep(tmp_path, "boxes", [row("a", 1.0)], NOW)
    keep(tmp_path, "boxes", [row("a", 1.0) | {"tiers": {"EXACT": 0.25}, "note": 'says "x, y"'}], NOW)
    keep(tmp_path, "boxes", [{"scene": "c"}], NOW)
    with open(path, newline="") as stream:
        old, new, short = csv.DictReader(stream)
    assert short["scene"] == "c" and short["ms"] == short["note"] == ""
    assert old["tiers.EXACT"] == "" and new["tiers.EXACT"] == "0.25" and new["note"] == 'says "x, y"'


def test_last_run_is_the_latest_of_the_same_machine_and_version(tmp_path: Path) -> None:
    assert last_run(tmp_path, "fast", NOW) == []
    later, quick = dataclasses.replace(NOW, date="2030-02"), dataclasses.replace(NOW, date="2030-03", version="quick")
    elsewhere = dataclasses.replace(NOW, date="2030-04", machine="slow chip")
    for number, when in enumerate((NOW, later, quick, elsewhere)):
        keep(tmp_path, "fast", [row("a", number), row("b", number)], when)
    assert [r["ms"] for r in last_run(tmp_path, "fast", NOW)] == ["1", "1"]
    assert [r["ms"] for r in last_run(tmp_path, "fast", quick)] == ["2", "2"]
    assert [r["ms"] for r in last_run(tmp_path, "fast", elsewhere)] == ["3", "3"]


def test_ratios_are_now_over_before(tmp_path: Path) -> None:
    keep(tmp_path, "fast", [row("a", 2.0), row("b", 4.0), row("b", 8.0, dt=1 / 480), row("gone", 1.0)], NOW)
    now = [row("a", 3.0, size=50), row("b", 1.0), row("b", 4.0, dt=1 / 480), row("new", 1.0)]
    found = compare(now, last_run(tmp_path, "fast", NOW), KEYS, COSTS)
    assert [(c["row"], c["column"], c["ratio"]) for c in found] == [
        ("a, 0.004167", "ms", pytest.approx(1.5)),
        ("a, 0.004167", "bytes", pytest.approx(0.5)),
        ("b, 0.004167", "ms", pytest.approx(0.25)),
        ("b, 0.004167", "bytes", pytest.approx(1.0)),
        ("b, 0.002083", "ms", pytest.approx(0.5)),
        ("b, 0.002083", "bytes", pytest.approx(1.0)),
    ]
    assert all(c["commit"] == "abc1234" for c in found)


def test_nothing_is_divided_by_nothing(tmp_path: Path) -> None:
    keep(tmp_path, "fast", [row("a", None), row("b", 0.0), row("c", 1.0)], NOW)
    found = compare([row("a", 1.0), row("b", 1.0), row("c", None)], last_run(tmp_path, "fast", NOW), KEYS, ("ms",))
    assert [(c["row"], c["ratio"]) for c in found] == [("b, 0.004167", None)]


def test_the_stamp_says_where_it_is_from() -> None:
    here = stamp()
    assert here.machine and here.commit and here.date.endswith("Z") and here.version == "full"
    assert stamp(quick=True).version == "quick"


def test_a_commit_is_marked_when_the_engine_was_edited_since(tmp_path: Path) -> None:
    def git(*arguments: str) -> str:
        who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        return subprocess.run(
            ["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True, text=True
        ).stdout

    git("init", "--quiet")
    assert commit(tmp_path) == "unknown"
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "a.py").write_text("1")
    (tmp_path / "results.csv").write_text("1")
    git("add", ".")
    git("commit", "--quiet", "--message", "a")
    clean = git("rev-parse", "--short", "HEAD").strip()
    assert commit(tmp_path) == clean
    (tmp_path / "results.csv").write_text("2")
    assert commit(tmp_path) == clean
    (tmp_path / "engine" / "a.py").write_text("2")
    assert commit(tmp_path) == f"{clean}+"
