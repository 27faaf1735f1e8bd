"""Tones: the look's values for the view, as the renderer wants them."""

from __future__ import annotations

import numpy as np

from app.look.look import Look, tokens
from engine.scene.colors import rgb

HOVER = 1.5  # px, as the look has it for hovered bodies


class Tones:
    """Colours are red, green, blue from 0 to 1. Pictures with the same object have the same tones."""

    def __init__(self, look: Look, pixel_ratio: float) -> None:
        view, light, line = look.view, look.view("light"), tokens()["line"]
        direction = np.array(light["direction_to_light"], float)
        self.pixel_ratio = pixel_ratio
        self.top, self.bottom = rgb(view("background_top")), rgb(view("background_bottom"))
        self.minor, self.major = rgb(view("grid_minor")), rgb(view("grid_major"))
        self.axis_x, self.axis_y = rgb(view("axis_x")), rgb(view("axis_y"))
        self.selection, self.hover = rgb(view("selection")), rgb(view("hover_outline"))
        self.halo = (*rgb(view("selection_halo")), float(view("selection_halo_opacity")))
        self.to_light = direction / np.linalg.norm(direction)
        self.strength = (light["ambient"], light["sky_extra"], light["key"])
        self.shadow_opacity = float(view("shadow_opacity"))
        self.inner_line = float(view("bevel_line_opacity"))  # opacities
        self.silhouette = float(view("silhouette_line_opacity"))
        self.grid_widths = tuple(pixel_ratio * line[name] for name in ("grid_minor", "grid_major", "axis"))
        """device px: lines, strong lines, axes."""
        widths = (line["selection"], line["selection_halo"], HOVER)
        self.outline_radii = tuple(0.5 * pixel_ratio * width for width in widths)
        """device px: half of outline, halo and hover line."""
