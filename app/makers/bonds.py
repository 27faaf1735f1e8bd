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


class Stone(NamedTuple):
    """What is laid next: one behind the other (`rows` of them), or across the whole of a wall of two rows."""

    name: str
    length: float
    rows: int = 1  # 0: one piece through both
    cut: bool = False


def _laid(stones: list[Stone], depth: float, joint: float) -> Course:
    """From left to right, with joints between them."""
    pieces: list[Piece] = []
    end, off = 0.0, 0.5 * (depth + joint)
    for number, stone in enumerate(stones):
        start = end + joint if number else end
        deep = depth if stone.rows else 2.0 * depth + joint
        places = (-off, off) if stone.rows == 2 else (0.0,)
        pieces += [Piece(stone.name, start, stone.length, across, deep, stone.cut) for across in places]
        end = start + stone.length
    return Course(pieces, end)


def stacked(number: int, bricks: int, length: float, depth: float, joint: float) -> Course:
    """Joints above each other."""
    return _laid([Stone("Brick", length)] * bricks, depth, joint)


def running(number: int, bricks: int, length: float, depth: float, joint: float) -> Course:
    """Every other course shifted by half a brick, with halves at its ends."""
    if number % 2 == 0:
        return stacked(number, bricks, length, depth, joint)
    half = Stone("Half", 0.5 * (length - joint), cut=True)
    return _laid([half, *[Stone("Brick", length)] * (bricks - 1), half], depth, joint)


def flemish(number: int, bricks: int, length: float, depth: float, joint: float) -> Course:
    """Stretchers and headers in turn, headers above the middle of stretchers; closers beside the corner headers take
    up the shift. `bricks` counts stretchers along the even courses."""
    even = number % 2 == 0
    header, brick = Stone("Header", depth, rows=0), Stone("Brick", length, rows=2)
    inner = [brick, header] * (bricks if even else bricks - 1)
    return _laid(inner[:-1] if even else _cornered(inner[:-1], header, length, joint), depth, joint)


def english(number: int, bricks: int, length: float, depth: float, joint: float) -> Course:
    """A course of stretchers, a course of headers, in turn; closers beside the corner headers shift the joints."""
    if number % 2 == 0:
        return _laid([Stone("Brick", length, rows=2)] * bricks, depth, joint)
    header = Stone("Header", depth, rows=0)
    if bricks == 1:
        return _laid(_cornered([], header, length, joint), depth, joint)
    headers, closer = _headers(bricks * length + (bricks - 1) * joint, depth, joint)
    corner = [header, Stone("Closer", closer, rows=0, cut=True)]
    return _laid([*corner, *[header] * (headers - 2), *corner[::-1]], depth, joint)


def _cornered(inner: list[Stone], header: Stone, length: float, joint: float) -> list[Stone]:
    """Between corners of a header and a closer; above or below a single stretcher, one header between closers."""
    closer = Stone("Closer", 0.5 * (length - header.length - 2.0 * joint), rows=0, cut=True)
    return [header, closer, *inner, closer, header] if inner else [closer, header, closer]


def _headers(whole: float, depth: float, joint: float) -> tuple[int, float]:
    """How many headers fill a course with a closer after the first and before the last, and how long the closers
    are: as many headers as leave each closer a quarter of a header."""
    headers = 2
    while _closer(headers + 1, whole, depth, joint) >= 0.25 * depth:
        headers += 1
    return headers, _closer(headers, whole, depth, joint)


def _closer(headers: int, whole: float, depth: float, joint: float) -> float:
    return 0.5 * (whole - headers * depth - (headers + 1) * joint)
