"""The source files that the rules look at, parsed."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]


class Function(NamedTuple):
    where: str  # path:line name
    node: ast.FunctionDef
    is_kernel: bool
    path: Path


@functools.cache
def python_files(*folders: str) -> tuple[Path, ...]:
    return tuple(sorted(f for folder in folders for f in (ROOT / folder).rglob("*.py")))


@functools.cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def is_kernel(node: ast.FunctionDef) -> bool:
    return any(isinstance(d, ast.Name) and d.id in {"kernel", "standalone", "inline"} for d in node.decorator_list)


def functions(*folders: str) -> Iterator[Function]:
    for path in python_files(*folders):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef):
                where = f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
                yield Function(where, node, is_kernel(node), path)
