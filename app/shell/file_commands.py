"""New, open, save, import, export, recent files, quit. Nothing here loses work without a question."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from os import PathLike
from pathlib import Path

from app.document.reading import read_project
from app.shell.action import Action, needs, setting
from app.shell.questions import LAYOUT_SUFFIXES, MESH_SUFFIXES, SUFFIX
from app.shell.studio import Studio
from engine.errors import ProjectError
from engine.layout.read import is_layout
from engine.scene.spec import Scene

MOST_RECENT = 10


def new(studio: Studio) -> None:
    if leave_document(studio, partial(new, studio)):
        studio.document.new()
        _opened(studio)


def open_project(studio: Studio) -> None:
    path = studio.questions.file_to_open(_folder(studio))
    if path is not None:
        open_path(studio, path)


def open_path(studio: Studio, path: str | PathLike[str]) -> None:
    """Show a project once it is read; a file that cannot be read is explained and changes nothing."""

    def show(scene: Scene) -> None:
        studio.document.show_project(scene, path)
        _opened(studio)
        remember(studio, Path(path))

    def explain(error: ProjectError) -> None:
        forget_missing(studio, Path(path))
        studio.shell.tell(f"Could not open {Path(path).name}.", kind="error", details=str(error))

    if leave_document(studio, partial(open_path, studio, path)):
        _read(studio, path, show, explain)


def open_example(studio: Studio, path: Path, title: str) -> None:
    """A copy of an example: saving asks for a place of its own."""

    def show(scene: Scene) -> None:
        studio.document.new(scene)
        _opened(studio)
        studio.shell.say(f"A copy of {title}. Save it to keep what you change.")

    def explain(error: ProjectError) -> None:
        studio.shell.tell(f"Could not open the example {title}.", kind="error", details=str(error))

    if leave_document(studio, partial(open_example, studio, path, title)):
        _read(studio, path, show, explain)


def _read(
    studio: Studio,
    path: str | PathLike[str],
    show: Callable[[Scene], None],
    explain: Callable[[ProjectError], None],
) -> None:
    """Read a project beside the window. Work that the artist did meanwhile is asked about."""
    before = studio.document.scene

    def arrived(answer: Future[Scene]) -> None:
        try:
            scene = answer.result()
        except ProjectError as error:
            explain(error)
            return
        if studio.document.scene is before or leave_document(studio, partial(arrived, answer)):
            show(scene)

    studio.files.read("Opening…", partial(read_project, path), arrived)


def _opened(studio: Studio) -> None:
    studio.selection.clear()
    studio.shell.hide_welcome()
    studio.view.frame()


def save(studio: Studio, then: Callable[[], object] | None = None) -> None:
    """To its file, or to a new one where there is none; `then` follows when it is written."""
    if studio.files.busy:
        studio.files.when_free("save", partial(_save_rest, studio, then))
    elif studio.document.path is None:
        save_as(studio, then)
    else:
        _write(studio, studio.document.path, then)


def _save_rest(studio: Studio, then: Callable[[], object] | None) -> None:
    """Save what came after the last save, if anything did."""
    if studio.document.dirty:
        save(studio, then)
    elif then is not None:
        then()


def save_as(studio: Studio, then: Callable[[], object] | None = None) -> None:
    if studio.files.busy:
        studio.files.when_free("save", partial(save_as, studio, then))
        return
    document = studio.document
    name = document.path.name if document.path else f"{document.scene.name or document.title}{SUFFIX}"
    path = studio.questions.file_to_save(Path(_folder(studio)) / name)
    if path is not None:
        _write(studio, path, then)


def _write(studio: Studio, path: Path, then: Callable[[], object] | None) -> None:
    saving = studio.document.begin_save(path)

    def written(answer: Future[None]) -> None:
        try:
            answer.result()
        except ProjectError as error:
            studio.shell.tell(
                f"Could not write {path.name}. The old file is untouched.",
                [("Save as…", partial(save_as, studio))],
                kind="error",
                details=str(error),
            )
            return
        studio.document.end_save(saving)
        remember(studio, path)
        studio.shell.say(f"Saved {path.name}.")
        if then is not None:
            then()

    studio.files.write("Saving…", saving.write, written)


def leave_document(studio: Studio, again: Callable[[], object]) -> bool:
    """Ask about unsaved work, and end what is running on it. False: the artist wants to stay, or the work is being
    saved; then `again` gives the command once more when it is."""
    studio.files.drop_reading()
    if studio.files.writing:
        studio.files.when_free("leave", again)
        return False
    if studio.job is not None and not studio.questions.stop_job(f"{studio.job_words} is still under way."):
        return False
    if studio.document.dirty:
        answer = studio.questions.keep_changes(studio.document.title)
        if answer == "save":
            save(studio, again)
        if answer != "discard":
            return False
    if studio.job is not None:
        studio.job.cancel()
    studio.close_dialogs()
    return True


def import_mesh(studio: Studio, path: Path | None = None) -> None:
    """Asks for the file where none is given."""
    _import(studio, path or studio.questions.mesh_to_open(_folder(studio)), studio.open_mesh)


def import_layout(studio: Studio, path: Path | None = None) -> None:
    _import(studio, path or studio.questions.layout_to_open(_folder(studio)), studio.open_layout)


def _import(studio: Studio, path: Path | None, show: Callable[[Path], None]) -> None:
    if path is not None:
        studio.settings.set("files/folder", str(path.parent))
        studio.shell.hide_welcome()
        show(path)


def open_dropped(studio: Studio, path: Path) -> None:
    """A file dropped on the window. One with several objects is a layout, with one a mesh."""
    if path.suffix.lower() == SUFFIX:
        open_path(studio, path)
    elif is_layout(path):
        import_layout(studio, path)
    else:
        import_mesh(studio, path)


def can_drop(path: Path) -> bool:
    return path.suffix.lower() in (SUFFIX, *MESH_SUFFIXES, *LAYOUT_SUFFIXES)


# -- recent files ----------------------------------------------------------------------------------------------


def recent(studio: Studio) -> list[Path]:
    return [Path(entry) for entry in studio.settings.get("files/recent")]


def remember(studio: Studio, path: Path) -> None:
    full = path.absolute()
    others = [entry for entry in recent(studio) if entry != full]
    studio.settings.set("files/recent", [str(entry) for entry in [full, *others]][:MOST_RECENT])
    studio.settings.set("files/folder", str(full.parent))
    studio.refreshed.emit()


def forget_missing(studio: Studio, path: Path) -> None:
    if not path.exists():
        kept = [str(entry) for entry in recent(studio) if entry != path.absolute()]
        studio.settings.set("files/recent", kept)
        studio.refreshed.emit()


def _folder(studio: Studio) -> str:
    if studio.document.path is not None:
        return str(studio.document.path.parent)
    return str(studio.settings.get("files/folder") or Path.home())


def _why_not_save(studio: Studio) -> str:
    if studio.document.path is not None and not studio.document.dirty:
        return "Nothing changed since the last save."
    return ""


RECENT_MENU = "File/Open recent"

ACTIONS = (
    Action("file.new", "New ending", "File", "Start with an empty scene.", new, ("Ctrl+N",), icon="file.new",
           on_welcome=True),
    Action("file.open", "Open…", "File", "Open a project.", open_project, ("Ctrl+O",), icon="file.open",
           on_welcome=True),
    Action("file.clear_recent", "Clear list", RECENT_MENU, "Forget which files were opened lately.",
           setting("files/recent", []), why_not=needs(recent, "No file was opened yet."), on_welcome=True, line=True),
    Action("file.start_page", "Start page", "File", "Examples, recent files and ways to begin.",
           lambda studio: studio.shell.show_welcome()),
    Action("file.save", "Save", "File", "Write the project to its file.", lambda studio: save(studio), ("Ctrl+S",),
           why_not=_why_not_save, line=True),
    Action("file.save_as", "Save as…", "File", "Write the project to a new file.", lambda studio: save_as(studio),
           ("Ctrl+Shift+S",)),
    Action("file.import_mesh", "Import mesh…", "File", "Add a body from an OBJ, STL, PLY or glTF file.", import_mesh,
           ("Ctrl+Shift+I",), icon="shape.mesh", line=True, on_welcome=True),
    Action("file.import_layout", "Import layout…", "File",
           "Make the objects of a USD, glTF or OBJ file the ending; bodies are found again by name.", import_layout,
           ("Ctrl+Shift+O",), icon="file.open", on_welcome=True),
    Action("file.export", "Export take…", "File", "Write this take for another program, or as a film.",
           lambda studio: studio.exporting.open(), ("Ctrl+E",), icon="export",
           why_not=lambda studio: studio.exporting.why_not(), line=True),
    Action("file.export_again", "Export again", "File", "Write this take as the last one, to the same place.",
           lambda studio: studio.exporting.again(),
           ("Ctrl+Shift+E",), why_not=lambda studio: studio.exporting.why_not_again()),
    Action("file.quit", "Quit", "File", "Close Foregone; unsaved work is asked about.",
           lambda studio: studio.shell.close(), ("Ctrl+Q",), line=True, on_welcome=True),
)  # fmt: skip
