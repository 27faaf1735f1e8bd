"""What a process and its worker say to each other: frames, each with a kind, the number of the errand it is about, and
a pickle. Both ends are ours; nothing that a user opens comes this way.

    to the worker     KEEP    a parcel: errands name it by its key; the last few stay (Shelf)
                      DO      an errand: function, arguments, whether somebody listens to how far it is
                      CANCEL  nobody waits for it any more
    from the worker   COMPILING  kernels so far, of about how many; on a machine's first start only
                      TOLD    what an errand has to say on its way
                      DONE    what came of it
                      FAILED  the error that ended it

Streams are without buffers: a thread that waits in a buffered one holds its lock, and a process could not end.
"""

from __future__ import annotations

import io
import pickle
import struct
from collections import OrderedDict
from typing import IO, Any, Generic, NamedTuple, TypeVar

from engine.work.parcel import Parcel

MAGIC = b"FGN2"
HEAD = struct.Struct("<4scQQ")  # magic, kind, errand, bytes that follow
KEEP, DO, CANCEL = b"k", b"d", b"c"
COMPILING, TOLD, DONE, FAILED = b"i", b"t", b"r", b"f"
LARGEST = 1 << 36  # bytes of a frame
KEPT = 4  # parcels that a worker keeps

T = TypeVar("T")


class ProtocolError(Exception):
    """The other side does not speak this protocol."""


class Frame(NamedTuple):
    kind: bytes
    number: int  # of the errand
    body: bytes

    def content(self) -> Any:
        return pickle.loads(self.body)


class Shelf(OrderedDict[str, T], Generic[T]):
    """The last few parcels by key, on both ends of a pipe. What was put there first goes first, so both ends know what
    the worker has."""

    def put(self, key: str, what: T) -> None:
        self[key] = what
        while len(self) > KEPT:
            self.popitem(last=False)


def send(stream: IO[bytes], kind: bytes, number: int, body: bytes) -> None:
    """Raises OSError when nobody reads any more."""
    rest = memoryview(HEAD.pack(MAGIC, kind, number, len(body)) + body)
    while rest:
        rest = rest[stream.write(rest) :]


def receive(stream: IO[bytes]) -> Frame:
    """The next frame; raises EOFError when the other end is closed, ProtocolError when it says something else."""
    magic, kind, number, size = HEAD.unpack(_exactly(stream, HEAD.size))
    if magic != MAGIC or size > LARGEST:
        raise ProtocolError("a frame does not begin as one")
    return Frame(kind, number, _exactly(stream, size))


def _exactly(stream: IO[bytes], count: int) -> bytes:
    data = bytearray()
    while len(data) < count:
        more = stream.read(count - len(data))
        if not more:
            raise EOFError("the other end is closed")
        data += more
    return bytes(data)


def packed(what: Any) -> bytes:
    return pickle.dumps(what, pickle.HIGHEST_PROTOCOL)


def naming_parcels(what: Any) -> tuple[bytes, list[Parcel[Any]]]:
    """A pickle in which parcels are only named, and those parcels. Raises whatever pickle raises."""
    stream = io.BytesIO()
    pickler = _Naming(stream)
    pickler.dump(what)
    return stream.getvalue(), pickler.named


def with_parcels(data: bytes, shelf: Shelf[Parcel[Any]]) -> Any:
    """The other end of it."""
    unpickler = _Finding(io.BytesIO(data))
    unpickler.shelf = shelf
    return unpickler.load()


class _Naming(pickle.Pickler):
    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(stream, pickle.HIGHEST_PROTOCOL)
        self.named: list[Parcel[Any]] = []

    def persistent_id(self, what: Any) -> str | None:
        if not isinstance(what, Parcel):
            return None
        self.named.append(what)
        return what.key


class _Finding(pickle.Unpickler):
    shelf: Shelf[Parcel[Any]]

    def persistent_load(self, key: Any) -> Parcel[Any]:
        return self.shelf[key]
