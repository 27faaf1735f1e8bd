"""Style: the palette and the one style sheet of the window, both made from the tokens.

Widgets that are not drawn by hand get their look here and only here. A widget asks for a variant by a property:

    QPushButton   primary (the one filled button of a screen), flat
    QToolButton   plate (raised even when the mouse is elsewhere)
    QLabel        role: second, third, warning, keycap
    QLineEdit     wrong
    QWidget       surface: panel, raised, well, overlay, app, float, card; line: below
"""

from __future__ import annotations

from string import Template
from typing import Any

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory

from app.look.fonts import font, load_fonts
from app.look.look import Look, tokens

ROLES = QPalette.ColorRole
PALETTE: dict[QPalette.ColorRole, str] = {
    ROLES.Window: "panel",
    ROLES.WindowText: "text",
    ROLES.Base: "well",
    ROLES.AlternateBase: "panel",
    ROLES.ToolTipBase: "overlay",
    ROLES.ToolTipText: "text",
    ROLES.PlaceholderText: "text3",
    ROLES.Text: "text",
    ROLES.Button: "raised",
    ROLES.ButtonText: "text",
    ROLES.BrightText: "text",
    ROLES.Light: "hover",
    ROLES.Midlight: "raised",
    ROLES.Mid: "line2",
    ROLES.Dark: "line2",
    ROLES.Shadow: "app",
    ROLES.Highlight: "tint",
    ROLES.HighlightedText: "text",
    ROLES.Link: "accent",
    ROLES.LinkVisited: "accent",
    ROLES.Accent: "accent",
}
GREYED = (ROLES.WindowText, ROLES.Text, ROLES.ButtonText, ROLES.HighlightedText, ROLES.PlaceholderText)

SHEET = Template(
    """
QWidget { color: $text; }
QMainWindow, QWidget[surface="app"] { background: $app; }
QMainWindow::separator { background: $app; width: 3px; height: 3px; }
QMainWindow::separator:hover { background: $accent_lo; }
QDockWidget, QDialog, QMessageBox, QToolBar, QStatusBar, QWidget[surface="panel"] { background: $panel; }
QWidget[surface="raised"] { background: $raised; }
QWidget[surface="well"] { background: $well; }
QWidget[surface="card"] { background: $raised; border-radius: ${radius_card}px; }
QWidget[surface="overlay"], QWidget[surface="float"] {
    background: $overlay; border: 1px solid $line2; border-radius: ${radius_float}px; }
QWidget[line="below"] { border-bottom: 1px solid $line; }

QMenuBar { background: transparent; border: none; spacing: 0px; padding: 2px 0px 0px 0px; }
QMenuBar::item { background: transparent; padding: 4px 10px; margin: 1px 0px; border-radius: ${radius_field}px; }
QMenuBar::item:selected { background: $hover; }
QMenuBar::item:pressed { background: $tint; color: $accent_text; }
QMenu { background: $overlay; border: 1px solid $line2; border-radius: ${radius_float}px; padding: 5px; }
QMenu::item { padding: 5px 28px 5px 10px; border-radius: ${radius_field}px; min-height: 18px; }
QMenu::item:selected { background: $tint; }
QMenu::item:disabled { color: $disabled; background: transparent; }
QMenu::separator { height: 1px; background: $line2; margin: 5px 8px; }
QMenu::icon { padding-left: 8px; }
QMenu::indicator { width: 14px; height: 14px; padding-left: 8px; }
QToolTip { background: $overlay; color: $text; border: 1px solid $line2; padding: 4px 7px; }

QToolBar { border: none; border-bottom: 1px solid $line; spacing: 4px; padding: 8px; }
QToolBar::separator { background: $line2; width: 1px; margin: 5px 10px; }
QToolButton { background: transparent; border: none; border-radius: ${radius_button}px; padding: 4px 6px; }
QToolButton[plate="true"] { background: $raised; }
QToolButton:hover { background: $hover; }
QToolButton:pressed { background: $tint; }
QToolButton:checked { background: $tint; color: $accent_text; }
QToolButton:disabled { color: $disabled; }
QToolButton::menu-indicator { image: none; }

QPushButton { background: $raised; border: 1px solid $line2; border-radius: ${radius_button}px; padding: 0px 12px;
    min-height: 26px; }
QPushButton:hover { background: $hover; }
QPushButton:pressed { background: $tint; }
QPushButton:disabled { color: $disabled; border-color: $line; }
QPushButton[primary="true"] { background: $accent; color: $on_accent; border: 1px solid $accent; font-weight: 600;
    border-radius: ${radius_large_button}px; min-height: 30px; }
QPushButton[primary="true"]:hover { background: $accent_hi; border-color: $accent_hi; }
QPushButton[primary="true"]:pressed { background: $accent_lo; border-color: $accent_lo; }
QPushButton[primary="true"]:disabled { background: $raised; border-color: $line; color: $disabled; }
QPushButton[flat="true"] { background: transparent; border: 1px solid transparent; text-align: left; }
QPushButton[flat="true"]:hover { background: $hover; }
QPushButton[flat="true"]:checked { background: $tint; color: $accent_text; font-weight: 600; }

QLineEdit, QPlainTextEdit, QTextEdit, QSpinBox, QDoubleSpinBox, QComboBox, QFontComboBox {
    background: $well; border: 1px solid $line2; border-radius: ${radius_field}px; padding: 0px 7px; min-height: 26px;
    selection-background-color: $tint; selection-color: $text; }
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled { color: $disabled;
    border-color: $line; }
QLineEdit[wrong="true"] { border-color: $assisted; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button { width: 0px;
    border: none; }
QComboBox::drop-down { border: none; width: 22px; }
QComboBox QAbstractItemView { background: $overlay; border: 1px solid $line2; padding: 4px; outline: none; }
QPushButton:focus, QToolButton:focus, QLineEdit:focus, QPlainTextEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus,
QComboBox:focus { border: 1px solid $focus; }
QPushButton[primary="true"]:focus { border: 2px solid $focus; }

QAbstractItemView { background: $panel; border: none; outline: none; show-decoration-selected: 1;
    selection-background-color: $tint; selection-color: $text; }
QAbstractItemView::item { min-height: 24px; border-radius: ${radius_key_cap}px; }
QAbstractItemView::item:hover { background: $hover; }
QAbstractItemView::item:selected { background: $tint; color: $text; }
QHeaderView::section { background: $panel; color: $text3; border: none; border-bottom: 1px solid $line;
    padding: 4px 8px; }
QScrollArea { background: transparent; border: none; }
QScrollBar { background: transparent; border: none; margin: 0px; }
QScrollBar:vertical { width: 10px; }
QScrollBar:horizontal { height: 10px; }
QScrollBar::handle { background: $line2; border-radius: 3px; margin: 2px; }
QScrollBar::handle:hover { background: $control_edge; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0px; height: 0px; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QTabBar { background: transparent; border: none; }
QTabBar::tab { background: transparent; color: $text2; padding: 6px 12px; border: none; }
QTabBar::tab:selected { color: $accent_text; border-bottom: 2px solid $accent; }
QTabWidget::pane { border: none; }
QSplitter::handle { background: $app; }
QProgressBar { background: $well; border: 1px solid $line2; border-radius: ${radius_button}px; text-align: center; }
QProgressBar::chunk { background: $tint; border-radius: ${radius_field}px; }
QSlider::groove:horizontal { background: $line2; height: ${slider_track}px; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2px; }
QSlider::handle:horizontal { background: $text; width: ${slider_knob}px; margin: -4px 0px; border-radius: 6px; }
QStatusBar { border-top: 1px solid $line; color: $text2; }
QStatusBar::item { border: none; }

QLabel { background: transparent; }
QLabel[role="second"] { color: $text2; }
QLabel[role="third"] { color: $text3; }
QLabel[role="warning"] { color: $ghosted; }
QLabel:disabled { color: $disabled; }
QLabel[role="keycap"] { background: $raised; border: 1px solid $line2; border-radius: ${radius_key_cap}px;
    padding: 0px 5px; color: $text2; }
"""
)


def palette(look: Look) -> QPalette:
    """Every role that Qt's own drawing asks for."""
    made = QPalette()
    for role, name in PALETTE.items():
        made.setColor(role, look.color(name))
    for role in GREYED:
        made.setColor(QPalette.ColorGroup.Disabled, role, look.color("disabled"))
    return made


def style_sheet(look: Look) -> str:
    """The whole style sheet for a theme."""
    table = tokens()
    values: dict[str, Any] = dict(table["themes"][look.theme]["colors"])
    values["accent_text"] = values["accent_hi"] if look.theme == "dark" else values["accent"]
    values |= {f"radius_{name}": value for name, value in table["radius"].items()}
    values |= {name: value for name, value in table["size"].items() if isinstance(value, int)}
    return SHEET.substitute(values)


def apply_style(app: QApplication, look: Look) -> None:
    """Dress the application and keep it dressed when the theme changes."""
    load_fonts()
    app.setStyle(QStyleFactory.create("Fusion"))
    app.setFont(font("body"))

    def dress() -> None:
        app.setPalette(palette(look))
        app.setStyleSheet(style_sheet(look))

    dress()
    look.changed.connect(dress)
