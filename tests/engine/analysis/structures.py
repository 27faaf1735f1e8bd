"""Small elastic structures in front of a rigid obstacle, as the stiffness that their contact nodes feel."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

GAUSS = 1.0 / math.sqrt(3.0)  # place of the two points of Gauss' rule on [-1, 1]


def plate(corners: np.ndarray, across: int, up: int, poisson: float) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and stiffness of a four-sided plate in plane stress, of unit thickness and Young's modulus.

    corners: (4, 2) m, counter-clockwise from the lower left. The plate is cut into across x up bilinear elements (Q4)
    with 2 x 2 points of integration. Node j (across + 1) + i stands i to the right and j up; its displacement has the
    rows 2 n and 2 n + 1."""
    grid = np.meshgrid(np.linspace(0.0, 1.0, across + 1), np.linspace(0.0, 1.0, up + 1))
    s, t = grid[0].ravel(), grid[1].ravel()
    weights = np.stack([(1 - s) * (1 - t), s * (1 - t), s * t, (1 - s) * t], axis=1)
    nodes = weights @ np.asarray(corners, float)
    elastic = np.array([[1.0, poisson, 0.0], [poisson, 1.0, 0.0], [0.0, 0.0, 0.5 * (1.0 - poisson)]])
    elastic /= 1.0 - poisson**2
    stiffness = np.zeros((2 * len(nodes), 2 * len(nodes)))
    for j in range(up):
        for i in range(across):
            first = j * (across + 1) + i
            ring = np.array([first, first + 1, first + across + 2, first + across + 1])
            rows = np.stack([2 * ring, 2 * ring + 1], axis=1).ravel()
            stiffness[np.ix_(rows, rows)] += _element(nodes[ring], elastic)
    return nodes, stiffness


def _element(corners: np.ndarray, elastic: np.ndarray) -> np.ndarray:
    """(8, 8) stiffness of a bilinear element."""
    signs = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    total = np.zeros((8, 8))
    for a in (-GAUSS, GAUSS):
        for b in (-GAUSS, GAUSS):
            slopes = 0.25 * np.stack([signs[:, 0] * (1 + b * signs[:, 1]), signs[:, 1] * (1 + a * signs[:, 0])])
            jacobian = slopes @ corners
            grow = np.linalg.solve(jacobian, slopes)
            strain = np.zeros((3, 8))
            strain[0, 0::2] = strain[2, 1::2] = grow[0]
            strain[1, 1::2] = strain[2, 0::2] = grow[1]
            total += strain.T @ elastic @ strain * np.linalg.det(jacobian)
    return total


def truss(nodes: np.ndarray, bars: Sequence[tuple[int, int]]) -> np.ndarray:
    """(d n, d n) stiffness of pin-jointed bars, each with Young's modulus times area 1, in the plane or in space."""
    count, d = nodes.shape
    stiffness = np.zeros((count, d, count, d))
    for a, b in bars:
        way = nodes[b] - nodes[a]
        length = float(np.linalg.norm(way))
        block = np.outer(way, way) / length**3
        for i, j, sign in ((a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)):
            stiffness[i, :, j, :] += sign * block
    return stiffness.reshape(count * d, count * d)


def at_contacts(stiffness: np.ndarray, frames: np.ndarray, contacts: Sequence[int], fixed: Sequence[int]) -> np.ndarray:
    """(d m, d m) stiffness that the contact nodes feel, ordered (normal, tangents) node by node: Fujita and Kanno 2009,
    eq. (3).

    frames: (m, d, d), rows the normal out of the obstacle and the tangents. Nodes that are neither in contact nor fixed
    carry no load and are taken out."""
    count, d = len(frames), frames.shape[1]
    rows = np.arange(len(stiffness)).reshape(-1, d)
    touching = rows[list(contacts)].ravel()
    inner = np.delete(rows, [*contacts, *fixed], axis=0).ravel()
    reduced = stiffness[np.ix_(touching, touching)]
    if len(inner):
        across = stiffness[np.ix_(inner, touching)]
        reduced = reduced - across.T @ np.linalg.solve(stiffness[np.ix_(inner, inner)], across)
    turn = np.zeros((count, d, count, d))
    for node, frame in enumerate(frames):
        turn[node, :, node, :] = frame
    whole = turn.reshape(count * d, count * d)
    turned = whole @ reduced @ whole.T
    return 0.5 * (turned + turned.T)


def block_of_the_paper(mirrored: bool) -> np.ndarray:
    """Fujita and Kanno 2009, section 7.1: a block 2 m high, 2 m wide below and 1.8 m above, fixed on the left, its
    right side on the obstacle; 11 x 11 elements, 12 contact nodes from the bottom up.

    The right side leans to the left, so the obstacle's normal is (-1, -0.1). The figures printed there come out
    only with the normal `mirrored` to (-1, 0.1)."""
    corners = np.array([[0.0, 0.0], [2.0, 0.0], [1.8, 2.0], [0.0, 2.0]])
    _, stiffness = plate(corners, 11, 11, 0.25)
    normal = np.array([-1.0, 0.1 if mirrored else -0.1]) / math.hypot(1.0, 0.1)
    frame = np.stack([normal, [-normal[1], normal[0]]])
    rows = np.arange(144).reshape(12, 12)
    return at_contacts(stiffness, np.repeat(frame[None], 12, axis=0), rows[:, -1].tolist(), rows[:, 0].tolist())


def leaning_truss(count: int, width: float = 5.0, height: float = 2.0, lean: float = math.pi / 3) -> np.ndarray:
    """A truss in the manner of their section 7.2: storeys between pins on the left and an obstacle that leans outward
    on the right, one contact node each, with a brace from every contact node to the pin above. Which bars their truss
    has is not told; this one has several times as many rays."""
    left = [(0.0, height * k) for k in range(count)]
    right = [(width + height * k / math.tan(lean), height * k) for k in range(count)]
    bars = [(k, count + k) for k in range(count)]
    for k in range(count - 1):
        bars += [(k + 1, count + k), (count + k, count + k + 1)]
    normal = np.array([-math.sin(lean), math.cos(lean)])
    frame = np.stack([normal, [-normal[1], normal[0]]])
    frames = np.repeat(frame[None], count, axis=0)
    return at_contacts(truss(np.array(left + right), bars), frames, range(count, 2 * count), range(count))
