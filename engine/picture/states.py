"""Contact states as a picture (Twigg and James 2008, fig. 9): forward runs above, backward runs below, rest at the
left."""

from __future__ import annotations

import io
from os import PathLike

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from engine.arrivals.dropped.raster import NOTHING, Figure
from engine.picture import palette
from engine.tape.store import replace_file

WIDTH, HEIGHT = 1200, 330  # px of each raster
MARGIN, HEAD, FOOT, GAP = 40, 84, 44, 56  # px
COLOURS = {0: palette.PANEL, 1: palette.TIERS[3], 2: palette.TIERS[1], 3: palette.TEXT, NOTHING: palette.APP}
NAMES = {0: "in the air", 1: "1 contact", 2: "2 contacts", 3: "3 and more"}


def write_states(path: str | PathLike[str], figure: Figure, title: str) -> None:
    """Write the picture as PNG; raises ProjectError."""
    stream = io.BytesIO()
    states_picture(figure, title).save(stream, "PNG", optimize=True)
    replace_file(path, stream.getvalue())


def states_picture(figure: Figure, title: str) -> Image.Image:
    picture = Image.new("RGB", (WIDTH + 2 * MARGIN, HEAD + 2 * HEIGHT + GAP + FOOT), palette.APP)
    pen = ImageDraw.Draw(picture)
    pen.text((MARGIN, 20), title, palette.TEXT, ImageFont.load_default(20))
    _legend(pen)
    for top, table, name in (
        (HEAD, figure.forward, f"forward: {len(figure.forward)} drops"),
        (
            HEAD + HEIGHT + GAP,
            figure.backward,
            f"backward: {len(figure.backward)} runs that end with a drop's last moments",
        ),
    ):
        pen.text((MARGIN, top - 24), name, palette.TEXT_2, ImageFont.load_default(14))
        picture.paste(_raster(table), (MARGIN, top))
    bottom = HEAD + 2 * HEIGHT + GAP
    seconds = figure.forward.shape[1] * figure.dt
    for share in np.linspace(0.0, 1.0, 6):
        label = "rest" if share == 0.0 else f"{share * seconds:.1f} s before"
        pen.text((MARGIN + share * WIDTH, bottom + 8), label, palette.TEXT_3, ImageFont.load_default(13),
                 anchor="la" if share == 0.0 else "ra")  # fmt: skip
    return picture


def _raster(table: np.ndarray) -> Image.Image:
    colours = np.zeros((256, 3), np.uint8)
    for state, code in COLOURS.items():
        colours[state] = palette.rgb(code)
    if not table.size:
        return Image.new("RGB", (WIDTH, HEIGHT), palette.APP)
    return Image.fromarray(colours[table]).resize((WIDTH, HEIGHT), Image.Resampling.BOX)


def _legend(pen: ImageDraw.ImageDraw) -> None:
    right = MARGIN + WIDTH
    for state in reversed(NAMES):
        label = NAMES[state]
        right -= int(pen.textlength(label, ImageFont.load_default(14)))
        pen.text((right, 24), label, palette.TEXT_2, ImageFont.load_default(14))
        right -= 22
        pen.rectangle((right, 26, right + 14, 40), fill=COLOURS[state], outline=palette.LINE)
        right -= 18
