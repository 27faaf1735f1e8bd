"""A reach map as a picture (Twigg and James 2008, fig. 5): where throws are, and how they are turned. Dots are throws,
the colour behind them says how many there are, the cross is the authored ending."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from engine.picture import palette
from engine.scene.reach_map import PLANES, Density, Plane, ReachMap, verdict

SIDE, MARGIN, HEAD, FOOT, GAP = 640, 48, 108, 56, 72  # px
AXES = "xyz"
CROSS, DOT = 11, 1  # px, from the middle


def reach_picture(found: ReachMap, plane: Plane, before: float | None, chosen: np.ndarray) -> Image.Image:
    turning = found.turns != "none"
    width = 2 * MARGIN + SIDE + (GAP + SIDE if turning else 0)
    picture = Image.new("RGB", (width, HEAD + SIDE + FOOT), palette.APP)
    pen = ImageDraw.Draw(picture)
    said = verdict(found, found.ending, found.stays)
    moment = "is let go" if before is None else f"is {before:g} s before it rests" if before else "comes to rest"
    pen.text((MARGIN, 18), f"Where {found.name} {moment}", palette.TEXT, ImageFont.load_default(20))
    pen.text((MARGIN, 48), f"{said.title}. {said.words}", palette.TEXT_2, ImageFont.load_default(14))
    legend = "cross: the ending you placed · dots: throws · bright: many of them"
    pen.text((MARGIN, HEAD + SIDE + 28), legend, palette.TEXT_3, ImageFont.load_default(13))
    right, up, _ = PLANES[plane]
    place = found.density(plane, "place", before, chosen)
    _plot(picture, MARGIN, place, f"{plane}: {AXES[right]} and {AXES[up]}", "m", found.outlines[plane])
    if turning:
        turn = found.density(plane, "turn", before, chosen)
        _plot(picture, MARGIN + SIDE + GAP, turn, f"{AXES[right]} and turn", "°", ())
    return picture


def _plot(
    picture: Image.Image, left: int, shown: Density, title: str, unit: str, outlines: tuple[np.ndarray, ...]
) -> None:
    """One square, its upper left corner at (left, HEAD)."""
    square = Image.fromarray(palette.heat(shown.shares)).resize((SIDE, SIDE), Image.Resampling.BICUBIC)
    pen = ImageDraw.Draw(square)
    scale = np.array([SIDE / (shown.right - shown.left), -SIDE / (shown.high - shown.low)])
    corner = np.array([shown.left, shown.high])
    for outline in outlines:
        pen.polygon([tuple(at) for at in (outline - corner) * scale], outline=palette.GRID_MAJOR)
    for x, y in (shown.points - corner) * scale:
        pen.rectangle((x, y, x + DOT, y + DOT), fill=palette.DOT)
    x, y = (np.array(shown.mark) - corner) * scale
    for ink, wide in ((palette.APP, 5), (palette.TEXT, 2)):
        pen.line((x - CROSS, y, x + CROSS, y), ink, wide)
        pen.line((x, y - CROSS, x, y + CROSS), ink, wide)
    picture.paste(square, (left, HEAD))
    pen = ImageDraw.Draw(picture)
    small = ImageFont.load_default(13)
    pen.text((left, HEAD - 22), f"{title} · {len(shown.points):,} throws", palette.TEXT_2, small)
    pen.rectangle((left, HEAD, left + SIDE - 1, HEAD + SIDE - 1), outline=palette.LINE)
    bottom = HEAD + SIDE + 8
    pen.text((left, bottom), f"{shown.left:.2f} m", palette.TEXT_3, small)
    pen.text((left + SIDE, bottom), f"{shown.right:.2f} m", palette.TEXT_3, small, anchor="ra")
    high, low = (f"{value:.2f} m" if unit == "m" else f"{value:.0f}{unit}" for value in (shown.high, shown.low))
    pen.text((left + SIDE, HEAD - 22), f"{low} to {high} upward", palette.TEXT_3, small, anchor="ra")
