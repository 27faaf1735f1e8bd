"""The style sheet of maker dialogs, generated from the tokens of the look."""

from __future__ import annotations

from app.look.look import Look, size, tokens


def style_sheet(look: Look) -> str:
    """For the dialog and everything in it; ask again when the look changes."""
    radius, sizes = tokens()["radius"], tokens()["font"]["sizes"]
    c = look.hex
    return f"""
    QFrame#makerFrame {{ background: {c("panel")}; border: 1px solid {c("line2")};
        border-radius: {radius["dialog"]}px; }}
    QFrame#makerFrame QLabel {{ color: {c("text")}; font-size: {sizes["body"]["px"]}px; background: transparent; }}
    QFrame#makerFrame QLabel#makerTitle {{ font-size: {sizes["dialog_title"]["px"]}px;
        font-weight: {sizes["dialog_title"]["weight"]}; }}
    QFrame#makerFrame QLabel#makerLabel, QFrame#makerFrame QLabel#makerRemark {{ color: {c("text2")}; }}
    QFrame#makerFrame QLabel#makerSummary {{ color: {c("text2")}; font-size: {sizes["small"]["px"]}px; }}
    QFrame#makerLine {{ background: {c("line")}; border: none; max-height: 1px; min-height: 1px; }}
    QLineEdit, QAbstractSpinBox, QComboBox {{ background: {c("well")}; color: {c("text")};
        border: 1px solid {c("line2")}; border-radius: {radius["field"]}px; padding: 0 8px;
        min-height: {size("field") - 2}px; max-height: {size("field") - 2}px; font-size: {sizes["body"]["px"]}px;
        selection-background-color: {c("tint")}; selection-color: {c("text")}; }}
    QLineEdit:hover, QAbstractSpinBox:hover, QComboBox:hover {{ border-color: {c("control_edge")}; }}
    QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus {{ border: 2px solid {c("focus")}; padding: 0 7px;
        min-height: {size("field") - 4}px; max-height: {size("field") - 4}px; }}
    QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled {{ color: {c("disabled")}; }}
    QAbstractSpinBox {{ padding: 0; }}
    QAbstractSpinBox QLineEdit, QAbstractSpinBox QLineEdit:hover, QAbstractSpinBox QLineEdit:focus {{ border: none;
        background: transparent; padding: 0; min-height: 0; max-height: {size("field")}px; }}
    QAbstractSpinBox::up-button {{ subcontrol-position: top right; width: 0; height: 0; border: none; }}
    QAbstractSpinBox::down-button {{ subcontrol-position: bottom right; width: 0; height: 0; border: none; }}
    QComboBox::drop-down {{ border: none; width: 24px; }}
    QComboBox::down-arrow {{ image: none; }}
    QComboBox QAbstractItemView {{ background: {c("overlay")}; color: {c("text")}; border: 1px solid {c("line2")};
        selection-background-color: {c("tint")}; selection-color: {c("text")}; outline: none; padding: 4px; }}
    QFrame#makerSegments {{ background: {c("well")}; border: 1px solid {c("line2")};
        border-radius: {radius["field"]}px; }}
    QPushButton {{ color: {c("text")}; background: {c("raised")}; border: 1px solid {c("line2")};
        border-radius: {radius["button"]}px; padding: 0 14px; min-height: {size("button") - 2}px;
        font-size: {sizes["body"]["px"]}px; }}
    QPushButton:hover {{ background: {c("hover")}; }}
    QPushButton:focus {{ border: 2px solid {c("focus")}; padding: 0 13px; min-height: {size("button") - 4}px; }}
    QPushButton:disabled {{ color: {c("disabled")}; }}
    QPushButton#makerAccept {{ background: {c("accent")}; color: {c("on_accent")}; border: 1px solid {c("accent")};
        font-weight: 600; }}
    QPushButton#makerAccept:hover {{ background: {c("accent_hi")}; border-color: {c("accent_hi")}; }}
    QPushButton#makerAccept:pressed {{ background: {c("accent_lo")}; }}
    QPushButton#makerAccept:focus {{ border: 2px solid {c("text")}; }}
    QPushButton#makerAccept:disabled {{ background: {c("raised")}; color: {c("disabled")};
        border-color: {c("line2")}; }}
    QPushButton#makerSegment {{ background: transparent; border: 1px solid transparent; color: {c("text2")};
        border-radius: {radius["key_cap"]}px; padding: 0 4px; min-height: {size("field") - 8}px; }}
    QPushButton#makerSegment:hover {{ color: {c("text")}; }}
    QPushButton#makerSegment:focus {{ border: 1px solid {c("focus")}; }}
    QPushButton#makerSegment:checked {{ background: {c("tint")}; font-weight: 600;
        color: {c("accent_hi") if look.theme == "dark" else c("accent")}; }}
    QPushButton#makerToggle {{ background: transparent; border: 1px solid transparent; text-align: left;
        padding: 0 2px; }}
    QPushButton#makerToggle:focus {{ border: 1px solid {c("focus")}; }}
    QPushButton#makerToggle:disabled {{ color: {c("disabled")}; }}
    QToolButton#makerClose {{ background: transparent; border: 1px solid transparent;
        border-radius: {radius["button"]}px; min-width: 26px; min-height: 26px; }}
    QToolButton#makerClose:hover {{ background: {c("hover")}; }}
    QToolButton#makerClose:focus {{ border: 1px solid {c("focus")}; }}
    """
