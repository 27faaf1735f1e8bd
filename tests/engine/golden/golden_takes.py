"""Takes whose bits must not change: every example, way of arriving, shape, joint, hint, law and remedy, once.

`python -m tests.engine.golden.golden_takes` says which of them differ from the table; with `--write` it writes the
table anew. That is right only where a change of the bits is what was wanted: say in the commit why."""

from __future__ import annotations

import hashlib
import json
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from engine import (
    Body,
    Box,
    Capsule,
    Cylinder,
    Hint,
    Hull,
    Options,
    Plane,
    Scene,
    Sphere,
    Take,
    TriangleMesh,
    backward,
    certify,
    forward,
)
from engine.arrivals.dropped.standard import SHAPES
from engine.arrivals.options import ArrivalsName
from engine.both_ways import both_ways
from engine.scene.file import load_scene
from tests.bench import scenes, scenes_director, scenes_exact, scenes_forward, scenes_joints
from tests.bench import scenes_endings as endings
from tests.bench import scenes_settled as settled
from tests.engine import linked_scenes, sketched_scenes

TABLE = Path(__file__).with_name("takes.json")
EXAMPLES = Path(__file__).resolve().parents[3] / "assets" / "scenes"
COARSE = 1 / 240  # s

Case = Callable[[], Take]
CASES: dict[str, Case] = {}


def case(
    name: str, scene: Callable[[], Scene], seconds: float = 1.0, dt: float = COARSE, seed: int = 0,
    arrivals: ArrivalsName = "ahead", **options: Any,
) -> None:  # fmt: skip
    """A take backward, of bodies under way from the first frame unless another way to arrive is named."""
    assert name not in CASES
    CASES[name] = lambda: backward(scene(), seconds, dt, seed, Options(arrivals=arrivals, **options))


def run(name: str, scene: Callable[[], Scene], seconds: float = 1.0, dt: float = COARSE, **how: Any) -> None:
    """A take forward."""
    assert name not in CASES
    CASES[name] = lambda: forward(scene(), seconds, dt, **how)


def example(name: str) -> Callable[[], Scene]:
    return lambda: load_scene(EXAMPLES / f"{name}.foregone")


def on_a_mesh() -> Scene:
    """A box and a ball on two triangles that are not quite level."""
    corners = np.array([(-2.0, -2.0, 0.0), (2.0, -2.0, 0.0), (2.0, 2.0, 0.0), (-2.0, 2.0, 0.0)])
    floor = Body("floor", TriangleMesh(corners, np.array([(0, 1, 2), (0, 2, 3)])), static=True)
    box = Body("box", Box((0.1, 0.08, 0.05)), (0.3, 0.1, 0.05), material=scenes.material())
    ball = Body("ball", Sphere(0.07), (-0.3, 0.2, 0.07), material=scenes.material())
    return Scene([floor, box, ball], ground=False)


def all_shapes(speed: float = 0.0) -> Scene:
    """One of each shape, apart, at rest on the ground or thrown."""
    wood = scenes.material()
    lying = scenes.turn("y", math.pi / 2)
    bodies = [
        Body("ball", Sphere(0.1), (0, 0, 0.1), material=wood),
        Body("box", Box((0.1, 0.08, 0.05)), (0.6, 0, 0.05), material=wood),
        Body("capsule", Capsule(0.06, 0.1), (1.2, 0, 0.06), lying, material=wood),
        Body("can", Cylinder(0.08, 0.1), (0, 0.6, 0.1), material=wood),
        Body("reel", Cylinder(0.08, 0.1), (0.6, 0.6, 0.08), lying, material=wood),
        Body("lump", Hull(0.25 * scenes.hull_points()), (1.2, 0.6, 0), material=wood),
    ]
    table = scenes.compound_bounces_in().bodies[0]
    bodies.append(Body("table", table.shape, (0.6, 1.6, 0), material=wood))
    for i, body in enumerate(bodies):
        body.velocity = (speed * math.cos(i), speed * math.sin(i), 0.0)
        body.angular_velocity = (0.0, 2.0 * speed, speed)
        if speed:
            x, y, z = body.position
            body.position = (x, y, z + 0.2)
    return Scene(bodies)


def pressed_together(speed: float = 1.0) -> Scene:
    """Every shape thrown into a corner of planes, so that pairs of all kinds meet."""
    scene = all_shapes()
    for i, body in enumerate(scene.bodies):
        angle = 2.4 * i
        body.position = (0.45 * math.cos(angle), 0.45 * math.sin(angle), 0.3 + 0.12 * i)
        body.velocity = (-speed * math.cos(angle), -speed * math.sin(angle), 0.0)
        body.angular_velocity = (1.0, 2.0, 0.5 * i)
    scene.bodies.append(Body("slope", Plane((0.3, 0.1, 0.95), (0, 0, -0.2)), static=True))
    return scene


def with_wishes() -> Scene:
    """A tower of which one body stays, one may come late, and the order is asked for."""
    scene = scenes_director.bonded_wall(3, 3)
    names = [body.name for body in scene.bodies]
    scene.bodies[0].leaves = "never"
    scene.bodies[5].leaves = "free"
    scene.bodies[-1].arrival = 0.4
    scene.arrival_order = [names[3], names[4]]
    return scene


def standard_box() -> Scene:
    """A body whose drops are known by number: only those have to be run."""
    return Scene([Body("box", SHAPES["box"], (0.2, 0.1, 0.03))])


def hinted(rest: str, *hints: Hint) -> Callable[[], Scene]:
    return lambda: sketched_scenes.resting(rest, 0.4, 0.5, *hints)


def swung_door() -> Scene:
    scene = scenes_joints.door()
    for body in scene.bodies:
        if not body.static:
            body.angular_velocity = (0.0, 0.0, 1.5)
    return scene


def middle(which: int) -> Case:
    options = Options(arrivals="together", policy="constant")
    return lambda: both_ways(all_shapes(1.0), 0.4, 0.4, COARSE, 3, options)[which]


for one in ("die_on_a_table", "crates_sliding_in", "leaning_tower", "jammed_book", "shelf_tip", "swinging_door",
            "rag_doll", "chain"):  # fmt: skip
    case(f"example {one}", example(one), 1.5, 1 / 480, manner="preview")
case("example word_of_balls", example("word_of_balls"), 0.6, manner="preview")
case("example brick_wall", example("brick_wall"), 1.0, manner="preview")
case("example die, natural", example("die_on_a_table"), 2.0, 1 / 480, 1)
case("example tower, natural", example("leaning_tower"), 1.5, 1 / 480, 1)
case("example die, disorder", example("die_on_a_table"), 1.0, 1 / 480, 2, disorder=0.003)

case("wall ahead, natural", lambda: scenes_director.bonded_wall(3, 3), 2.0, 1 / 480)
case("wall ahead, preview", lambda: scenes_director.bonded_wall(3, 3), 2.0, 1 / 480, 1, manner="preview")
case("wall ahead, disorder", lambda: scenes_director.bonded_wall(3, 3), 2.0, seed=5, manner="preview", disorder=0.002)
case("wall ahead, wishes", with_wishes, 2.0, seed=2, manner="preview")
case("wall ahead, heavy top", scenes_director.heavy_topped_wall, 1.5, manner="preview")
case("yawed wall ahead", scenes_director.yawed_wall, 1.5, seed=3, manner="preview")
case("tower ahead", lambda: scenes_director.tower(5), 1.5, seed=1)
case("dominoes ahead", scenes_director.dominoes, 1.5)
case("tray of balls ahead", scenes_director.balls_in_a_tray, 1.0, manner="preview")
case("cards ahead", scenes_director.house_of_cards, 1.0, manner="preview")
case("all shapes ahead", all_shapes, 1.5, seed=4)
case("all shapes ahead, preview", all_shapes, 1.5, seed=4, manner="preview")
case("mesh ahead", on_a_mesh, 1.0, seed=1)

case("let go die", lambda: settled.lone("die of 2 cm"), 2.0, 1 / 480, 1, "natural")
case("let go L", lambda: settled.lone("L"), 2.0, 1 / 480, 2, "natural")
case("let go wall of 45", endings.wall_of_45, 2.0, 1 / 480, arrivals="natural", manner="preview")
case("let go cards", scenes_director.house_of_cards, 1.0, arrivals="natural", manner="preview")
case("let go boxes of a metre", lambda: endings.boxes_stacked(0.5), 4.0, 1 / 240, 1, "natural")
case("let go boxes beside each other", lambda: scenes.scattered_boxes(2, 8), 6.0, 1 / 240, 3, "natural")

case("boxes together", lambda: scenes.scattered_boxes(2, 8), 2.0, arrivals="together")
case("boxes together, calm", lambda: scenes.scattered_boxes(2, 8), 2.0, seed=1, arrivals="together", budget_heights=1.3)
case("stack together", lambda: scenes.brick_stack(4), 1.0, seed=1, arrivals="together")
case("all shapes together", all_shapes, 1.5, seed=2, arrivals="together")
case("mesh together", on_a_mesh, 1.0, seed=2, arrivals="together")
case("nobody leaves", lambda: scenes.brick_stack(3), 0.5, launch=False)
for policy in ("constant", "blend", "budget"):
    case(f"boxes by {policy}", lambda: scenes.scattered_boxes(3, 5), 1.0, arrivals="together", policy=policy)
case("boxes damped", lambda: scenes.scattered_boxes(3, 5), 1.0, policy="constant", angular_damping=2.0)
case("boxes slowed", lambda: scenes.scattered_boxes(3, 5), 1.0, policy="constant", linear_damping=True)
case("wall attracted", lambda: scenes_director.bonded_wall(3, 2), 0.6, policy="blend", attraction=True)
case("boxes predicted", lambda: scenes.scattered_boxes(3, 5), 1.0, landing="predicted")
case("struck wall backward", lambda: scenes_exact.struck(scenes_exact.brick_wall(10)), 0.3, arrivals="together")
case("struck pyramid backward", lambda: scenes_exact.struck(scenes_exact.ball_pyramid(10)), 0.3, arrivals="together")

for one in ("sphere_bounces_in", "box_slides", "box_spins_in", "box_tumbles", "two_spheres", "sphere_rolls_in",
            "capsule_bounces_in", "cylinder_rolls_in", "cylinder_stands", "hull_bounces_in",
            "compound_bounces_in"):  # fmt: skip
    case(one.replace("_", " "), getattr(scenes, one), 1.0)
case("arc of a die", hinted("die on table", sketched_scenes.arc(30.0, 0.5)), 1.5, seed=1)
case("arc of a box", hinted("box", sketched_scenes.arc(200.0, 0.3)), 1.5, seed=2)
case("line of a box on a slope", hinted("box on slope", sketched_scenes.line(180.0, 0.3, 0.4, "box on slope")), 1.0)
case("line of a standing cylinder", hinted("standing cylinder", sketched_scenes.line(75.0, 0.4, 0.4)), 1.0)
case("slide after a bounce", hinted("box", Hint("bounce", "it", direction=(1, 0, -1), speed=1.0),
                                    Hint("slide", "it", direction=(1, 0, 0), time=0.1)), 1.5)  # fmt: skip

case("letters meeting", lambda: scenes_director.letters(20), 1.5, seed=1, arrivals="meeting")
case("letters meeting, three particles", lambda: scenes_director.letters(20), 1.0, arrivals="meeting", particles=3)
case("all shapes meeting", all_shapes, 1.5, seed=3, arrivals="meeting")
case("wall meeting", lambda: scenes_director.bonded_wall(3, 2), 1.0, arrivals="meeting")
case("die dropped", example("die_on_a_table"), 1.5, 1 / 480, 1, arrivals="dropped")
case("standard box dropped", standard_box, 1.5, 1 / 480, 2, arrivals="dropped")
case("stack dropped", lambda: scenes.brick_stack(2), 0.5, 1 / 480, arrivals="dropped")
case("doll dropped", example("rag_doll"), 0.5, arrivals="dropped")
case("door meeting", example("swinging_door"), 0.5, arrivals="meeting")

case("two blocks", scenes_joints.two_blocks, 1.5)
case("thrown blocks", scenes_joints.thrown_blocks, 0.6)
case("two blocks, unit links", scenes_joints.two_blocks, 1.0, unit_links=True)
case("chain", lambda: scenes_joints.chain(4), 1.0, seed=1)
case("swung door", swung_door, 0.7, arrivals="together", policy="constant")
case("four bars", lambda: linked_scenes.stirred(linked_scenes.four_bar(), 1, 0.0, 0.0), 0.5)
for kind in ("ball", "hinge", "fixed", "slider"):
    case(f"pair by {kind}", lambda kind=kind: linked_scenes.stirred(linked_scenes.pair(kind), 2), 0.4)  # type: ignore[misc]
run("hinge at its limits", lambda: linked_scenes.stirred(linked_scenes.pair("hinge", lo=-0.2, hi=0.3), 2), 0.8)
run("slider at its limits", lambda: linked_scenes.stirred(linked_scenes.pair("slider", lo=-0.1, hi=0.1), 4), 0.8)
run("pendulum forward", lambda: linked_scenes.pendulum(3), 0.8)
run("doll forward", example("rag_doll"), 0.5)

run("all shapes forward", lambda: all_shapes(1.0), 1.0)
run("all shapes pressed", pressed_together, 1.0)
run("all shapes pressed, predicted", pressed_together, 0.6, landing="predicted")
run("all shapes pressed, fast", pressed_together, 1.0, accuracy="fast")
run("mesh forward", on_a_mesh, 0.5)
run("struck wall", lambda: scenes_exact.struck(scenes_exact.brick_wall(10)), 0.3)
run("struck wall by patches", lambda: scenes_exact.struck(scenes_exact.brick_wall(10)), 0.3, contacts="patches")
run("struck pyramid", lambda: scenes_exact.struck(scenes_exact.slippery_pyramid(10)), 0.3)
run("pile, fast", lambda: scenes_forward.pile(40), 0.5, accuracy="fast")
run("bins, fast", lambda: scenes_forward.bins(30), 0.5, accuracy="fast")
CASES["middle frame, before"], CASES["middle frame, after"] = middle(0), middle(1)


def told(take: Take) -> list[str]:
    """[motion, words, certificate] of a take, each as a short hash."""
    motion = take.hash()[:16]
    words = hashlib.sha256(repr((take.stopped, take.notes, take.seconds)).encode()).hexdigest()[:8]
    report = certify(take)
    digest = hashlib.sha256(repr((report.tier_counts, report.ghosts)).encode())
    for column in (report.tiers, report.contacts, report.touching):
        digest.update(np.ascontiguousarray(column).tobytes())
    return [motion, words, digest.hexdigest()[:8]]


def main() -> int:
    chosen = [word for word in sys.argv[1:] if word != "--write"]
    table = json.loads(TABLE.read_text()) if TABLE.exists() else {}
    made = {}
    for name, make in CASES.items():
        if all(word in name for word in chosen):
            begun = time.process_time()
            made[name] = told(make())
            print(f"{time.process_time() - begun:6.2f} s  {name}", flush=True)
    differ = [name for name, row in made.items() if table.get(name) != row]
    print(f"{len(made)} takes, {len(differ)} differ from the table", *differ, sep="\n  ")
    if "--write" in sys.argv:
        lines = (f"{json.dumps(name)}: {json.dumps((table | made)[name])}" for name in CASES if name in table | made)
        TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
        return 0
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
