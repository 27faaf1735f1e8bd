"""Records: arrays and numbers that belong together and travel to kernels by reference.

    class Warm(Record):
        keys: np.ndarray  # (C, 3) int64
        impulse: np.ndarray  # (C, 3)

A record is frozen: its arrays change, which arrays they are does not. So what a kernel needs to know of them (where
they begin, how long they are) is written down once, as a row of words, and every call hands over one address, which
jit.py reads. By value, a Scratch of three hundred arrays cost a hundred microseconds a call, and one kernel that passed
it on took the compiler twenty seconds.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, ClassVar, Self, dataclass_transform

import numpy as np


@dataclass_transform(frozen_default=True)
class Record:
    """Fields are its annotations, in order: arrays, numbers, vectors (tuples of floats), or records."""

    __slots__ = ("__dict__", "_handle", "_kind", "_words")
    _fields: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls._fields = tuple(cls.__dict__.get("__annotations__", {}))

    def __init__(self, *values: Any, **named: Any) -> None:
        given = dict(zip(self._fields, values, strict=False))
        for name in self._fields:
            if name in named:
                given[name] = named.pop(name)
            elif name not in given:
                given[name] = getattr(type(self), name)  # its default; AttributeError says which one is missing
        if named or len(values) > len(self._fields):
            raise TypeError(f"{type(self).__name__} has the fields {', '.join(self._fields)} and no others")
        self.__dict__.update(given)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __iter__(self) -> Iterator[Any]:
        return iter([self.__dict__[name] for name in self._fields])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())})"

    def __reduce__(self) -> Any:
        """To other processes it goes by its fields: addresses mean nothing there."""
        return type(self), tuple(self)

    def _replace(self, **changed: Any) -> Self:
        """The same with other values for some fields."""
        return type(self)(**{**self.__dict__, **changed})

    def _copied(self) -> Self:
        """The same with arrays of its own."""
        return type(self)(*(_copy_of(value) for value in self))

    def _in_words(self) -> np.ndarray:
        """Its words, written down when first asked for: it is frozen."""
        try:
            found: np.ndarray = object.__getattribute__(self, "_words")
        except AttributeError:
            found = np.array([word for value in self for word in _words_of(value)], np.int64)
            object.__setattr__(self, "_words", found)
        return found


def _copy_of(value: Any) -> Any:
    if isinstance(value, Record):
        return value._copied()
    return value.copy() if isinstance(value, np.ndarray) else value


def _words_of(value: Any) -> list[int]:
    """Of an array its number of items, their size, its address, shape and strides; of a number the number."""
    if isinstance(value, np.ndarray):
        return [value.size, value.itemsize, value.__array_interface__["data"][0], *value.shape, *value.strides]
    if isinstance(value, Record):
        return value._in_words().tolist()
    if isinstance(value, float):
        return [int.from_bytes(struct.pack("<d", value), "little", signed=True)]
    if isinstance(value, (int, np.integer)):
        return [int(value)]
    if isinstance(value, tuple):
        return [word for each in value for word in _words_of(each)]
    raise TypeError(f"a {type(value).__name__} is nothing that kernels read from a record")
