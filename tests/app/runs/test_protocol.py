"""Messages: they arrive as they were sent, whole, and damaged ones are refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.runs.parcels import BODIES_PER_PARCEL, Collector, parcels
from app.runs.protocol import FRAME, MAGIC, Message, ProtocolError, Unpacker, pack
from engine.scene.spec import Body, Box, Compound, Group, Hint, Hull, Material, Scene, Sphere, TriangleMesh


def same(a: Message, b: Message) -> bool:
    arrays = a.arrays.keys() == b.arrays.keys() and all(np.array_equal(a.arrays[k], b.arrays[k]) for k in a.arrays)
    return a.kind == b.kind and dict(a.values) == dict(b.values) and arrays


MESSAGES = [
    Message("ready"),
    Message("progress", {"job": 3, "share": 0.1, "text": "Settling · 1 of 2 at rest \ud800"}),
    Message("posed", {"ids": ["b1", "b2"]}, {"x": np.arange(6.0).reshape(2, 3), "n": np.array([1, 2])}),
    Message("empty", {}, {"x": np.zeros((0, 3))}),
]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(1, 300), min_size=1, max_size=40))
def test_messages_arrive_whole_however_the_bytes_come(cuts: list[int]) -> None:
    data, unpacker, got, at = b"".join(map(pack, MESSAGES)), Unpacker(), [], 0
    for cut in [*cuts, len(data)]:
        got += list(unpacker.feed(data[at : at + cut]))
        at += cut
    assert len(got) == len(MESSAGES) and all(map(same, got, MESSAGES))


@pytest.mark.parametrize(
    "data",
    [
        b"stray print of somebody\n",
        FRAME.pack(MAGIC, 1 << 31, 0),
        FRAME.pack(MAGIC, 2, 1 << 60),
        FRAME.pack(MAGIC, 2, 0) + b"[]",
        FRAME.pack(MAGIC, 4, 0) + b"\xff\xfe\xfd\xfc",
        FRAME.pack(MAGIC, 53, 8) + b'{"kind":"x","values":{},"arrays":[["x","<f8",[99]]]} ' + bytes(8),
        FRAME.pack(MAGIC, 52, 8) + b'{"kind":"x","values":{},"arrays":[["x","|O8",[1]]]} ' + bytes(8),
        FRAME.pack(MAGIC, 53, 8) + b'{"kind":"x","values":{},"arrays":[["x","<f8",[-1]]]} ' + bytes(8),
        FRAME.pack(MAGIC, 37, 8) + b'{"kind":"x","values":{},"arrays":[]} ' + bytes(8),
    ],
)
def test_what_is_no_message_is_refused(data: bytes) -> None:
    with pytest.raises(ProtocolError):
        list(Unpacker().feed(data))


def test_a_scene_travels_in_parcels_and_arrives_equal() -> None:
    corners = np.array([[0, 0, 0.1], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.0]])
    mesh = TriangleMesh(np.eye(3), np.array([[0, 1, 2]]))
    bodies = [Body(f"Ball {i}", Sphere(0.1), (0.1 * i, 0, 1 / 3), group="g1") for i in range(2 * BODIES_PER_PARCEL + 5)]
    bodies += [Body("Hull", Hull(corners)), Body("Floor", mesh, static=True), Body("T", Compound([(Hull(corners),)]))]
    bodies.append(Body("Crate", Box((1, 1, 1)), material=Material(friction=0.123), color="#abcdef", extra={"x": [1]}))
    scene = Scene(bodies, ground=False, gravity=(0, 0, -1.6), hints=[Hint("bounce", "b1", time=0.5)],
                  ground_material=Material(density=7.0), groups=[Group("g1", "Balls")], next_id=900)  # fmt: skip
    collector, unpacker = Collector(), Unpacker()
    for parcel in parcels(scene, 7):
        assert collector.scene is None
        for message in unpacker.feed(pack(parcel)):
            collector.add(message)
    assert collector.scene == scene


def test_a_scene_that_cannot_be_understood_is_complained_about() -> None:
    collector = Collector()
    collector.add(Message("bodies", {"job": 1, "rows": [{"name": "x"}]}))
    collector.add(Message("scene", {"job": 1, "frame": {"format": 1}}))
    assert collector.scene is None and "bodies[0]" in collector.complaint
