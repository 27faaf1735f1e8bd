"""Tones: the look's values for the view, as the renderer wants them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.look.look import Look, tokens
from engine.scene.colors import rgb

Color = tuple[float, float, float]


@dataclass(frozen=True)
class Tones:
    top: Color
    bottom: Color
    minor: Color
    major: Color
    axis_x: Color
    axis_y: Color
    selection: Color
    halo: tuple[float, float, float, float]
    hover: Color
    to_light: np.ndarray  # unit
    strength: Color  # ambient, sky, key
    shadow_opacity: float
    inner_line: float  # opacities
    silhouette: float
    grid_widths: tuple[float, float, float]  # device px: lines, strong lines, axes
    outline_radii: tuple[float, float, float]  # device px: half of outline, halo and hover line
    pixel_ratio: float


def tones(look: Look, pixel_ratio: float) -> Tones:
    light, line = look.view("light"), tokens()["line"]
    direction = np.array(light["direction_to_light"], float)
    hover = 1.5  # px, as the look has it for hovered bodies
    return Tones(
        top=rgb(look.view("background_top")),
        bottom=rgb(look.view("background_bottom")),
        minor=rgb(look.view("grid_minor")),
        major=rgb(look.view("grid_major")),
        axis_x=rgb(look.view("axis_x")),
        axis_y=rgb(look.view("axis_y")),
        selection=rgb(look.view("selection")),
        halo=(*rgb(look.view("selection_halo")), float(look.view("selection_halo_opacity"))),
        hover=rgb(look.view("hover_outline")),
        to_light=direction / np.linalg.norm(direction),
        strength=(light["ambient"], light["sky_extra"], light["key"]),
        shadow_opacity=float(look.view("shadow_opacity")),
        inner_line=float(look.view("bevel_line_opacity")),
        silhouette=float(look.view("silhouette_line_opacity")),
        grid_widths=tuple(pixel_ratio * line[name] for name in ("grid_minor", "grid_major", "axis")),
        outline_radii=tuple(0.5 * pixel_ratio * w for w in (line["selection"], line["selection_halo"], hover)),  # type: ignore[arg-type]
        pixel_ratio=pixel_ratio,
    )
