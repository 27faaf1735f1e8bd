"""Record: the base of everything in a document. Values are put into their plain form whenever they are set; what cannot
be understood is kept as it came."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import UnionType
from typing import Any, ClassVar, TypeAlias, get_args, get_origin, get_type_hints

import numpy as np

Vector: TypeAlias = tuple[float, float, float]
Quaternion: TypeAlias = tuple[float, float, float, float]

UNIT_TOLERANCE = 1e-12  # a quaternion this close to unit length is taken as authored, bit for bit


def as_number(value: Any) -> Any:
    """float(value), or the value itself when it is no number (True and text are none)."""
    if value is None or isinstance(value, (bool, str, bytes)):
        return value
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return value


def as_numbers(value: Any) -> Any:
    """A tuple of floats, or the value itself."""
    if type(value) in (tuple, list) and set(map(type, value)) == {float}:  # nearly always
        return tuple(value)
    if value is None or isinstance(value, (str, bytes)):
        return value
    try:
        return tuple(as_number(entry) for entry in value)
    except TypeError:
        return value


def as_path(value: Any) -> Any:
    """A tuple of tuples of floats, or the value itself."""
    if value is None or isinstance(value, (str, bytes)):
        return value
    try:
        return tuple(as_numbers(entry) for entry in value)
    except TypeError:
        return value


def as_orientation(value: Any) -> Any:
    """A unit quaternion; scaled only when it is not one already, so that authored bits survive."""
    q = as_numbers(value)
    if not isinstance(q, tuple) or len(q) != 4 or not all(isinstance(c, float) for c in q):
        return q
    length = math.hypot(*q)
    if not math.isfinite(length) or length == 0.0 or abs(length - 1.0) <= UNIT_TOLERANCE:
        return q
    return tuple(c / length for c in q)


def as_texts(value: Any) -> Any:
    return tuple(value) if isinstance(value, (list, tuple)) else value


def as_list(value: Any) -> Any:
    return list(value) if isinstance(value, (list, tuple)) else value


def as_flag(value: Any) -> Any:
    return bool(value) if isinstance(value, np.bool_) else value


def _read_only(array: np.ndarray) -> np.ndarray:
    array.setflags(write=False)
    return array


def as_points(value: Any) -> Any:
    """A read-only float array of its own, or the value itself."""
    try:
        return _read_only(np.array(value, dtype=np.float64, order="C"))
    except (TypeError, ValueError, OverflowError):
        return value


def as_indices(value: Any) -> Any:
    """A read-only integer array of its own, or the value itself; 1.0 is an index, 0.5 is not."""
    try:
        array = np.array(value, order="C")
    except (TypeError, ValueError, OverflowError):
        return value
    if array.dtype.kind == "f" and not (np.isfinite(array).all() and (array == np.rint(array)).all()):
        return value
    return _read_only(array.astype(np.int64)) if array.dtype.kind in "iuf" else value


def as_parts(value: Any) -> Any:
    """[(shape, position, orientation)], the last two optional."""
    if not isinstance(value, (list, tuple)):
        return value
    parts: list[Any] = []
    for entry in value:
        if isinstance(entry, (list, tuple)) and 1 <= len(entry) <= 3:
            position = entry[1] if len(entry) > 1 else (0.0, 0.0, 0.0)
            orientation = entry[2] if len(entry) > 2 else (1.0, 0.0, 0.0, 0.0)
            parts.append((entry[0], as_numbers(position), as_orientation(orientation)))
        else:
            parts.append(entry)
    return parts


Coercion: TypeAlias = Callable[[Any], Any]
PLAIN_FORMS: dict[Any, Coercion] = {float: as_number, bool: as_flag, list: as_list}
OF_TUPLES: dict[Any, Coercion] = {float: as_numbers, str: as_texts}


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return type(a) is type(b) and np.array_equal(a, b)
    return bool(a == b)


def coercion_of(kind: Any) -> Coercion | None:
    """What brings values of a type into their plain form, or into that of what may be None; None where any form is
    plain."""
    inner = [each for each in get_args(kind) if each is not type(None)]
    if get_origin(kind) is UnionType:
        return coercion_of(inner[0]) if len(inner) == 1 else None
    if get_origin(kind) is tuple:
        return as_orientation if kind == Quaternion else OF_TUPLES.get(inner[0], as_path)
    return PLAIN_FORMS.get(get_origin(kind) or kind)


class Entry:
    """A dataclass whose fields are coerced whenever they are set: by their types, or as `coercions` of the class says
    (field -> function)."""

    coercions: ClassVar[Mapping[str, Coercion]] = {}

    def __init_subclass__(cls) -> None:
        by_type = {name: coercion_of(kind) for name, kind in get_type_hints(cls).items()}
        cls.coercions = {name: each for name, each in by_type.items() if each} | dict(vars(cls).get("coercions", {}))

    def __setattr__(self, name: str, value: Any) -> None:
        coerce = self.coercions.get(name)
        object.__setattr__(self, name, coerce(value) if coerce else value)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(_same(mine, vars(other).get(name)) for name, mine in vars(self).items())

    __hash__ = None  # type: ignore[assignment]
