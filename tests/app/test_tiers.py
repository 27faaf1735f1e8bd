"""Tiers as the window shows them: in the engine's order of badness, each told by colour, shape and hatch."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from app.document.take_edits import exact_share, exact_words, ranked, worst_tier
from app.look.look import THEMES, tokens
from app.look.tier_marks import HATCHES, SHAPES
from app.look.tiers import of_ranks, ranks, tier_entry, tier_label, tier_names, tier_rank, tiers_by_rank, worst_of
from app.takes.card_words import card_tip
from app.takes.compare_table import rows
from app.takes.film_colors import worst_tiers
from app.timeline.tier_legend import entries
from app.timeline.words import HELD as HELD_IN_WORDS
from app.viewport.coloring import PATTERNS
from engine.contact.tiers import ASSISTED, EXACT, GHOSTED, HELD, PLASTIC, RANK, TIER_NAMES, TUNED
from engine.picture.palette import TIERS
from engine.scene.schema import decode_scene, encode_scene
from engine.scene.shot import TakeCard
from engine.scene.spec import Scene
from tests.app.films import film


def card(name: str = "t1", **fields: Any) -> TakeCard:
    return TakeCard(name, f"Take {name}", **fields)


def test_names_and_ranks_are_the_engines() -> None:
    assert [name.upper() for name in tier_names()] == list(TIER_NAMES)
    assert [tier_rank(tier) for tier in range(len(TIER_NAMES))] == list(RANK)
    assert tiers_by_rank() == [EXACT, TUNED, PLASTIC, HELD, GHOSTED, ASSISTED]
    assert HELD_IN_WORDS == HELD


def test_every_tier_has_a_sign_a_hatch_and_colours_of_its_own() -> None:
    table = [tier_entry(tier) for tier in range(len(TIER_NAMES))]
    assert {entry["shape"] for entry in table} == set(SHAPES) and len(SHAPES) == len(table)
    assert {entry["strip_fill"] for entry in table} == {"solid", *HATCHES}
    assert {entry["strip_fill"] for entry in table} - {"solid"} == set(PATTERNS) - {"none"}
    assert len(set(PATTERNS.values())) == len(PATTERNS)
    for theme in THEMES:
        colors = tokens()["themes"][theme]["colors"]
        for name, entry in tokens()["tiers"].items():
            assert entry[theme] == {"text": colors[name], "fill": colors[f"{name}_fill"]}
        assert len({colors[f"{name}_fill"] for name in tier_names()}) == len(table)
    assert list(TIERS) == [entry["dark"]["fill"] for entry in table], "pictures have the dark theme's"


def lightness(code: str) -> float:
    parts = np.array([int(code[i : i + 2], 16) for i in (1, 3, 5)]) / 255.0
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


@pytest.mark.parametrize("theme", THEMES)
def test_contrasts_are_as_the_tokens_say(theme: str) -> None:
    colors, told = (tokens()["themes"][theme][part] for part in ("colors", "contrast"))
    for kind, least in (("text", told["text_min_required"]), ("graphics", told["graphics_min_required"])):
        found = {name: told[kind][name] for name in told[kind] if name.removesuffix("_fill") in tier_names()}
        assert len(found) == len(TIER_NAMES)
        for name, grounds in found.items():
            for ground, contrast in grounds.items():
                dark, light = sorted((lightness(colors[name]), lightness(colors[ground])))
                assert contrast == pytest.approx((light + 0.05) / (dark + 0.05), abs=0.006) and contrast >= least


def test_the_worst_is_found_by_rank() -> None:
    assert worst_of([EXACT, HELD, PLASTIC]) == HELD and worst_of([HELD, GHOSTED]) == GHOSTED and worst_of([]) == EXACT
    tiers = np.array([-1, *range(len(TIER_NAMES))], np.int8)
    assert of_ranks(ranks(tiers)).tolist() == tiers.tolist() and ranks(tiers)[0] == -1


def test_the_legend_goes_from_the_best_to_the_worst() -> None:
    assert [name for name, _ in entries()] == [*map(tier_label, tiers_by_rank()), "Free flight"]
    assert ("Held", "A hand holds one of them here.") in entries()


def test_cards_know_the_worst_by_rank_and_older_ones_still_show() -> None:
    held, ghosted = card("h", tiers=(0.9, 0, 0, 0, 0, 0.1)), card("g", tiers=(0.9, 0, 0, 0.01, 0, 0.09))
    older, plastic = card("o", tiers=(0.9, 0, 0, 0, 0.1)), card("p", tiers=(0.5, 0, 0.5, 0, 0, 0))
    assert [worst_tier(each) for each in (held, ghosted, older, plastic)] == [HELD, GHOSTED, ASSISTED, PLASTIC]
    assert ranked([older, ghosted, held, plastic], "certificate") == [plastic, held, ghosted, older]
    table = {row.words: row for row in rows(held, ghosted)}
    assert (table["Worst step"].better, table["Worst step"].tiers) == (1, (HELD, GHOSTED))
    assert "worst assisted" in card_tip(older, "", stale=False, is_shot=False)


def test_what_is_in_motion_comes_first() -> None:
    plain = card("a", tiers=(1.0, 0, 0, 0, 0, 0), energy=2.0)
    moving = replace(plain, exact_in_motion=0.42)
    assert (exact_words(plain), exact_words(moving)) == ("100 % exact", "42 % exact in motion")
    assert (exact_share(plain), exact_share(moving)) == (1.0, 0.42)
    tip = card_tip(moving, "", stale=False, is_shot=False)
    assert tip == "Take a: 42 % exact in motion, 100 % of contacts exact, worst exact, 2 J when let go"
    assert "Exact contacts" in [row.words for row in rows(plain, moving)], "only what is known of both is compared"
    compared = next(row for row in rows(moving, replace(moving, exact_in_motion=1.0)) if "motion" in row.words)
    assert (compared.words, compared.first, compared.second, compared.better) == ("Exact in motion", "42 %", "100 %", 2)
    assert ranked([moving, replace(moving, id="b", exact_in_motion=0.9)], "certificate")[0].id == "b"


def test_bodies_are_coloured_by_their_worst_step() -> None:
    made = replace(film(bodies=("b1", "b2")), mark_step=np.array([1, 2, 3], np.int32),
                   mark_tier=np.array([HELD, GHOSTED, HELD], np.int8),
                   mark_body=np.array([(0, -1), (0, -1), (1, -1)], np.int32), mark_value=np.zeros((3, 4)))  # fmt: skip
    assert worst_tiers(made) == {"b1": GHOSTED, "b2": HELD}


def test_the_share_in_motion_is_kept_and_may_be_missing() -> None:
    scene = Scene(takes=[card("a", exact_in_motion=0.5), card("b")])
    tree = json.loads(json.dumps(encode_scene(scene, lambda arrays: "")))
    back = decode_scene(tree, lambda name, where: {}).takes
    assert [each.exact_in_motion for each in back] == [0.5, None]
    for row in tree["takes"]:
        del row["exact_in_motion"]
    assert [each.exact_in_motion for each in decode_scene(tree, lambda name, where: {}).takes] == [None, None]
    assert all(a != b for a, b in pairwise(tree["takes"]))
