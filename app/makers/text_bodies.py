"""A text as bodies: boxes, balls in bins, or one body per letter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.makers.made import Made, listed, refuse
from app.makers.text_balls import balls_in_bins
from app.makers.text_boxes import box_text
from app.makers.text_grid import raster
from app.makers.text_letters import letter_bodies
from app.makers.text_outline import Line, Typeface, outline

Style = Literal["letters", "boxes", "balls"]


@dataclass(frozen=True)
class TextSpec:
    text: str = "Foregone"
    face: Typeface = Typeface()
    style: Style = "letters"
    height: float = 0.5  # m, of capitals
    depth: float = 0.12  # m, thickness of letters, and of boxes across the face of the text
    spacing: float = 0.0  # m, more between letters
    upright: bool = True  # standing, or lying on the ground; balls always lie
    rows: int = 9  # boxes or balls over the height of a capital
    filled: bool = False  # the cells around the letters too, in chalk


def make_text(spec: TextSpec) -> Made:
    """Bodies of a text, centred on the origin, lowest point exactly on the ground, none inside another."""
    if not spec.text.strip():
        return refuse("Type a text.")
    line = outline(spec.text, spec.face, spec.height, spec.spacing)
    if not line.letters:
        return refuse("No font here can draw this text. Choose another font or other letters.")
    made = _styled(line, spec)
    if made.refused or not line.missing:
        return made
    lost = f"No font here can draw {listed(list(line.missing[:5]))}. Left out."
    return Made(made.batches, made.summary, (lost, *made.warnings))


def _styled(line: Line, spec: TextSpec) -> Made:
    if spec.style == "letters":
        return letter_bodies(line, spec.height, spec.depth, spec.upright)
    grid = raster(line, spec.height / max(1, spec.rows))
    if isinstance(grid, Made):
        return grid
    if spec.style == "balls":
        return balls_in_bins(grid, spec.filled)
    return box_text(grid, spec.depth, spec.upright, spec.filled)
