"""The questions of the window as dialogs. Modal: each stands where work could be lost or a file must be named."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QInputDialog, QMessageBox, QPushButton, QWidget

PROJECTS = "Foregone projects (*.foregone)"
SUFFIX = ".foregone"
MESH_SUFFIXES = (".obj", ".stl", ".ply", ".glb", ".gltf")
LAYOUT_SUFFIXES = (".usd", ".usda", ".usdc", ".usdz", ".glb", ".gltf", ".obj")
MESHES = f"Meshes ({' '.join('*' + suffix for suffix in MESH_SUFFIXES)})"

LAYOUTS = f"Layouts ({' '.join('*' + suffix for suffix in LAYOUT_SUFFIXES)})"


class Dialogs:
    def __init__(self, parent: QWidget) -> None:
        self._parent = parent

    def file_to_open(self, folder: str) -> Path | None:
        name, _ = QFileDialog.getOpenFileName(self._parent, "Open a project", folder, f"{PROJECTS};;All files (*)")
        return Path(name) if name else None

    def file_to_save(self, suggestion: Path) -> Path | None:
        name, _ = QFileDialog.getSaveFileName(self._parent, "Save the project as", str(suggestion), PROJECTS)
        if not name:
            return None
        path = Path(name)
        return path if path.suffix == SUFFIX else path.with_name(path.name + SUFFIX)

    def mesh_to_open(self, folder: str) -> Path | None:
        name, _ = QFileDialog.getOpenFileName(self._parent, "Import a mesh", folder, f"{MESHES};;All files (*)")
        return Path(name) if name else None

    def layout_to_open(self, folder: str) -> Path | None:
        name, _ = QFileDialog.getOpenFileName(self._parent, "Import a layout", folder, f"{LAYOUTS};;All files (*)")
        return Path(name) if name else None

    def picture_to_save(self, suggestion: str) -> Path | None:
        name, _ = QFileDialog.getSaveFileName(self._parent, "Save the picture as", suggestion, "Pictures (*.png)")
        return Path(name).with_suffix(".png") if name else None

    def file_to_export(self, suggestion: Path, kinds: str) -> Path | None:
        """The system does not ask about a file that is there: the dialog says that it is replaced."""
        name, _ = QFileDialog.getSaveFileName(
            self._parent, "Export to", str(suggestion), kinds, options=QFileDialog.Option.DontConfirmOverwrite
        )
        return Path(name) if name else None

    def keep_changes(self, title: str) -> str:
        box = self._box(f"Save changes to {title}?", "What you changed since the last save is lost otherwise.")
        save = _button(box, "Save", QMessageBox.ButtonRole.AcceptRole, primary=True)
        discard = _button(box, "Don't save", QMessageBox.ButtonRole.DestructiveRole)
        cancel = _button(box, "Cancel", QMessageBox.ButtonRole.RejectRole)
        return {save: "save", discard: "discard"}.get(_asked(box, save, cancel), "cancel")

    def stop_job(self, words: str) -> bool:
        box = self._box(words, "It stops when you close now; the scene stays as it is.")
        keep = _button(box, "Keep working", QMessageBox.ButtonRole.RejectRole, primary=True)
        stop = _button(box, "Stop and close", QMessageBox.ButtonRole.AcceptRole)
        return _asked(box, keep, keep) is stop

    def note_on(self, name: str, note: str) -> str | None:
        text, given = QInputDialog.getMultiLineText(self._parent, "Note", f"What do you think of {name}?", note)
        return text if given else None

    def takes_to_keep(self, usual: int, most: int) -> int | None:
        words = "How many of the calmest takes stay?\nPinned ones and the shot stay as well."
        count, given = QInputDialog.getInt(self._parent, "Keep the calmest", words, min(usual, most), 0, most)
        return count if given else None

    def _box(self, text: str, more: str) -> QMessageBox:
        box = QMessageBox(self._parent)
        box.setWindowTitle("Foregone")
        box.setText(text)
        box.setInformativeText(more)
        return box


def _button(box: QMessageBox, words: str, role: QMessageBox.ButtonRole, primary: bool = False) -> QPushButton:
    button = box.addButton(words, role)
    button.setProperty("primary", primary)
    return button


def _asked(box: QMessageBox, default: QPushButton, escape: QPushButton) -> QPushButton:
    """Show the box; what was pressed (Escape and closing count as `escape`)."""
    box.setDefaultButton(default)
    box.setEscapeButton(escape)
    box.exec()
    pressed = box.clickedButton()
    box.deleteLater()
    return pressed if isinstance(pressed, QPushButton) else escape
