"""ruff, mypy, and words that have no place in the project."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from source_tree import ROOT

SKIPPED = {".git", ".venv", ".venv-dcc", "out", "build", "dist", "__pycache__"}
TEXT = {".py", ".md", ".toml", ".yml", ".yaml", ".cfg", ".ini", ".sh", ".txt", ".json", ".glsl", ".svg", ""}

# Written in pieces, so that this file does not offend itself.
HOSTS = "|".join(["py" + "pi", "dev" + "pi", "python" + "hosted", "ana" + "conda", "conda" + "-forge"])
PATHS = "|".join(["wo" + "rk", "ho" + "me", "ro" + "ot", "Us" + "ers", "o" + "pt"])
FORBIDDEN = re.compile(rf"\b({HOSTS})\b|(?<![\w.~*}}/-])/({PATHS})/\w", re.IGNORECASE)


def texts() -> list[Path]:
    found = []
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        hidden = any(part.endswith(("_cache", ".egg-info")) or part == ".hypothesis" for part in parts)
        if path.is_file() and path.suffix in TEXT and not hidden and not SKIPPED & set(parts):
            found.append(path)
    return found


def test_no_machine_paths_and_no_package_hosts() -> None:
    found = []
    for path in texts():
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
            if FORBIDDEN.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip():.80}")
    assert found == []


@pytest.mark.parametrize("text", ["see /ho" + "me/me/x", "https://py" + "pi.org/simple", "'/wo" + "rk/main'"])
def test_the_rule_sees(text: str) -> None:
    assert FORBIDDEN.search(text)


@pytest.mark.parametrize("command", [["ruff", "check", "--no-fix", "."], ["mypy"]], ids=lambda c: c[0])
def test_tools_have_no_complaints(command: list[str]) -> None:
    result = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-2000:]
