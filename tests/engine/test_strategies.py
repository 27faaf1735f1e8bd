"""Every way to arrive has one form: it says whether it suits an ending, and why not, and makes a motion of a brief."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from engine import Body, Box, Hint, Options, Scene, Take, backward, certify
from engine.arrivals import brief as briefs
from engine.arrivals import strategies
from engine.arrivals.brief import Brief
from engine.arrivals.options import ArrivalsName
from engine.arrivals.strategies import STRATEGIES, chosen
from engine.arrivals.strategy import Made, Strategy
from engine.both_ways import both_ways
from engine.contact.tiers import GHOSTED
from engine.model.compile import compile_scene
from engine.params import make_params
from tests.bench.scenes import brick_stack
from tests.bench.scenes_joints import two_blocks

DT = 1 / 240
ARRIVALS = Path(strategies.__file__).parent
CHOOSES = "natural"


def box() -> Scene:
    return Scene([Body("box", Box((0.1, 0.08, 0.05)), (0.0, 0.0, 0.05))])


def moving() -> Scene:
    return Scene([Body("box", Box((0.1, 0.08, 0.05)), (0.0, 0.0, 0.4), velocity=(1.0, 0.0, 0.0))])


def brief_of(scene: Scene, seconds: float = 0.25, **options: object) -> Brief:
    params = make_params(DT, scene.gravity)
    return Brief(scene, compile_scene(scene), params, round(seconds / DT), seconds, 1, Options(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_way_makes_a_motion_that_ends_as_asked(name: ArrivalsName) -> None:
    strategy, brief = STRATEGIES[name], brief_of(box(), arrivals=name)
    assert strategy.unsuited(brief) == "" and chosen(brief) is strategy and brief.told == []
    made = strategy.make(brief)
    assert isinstance(made, Made) and made.stopped is None and made.tape.steps == brief.steps
    assert all(isinstance(note, str) for note in made.notes)
    last = made.tape.state(made.tape.steps)
    assert (last.x == brief.model.start.x).all() and (last.q == brief.model.start.q).all()
    take = Take(brief.scene, brief.model, made.tape, brief.seconds, brief.seed, True)
    assert certify(take).tiers.max(initial=0) < GHOSTED


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_way_stops_on_request_and_says_so(name: ArrivalsName) -> None:
    take = backward(box(), 0.5, DT, options=Options(arrivals=name), progress=lambda done, steps: False)
    assert take.stopped is not None and take.stopped.startswith("stopped on request after ")
    assert take.stopped.endswith("of 120 steps")


@pytest.mark.parametrize(
    ("name", "scene", "why"),
    [
        ("ahead", two_blocks, "some are held together by joints"),
        ("ahead", moving, "the ending is in motion"),
        ("meeting", two_blocks, "some are held together by joints"),
        ("meeting", moving, "the ending is in motion"),
        ("dropped", two_blocks, "joints hold bodies together, so all go back at once"),
    ],
)
def test_who_does_not_suit_says_why_and_all_go_back_together(
    name: ArrivalsName, scene: Callable[[], Scene], why: str
) -> None:
    brief, strategy = brief_of(scene(), arrivals=name), STRATEGIES[name]
    assert strategy.unsuited(brief) == why
    assert chosen(brief) is STRATEGIES["together"]
    told = [f"{strategy.refusal}: {why}"] if strategy.refusal else []
    assert brief.told == told
    take = backward(scene(), 0.25, DT, 1, Options(arrivals=name))
    assert [note for note in take.notes if note.endswith(why)] == told


def test_what_follows_from_an_ending_is_found_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The structure and what hints ask for: by whoever asks whether it suits, and whoever makes."""
    counts = {"structure_of": 0, "hinted_launches": 0, "ending_of": 0}

    def counted(name: str) -> Callable[..., object]:
        whole = getattr(briefs, name)

        def count(*given: object) -> object:
            counts[name] += 1
            return whole(*given)

        return count

    for name in counts:
        monkeypatch.setattr(briefs, name, counted(name))
    scene = brick_stack(2)
    hint = Hint("bounce", scene.bodies[-1].id, speed=1.0)
    take = backward(Scene(scene.bodies, hints=[hint]), 0.5, DT, options=Options(manner="preview"))
    assert take.stopped is None and counts == {"structure_of": 1, "hinted_launches": 1, "ending_of": 1}


def test_both_halves_of_a_middle_frame_are_of_one_ending() -> None:
    """Also where it is disordered; options and the limit of energy are those of `backward`."""
    options = Options(arrivals="together", disorder=0.01)
    came, goes = both_ways(box(), 0.25, 0.25, DT, 3, options, explodes_at=4.0)
    alone = backward(box(), 0.25, DT, 3, options, explodes_at=4.0)
    assert came.hash() == alone.hash() and came.scene.bodies[0].position != box().bodies[0].position
    assert (came.positions[-1] == goes.positions[0]).all() and (came.orientations[-1] == goes.orientations[0]).all()


def test_a_way_is_a_package_and_a_line() -> None:
    """Who adds one writes a package, its name among the options and a line of the table; nobody else knows of it, but
    the way that chooses among others."""
    assert set(STRATEGIES) == set(get_args(ArrivalsName))
    packages = {path.parent.name for path in ARRIVALS.glob("*/__init__.py")}
    assert packages == set(STRATEGIES)
    for name in packages:
        assert (ARRIVALS / name / "director.py").exists() and (ARRIVALS / name / "tuning.py").exists()
        others = packages - {name} if name != CHOOSES else set()
        for path in (ARRIVALS / name).glob("*.py"):
            assert not {f"engine.arrivals.{other}" for other in others} & packages_imported(path), path
    for path in ARRIVALS.glob("*.py"):
        if path.name != "strategies.py":
            assert not {f"engine.arrivals.{name}" for name in packages} & packages_imported(path), path
    assert {field.name for field in fields(Strategy)} == {"make", "unsuited", "refusal"}


def packages_imported(path: Path) -> set[str]:
    """The first three names of every module that a file imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    return {".".join(module.split(".")[:3]) for module in modules}
