"""Bonds: how the bricks of one course lie along the wall.

Lengths come in on a binary grid and go out as sums, differences and halves of it: exact. Running and stack bond make
a wall one brick's depth thick; Flemish and English bond one of two depths and a joint, tied by headers across it.
"""

from __future__ import annotations

from typing import NamedTuple


class Piece(NamedTuple):
    name: str  # Brick, Half, Header, Closer
    start: float  # m along the course
    length: float  # m along the course
    across: float  # m, middle across the wall
    depth: float  # m across the wall
    cut: bool  # not a whole brick


class Course(NamedTuple):
    pieces: list[Piece]
    length: float


class Row:
    """A course under construction, from left to right."""

    def __init__(self, depth: float, joint: float) -> None:
        self._depth, self._joint = depth, joint
        self._pieces: list[Piece] = []
        self._end = 0.0
        self._first = True

    def _start(self) -> float:
        return self._end if self._first else self._end + self._joint

    def single(self, name: str, length: float, cut: bool = False) -> None:
        """A piece of one brick's depth."""
        self._add([Piece(name, self._start(), length, 0.0, self._depth, cut)])

    def pair(self, name: str, length: float, cut: bool = False) -> None:
        """Two pieces behind each other, with a joint between them."""
        off = 0.5 * (self._depth + self._joint)
        self._add([Piece(name, self._start(), length, side * off, self._depth, cut) for side in (-1.0, 1.0)])

    def through(self, name: str, length: float, cut: bool = False) -> None:
        """A piece across the whole of a wall two depths thick."""
        self._add([Piece(name, self._start(), length, 0.0, 2.0 * self._depth + self._joint, cut)])

    def _add(self, pieces: list[Piece]) -> None:
        self._end = pieces[0].start + pieces[0].length
        self._first = False
        self._pieces += pieces

    def course(self) -> Course:
        return Course(self._pieces, self._end)


def stacked(number: int, bricks: int, length: float, depth: float, joint: float) -> Course:
    """Joints above each other."""
    row = Row(depth, joint)
    for _ in range(bricks):
        row.single("Brick", length)
    return row.course()


def running(number: int, bricks: int, length: float, depth: float, joint: float) -> Course:
    """Every other course shifted by half a brick, with halves at its ends."""
    if number % 2 == 0:
        return stacked(number, bricks, length, depth, joint)
    row, half = Row(depth, joint), 0.5 * (length - joint)
    row.single("Half", half, cut=True)
    for _ in range(bricks - 1):
        row.single("Brick", length)
    row.single("Half", half, cut=True)
    return row.course()


def flemish(number: int, bricks: int, length: float, depth: float, joint: float) -> Course:
    """Stretchers and headers in turn, headers above the middle of stretchers; closers beside the corner headers take
    up the shift. `bricks` counts stretchers along the even courses."""
    row = Row(depth, joint)
    if number % 2 == 0:
        for k in range(bricks):
            if k:
                row.through("Header", depth)
            row.pair("Brick", length)
        return row.course()
    closer = 0.5 * (length - depth - 2.0 * joint)
    if bricks == 1:
        return _closed_in(row, depth, closer)
    row.through("Header", depth)
    row.through("Closer", closer, cut=True)
    for k in range(bricks - 1):
        if k:
            row.through("Header", depth)
        row.pair("Brick", length)
    row.through("Closer", closer, cut=True)
    row.through("Header", depth)
    return row.course()


def _closed_in(row: Row, depth: float, closer: float) -> Course:
    """The course above or below a single stretcher: one header between closers."""
    row.through("Closer", closer, cut=True)
    row.through("Header", depth)
    row.through("Closer", closer, cut=True)
    return row.course()


def english(number: int, bricks: int, length: float, depth: float, joint: float) -> Course:
    """A course of stretchers, a course of headers, in turn; closers beside the corner headers shift the joints."""
    row = Row(depth, joint)
    if number % 2 == 0:
        for _ in range(bricks):
            row.pair("Brick", length)
        return row.course()
    if bricks == 1:
        return _closed_in(row, depth, 0.5 * (length - depth - 2.0 * joint))
    headers, closer = _headers(bricks * length + (bricks - 1) * joint, depth, joint)
    row.through("Header", depth)
    row.through("Closer", closer, cut=True)
    for _ in range(headers - 2):
        row.through("Header", depth)
    row.through("Closer", closer, cut=True)
    row.through("Header", depth)
    return row.course()


def _headers(whole: float, depth: float, joint: float) -> tuple[int, float]:
    """How many headers fill a course with a closer after the first and before the last, and how long the closers
    are: as many headers as leave each closer a quarter of a header."""
    headers = 2
    while _closer(headers + 1, whole, depth, joint) >= 0.25 * depth:
        headers += 1
    return headers, _closer(headers, whole, depth, joint)


def _closer(headers: int, whole: float, depth: float, joint: float) -> float:
    return 0.5 * (whole - headers * depth - (headers + 1) * joint)
