"""Where an export goes: a name made from project and take, a suffix that follows the format, "~" for the own folder."""

from __future__ import annotations

import re
from pathlib import Path

from engine.export.settings import FORMATS

NUMBERED = re.compile(r"Take (\d+)")
UNFIT = re.compile(r'[\x00-\x1f<>:"/\\|?*]+')  # what some system does not allow in names


def usual_name(project: str, take: str, format: str) -> str:
    """ "brick_wall_t07.usdc"."""
    numbered = NUMBERED.fullmatch(take)
    short = f"t{numbered[1]}" if numbered else take
    return f"{fit(project)}_{fit(short)}{FORMATS[format].suffixes[0]}"


def fit(name: str) -> str:
    """A name that any system can have for a file."""
    return UNFIT.sub("_", re.sub(r"\s+", "_", name.strip())).strip(".") or "untitled"


def with_suffix_of(path: Path, format: str) -> Path:
    """The same file in another format; a suffix that the format knows stays."""
    suffixes = FORMATS[format].suffixes
    if path.suffix.lower() in suffixes:
        return path
    known = any(path.suffix.lower() in kind.suffixes for kind in FORMATS.values())
    return path.with_name((path.stem if known else path.name) + suffixes[0]) if path.name else path


def shown(path: Path) -> str:
    """As it is read: "~/shots/wall.usdc"."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) and path != home else str(path)


def typed(text: str, folder: Path, format: str) -> Path:
    """What was typed: a whole path, or a name in `folder`."""
    path = Path(text.strip()).expanduser() if text.strip() else folder
    if not path.is_absolute():
        path = folder / path
    return with_suffix_of(path, format) if text.strip() and not path.is_dir() else path
