"""Icons by what they mean; which glyph of which icon font that is stands in the tokens."""

from __future__ import annotations

import qtawesome
from PySide6.QtGui import QIcon

from app.look.look import Look, tokens


def icon(look: Look, name: str, role: str = "text2", active: str = "accent_hi") -> QIcon:
    """An icon such as "tool.move", in a colour of the theme; `active` colours it where it is checked. Ask again when
    the look changes."""
    glyph = str(tokens()["icons"][name])
    flipped: dict[str, object] = {}
    if glyph.endswith(" (mirrored)"):
        glyph, flipped["hflip"] = glyph.removesuffix(" (mirrored)"), True
    return qtawesome.icon(
        glyph,
        color=look.hex(role),
        color_active=look.hex("text") if role == "text2" else look.hex(role),
        color_on=look.hex(active if look.theme == "dark" else "accent"),
        color_disabled=look.hex("disabled"),
        **flipped,
    )
