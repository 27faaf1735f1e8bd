"""foregone --install-desktop: the program in the menus of a Linux desktop, with its icon and its kind of file."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from engine.commands.output import complain, say

PARTS = Path(__file__).resolve().parents[2] / "assets" / "icon"


def install_desktop() -> int:
    """Returns the exit code. Done again it writes the same files again."""
    if not sys.platform.startswith("linux"):
        complain("desktop entries are for Linux. Elsewhere make a shortcut to the command `foregone`.")
        return 1
    share = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    icons = share / "icons" / "hicolor"
    entry = (PARTS / "foregone.desktop").read_text().replace("Exec=foregone", f"Exec={_quoted(_command())}")
    written = [
        _write(share / "applications" / "foregone.desktop", entry.encode()),
        _write(share / "mime" / "packages" / "foregone.xml", (PARTS / "foregone.xml").read_bytes()),
        _write(icons / "256x256" / "apps" / "foregone.png", (PARTS / "foregone.png").read_bytes()),
        _write(icons / "scalable" / "apps" / "foregone.svg", (PARTS / "foregone.svg").read_bytes()),
    ]
    for tool, folder in (("update-desktop-database", "applications"), ("update-mime-database", "mime")):
        if shutil.which(tool):  # desktops without them look by themselves, sooner or later
            subprocess.run([tool, str(share / folder)], capture_output=True, check=False)
    for path in written:
        say(f"wrote {path}")
    return 0


def _command() -> list[str]:
    """How this program was started, in words that hold from any folder."""
    beside = Path(sys.executable).with_name("foregone")
    return [str(beside)] if beside.is_file() else [sys.executable, "-m", "engine.cli"]


def _quoted(words: list[str]) -> str:
    """As desktop entries quote: in double quotes, with backslashes before what is special; of % there are two."""
    special = str.maketrans({each: "\\" + each for each in '"`$\\'} | {"%": "%%"})
    return " ".join(f'"{word.translate(special)}"' for word in words)


def _write(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path
