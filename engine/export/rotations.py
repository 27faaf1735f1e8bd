"""Rotations as curves: quaternions without jumps of sign, Euler angles without jumps of a whole turn."""

from __future__ import annotations

import numpy as np

POLE = 1e-7  # rad from y = +-90 degrees, within which x and z cannot be told apart


def continuous(q: np.ndarray, anchor: int = -1) -> np.ndarray:
    """Quaternions (k, ..., 4) with the sign for which neighbours have a product >= 0; q and -q are the same rotation.

    The one at `anchor` keeps its sign: the authored pose keeps its bits."""
    dots = (q[1:] * q[:-1]).sum(axis=-1)
    flips = np.concatenate([np.ones((1, *dots.shape[1:])), np.cumprod(np.where(dots < 0.0, -1.0, 1.0), axis=0)])
    return np.asarray(q * (flips * flips[anchor])[..., None])


def euler(q: np.ndarray) -> np.ndarray:
    """Angles (..., 3) rad about the fixed axes x, then y, then z, as in the XYZ order of Blender, Maya and USD."""
    w, x, y, z = np.moveaxis(np.asarray(q, float), -1, 0)
    sine = np.clip(2.0 * (w * y - x * z), -1.0, 1.0)
    # acos and asin lose half of the digits near the pole; the other entries of the matrix give the cosine.
    m00, m10 = 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z)
    m21, m22 = 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)
    cosine = np.hypot(m00, m10)
    pole = cosine < POLE
    about_x = np.where(pole, 2.0 * np.arctan2(x, w), np.arctan2(m21, m22))  # there x takes all of the turn
    about_z = np.where(pole, 0.0, np.arctan2(m10, m00))
    return np.stack([about_x, np.arctan2(sine, cosine), about_z], axis=-1)


def unrolled(angles: np.ndarray) -> np.ndarray:
    """Angles (k, ..., 3) such that neighbours are as near as they can be: of the two triples that say the same
    rotation, each with any number of whole turns, the one closest to the one before. At the pole, where turning about
    x and about z is the same, z stays what it was."""
    found = np.array(angles, float)
    for k in range(1, len(found)):
        before, now = found[k - 1], found[k]
        pole = np.abs(np.abs(now[..., 1]) - 0.5 * np.pi) < POLE
        kept = np.where(pole, before[..., 2] - now[..., 2], 0.0)
        now[..., 0] += np.sign(now[..., 1]) * kept
        now[..., 2] += kept
        other = np.stack([now[..., 0] + np.pi, np.pi - now[..., 1], now[..., 2] + np.pi], axis=-1)
        first, second = (each + 2.0 * np.pi * np.round((before - each) / (2.0 * np.pi)) for each in (now, other))
        closer = np.abs(second - before).sum(-1) < np.abs(first - before).sum(-1)
        found[k] = np.where(closer[..., None], second, first)
    return found


def from_euler(angles: np.ndarray) -> np.ndarray:
    """Quaternions (..., 4) of angles (..., 3) in rad: about x, then y, then z."""
    half = 0.5 * np.asarray(angles, float)
    (cx, cy, cz), (sx, sy, sz) = np.moveaxis(np.cos(half), -1, 0), np.moveaxis(np.sin(half), -1, 0)
    return np.stack(
        [
            cx * cy * cz + sx * sy * sz,
            sx * cy * cz - cx * sy * sz,
            cx * sy * cz + sx * cy * sz,
            cx * cy * sz - sx * sy * cz,
        ],
        axis=-1,
    )


def slerp(a: np.ndarray, b: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Rotations a share s (...,) of the way from a to b (..., 4), at a steady rate, the short way round."""
    dot = (a * b).sum(-1)
    b = np.where(dot[..., None] < 0.0, -b, b)
    angle = np.arctan2(np.linalg.norm(b - np.abs(dot)[..., None] * a, axis=-1), np.abs(dot))
    sine = np.sin(angle)
    near = sine < 1e-9
    safe = np.where(near, 1.0, sine)
    first = np.where(near, 1.0 - s, np.sin((1.0 - s) * angle) / safe)
    second = np.where(near, s, np.sin(s * angle) / safe)
    return unit(first[..., None] * a + second[..., None] * b)


def blend(a: np.ndarray, b: np.ndarray, s: np.ndarray) -> np.ndarray:
    """The same by blending components, as curves of single channels do."""
    b = np.where((a * b).sum(-1, keepdims=True) < 0.0, -b, b)
    return unit((1.0 - s)[..., None] * a + s[..., None] * b)


def unit(q: np.ndarray) -> np.ndarray:
    return np.asarray(q / np.linalg.norm(q, axis=-1, keepdims=True))


def angle_between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(...,) rad from 0 to pi."""
    sign = np.where((a * b).sum(-1, keepdims=True) < 0.0, -1.0, 1.0)
    return np.asarray(4.0 * np.arcsin(np.clip(0.5 * np.linalg.norm(a - sign * b, axis=-1), 0.0, 1.0)))
