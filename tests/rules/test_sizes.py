"""Sizes that keep the house liveable."""

from __future__ import annotations

from source_tree import ROOT, functions, python_files

LONGEST_FILE, LONGEST_KERNEL, LONGEST_FUNCTION = 600, 120, 60
LONGEST_DRIVER = 80  # a plain function beside kernels: it lists many arrays and little else


def test_files_are_short() -> None:
    files = python_files("engine", "app", "tests")
    long = {str(p.relative_to(ROOT)): n for p in files if (n := lines(p)) > LONGEST_FILE}
    assert long == {}


def lines(path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_functions_are_short() -> None:
    everything = list(functions("engine", "app"))
    with_kernels = {f.path for f in everything if f.is_kernel}
    found = []
    for f in everything:
        length = (f.node.end_lineno or 0) - f.node.lineno + 1
        plain = LONGEST_DRIVER if f.path in with_kernels else LONGEST_FUNCTION
        if length > (LONGEST_KERNEL if f.is_kernel else plain):
            found.append(f"{f.where}: {length} lines")
    assert found == []
