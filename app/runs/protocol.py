"""Messages between the window and the worker: a frame is MAGIC, the sizes of a header and of a body, then both.

The header is JSON, the body the raw bytes of the header's arrays, one after the other. Nothing is ever unpickled, and
every size is checked before anything is built from it, in both directions.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

MAGIC = b"FGN1"
FRAME = struct.Struct("<4sIQ")  # magic, bytes of the header, bytes of the body
LARGEST_HEADER, LARGEST_BODY = 64 << 20, 1 << 31
NUMBERS = ("<f8", "<i8")  # what arrays may hold


class ProtocolError(Exception):
    """The other side does not speak this protocol."""


@dataclass(frozen=True)
class Message:
    kind: str
    values: Mapping[str, Any] = field(default_factory=dict)  # JSON
    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:
        return self.values[name]


def pack(message: Message) -> bytes:
    table, blocks = [], []
    for name, array in message.arrays.items():
        kind = NUMBERS[0] if array.dtype.kind == "f" else NUMBERS[1]
        blocks.append(np.ascontiguousarray(array, kind).tobytes())
        table.append([name, kind, list(array.shape)])
    header = json.dumps({"kind": message.kind, "values": message.values, "arrays": table}, separators=(",", ":"))
    head, body = header.encode("utf-8", "surrogatepass"), b"".join(blocks)
    if len(head) > LARGEST_HEADER or len(body) > LARGEST_BODY:
        raise ProtocolError("too large to send")
    return FRAME.pack(MAGIC, len(head), len(body)) + head + body


class Unpacker:
    """Bytes come in as they come; whole messages go out."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> Iterator[Message]:
        """Messages that are complete now; raises ProtocolError."""
        self._bytes += data
        at = 0
        try:
            while len(self._bytes) - at >= FRAME.size:
                magic, head, body = FRAME.unpack_from(self._bytes, at)
                if magic != MAGIC or head > LARGEST_HEADER or body > LARGEST_BODY:
                    raise ProtocolError("a frame does not begin as one")
                end = at + FRAME.size + head + body
                if len(self._bytes) < end:
                    break
                middle = at + FRAME.size + head
                message = _message(bytes(self._bytes[at + FRAME.size : middle]), bytes(self._bytes[middle:end]))
                at = end
                yield message
        finally:
            del self._bytes[:at]


def _message(head: bytes, body: bytes) -> Message:
    try:
        header = json.loads(head.decode("utf-8", "surrogatepass"))
        kind, values, table = header["kind"], header["values"], header["arrays"]
        arrays, at = {}, 0
        for name, number, shape in table:
            if number not in NUMBERS or not all(isinstance(n, int) and n >= 0 for n in shape):
                raise ProtocolError("an array of something else than numbers")
            count = math.prod(shape)
            if at + 8 * count > len(body):
                raise ProtocolError("an array is longer than its message")
            arrays[name] = np.frombuffer(body, number, count, at).reshape(shape)
            at += 8 * count
    except (UnicodeDecodeError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise ProtocolError(f"a header that cannot be read: {error}") from None
    if at != len(body) or not isinstance(kind, str) or not isinstance(values, dict):
        raise ProtocolError("a header that does not fit its body")
    return Message(kind, values, arrays)
