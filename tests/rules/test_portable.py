"""Nothing that only POSIX systems have, unless it is asked for first: the program is to run on Windows, too."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest
from source_tree import ROOT, parsed, python_files

MODULES = set("fcntl grp posix pty pwd resource syslog termios tty".split())
OF_OS = set(
    "fork forkpty getegid geteuid getgid getpgid getppid getuid killpg mkfifo nice pread pwrite sched_getaffinity "
    "setsid statvfs uname wait waitpid".split()
)
LOCKS = "engine/locks.py"  # has a way for either


def offences(tree: ast.AST) -> Iterator[tuple[int, str]]:
    asked = {
        node.args[1].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "hasattr"
        and isinstance(node.args[1], ast.Constant)
    }  # fmt: skip
    for node in ast.walk(tree):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        yield from ((node.lineno, name) for name in names if name in MODULES)  # type: ignore[attr-defined]
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os":
            if node.attr in OF_OS - asked:
                yield node.lineno, f"os.{node.attr}"


def test_engine_and_app_ask_for_nothing_that_only_posix_has() -> None:
    files = [f for f in python_files("engine", "app") if f != ROOT / LOCKS]
    assert [f"{f.relative_to(ROOT)}:{line} {what}" for f in files for line, what in offences(parsed(f))] == []


@pytest.mark.parametrize("line", ["import fcntl", "from pwd import getpwnam", "os.fork()", "os.nice(5)"])
def test_the_rule_sees_a_breach(line: str) -> None:
    assert [*offences(ast.parse(line))]
    assert not [*offences(ast.parse("if hasattr(os, 'nice'):\n    os.nice(5)"))]
