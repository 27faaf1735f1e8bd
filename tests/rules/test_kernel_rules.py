"""What a kernel may contain, read from the source."""

from __future__ import annotations

import ast

import pytest
from source_tree import ROOT, Function, functions, parsed, python_files

ALLOCATING = {
    *("zeros empty ones full array arange linspace eye identity copy concatenate stack vstack hstack".split()),
    *("zeros_like empty_like ones_like full_like asarray ascontiguousarray repeat tile outer diag".split()),
}
FORBIDDEN_CALLS = {"print", "list", "dict", "set", "sorted", "open", "getattr", "isinstance"}
FORBIDDEN_NODES = (
    ast.Raise,
    ast.Assert,
    ast.Try,
    ast.With,
    ast.Lambda,
    ast.ListComp,
    ast.DictComp,
    ast.SetComp,
    ast.GeneratorExp,
    ast.List,
    ast.Dict,
    ast.Set,
    ast.JoinedStr,
    ast.Yield,
    ast.Import,
    ast.ImportFrom,
    ast.Global,
)


def offences(function: Function) -> list[str]:
    found = []
    for statement in function.node.body:
        for node in ast.walk(statement):
            at = f"{function.where}, line {getattr(node, 'lineno', '?')}"
            if isinstance(node, FORBIDDEN_NODES):
                found.append(f"{at}: {type(node).__name__}")
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS:
                found.append(f"{at}: {node.func.id}()")
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                if node.value.id == "np" and node.attr in ALLOCATING:
                    found.append(f"{at}: np.{node.attr} allocates")
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "copy":
                found.append(f"{at}: .copy() allocates")
    return found


def test_kernels_neither_raise_nor_allocate_nor_print() -> None:
    assert [offence for f in functions("engine") if f.is_kernel for offence in offences(f)] == []


MOST_PARAMETERS = 12


def test_what_belongs_together_travels_as_a_record() -> None:
    many = {f.where: len(f.node.args.args) for f in functions("engine") if f.is_kernel}
    assert {where: count for where, count in many.items() if count > MOST_PARAMETERS} == {}


@pytest.mark.parametrize(
    "body",
    [
        "raise ValueError",
        "assert x",
        "y = np.zeros(3)",
        "print(x)",
        "y = [x, x]",
        "y = x.copy()",
        "try:\n  pass\n finally:\n  pass",
    ],
)
def test_the_rule_sees(body: str) -> None:
    node = ast.parse(f"@kernel\ndef f(x):\n {body}\n").body[0]
    assert isinstance(node, ast.FunctionDef)
    assert offences(Function("f", node, True, ROOT))


def test_only_the_decorator_compiles() -> None:
    """Nobody but engine/jit.py knows numba."""
    found = []
    for path in python_files("engine", "tests"):
        if path == ROOT / "engine" / "jit.py":
            continue
        for node in ast.walk(parsed(path)):
            modules = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            modules += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if any(m.split(".")[0] == "numba" for m in modules) and "tests" not in path.parts:
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
            name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
            if name in {"njit", "prange", "vectorize", "guvectorize"}:
                found.append(f"{path.relative_to(ROOT)}:{node.lineno} {name}")
    assert found == []


def test_engine_imports_are_absolute() -> None:
    """The kernel cache follows absolute imports only: a relative one would leave stale machine code."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in python_files("engine")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ImportFrom) and node.level > 0
    ]
    assert found == []


def test_every_other_function_is_annotated() -> None:
    found = []
    for f in functions("engine"):
        args = [*f.node.args.posonlyargs, *f.node.args.args, *f.node.args.kwonlyargs]
        bare = [a.arg for a in args if a.annotation is None and a.arg not in {"self", "cls"}]
        if not f.is_kernel and (bare or f.node.returns is None):
            found.append(f"{f.where}: {', '.join(bare) or 'return'}")
    assert found == []
