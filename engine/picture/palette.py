"""Colours of pictures: the dark theme of the studio. Linear light in, sRGB out."""

from __future__ import annotations

import numpy as np

APP, PANEL = "#131416", "#1c1d20"
TEXT, TEXT_2, TEXT_3 = "#ededef", "#b1b3ba", "#9699a2"
LINE = "#2c2d32"
TRAIL = "#b7acff"
BACKGROUND_TOP, BACKGROUND_BOTTOM = "#34363b", "#1e1f22"
GRID_MINOR, GRID_MAJOR = "#3a3c42", "#4b4e55"
HEAT = (PANEL, "#3a3170", "#7b5cd6", "#e58a5f", "#ffe9b8")  # from nothing to most
DOT = "#f8d45a"
TIERS = ("#86d98c", "#2cc6d2", "#7397f4", "#f8bb5a", "#fa6c76", "#e2e2e6")

TO_LIGHT = (-0.42, -0.86, 1.05)
AMBIENT, SKY, KEY = 0.25, 0.28, 0.62
SHADOW_OPACITY = 0.5
BEVEL_OPACITY = 0.28


def heat(shares: np.ndarray, stops: tuple[str, ...] = HEAT) -> np.ndarray:
    """(..., 3) uint8 of shares from 0 to 1. Rare places show, too: colours follow their roots."""
    codes = np.array([rgb(stop) for stop in stops], float)
    at = np.sqrt(np.clip(shares, 0.0, 1.0)) * (len(codes) - 1)
    low = np.minimum(at.astype(int), len(codes) - 2)
    part = (at - low)[..., None]
    found: np.ndarray = (codes[low] * (1.0 - part) + codes[low + 1] * part + 0.5).astype(np.uint8)
    return found


def rgb(code: str) -> tuple[int, int, int]:
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def shade(code: str) -> np.ndarray:
    """Colour as three numbers 0 .. 1 (sRGB, the space the studio's own shading works in)."""
    return np.array(rgb(code), np.float32) / 255.0
