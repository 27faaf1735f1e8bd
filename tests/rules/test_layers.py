"""Who may import whom: the contracts of pyproject.toml, and that they can fail."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

from source_tree import ROOT, parsed, python_files

LINTER = Path(sys.executable).with_name("lint-imports")


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [str(LINTER), "--config", str(ROOT / "pyproject.toml"), "--no-cache"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_layers_are_kept() -> None:
    result = lint(ROOT)
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_contract_sees_a_broken_layer(tmp_path: Path) -> None:
    """A copy of the package tree in which scene imports model, vec imports Qt, and one way to arrive another."""
    for path in python_files("engine", "app"):
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text("")
    (tmp_path / "engine" / "scene" / "spec.py").write_text("import engine.model.arrays\n")
    (tmp_path / "engine" / "vec.py").write_text("import PySide6.QtCore\n")
    (tmp_path / "engine" / "arrivals" / "ahead" / "search.py").write_text("import engine.arrivals.meeting.search\n")
    result = lint(tmp_path)
    assert result.returncode != 0 and "3 broken" in result.stdout, result.stdout + result.stderr


def test_engine_does_not_print() -> None:
    """Only the command line speaks."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in python_files("engine")
        if path.name != "cli.py"
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert found == []
