"""What tests of the panels share: a document with a small scene, its selection, look and settings."""

from __future__ import annotations

from pathlib import Path

import pytest
from panel_scenes import brick_scene
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.look.look import Look
from app.session.selection import Selection
from app.session.settings import Settings


@pytest.fixture
def document(qtbot: QtBot) -> Document:
    made = Document()
    made.new(brick_scene())
    return made


@pytest.fixture
def selection(document: Document) -> Selection:
    return Selection(document)


@pytest.fixture
def look(qtbot: QtBot) -> Look:
    return Look()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "settings.ini")
