"""Loads that a body withstands, as a picture: forces of a vertical plane as a disk, all of them as a sheet, on which
every direction has the same area."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from engine.picture import palette
from engine.scene.load_map import KINDS, LoadMap

COLORS = ((120, 44, 44), (196, 96, 72), (224, 180, 84), (92, 170, 120), (64, 132, 190))  # of KINDS
SIDE, MARGIN, HEAD, FOOT, GAP, LINE = 360, 40, 84, 150, 48, 22  # px


def loads_picture(found: LoadMap) -> Image.Image:
    width = 2 * MARGIN + 3 * SIDE + GAP
    picture = Image.new("RGB", (width, HEAD + SIDE + FOOT), palette.APP)
    pen, small = ImageDraw.Draw(picture), ImageFont.load_default(13)
    pen.text(
        (MARGIN, 14), f"Which forces at its middle {found.name} withstands", palette.TEXT, ImageFont.load_default(20)
    )
    pen.text((MARGIN, HEAD - 24), "toward x (right) and up", palette.TEXT_2, small)
    step = 360.0 / len(found.slice_kinds)
    for i, kind in enumerate(found.slice_kinds.tolist()):
        at = -math.degrees(math.atan2(found.slice_ways[i, 2], found.slice_ways[i, 0]))
        pen.pieslice((MARGIN, HEAD, MARGIN + SIDE, HEAD + SIDE), at - step / 2, at + step / 2, COLORS[kind])
    left = MARGIN + SIDE + GAP
    sheet = np.array(COLORS, np.uint8)[found.kinds[::-1]]
    picture.paste(Image.fromarray(sheet).resize((2 * SIDE, SIDE), Image.Resampling.NEAREST), (left, HEAD))
    pen.text((left, HEAD - 24), "all directions: once around from x, up above, down below", palette.TEXT_2, small)
    for quarter, words in enumerate(("x", "y", "-x", "-y")):
        pen.text((left + quarter * SIDE / 2, HEAD + SIDE + 6), words, palette.TEXT_3, small)
    for kind, words in enumerate(reversed(KINDS)):
        top = HEAD + SIDE + 34 + LINE * kind
        pen.rectangle((MARGIN, top, MARGIN + 14, top + 14), COLORS[len(KINDS) - 1 - kind])
        pen.text((MARGIN + 24, top), words, palette.TEXT_2, small)
    return picture
