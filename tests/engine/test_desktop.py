"""foregone --install-desktop: what it writes, and that a command with odd letters is quoted as desktop entries want."""

from __future__ import annotations

import configparser
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from PIL import Image

from engine import cli
from engine.commands import desktop


def test_entry_icon_and_kind_of_file_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(desktop, "_command", lambda: ["/a folder/100%/foregone"])
    for _ in range(2):
        assert cli.main(["--install-desktop"]) == 0
    entry = configparser.RawConfigParser()
    entry.optionxform = str  # type: ignore[assignment,method-assign]
    entry.read(tmp_path / "applications" / "foregone.desktop")
    told = dict(entry["Desktop Entry"])
    assert told["Exec"] == '"/a folder/100%%/foregone" %f' and told["Icon"] == "foregone"
    assert told["MimeType"] == "application/x-foregone;"
    kinds = ElementTree.parse(tmp_path / "mime" / "packages" / "foregone.xml").getroot()
    assert kinds.find(".//{*}glob").get("pattern") == "*.foregone"  # type: ignore[union-attr]
    icons = tmp_path / "icons" / "hicolor"
    with Image.open(icons / "256x256" / "apps" / "foregone.png") as icon:
        assert icon.size == (256, 256)
    assert (icons / "scalable" / "apps" / "foregone.svg").read_text().startswith("<svg")
    assert capsys.readouterr().out.count("wrote") == 8


def test_other_systems_are_told(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setattr(desktop.sys, "platform", "win32")
    assert cli.main(["--install-desktop"]) == 1
    assert "shortcut" in capsys.readouterr().err
