"""Every rule fires on the mistake it is for, nothing fires on a sound scene, and garbage never raises."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Body, Box, Capsule, Compound, Cylinder, Hint, Hull, Material, Plane, Scene, Sphere, TriangleMesh
from engine.model.compile import compile_scene
from engine.rules import all_problems, scene_problems

NAN, INF = math.nan, math.inf
CUBE = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
TRIANGLE = TriangleMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])


def sound() -> Scene:
    return Scene(
        bodies=[
            Body("die", Box((0.05, 0.05, 0.05)), (0, 0, 0.05), material=Material(friction_range=(0.1, 0.9))),
            Body("stone", Hull(CUBE), (5, 0, 0), arrival=0.5),
            Body("ramp", TRIANGLE, (9, 0, 0), static=True),
            Body("axe", Compound([(Capsule(0.1, 0.4), (0, 0, 0)), (Cylinder(0.2, 0.1), (0, 0, 0.5))]), (0, 5, 1)),
        ],
        hints=[
            Hint("bounce", "die", direction=(1, 0, 0), speed=2.0),
            Hint("launch", "stone", velocity=(1, 0, -1), angular_velocity=(0, 9, 0)),
        ],
    )


def test_a_sound_scene_has_no_problems() -> None:
    assert scene_problems(sound()) == []


def shape(value) -> Callable[[Scene], None]:
    return lambda scene: setattr(scene.bodies[0], "shape", value)


def body(**values) -> Callable[[Scene], None]:
    return lambda scene: [setattr(scene.bodies[0], name, value) for name, value in values.items()] and None


def material(**values) -> Callable[[Scene], None]:
    return lambda scene: [setattr(scene.bodies[0].material, name, value) for name, value in values.items()] and None


def hint(**values) -> Callable[[Scene], None]:
    return lambda scene: [setattr(scene.hints[0], name, value) for name, value in values.items()] and None


def whole(**values) -> Callable[[Scene], None]:
    return lambda scene: [setattr(scene, name, value) for name, value in values.items()] and None


MISTAKES = [
    ("size-not-positive", shape(Sphere(-1))),
    ("size-not-positive", shape(Sphere(0))),
    ("size-not-a-number", shape(Sphere(NAN))),
    ("size-not-a-number", shape(Sphere("large"))),
    ("size-not-a-number", shape(Box((1, 2)))),
    ("size-not-a-number", shape(Box(None))),
    ("size-not-positive", shape(Box((1, 2, 0)))),
    ("size-not-positive", shape(Capsule(1, -1))),
    ("size-not-a-number", shape(Cylinder(1, INF))),
    ("shape-unknown", shape(None)),
    ("shape-unknown", shape("box")),
    ("points-malformed", shape(Hull([]))),
    ("points-malformed", shape(Hull([[1, 2], [3, 4]]))),
    ("points-malformed", shape(Hull([[1, 2, 3], [4]]))),
    ("points-not-finite", shape(Hull([*CUBE, [0, NAN, 0]]))),
    ("hull-too-few-points", shape(Hull(CUBE[:3]))),
    ("hull-too-few-points", shape(Hull([CUBE[0]] * 9))),
    ("hull-flat", shape(Hull([[x, y, 0.3] for x in range(3) for y in range(3)]))),
    ("plane-moves", shape(Plane())),
    ("plane-normal", body(shape=Plane((0, 0, 0)), static=True)),
    ("plane-point", body(shape=Plane(point=(0, NAN, 0)), static=True)),
    ("mesh-moves", shape(TRIANGLE)),
    ("mesh-index", body(shape=TriangleMesh(TRIANGLE.vertices, [[0, 1, 3]]), static=True)),
    ("mesh-index", body(shape=TriangleMesh(TRIANGLE.vertices, [[0, 1, -1]]), static=True)),
    ("mesh-malformed", body(shape=TriangleMesh(TRIANGLE.vertices, [[0, 1, 0.5]]), static=True)),
    ("mesh-malformed", body(shape=TriangleMesh(TRIANGLE.vertices, []), static=True)),
    ("mesh-degenerate", body(shape=TriangleMesh(TRIANGLE.vertices, [[0, 1, 2], [0, 1, 1]]), static=True)),
    ("mesh-degenerate", body(shape=TriangleMesh([[0, 0, 0], [1, 1, 1], [2, 2, 2]], [[0, 1, 2]]), static=True)),
    ("compound-empty", shape(Compound([]))),
    ("compound-empty", shape(Compound("parts"))),
    ("compound-part", shape(Compound([Sphere(1)]))),
    ("position", shape(Compound([(Sphere(1), (0, 0))]))),
    ("orientation", shape(Compound([(Sphere(1), (0, 0, 0), (0, 0, 0, 0))]))),
    ("size-not-positive", shape(Compound([(Sphere(1), (0, 0, 0)), (Sphere(-2), (1, 0, 0))]))),
    ("plane-moves", shape(Compound([(Plane(), (0, 0, 0))]))),
    ("name", body(name="")),
    ("name", body(name=7)),
    ("id", body(id=7)),
    ("static", body(static="yes")),
    ("position", body(position=(0, 0, NAN))),
    ("position", body(position="here")),
    ("position", body(position=(0, 0))),
    ("orientation", body(orientation=(0, 0, 0, 0))),
    ("orientation", body(orientation=(1, 0, 0))),
    ("orientation", body(orientation=(INF, 0, 0, 0))),
    ("velocity", body(velocity=(NAN, 0, 0))),
    ("velocity", body(angular_velocity=None)),
    ("arrival", body(arrival=-0.1)),
    ("arrival", body(arrival="late")),
    ("leaves", body(leaves="sometimes")),
    ("leaves", body(leaves=None)),
    ("arrival-order", whole(arrival_order="stone")),
    ("arrival-order", whole(arrival_order=[1, 2])),
    ("material", body(material=None)),
    ("density", material(density=0)),
    ("density", material(density=-5)),
    ("density", material(density=NAN)),
    ("friction", material(friction=-0.1)),
    ("friction", material(friction=None)),
    ("restitution", material(restitution=1.1)),
    ("restitution", material(restitution=-0.1)),
    ("rolling-friction", material(rolling_friction=-1)),
    ("friction-range", material(friction_range=(0.9, 0.1))),
    ("friction-range", material(friction_range=(0.6, 0.9))),
    ("friction-range", material(friction_range=0.5)),
    ("restitution-range", material(restitution_range=(0.1, 1.2))),
    ("restitution-range", material(restitution_range=(0.5, 0.9))),
    ("gravity", whole(gravity=(0, 0, NAN))),
    ("gravity", whole(gravity=-9.81)),
    ("ground", whole(ground="grass")),
    ("bodies", whole(bodies=None)),
    ("hints", whole(hints=3)),
    ("not-a-body", lambda scene: scene.bodies.append("ball")),
    ("not-a-hint", lambda scene: scene.hints.append("jump")),
    ("material", whole(ground_material="grass")),
    ("duplicate-id", lambda scene: setattr(scene.bodies[1], "id", scene.bodies[0].id)),
    ("hint-kind", hint(kind="teleport")),
    ("hint-body", hint(body="nobody")),
    ("hint-body", hint(body=None)),
    ("hint-static", hint(body="ramp")),
    ("hint-direction", hint(direction=(0, 0, 0))),
    ("hint-direction", hint(direction=(1, 0))),
    ("hint-speed", hint(speed=-1)),
    ("hint-time", hint(time=NAN)),
    ("hint-velocity", hint(velocity=(1, 2))),
    ("hint-launch", hint(kind="launch", direction=None)),
    ("scale", shape(Box((1e10, 1, 1)))),
    ("scale", shape(Sphere(1e-12))),
    ("far-away", body(position=(1e12, 0, 0))),
    ("speed", body(velocity=(1e200, 0, 0))),
]
CONCERNS = [
    ("scale", shape(Box((1e4, 1, 1)))),
    ("scale", shape(Sphere(1e-5))),
    ("far-away", body(position=(0, 1e5, 0))),
    ("speed", body(velocity=(0, 0, -1e4))),
    ("speed", body(angular_velocity=(0, 0, -1e4))),
    ("static-moves", lambda scene: setattr(scene.bodies[2], "velocity", (1, 0, 0))),
    ("static-arrives", lambda scene: setattr(scene.bodies[2], "arrival", 1.0)),
    ("arrival-order", whole(arrival_order=["stone", "nobody"])),
    ("gravity-strong", whole(gravity=(0, 0, -1e5))),
    ("nothing-moves", whole(bodies=[], hints=[])),
    ("duplicate-name", lambda scene: setattr(scene.bodies[3], "name", "stone") or scene.hints.clear()),
]


@pytest.mark.parametrize(
    "severity, code, spoil",
    [("error", *case) for case in MISTAKES] + [("warning", *case) for case in CONCERNS],
    ids=[f"{i}-{case[0]}" for i, case in enumerate(MISTAKES + CONCERNS)],
)
def test_each_mistake_is_told(severity: str, code: str, spoil: Callable[[Scene], None]) -> None:
    scene = sound()
    spoil(scene)
    found = all_problems(scene) if severity == "error" else scene_problems(scene)
    assert (severity, code) in {(p.severity, p.code) for p in found}
    for problem in found:
        assert problem.message.rstrip().endswith(".") and problem.fix.endswith(".") and len(str(problem)) < 300
        assert "Traceback" not in problem.message


def test_problems_name_the_body_and_errors_come_first() -> None:
    scene = sound()
    scene.bodies[3].velocity = (1e4, 0, 0)
    scene.bodies[1].shape = Sphere(-2)
    found = scene_problems(scene)
    assert [p.severity for p in found] == ["error", "warning"]
    assert [p.body for p in found] == ["stone", "axe"]
    assert "stone: its radius is -2 m" in found[0].message


def test_two_names_make_a_hint_ambiguous_but_an_id_does_not() -> None:
    scene = sound()
    scene.bodies[3].name = "die"
    assert "hint-body" in {p.code for p in scene_problems(scene)}
    scene.hints[0].body = scene.bodies[3].id
    assert "hint-body" not in {p.code for p in scene_problems(scene)}


def test_a_compound_inside_itself_is_told() -> None:
    loop = Compound([(Sphere(1), (0, 0, 0))])
    loop.parts.append((loop, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)))
    scene = Scene([Body("knot", loop)])
    assert "compound-too-deep" in {p.code for p in scene_problems(scene)}


def test_ids_are_stable_and_never_reused() -> None:
    scene = Scene([Body("a", Sphere(1)), Body("b", Sphere(1), id="b1")])
    assert [b.id for b in scene.bodies] == ["b2", "b1"]
    scene.bodies.pop(0)
    scene.bodies.append(Body("c", Sphere(1)))
    scene.assign_ids()
    assert [b.id for b in scene.bodies] == ["b1", "b3"]
    assert scene.find("b3").name == "c" and scene.find("c").id == "b3" and scene.find("x") is None


def test_setting_a_field_coerces_like_building_does() -> None:
    b = Body("b", Sphere(1))
    b.position = np.array([1, 2, 3])
    b.orientation = [0, 0, 0, 2]
    b.static = np.bool_(True)
    assert b.position == (1.0, 2.0, 3.0) and b.orientation == (0.0, 0.0, 0.0, 1.0) and b.static is True
    points = np.array(CUBE, float)
    hull = Hull(points)
    points[0] = 9.0
    assert hull == Hull(CUBE) and hull != Hull(points) and copy.deepcopy(hull) == hull


GARBAGE = st.one_of(
    st.none(),
    st.booleans(),
    st.text(max_size=4),
    st.floats(),
    st.integers(-(10**400), 10**400),
    st.lists(st.one_of(st.floats(), st.none(), st.text(max_size=2)), max_size=5),
    st.tuples(*[st.floats()] * 3),
    st.tuples(*[st.floats(-10, 10)] * 4),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=2),
    st.just(object()),
    st.builds(np.full, st.just((2, 3)), st.floats()),
    st.builds(Sphere, st.floats()),
    st.builds(Box, st.tuples(*[st.floats(1e-3, 1e3)] * 3)),
    st.builds(Hull, st.lists(st.tuples(*[st.floats()] * 3), max_size=6)),
    st.builds(TriangleMesh, st.lists(st.tuples(*[st.floats(-1, 1)] * 3), max_size=4), st.just([[0, 1, 2]])),
)


@given(st.data())
def test_garbage_never_raises_and_what_passes_compiles(data) -> None:
    scene = sound()
    for _ in range(data.draw(st.integers(1, 4))):
        body_, hint_ = sound().bodies[0], sound().hints[0]
        target = data.draw(st.sampled_from(["scene", "body", "material", "hint", "shape"]))
        first = scene.bodies[0] if isinstance(scene.bodies, list) and scene.bodies else body_
        record = {
            "scene": scene,
            "body": first,
            "material": getattr(first, "material", None),
            "hint": scene.hints[0] if isinstance(scene.hints, list) and scene.hints else hint_,
            "shape": getattr(first, "shape", None),
        }[target]
        if not hasattr(record, "coercions"):
            continue
        field = data.draw(st.sampled_from(sorted(set(vars(record)) - {"extra"})))
        setattr(record, field, data.draw(GARBAGE))
    found = scene_problems(scene)
    if not any(p.severity == "error" for p in found):
        model = compile_scene(scene)
        assert np.isfinite(model.start.x).all() and (model.bodies.mass > 0).all()
        assert np.isfinite(model.bodies.inverse_inertia).all()
