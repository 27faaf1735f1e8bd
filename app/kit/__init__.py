"""Widgets that know nothing of scenes: every panel, bar and dialog is put together from these."""

from app.kit.buttons import IconButton, Pressable, WordButton
from app.kit.card import Card
from app.kit.choice import Choice
from app.kit.clickable import Clickable
from app.kit.color_chip import paint_chip
from app.kit.color_popover import Chip, ColorPopover
from app.kit.control import KEYBOARD, Control
from app.kit.drop_button import DropButton
from app.kit.edge_scroll import EdgeScroll
from app.kit.empty_state import GENERATING, EmptyState
from app.kit.form import AXES, axis_fields, beside, field_label, labelled
from app.kit.free_corner import corners, free_corner
from app.kit.glyph import Glyph
from app.kit.lettering import BOLD, MEDIUM, letters, measures
from app.kit.number_field import NumberField
from app.kit.painted import Painted
from app.kit.panel import Ground, LazyPanel, WatchedPanel, show_each
from app.kit.panel_header import PanelHeader
from app.kit.plain import label, set_surface, tool_button
from app.kit.progress_strip import ProgressStrip
from app.kit.question import Question, paint_question
from app.kit.rail import Rail
from app.kit.scrolling import PanelScroll, panel_column
from app.kit.section import Section
from app.kit.segments import Segments
from app.kit.slider import RangeSlider
from app.kit.text import Text
from app.kit.text_field import TextField
from app.kit.toggle import Toggle
from app.kit.typed_line import TypedLine
from app.kit.wrapped import Wrapped

__all__ = [
    "AXES", "BOLD", "Card", "Chip", "Choice", "Clickable", "ColorPopover", "Control", "DropButton", "EdgeScroll",
    "EmptyState", "GENERATING", "Glyph", "Ground", "IconButton", "KEYBOARD", "LazyPanel", "MEDIUM", "NumberField",
    "Painted", "PanelHeader", "PanelScroll", "Pressable", "ProgressStrip", "Question", "Rail", "RangeSlider", "Section",
    "Segments", "Text", "TextField", "Toggle", "TypedLine", "WatchedPanel", "WordButton", "Wrapped", "axis_fields",
    "beside", "corners", "field_label", "free_corner", "label", "labelled", "letters", "measures", "paint_chip",
    "paint_question", "panel_column", "set_surface", "show_each", "tool_button",
]  # fmt: skip
