"""Frames arrive as they were sent, what is none is refused, and a parcel is sent to a process once."""

from __future__ import annotations

import io
import os
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.scene.spec import Body, Box, Compound, Group, Hint, Hull, Material, Scene, Sphere, TriangleMesh
from engine.work import pipes
from engine.work.errand import Named
from engine.work.parcel import Parcel
from engine.work.pipes import DO, DONE, HEAD, KEPT, MAGIC, TOLD, ProtocolError, Shelf, packed, receive, send
from engine.work.process import Process
from tests.engine.sampling import errands

SAID: list[tuple[bytes, int, Any]] = [
    (TOLD, 3, ("progress", 0.1, "Settling · 1 of 2 at rest \ud800")),
    (TOLD, 3, ("posed", {"b1": ((0.1, 0.2, 1 / 3), (1.0, 0.0, 0.0, 0.0))})),
    (DO, 1 << 40, (Named("os:getpid"), (), {}, False)),
    (DONE, 0, None),
]


class Drops(io.RawIOBase):
    """Bytes come as they come."""

    def __init__(self, data: bytes, cuts: list[int]) -> None:
        self._rest, self._cuts = data, [*cuts, len(data)]

    def read(self, size: int = -1) -> bytes:  # type: ignore[override]
        count = min(size, self._cuts.pop(0) if self._cuts else size)
        drop, self._rest = self._rest[:count], self._rest[count:]
        return drop


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(1, 300), min_size=1, max_size=40))
def test_frames_arrive_whole_however_the_bytes_come(cuts: list[int]) -> None:
    stream = io.BytesIO()
    for kind, number, what in SAID:
        send(stream, kind, number, packed(what))
    drops = Drops(stream.getvalue(), cuts)
    frames = [receive(drops) for _ in SAID]  # type: ignore[arg-type]
    assert [(frame.kind, frame.number, frame.content()) for frame in frames] == SAID
    with pytest.raises(EOFError):
        receive(drops)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "data",
    [b"stray print of somebody, longer than a head\n", HEAD.pack(b"FGN1", DO, 1, 2), HEAD.pack(MAGIC, DO, 1, 1 << 60)],
)
def test_what_is_no_frame_is_refused(data: bytes) -> None:
    with pytest.raises(ProtocolError):
        receive(io.BytesIO(data))


def scene() -> Scene:
    corners = np.array([[0, 0, 0.1], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.0]])
    mesh = TriangleMesh(np.eye(3), np.array([[0, 1, 2]]))
    bodies = [Body(f"Ball {i}", Sphere(0.1), (0.1 * i, 0, 1 / 3), group="g1") for i in range(700)]
    bodies += [Body("Hull", Hull(corners)), Body("Floor", mesh, static=True), Body("T", Compound([(Hull(corners),)]))]
    bodies.append(Body("Crate", Box((1, 1, 1)), material=Material(friction=0.123), color="#abcdef", extra={"x": [1]}))
    return Scene(bodies, ground=False, gravity=(0, 0, -1.6), hints=[Hint("bounce", "b1", time=0.5)],
                 ground_material=Material(density=7.0), groups=[Group("g1", "Balls")], next_id=900)  # fmt: skip


def test_a_scene_travels_in_a_parcel_and_arrives_equal() -> None:
    parcel = Parcel(scene())
    there = Parcel.packed(parcel.data)
    assert there.content == scene() and there.key == parcel.key and there.content is there.content
    other: Parcel[Scene] = pickle.loads(pickle.dumps(parcel))  # as an executor sends it that knows no parcels
    assert other.content == scene()


def test_an_errand_names_its_parcels() -> None:
    parcel, shelf = Parcel(scene()), Shelf[Parcel[Any]]()
    data, named = pipes.naming_parcels((errands.add, (parcel, 1)))
    assert named == [parcel] and len(data) < 300 < len(parcel.data)
    shelf.put(parcel.key, parcel)
    assert pipes.with_parcels(data, shelf) == (errands.add, (parcel, 1))


def test_a_parcel_is_sent_to_a_process_once(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[bytes, int]] = []
    real = send

    def counted(stream: Any, kind: bytes, number: int, body: bytes) -> None:
        sent.append((kind, len(body)))
        real(stream, kind, number, body)

    monkeypatch.setattr("engine.work.process.send", counted)
    process = Process()
    parcels = [Parcel(["x" * 100_000, i]) for i in range(KEPT + 1)]
    try:
        for number, parcel in enumerate([*parcels[:1] * 3, *parcels, *parcels[:1]]):
            process.ask(number, (errands.length_of, (parcel,), {}, False))
            assert process.answer().content() == 2
    finally:
        process.end()
    large = [kind for kind, size in sent if size > 100_000]
    assert len(large) == KEPT + 2, "once each, and the first again after it had to make room"
    assert all(size < 300 for kind, size in sent if kind == DO)


def test_what_is_named_is_loaded_by_whoever_calls_it() -> None:
    assert Named("os:getpid")() == os.getpid()
