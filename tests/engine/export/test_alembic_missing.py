"""Alembic is offered where its library is, and says what is missing where it is not."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from shown_poses import TIERS, take

from engine.errors import ExportError
from engine.export.settings import FORMATS, missing, preset
from engine.export.write import export


def test_what_is_missing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: asked.append(name))
    told = missing(FORMATS["alembic"])
    assert told == "Alembic needs the Python package alembic3d, which is not installed here."
    assert asked == ["alembic3d"]  # "alembic" is a tool for databases
    with pytest.raises(ExportError, match="alembic3d"):
        export(take(), tmp_path / "take.abc", preset("maya", "alembic"), tiers=TIERS)
    assert list(tmp_path.iterdir()) == []
