"""The colour of a body: its own, grey when it never moves, white for dice, else one of a palette by its place in the
scene."""

from __future__ import annotations

from functools import cache

from engine.scene.dice import is_die
from engine.scene.spec import Body

STATIC = "#8f9096"
PALETTE = ("#cf6733", "#f0d876", "#49562e", "#2f9374", "#71b4eb", "#435e8f", "#ec93a6", "#eaeaeb")
DARKER = 0.88  # of a palette colour the second time round, and once more the third


def body_color(body: Body, place: int) -> str:
    """ "#rrggbb", as the studio shows it; `place` is the body's in the scene."""
    if is_color(body.color):
        return body.color
    if body.static:
        return STATIC
    return PALETTE[-1] if is_die(body) else palette_color(place)


@cache
def palette_color(place: int) -> str:
    """The palette in its order, then 12 % darker, then darker once more; then from the start again."""
    times, number = divmod(place, len(PALETTE))
    share = DARKER ** (times % 3)
    return "#" + "".join(f"{round(255 * share * part):02x}" for part in rgb(PALETTE[number]))


def is_color(text: object) -> bool:
    if not isinstance(text, str) or len(text) != 7 or text[0] != "#":
        return False
    return all(letter in "0123456789abcdefABCDEF" for letter in text[1:])


def rgb(text: str) -> tuple[float, float, float]:
    """Red, green, blue from 0 to 1, in sRGB."""
    red, green, blue = (int(text[k : k + 2], 16) / 255.0 for k in (1, 3, 5))
    return red, green, blue


def linear(text: str) -> tuple[float, float, float]:
    """The same in linear light, which materials work in."""
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb(text))
    return red, green, blue
