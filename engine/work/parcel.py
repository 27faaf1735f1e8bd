"""Parcel: what many errands have in common, a scene mostly. It is packed once, sent once to every process and opened
there once; the errands only name it."""

from __future__ import annotations

import hashlib
import pickle
from functools import cached_property
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Parcel(Generic[T]):
    def __init__(self, content: T) -> None:
        self.content = content

    @classmethod
    def packed(cls, data: bytes) -> Parcel[Any]:
        """As it comes out of a pipe: opened by whoever first looks at `content`."""
        parcel = cls.__new__(cls)
        parcel.data = data
        return parcel

    @cached_property
    def content(self) -> T:
        opened: T = pickle.loads(self.data)
        return opened

    @cached_property
    def data(self) -> bytes:
        pages = _Pages()
        pickle.Pickler(pages, pickle.HIGHEST_PROTOCOL).dump(self.content)
        return b"".join(pages)

    @cached_property
    def key(self) -> str:
        """The same for the same content."""
        return hashlib.sha256(self.data).hexdigest()

    def __reduce__(self) -> tuple[Any, ...]:
        """An executor that knows nothing of parcels sends the whole."""
        return Parcel.packed, (self.data,)


class _Pages(list[bytes]):
    """What a pickle is written to, some 64 kB at a time. Between two of them other threads have their turn: packing
    3000 bodies in one go would hold up a window for 15 ms."""

    def write(self, data: Any) -> None:
        self.append(bytes(data))
