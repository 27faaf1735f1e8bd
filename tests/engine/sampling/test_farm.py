"""A farm: a real scheduler and real workers, each a process of its own on this machine."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.cli import main
from engine.errors import ForegoneError
from engine.scene.spec import Scene
from engine.work import farm as farming
from engine.work.farm import Farm
from engine.work.sample import sample, takes_as_made
from tests.bench import scenes
from tests.bench.loopback import HERE, Cluster, cluster
from tests.bench.scenes_director import bonded_wall

DT = 1 / 240
SECONDS = 0.3


@pytest.fixture(scope="module")
def two() -> Iterator[Cluster]:
    with cluster(2) as there:
        yield there


@pytest.fixture(scope="module")
def farm(two: Cluster) -> Iterator[Farm]:
    with Farm(two.address, patience=60.0) as there:
        yield there


def boxes() -> Scene:
    return scenes.scattered_boxes(3, 2)


def test_takes_of_a_farm_are_the_same(farm: Farm) -> None:
    far = sample(boxes(), 3, SECONDS, 7, farm, dt=DT)
    assert [take.hash() for take in far] == [take.hash() for take in sample(boxes(), 3, SECONDS, 7, dt=DT)]


def test_the_command_uses_a_farm(
    two: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.commands.run.write_best", lambda *args: None)
    boxes().save(tmp_path / "boxes.foregone")
    command = ["run", str(tmp_path / "boxes.foregone"), "--takes", "2", "--seconds", "0.2", "--dt", "1/240", "--json"]
    assert main([*command, "--out", str(tmp_path / "here")]) == 0
    here = json.loads(capsys.readouterr().out)
    assert main([*command, "--out", str(tmp_path / "far"), "--farm", two.address]) == 0
    far = json.loads(capsys.readouterr().out)
    assert all(take.pop("seconds_cpu") > 0.0 for answer in (here, far) for take in answer["takes"])
    assert far["takes"] == here["takes"] and far["spread"] == here["spread"]


def test_another_version_is_refused(farm: Farm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(farming, "code_key", lambda: "another")
    with pytest.raises(ForegoneError, match="has another version of Foregone"):
        sample(boxes(), 1, SECONDS, executor=farm, dt=DT)


def test_a_farm_is_free_again_after_a_stop(farm: Farm) -> None:
    """Takes of ten minutes on both workers: the next ones come only if those hear that they are not wanted."""
    looks = 0

    def a_few_looks(standing: object) -> bool:
        nonlocal looks
        looks += 1
        return looks < 12

    assert list(takes_as_made(bonded_wall(3, 3), 2, 600.0, executor=farm, watch=a_few_looks)) == []
    assert len(sample(boxes(), 3, SECONDS, executor=farm, dt=DT)) == 3


def test_takes_of_a_killed_worker_are_done_again(two: Cluster, farm: Farm) -> None:
    came = []
    for take in takes_as_made(boxes(), 8, SECONDS, 7, farm, dt=DT):
        if not came:
            two.workers[0].kill()
        came.append(take)
    here = {take.seed: take.hash() for take in sample(boxes(), 8, SECONDS, 7, dt=DT)}
    assert {take.seed: take.hash() for take in came} == here


def test_nobody_there_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with socket.socket() as nobody:
        nobody.bind((HERE, 0))
        with pytest.raises(ForegoneError, match="no Dask scheduler answers"):
            Farm(f"tcp://{HERE}:{nobody.getsockname()[1]}", patience=1.0)
    boxes().save(tmp_path / "boxes.foregone")
    assert main(["run", str(tmp_path / "boxes.foregone"), "--farm", "nowhere", "--out", str(tmp_path)]) == 1
    assert "no Dask scheduler answers at nowhere" in capsys.readouterr().err


def test_a_farm_without_workers_is_told() -> None:
    with cluster(0) as empty, pytest.raises(ForegoneError, match="has no workers"):
        Farm(empty.address, patience=0.5)
