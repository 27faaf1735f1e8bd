"""Every ending that entrances are judged by, by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from engine.commands.demo_scenes import chain
from engine.scene.spec import Scene
from tests.bench import scenes_endings as standing
from tests.bench import scenes_settled as settled
from tests.bench.scenes import scattered_boxes
from tests.bench.scenes_director import balls_in_a_tray

Make = Callable[[], Scene]

WALLS: dict[tuple[int, float], Make] = {
    (count, gap): partial(standing.running_bond, count, gap) for count in (100, 200, 500, 1000) for gap in (0.002, 0.0)
}
"""By bricks and the gap between them (m)."""

LONE: dict[str, Make] = {name: partial(settled.lone, name) for name in settled.LONE}

SCALES: dict[str, Make] = {f"five boxes of {h:g} m": partial(standing.boxes_stacked, h) for h in standing.HALVES}
"""Named by their half length."""

JOINTED: dict[str, Make] = {"chain of 12": partial(chain, 12), "rag doll on stairs": standing.ragdoll_on_stairs}

HARD: dict[str, Make] = {
    "12 coins in a heap": settled.coin_heap,
    "40 coins as a letter": standing.coin_letter,
    "Jenga tower of 18": standing.jenga,
    "10 cannonballs": standing.cannonballs,
    "house of 3 cards": standing.card_house,
    "house of 6 cards": partial(standing.card_house, 2, 2),
    "arch of 9 stones": standing.arch,
    "30 marbles in a bowl": settled.marbles_in_a_bowl,
    "14 balls in a tray": balls_in_a_tray,
    "book in a shelf": partial(standing.shipped, "jammed_book"),
    "ball in a cup": standing.ball_in_a_cup,
    "box on a slope": standing.box_on_a_slope,
    "dice beside a wall": standing.dice_beside_a_wall,
    "L": LONE["L"],
    "chair": settled.chair,
    "mug": settled.mug,
    "decomposed mesh": settled.decomposed_mesh,
    "plank against a wall": standing.plank_against_a_wall,
    "ring on a hook": standing.ring_on_a_hook,
    **SCALES,
    "heavy on light": standing.heavy_on_light,
    "CRASH": standing.crash,
    **JOINTED,
}

MANY: dict[int, Make] = {count: partial(scattered_boxes, 1, count, side) for count, side in ((2000, 45), (5000, 71))}

ENDINGS: dict[str, Make] = {
    "wall of 45": standing.wall_of_45,
    **{f"{count} bricks, {'touching' if gap == 0.0 else '2 mm'}": make for (count, gap), make in WALLS.items()},
    **LONE,
    **HARD,
    **{f"{count} scattered boxes": make for count, make in MANY.items()},
    "t->-t of 79 boxes": standing.arrow_word,
}
