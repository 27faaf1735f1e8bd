"""The sets of loads of a block on a slope, in closed form, and as the command writes them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from engine.analysis.stability import loads
from engine.analysis.stability.cones import pyramids_of
from engine.analysis.stability.loads import load_map, no_luck
from engine.commands.inspect import inspect_file
from engine.errors import ForegoneError
from engine.scene.load_map import COULD, GOES, KINDS, NEVER, SMOOTH, SURELY
from tests.engine.analysis.test_stability_paper import CLOSED, UNIT, disk
from tests.engine.analysis.test_stability_scenes import on_slope

ANGLE, FRICTION = 0.3, 0.5
NORMAL = np.array([math.sin(ANGLE), 0.0, math.cos(ANGLE)])


@pytest.fixture(autouse=True)
def coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loads, "ROWS", 6)
    monkeypatch.setattr(loads, "COLUMNS", 10)
    monkeypatch.setattr(loads, "SLICE", 30)


def test_a_block_holds_what_lies_in_its_friction_cone_and_lifts_off_with_any_friction() -> None:
    """A cube: of loads at its middle none tips it before it slides, with friction below 1."""
    found = load_map(on_slope(ANGLE, FRICTION), "block")
    ways = np.vstack([found.ways.reshape(-1, 3), found.slice_ways])
    kinds = np.r_[found.kinds.ravel(), found.slice_kinds]
    press = -ways @ NORMAL
    lean = np.arccos(np.clip(press, -1.0, 1.0))
    held = np.isin(kinds, (COULD, SURELY, SMOOTH))
    assert (held == (lean <= math.atan(FRICTION))).all() and held.any()
    assert ((kinds == NEVER) == (press < 0.0)).all()
    assert (kinds[lean < 0.8 * math.atan(FRICTION)] == SURELY).all() and (kinds == GOES).any()


def test_straight_down_on_the_level_it_needs_no_friction() -> None:
    found = load_map(on_slope(0.0, FRICTION), "block")
    down = int(np.argmin(found.slice_ways[:, 2]))
    assert (found.slice_kinds[down] == SMOOTH) == (abs(found.slice_ways[down, 0]) < 1e-9)


def test_the_command_draws_and_lists_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene = tmp_path / "slope.foregone"
    on_slope(ANGLE, FRICTION).save(scene)

    def ask(out: str, *bodies: str) -> int:
        return inspect_file(str(scene), bodies, (), None, None, None, (0.0, 0.0, 0.0), out, False)

    table = tmp_path / "loads.csv"
    assert ask(str(table), "block") == 0 and "moves with any friction" in capsys.readouterr().out
    first, *rows = table.read_text().splitlines()
    assert first == "x,y,z,kind" and len(rows) == 60
    assert {row.split(",")[3] for row in rows} <= set(KINDS)
    assert ask(str(tmp_path / "loads.png"), "block") == 0
    assert (tmp_path / "loads.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ForegoneError, match="which one"):
        ask(str(table))
    with pytest.raises(ForegoneError, match="neither"):
        ask(str(tmp_path / "loads.txt"), "block")
    with pytest.raises(ForegoneError, match="fixed"):
        ask(str(table), "slope")


@pytest.mark.parametrize(("friction", "told"), [(0.5, True), (CLOSED + 0.1, False)])
def test_whether_all_that_can_hold_is_sure_to_hangs_on_the_critical_friction(friction: float, told: bool) -> None:
    """Of the disk of Pang and Trinkle: below it by theorem 4, above it their example is a load that only could hold."""
    assert no_luck(pyramids_of(*disk(), None, friction, UNIT)) is told
