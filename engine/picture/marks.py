"""The sign of a tier: a colour and a shape, so that either alone is enough."""

from __future__ import annotations

import math

from PIL import Image, ImageDraw

from engine.picture import palette

FINE = 8


def draw_mark(picture: Image.Image, tier: int, at: tuple[float, float], size: float, faint: bool = False) -> None:
    """circle EXACT, diamond TUNED, square PLASTIC, broken ring GHOSTED, triangle ASSISTED, ring HELD."""
    side = math.ceil(size) + 4
    full = FINE * side
    mark = Image.new("L", (full, full), 0)
    draw = ImageDraw.Draw(mark)
    middle, reach = full / 2, FINE * size / 2
    box = (middle - reach, middle - reach, middle + reach, middle + reach)
    if tier == 0:
        draw.ellipse(box, fill=255)
    elif tier == 1:
        draw.polygon([(middle, box[1]), (box[2], middle), (middle, box[3]), (box[0], middle)], fill=255)
    elif tier == 2:
        inset = 0.1 * reach
        draw.rectangle((box[0] + inset, box[1] + inset, box[2] - inset, box[3] - inset), fill=255)
    elif tier == 3:
        for part in range(6):
            draw.arc(box, 60 * part, 60 * part + 38, fill=255, width=int(0.36 * reach))
    elif tier == 5:
        draw.ellipse(box, outline=255, width=int(0.45 * reach))
    else:
        draw.polygon([(middle, box[1]), (box[2], box[3] - 0.2 * reach), (box[0], box[3] - 0.2 * reach)], fill=255)
    mark = mark.resize((side, side), Image.Resampling.BOX)
    if faint:
        mark = mark.point(lambda value: value * 0.35)
    colour = Image.new("RGB", (side, side), palette.TIERS[tier])
    picture.paste(colour, (round(at[0] - side / 2), round(at[1] - side / 2)), mark)
