"""`foregone bench`: the quick version of every benchmark, as tables, JSON and CSV."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.cli import BENCHES as NAMES
from engine.cli import main
from engine.contact.tiers import TIER_NAMES
from tests.bench.catalogue import BENCHES, Bench
from tests.bench.history import read
from tests.bench.stage_profile import BACKWARD_STAGES
from tests.bench.tables import COLUMNS, as_table


@pytest.fixture(scope="module")
def quick() -> dict[str, list[dict[str, Any]]]:
    """Every benchmark once."""
    return {name: bench.run(lambda what, done, total: None, quick=True) for name, bench in BENCHES.items()}


def test_the_command_line_knows_every_benchmark() -> None:
    assert tuple(BENCHES) == NAMES and set(COLUMNS) == {*NAMES, "profile", "compare"}


@pytest.mark.parametrize("name", NAMES)
def test_tables_have_the_columns_they_promise(name: str, quick: dict[str, list[dict[str, Any]]]) -> None:
    rows, bench = quick[name], BENCHES[name]
    assert rows
    for row in rows:
        assert all(key in row for key in (*bench.keys, *bench.costs))
        assert all(key.partition(".")[0] in row for _, key, _ in COLUMNS[name])
        assert row.get("failed") is None
    assert len({tuple(row[key] for key in bench.keys) for row in rows}) == len(rows), "keys name one row"
    assert len(as_table(name, rows).splitlines()) >= 2 + len(rows)


def test_old_benchmarks_say_what_they_said(quick: dict[str, list[dict[str, Any]]]) -> None:
    (spheres,) = quick["certification"]
    assert spheres["exact"] == 1.0 and spheres["cold_reproduced"] == 1.0 and spheres["mirror_reproduced"] < 1.0
    assert [row["scene"] for row in quick["boxes"]] == 9 * ["1 boxes"] + 5 * ["10 bricks"]
    assert all(sum(row["tiers"].values()) == pytest.approx(1.0) for row in quick["boxes"])
    assert all(row["residual"] < 1e-11 and row["bricks"] == 5 for row in quick["walls"])
    assert all(row["same"] for row in quick["determinism"])


def test_fast_shows_ours_and_both_peers(quick: dict[str, list[dict[str, Any]]]) -> None:
    stack = {(row["engine"], row["sleeps"]): row for row in quick["fast"] if row["scene"] == "stack"}
    assert {engine for engine, _ in stack} == {"foregone", "rapier3d", "mujoco"}
    for (engine, sleeps), row in stack.items():
        assert row["cost_ratio"] == pytest.approx(stack["foregone", sleeps]["ms_per_step"] / row["ms_per_step"])
        assert 0.0 < row["deepest_mm"] < 1.0 and row["moved_mm"] < 1.0, engine
    assert [row["engine"] for row in quick["box"]] == ["foregone", "rapier3d", "mujoco"]


def test_exact_reaches_the_tolerance(quick: dict[str, list[dict[str, Any]]]) -> None:
    assert {(row["case"], row["direction"]) for row in quick["exact"]} == {
        (case, way) for case in ("rest", "impact") for way in ("forward", "backward")
    }
    for row in quick["exact"]:
        assert row["reached"] == 1.0 and row["worst_residual"] <= 1e-12 and row["steps"] == row["steps_asked"]
        assert 0.0 < row["ms_mean"] <= row["ms_worst"]
        assert sum(row[name] for name in TIER_NAMES) == pytest.approx(1.0)
        assert row["case"] != "rest" or (row["moved_m"] == 0.0 and row["asleep"] > 0.5)


def test_balls_and_memory_measure_their_own_process(quick: dict[str, list[dict[str, Any]]]) -> None:
    (few,) = quick["balls"]
    assert few["cpu_s"] == pytest.approx(few["run_s"] + few["certify_s"]) and few["rapier_s"] > 0.0
    assert few["ms_per_step"] == pytest.approx(1e3 * few["cpu_s"] / few["steps"])
    assert few["ours_over_rapier"] == pytest.approx(few["cpu_s"] / few["rapier_s"])
    assert sum(few[name] for name in TIER_NAMES) == pytest.approx(1.0)
    (kept,) = quick["memory"]
    assert kept["peak_bytes"] >= kept["run_peak_bytes"] > kept["tape_bytes"] > 0 and kept["disk_bytes"] > 0
    (warm,) = quick["start"]
    assert warm["process_s"] >= warm["import_s"] + warm["step_s"] > 0.0


def test_sampling_is_the_same_in_other_processes(quick: dict[str, list[dict[str, Any]]]) -> None:
    here, there = quick["sampling"]
    assert here["same"] and there["same"] and there["redone_same"] and there["own_cpu_s"] > 0.0
    assert here["redone"] is None and there["starts_m"] == here["starts_m"] > 0.0
    assert there["fair_s"] * there["cpu_speedup"] == pytest.approx(here["fair_s"])


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """`foregone bench box` gives these rows."""
    numbers = {"steps": 1, "sims_per_s": 500.0, "ms_per_sim": 2.0, "rate_ratio": 1.0, "deepest_mm": 0.0}
    rows: list[dict[str, Any]] = [{"engine": "foregone", **numbers, "height_mm": None}]
    monkeypatch.setitem(BENCHES, "box", Bench(lambda tell: rows, {}, ("engine",), ("ms_per_sim",)))
    return rows


def test_results_are_kept_and_compared(
    made_up: list[dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["bench", "box", "--csv", "--compare", "--results", str(tmp_path)]
    assert main(arguments) == 0
    assert "nothing was kept" in capsys.readouterr().out
    made_up[0]["ms_per_sim"] = 3.0
    assert main([*arguments, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["box"] == made_up and said["compare"]["box"][0]["ratio"] == 1.5 and said["stamp"]["machine"]
    assert main(arguments) == 0
    assert "1.00" in capsys.readouterr().out.splitlines()[-2]
    assert [row["ms_per_sim"] for row in read(tmp_path / "box.csv")] == ["2", "3", "3"]


def test_nothing_is_kept_unless_asked(made_up: list[dict[str, Any]], tmp_path: Path) -> None:
    assert main(["bench", "box", "--compare", "--results", str(tmp_path)]) == 0
    assert list(tmp_path.iterdir()) == []


def test_a_broken_promise_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    differs = Bench(lambda tell: [{"way": "x", "hash": "0", "same": False}], {}, ("way",))
    monkeypatch.setitem(BENCHES, "determinism", differs)
    assert main(["bench", "determinism"]) == 1


def test_the_profile_names_the_stages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--profile", "--quick", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["profile"]
    first = [row for row in rows if row["scene"] == rows[0]["scene"]]
    assert [row["stage"] for row in first] == [*BACKWARD_STAGES, "between"]
    assert sum(row["share"] for row in first) == pytest.approx(1.0)
    assert all(row["ms_per_step"] >= 0.0 for row in rows) and any(row["ms_per_step"] > 0.0 for row in rows)
    assert main(["bench", "--profile", "--quick"]) == 0
    assert "detect" in capsys.readouterr().out
