"""What a process and its worker say to each other: one pickle after another, each with its length before it. Both ends
are ours; nothing that a user opens comes this way. Streams are without buffers: a thread that waits in a buffered one
holds its lock, and a process could not end."""

from __future__ import annotations

import pickle
import struct
from typing import IO, Any

HEAD = struct.Struct("<Q")


def send(stream: IO[bytes], what: Any) -> None:
    """Raises OSError when nobody reads any more, and whatever pickle raises before anything was written."""
    body = pickle.dumps(what, pickle.HIGHEST_PROTOCOL)
    rest = memoryview(HEAD.pack(len(body)) + body)
    while rest:
        rest = rest[stream.write(rest) :]


def receive(stream: IO[bytes]) -> bytes:
    """The next pickle; raises EOFError when the other end is closed."""
    return _exactly(stream, HEAD.unpack(_exactly(stream, HEAD.size))[0])


def _exactly(stream: IO[bytes], count: int) -> bytes:
    data = bytearray()
    while len(data) < count:
        more = stream.read(count - len(data))
        if not more:
            raise EOFError("the other end is closed")
        data += more
    return bytes(data)
