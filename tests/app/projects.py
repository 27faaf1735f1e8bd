"""Projects read and written at once, where the window does it beside itself."""

from __future__ import annotations

from pathlib import Path

from app.document.document import Document
from app.document.journal import Journal
from app.document.reading import read_project


def open_project(document: Document, path: Path) -> None:
    """Raises ProjectError, and then nothing has changed."""
    document.show_project(read_project(path), path)


def save_project(document: Document, path: Path | None = None) -> None:
    """To a new place if one is given. Raises ProjectError."""
    target = path or document.path
    assert target is not None
    saving = document.begin_save(target)
    saving.write()
    document.end_save(saving)


def finish(journal: Journal) -> None:
    """Write all of what is pending."""
    while journal.pending and not journal.trouble:
        journal.work()
