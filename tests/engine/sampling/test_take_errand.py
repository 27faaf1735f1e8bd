"""A take for the studio: it is made as its card asks, in the middle-frame mode too, and opened again in one way."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.contact.tiers import ASSISTED
from engine.errors import ProjectError
from engine.kept import open_kept
from engine.release_energy import release_energy
from engine.run import backward
from engine.scene.film import read_film
from engine.scene.request import ARRIVALS, REMEDIES, Asked, Request
from engine.scene.schema import decode_scene, encode_scene
from engine.scene.shot import TakeCard
from engine.scene.spec import Body, Box, Scene, Sphere
from engine.scene.take_files import FILM, TakeFiles
from engine.work import takes
from engine.work.errand import Desk, NotWanted
from engine.work.errands.take import take
from engine.work.parcel import Parcel
from engine.work.takes import EXPLODES_AT, Order

DT = 1 / 240  # of previews


def scene() -> Scene:
    bodies = [Body("Box", Box((0.1, 0.1, 0.1)), (0, 0, 0.1)), Body("Ball", Sphere(0.1), (0.5, 0, 0.1))]
    made = Scene(bodies=bodies)
    made.assign_ids()
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("takes", "films"):
        (tmp_path / name).mkdir()
    return tmp_path


def made(card: TakeCard, folder: Path, wanted: bool = True) -> TakeCard:
    return take(Parcel(scene()), card, str(folder), Desk(lambda told: None, lambda: wanted))


@pytest.mark.parametrize("after", [0.0, 0.2])
@pytest.mark.parametrize("arrivals", ["together", "ahead"])
def test_a_take_is_made_as_its_card_asks(folder: Path, arrivals: Any, after: float) -> None:
    asked = TakeCard("t1", "Take 01", seed=4, seconds=0.4, after=after, quality="preview", arrivals=arrivals)
    card = made(asked, folder)
    assert card.asked() == asked.asked() and card.id == "t1"
    options = Options(arrivals=arrivals, manner="preview")
    expected = backward(scene(), 0.4, DT, 4, options, explodes_at=EXPLODES_AT)
    assert card.hash == expected.hash(), "a frame in the middle changes nothing of what led to it"
    files = TakeFiles(folder=folder)
    kept, goes = open_kept(scene(), card, files)
    assert kept.hash() == card.hash and (goes is not None) == (after > 0.0)
    stream = files.open(FILM.format("t1"))
    assert stream is not None
    with stream:
        film = read_film(stream.read())
    assert film.ending == 0.4 and film.last == pytest.approx(0.4 + after)


def test_both_ways_are_given_up_like_any_other_take(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[tuple[Any, ...]] = []
    monkeypatch.setattr(takes, "both_ways", lambda *args: heard.append(args) or (None, None))
    takes.make_both(Order.of(scene(), Asked(seconds=1.0, after=0.5, arrivals="meeting")), 3, lambda share: None)
    (_, seconds, after, dt, seed, options, _, explodes_at) = heard[0]
    assert (seconds, after, dt, seed, explodes_at) == (1.0, 0.5, 1 / 480, 3, EXPLODES_AT)
    assert options == Options(arrivals="meeting")


@pytest.mark.parametrize("arrivals", ARRIVALS)
def test_what_generate_asks_reaches_the_engine(arrivals: str) -> None:
    order = Order.of(scene(), Request(seconds=3.0, arrivals=arrivals, disorder=0.002, quality="final"))
    assert (order.seconds, order.dt, order.after, order.explodes_at) == (3.0, 1 / 1000, 0.0, EXPLODES_AT)
    assert order.options == Options(arrivals=arrivals, disorder=0.002)  # type: ignore[arg-type]
    assert Order.of(scene(), Asked(after=1.0, disorder=0.002)).options.disorder == 0.0, "the middle frame is kept"


def test_a_request_and_a_card_ask_in_the_same_words() -> None:
    names = [field.name for field in fields(Asked)]
    request = Request(seed=3, after=1.0, disorder=0.1, takes=2)
    card = TakeCard("t1", "Take 01", **request.asked(seed=7))
    assert list(card.asked()) == names == list(request.asked())
    assert card.asked(seed=3) == request.asked() and (card.seed, card.after, card.disorder) == (7, 1.0, 0.0)


def test_nobody_waits(folder: Path) -> None:
    with pytest.raises(NotWanted):
        made(TakeCard("t1", "Take 01", seconds=0.2), folder, wanted=False)


def test_a_take_that_is_gone_is_told(folder: Path) -> None:
    card = TakeCard("t1", "Take 01", seconds=0.2, quality="preview")
    with pytest.raises(ProjectError, match="the record of Take 01 is gone: generate it again"):
        open_kept(scene(), card, TakeFiles(folder / "no.foregone", folder))
    other = replace(scene(), bodies=scene().bodies[:1])
    with pytest.raises(ProjectError, match="Take 01: the take was made from another version of the scene"):
        open_kept(other, made(card, folder), TakeFiles(folder=folder))


def test_progress_never_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def searches_twice(*args: Any, **named: Any) -> None:
        for done in (1, 5, 0, 3, 8):
            args[5](done, 10)

    monkeypatch.setattr(takes, "backward", searches_twice)
    told: list[float] = []
    takes.make_both(Order.of(scene(), Asked(seconds=1.0)), 3, told.append)
    assert told == [0.1, 0.5, 0.5, 0.5, 0.8]


def test_a_card_says_what_was_let_go_and_how_honest_it_moves(folder: Path) -> None:
    card = made(TakeCard("t1", "Take 01", seed=4, seconds=1.0, quality="preview"), folder)
    kept, _ = open_kept(scene(), card, TakeFiles(folder=folder))
    assert card.arrivals == "natural" and any(release.time > 0.0 for release in kept.releases.values())
    released, ending = release_energy(kept)
    assert card.energy == released - ending > 0.0
    report = certify(kept)
    assert card.exact_in_motion == report.exact_in_motion
    assert card.overlap == report.max_overlap > 0.0
    assert card.worst == f"{' on '.join(report.worst[0])} at {report.worst[1]:.2f} s" and " on ground at " in card.worst


def test_what_says_nothing_is_natural_and_what_says_ahead_stays_so() -> None:
    def opened(request: dict[str, Any]) -> Request:
        return decode_scene({"format": 1, "request": request}, lambda name, where: {}).request

    assert Request().arrivals == opened({"takes": 4}).arrivals == "natural" == next(iter(ARRIVALS))
    assert opened({"arrivals": "ahead"}).arrivals == "ahead"
    kept = encode_scene(Scene(request=Request(arrivals="ahead")), lambda arrays: "")
    assert kept["request"]["arrivals"] == "ahead" and "request" not in encode_scene(Scene(), lambda arrays: "")


@pytest.mark.parametrize("remedies", [("blend",), ("angular-damping", "attraction"), ("linear-damping",)])
def test_remedies_of_the_paper_go_from_the_request_into_the_take_and_its_label(
    folder: Path, remedies: tuple[str, ...]
) -> None:
    asked = Request(seconds=0.4, quality="preview", remedies=remedies)
    card = made(TakeCard("t1", "Take 01", **asked.asked(seed=4)), folder)
    expected = backward(scene(), 0.4, DT, 4, Options.remedied(remedies, manner="preview"), explodes_at=EXPLODES_AT)
    assert card.remedies == remedies and card.hash == expected.hash()
    assert (
        card.hash
        != made(TakeCard("t2", "Take 02", **Request(seconds=0.4, quality="preview").asked(seed=4)), folder).hash
    )
    assert (card.tiers[ASSISTED] > 0.0) == ("damping" in remedies[0]), "a push from outside is told"


def test_remedies_stay_in_the_file_and_files_without_them_open() -> None:
    asked = Request(remedies=["attraction", "blend"])  # type: ignore[arg-type]
    card = TakeCard("t1", "Take 01", **asked.asked())
    tree = encode_scene(Scene(request=asked, takes=[card]), lambda arrays: "")
    opened = decode_scene(json.loads(json.dumps(tree)), lambda name, where: {})
    assert opened.request == asked and opened.takes == [card] and card.remedies == ("attraction", "blend")
    del tree["request"]["remedies"], tree["takes"][0]["remedies"]
    older = decode_scene(tree, lambda name, where: {})
    assert older.request.remedies == older.takes[0].remedies == ()


@pytest.mark.parametrize("name", REMEDIES)
def test_every_remedy_changes_what_the_engine_is_asked(name: str) -> None:
    options = Order.of(scene(), Asked(remedies=(name,))).options
    assert options.policy == ("blend" if name == "blend" else "constant") and not options.searches
    others = [Order.of(scene(), Asked(remedies=(other,))).options for other in REMEDIES if other != name]
    assert options not in others


def test_a_remedy_that_nobody_knows_is_refused() -> None:
    with pytest.raises(ValueError, match="remedies must be some of constant, blend, .*, not magic"):
        Order.of(scene(), Asked(remedies=("blend", "magic")))
