"""The fast engine against closed forms and properties."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.fast.pairs import make_pairs
from engine.fast.row_columns import make_rows
from engine.fast.world import FastWorld
from engine.model.arrays import State, copy_state
from engine.model.compile import compile_scene
from engine.scene.spec import Body, Box, Capsule, Compound, Cylinder, Hull, Material, Plane, Scene, Sphere, TriangleMesh

DT = 1 / 240
G = 9.81


def world(*bodies: Body, sleep: bool = True, dt: float = DT, **scene: object) -> FastWorld:
    return FastWorld(compile_scene(Scene(bodies=list(bodies), **scene)), dt, sleep=sleep)  # type: ignore[arg-type]


def room(w: FastWorld, steps: int) -> State:
    return State(*(np.zeros((steps, *part.shape)) for part in w.state))


def energy(w: FastWorld, state: State) -> float:
    """Kinetic and potential energy of the moving bodies, J."""
    bodies, total = w.model.bodies, 0.0
    for i in np.flatnonzero(bodies.inverse_mass > 0.0):
        q, v, l = state.q[i], state.v[i], state.l[i]
        u = q[1:]
        back = l - 2.0 * q[0] * np.cross(u, l) + 2.0 * np.cross(u, np.cross(u, l))
        spin = back @ bodies.inverse_inertia[i] @ back
        total += 0.5 * (bodies.mass[i] * v @ v + spin) + bodies.mass[i] * G * state.x[i, 2]
    return total


def test_free_flight_is_a_parabola_and_keeps_momentum() -> None:
    stone = Body("stone", Box((0.3, 0.1, 0.05)), (0, 0, 50), velocity=(1, 2, 3), angular_velocity=(3, 5, 1))
    w = world(stone)
    l0, x0, e0 = w.state.l[0].copy(), w.state.x[0].copy(), energy(w, w.state)
    w.run(240)
    h = DT / 4  # symplectic Euler in substeps falls g h t / 2 further than the parabola
    expected = x0 + np.array([1, 2, 3 - 0.5 * G * (1.0 + h)])
    assert w.state.x[0] == pytest.approx(expected, abs=1e-9)
    assert w.state.l[0] == pytest.approx(l0, rel=1e-12)
    assert energy(w, w.state) == pytest.approx(e0, rel=2e-3)


@pytest.mark.parametrize("shape", [Sphere(0.2), Box((0.2, 0.3, 0.1))])
def test_at_rest_on_the_plane_nothing_creeps(shape: Sphere | Box) -> None:
    high = 0.2 if isinstance(shape, Sphere) else 0.1
    w = world(Body("thing", shape, (0.1, 0.2, high)), sleep=False)
    w.run(240)
    early = w.state.x[0].copy()
    w.run(720)
    assert w.state.x[0] == pytest.approx(early, abs=1e-9)
    assert w.state.x[0, :2] == pytest.approx([0.1, 0.2], abs=1e-5)
    assert high - w.state.x[0, 2] == pytest.approx(0.0, abs=1e-4)
    assert np.abs(w.state.v[0]).max() < 1e-6


@pytest.mark.parametrize("friction", [0.2, 0.5])
def test_a_sliding_block_stops_after_its_closed_form_distance(friction: float) -> None:
    block = Body("block", Box((0.2, 0.2, 0.05)), (0, 0, 0.05), velocity=(3, 0, 0), material=Material(friction=friction))
    w = world(block)
    w.run(720)
    assert w.state.x[0, 0] == pytest.approx(9.0 / (2.0 * friction * G), rel=0.02)
    assert w.state.x[0, 1] == pytest.approx(0.0, abs=1e-3)


def test_friction_is_a_disc() -> None:
    """A block thrown along a diagonal stops as far away as along an axis."""
    blocks = [
        Body(f"block{i}", Box((0.2, 0.2, 0.05)), (0, 3.0 * i, 0.05), velocity=(3 * math.cos(a), 3 * math.sin(a), 0))
        for i, a in enumerate((0.0, math.pi / 4))
    ]
    w = world(*blocks)
    start = w.state.x.copy()
    w.run(480)
    slid = np.linalg.norm(w.state.x - start, axis=1)
    assert slid[0] == pytest.approx(slid[1], rel=0.01)


@pytest.mark.parametrize("restitution", [0.3, 0.8])
def test_a_ball_bounces_to_its_closed_form_height(restitution: float) -> None:
    w = world(Body("ball", Sphere(0.1), (0, 0, 1.1), material=Material(restitution=restitution)))
    tape = room(w, 480)
    w.run(480, tape)
    height = tape.x[:, 0, 2] - 0.1
    first = int(np.argmax(tape.v[:, 0, 2] > 0.0))
    top = height[first : first + int(np.argmax(tape.v[first:, 0, 2] < 0.0))].max()
    assert top == pytest.approx(restitution**2, rel=0.04)


def test_balls_exchange_their_velocities() -> None:
    """Equal masses, elastic, head on."""
    bouncy = Material(restitution=1.0, friction=0.0)
    w = world(
        Body("a", Sphere(0.1), (0, 0, 2), velocity=(2, 0, 0), material=bouncy),
        Body("b", Sphere(0.1), (0.5, 0, 2), velocity=(-1, 0, 0), material=bouncy),
        gravity=(0, 0, 0),
    )
    w.run(60)
    assert w.state.v[0] == pytest.approx([-1, 0, 0], abs=1e-9)
    assert w.state.v[1] == pytest.approx([2, 0, 0], abs=1e-9)


def test_rolling_friction_stops_a_ball() -> None:
    """Deceleration of a rolling ball with torque bound c N: c g / (r (1 + 2/5)); without it the ball rolls on."""
    speed, radius, coefficient = 1.0, 0.1, 0.01
    balls = [
        Body(f"ball{i}", Sphere(radius), (0, i, radius), velocity=(speed, 0, 0),
             angular_velocity=(0, speed / radius, 0), material=Material(rolling_friction=c))
        for i, c in enumerate((coefficient, 0.0))
    ]  # fmt: skip
    w = world(*balls)
    w.run(960)
    distance = speed**2 / (2.0 * coefficient * G / (radius * 1.4))
    assert w.state.x[0, 0] == pytest.approx(distance, rel=0.05)
    assert w.state.v[0, 0] == pytest.approx(0.0, abs=1e-9)
    assert w.state.v[1, 0] == pytest.approx(speed, rel=1e-3)


def bricks(count: int) -> list[Body]:
    return [Body(f"brick{i:02d}", Box((0.2, 0.1, 0.05)), (0.02 * (i % 2), 0, 0.05 + 0.1 * i)) for i in range(count)]


def test_a_stack_stays_and_sleeps() -> None:
    w = world(*bricks(10))
    start = w.state.x.copy()
    w.run(480)
    moved = w.state.x - start
    assert np.abs(moved[:, :2]).max() < 2e-4
    assert np.abs(moved[:, 2]).max() < 1.5e-3
    assert w.at_rest and w.asleep[:-1].all() and not w.asleep[-1]  # the ground does not sleep
    assert w.penetration() < 3e-4


def test_energy_of_a_resting_pile_never_grows() -> None:
    """Started without overlap; the solver may dissipate, not feed."""
    w = world(*bricks(8), sleep=False)
    tape = room(w, 240)
    start = energy(w, w.state)
    w.run(240, tape)
    history = [energy(w, State(*(part[k] for part in tape))) for k in range(240)]
    assert max(history) <= start * (1.0 + 1e-9)


def test_a_sleeper_wakes_when_touched_and_all_its_island_with_it() -> None:
    hammer = Body("zz", Sphere(0.1), (0, 0, 3.5))
    w = world(*bricks(3), Body("far", Box((0.1, 0.1, 0.1)), (5, 0, 0.1)), hammer)
    seen = []
    for _ in range(240):
        w.run(1)
        seen.append(w.asleep[: len(w.model.names) - 1].copy())
    names = w.model.names
    stack, far = [names.index(f"brick{i:02d}") for i in range(3)], names.index("far")
    asleep = np.array(seen)
    slept = int(np.argmax(asleep[:, stack].all(axis=1)))
    assert 0 < slept < 180  # before the hammer comes down
    woken = slept + int(np.argmax(~asleep[slept:, stack[0]]))
    assert woken > slept and not asleep[woken, stack].any()
    assert asleep[slept + 5 :, far].all()


def test_a_sleeper_keeps_its_bits() -> None:
    w = world(*bricks(2))
    w.run(300)
    assert w.at_rest
    before = [part.copy() for part in w.state]
    w.run(100)
    assert all(np.array_equal(a, b) for a, b in zip(before, w.state, strict=True))


def scatter(count: int = 12) -> list[Body]:
    rng = np.random.default_rng(5)
    bodies = []
    for i in range(count):
        q = rng.normal(size=4)
        shape = Box(rng.uniform(0.05, 0.15, 3)) if i % 3 else Sphere(0.1)
        bodies.append(
            Body(f"body{i:02d}", shape, (*rng.uniform(-0.3, 0.3, 2), 0.3 + 0.25 * i), q / np.linalg.norm(q),
                 angular_velocity=rng.uniform(-3, 3, 3))
        )  # fmt: skip
    return bodies


def test_reset_forgets_how_far_something_turned() -> None:
    """A ball that spun for long, put over a slab it was not near before: it was dropped through it."""
    slab = Body("slab", Box((1.0, 1.0, 0.05)), (0.0, 0.0, 0.5), static=True)
    one = world(Body("ball", Sphere(0.05), (0.0, 0.0, 3.0)), slab, ground=False)
    row, start = one.model.names.index("ball"), copy_state(one.model.start)
    start.l[row] = one.model.bodies.inertia[row] @ np.array([400.0, 0.0, 0.0])
    one.reset(start)
    one.run(120)
    start.x[row], start.l[row] = (0.0, 0.0, 0.8), 0.0
    one.reset(start)
    one.run(240)
    assert one.state.x[row][2] == pytest.approx(0.6, abs=2e-3)


def test_two_runs_have_the_same_bits_and_reset_starts_over() -> None:
    one, two = world(*scatter()), world(*reversed(scatter()))
    one.run(300)
    two.run(300)
    assert all(np.array_equal(a, b) for a, b in zip(one.state, two.state, strict=True))
    first = [part.copy() for part in one.state]
    one.reset(one.model.start)
    one.run(300)
    assert all(np.array_equal(a, b) for a, b in zip(first, one.state, strict=True))


def test_a_record_is_what_stepping_gives() -> None:
    one, two = world(*scatter()), world(*scatter())
    tape = room(one, 200)
    assert one.run(200, tape) == 200
    for k in range(200):
        two.run(1)
        assert all(np.array_equal(a[k], b) for a, b in zip(tape, two.state, strict=True)), k


def test_capacities_grow_when_they_must() -> None:
    small, large = world(*scatter(20)), world(*scatter(20))
    small._work = small._work._replace(pairs=make_pairs(2), rows=make_rows(2))
    small.run(300)
    large.run(300)
    assert small._pairs.free.shape[0] > 2 and small._rows.a.shape[0] > 2
    assert all(np.array_equal(a, b) for a, b in zip(small.state, large.state, strict=True))


DULL = Material(restitution=0.0, rolling_friction=0.02)
WEDGE = Hull([(-0.2, -0.2, -0.1), (0.2, -0.2, -0.1), (0.2, 0.2, -0.1), (-0.2, 0.2, -0.1), (0, 0, 0.2)])
TABLE = Compound([(Box((0.3, 0.3, 0.05)), (0, 0, 0.15)), (Box((0.05, 0.3, 0.1)), (-0.2, 0, 0)),
                  (Box((0.05, 0.3, 0.1)), (0.2, 0, 0))])  # fmt: skip
LYING = (math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0)
THINGS = {
    "ball": (Sphere(0.1), (1, 0, 0, 0), 0.1),
    "brick": (Box((0.15, 0.1, 0.1)), (1, 0, 0, 0), 0.1),
    "capsule": (Capsule(0.1, 0.15), LYING, 0.1),
    "can": (Cylinder(0.1, 0.15), (1, 0, 0, 0), 0.15),
    "lying can": (Cylinder(0.1, 0.15), LYING, 0.1),
    "hull": (WEDGE, (1, 0, 0, 0), 0.1),
    "table": (TABLE, (1, 0, 0, 0), 0.1),
}
MESH = TriangleMesh(
    np.array([(-1, -1, 0.4), (1, -1, 0.4), (1, 1, 0.4), (-1, 1, 0.4)], float), np.array([(0, 1, 2), (0, 2, 3)])
)
FLOORS = {
    "ground": (None, 0.0),
    "slab": (Box((1, 1, 0.2)), 0.4),
    "plate": (Cylinder(1.0, 0.2), 0.4),
    "block": (Hull([(x, y, z) for x in (-1, 1) for y in (-1, 1.2) for z in (-0.2, 0.2)] + [(0, 0, -0.3)]), 0.4),
    "mesh": (MESH, 0.4),
    "slanted": (Plane(normal=(0, 0, 1), point=(0, 0, 0.4)), 0.4),
}


@pytest.mark.parametrize("floor", FLOORS)
@pytest.mark.parametrize("thing", THINGS)
def test_everything_rests_on_everything(thing: str, floor: str) -> None:
    """Dropped by 5 mm it comes to rest at its height, without sinking or wandering."""
    shape, turn, high = THINGS[thing]
    base, top = FLOORS[floor]
    bodies = [Body("thing", shape, (0.05, 0.1, top + high + 0.005), turn, material=DULL)]
    if base is not None:
        place = (0, 0, 0) if floor in ("mesh", "slanted") else (0, 0, 0.2)
        bodies.append(Body("under", base, place, static=True, material=DULL))
    w = world(*bodies)
    row = w.model.names.index("thing")
    fallen = w.state.x[row] - (0, 0, 0.005)
    w.run(480)
    assert w.state.x[row, 2] == pytest.approx(fallen[2], abs=1e-4)
    assert w.state.x[row, :2] == pytest.approx(fallen[:2], abs=1e-3)
    assert w.at_rest


@pytest.mark.parametrize("upper", ["ball", "brick", "capsule", "can", "hull", "table"])
@pytest.mark.parametrize("lower", ["brick", "can", "table"])
def test_moving_things_rest_on_moving_things(upper: str, lower: str) -> None:
    shape, turn, high = THINGS[upper]
    base, base_turn, base_high = THINGS[lower]
    top = 0.3 if lower == "table" else 2.0 * base_high
    if upper == "table":
        turn = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)  # on its side, so that its legs do not straddle
        high = 0.3
    w = world(
        Body("a", base, (0, 0, base_high), base_turn, material=DULL),
        Body("b", shape, (0.01, 0.02, top + high + 0.002), turn, material=DULL),
    )
    start = w.state.x.copy()
    w.run(480)
    assert w.state.x[1, 2] == pytest.approx(start[1, 2] - 0.002, abs=5e-4)
    assert w.state.x[0] == pytest.approx(start[0], abs=2e-3)
