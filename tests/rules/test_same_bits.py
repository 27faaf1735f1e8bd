"""The same bits on every processor: nothing on the way to a take may ask BLAS, LAPACK or the C library's functions.

Their answers differ in the last bit from processor to processor; engine/algebra.py, factors.py and functions.py answer
in their place. Sums, products, quotients and square roots are rounded in one way everywhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from source_tree import ROOT, is_kernel, parsed, python_files

ON_THE_WAY = (
    *("arrivals certificate collide contact decide fast hints joint kick model papers shapes step tape".split()),
    *("algebra.py both_ways.py factors.py functions.py params.py run.py spin.py vec.py".split()),
    *("scene/entrance.py scene/vectors.py".split()),
)

PRODUCTS = set("dot vdot inner matmul einsum tensordot linalg convolve correlate polyfit cov corrcoef".split())
FUNCTIONS = set(
    "sin cos tan asin acos atan atan2 arcsin arccos arctan arctan2 sinh cosh tanh exp exp2 expm1 log log2 log10 log1p "
    "pow power float_power cbrt".split()
)
OF_NUMPY = {*PRODUCTS, *FUNCTIONS, "hypot"}  # math.hypot is Python's own
DRAWN = {"normal", "standard_normal", "exponential"}  # by logarithms, in their tails: decide/chance.py
SCIPY = {"scipy.spatial", "scipy.optimize.linprog"}  # qhull and HiGHS: neither asks BLAS


def offences(tree: ast.AST, in_kernel: bool = False) -> Iterator[tuple[int, str]]:
    for node in ast.iter_child_nodes(tree):
        inside = in_kernel or (isinstance(node, ast.FunctionDef) and is_kernel(node))
        yield from ((node.lineno, found) for found in _offence(node, inside))  # type: ignore[attr-defined]
        yield from offences(node, inside)


def _offence(node: ast.AST, in_kernel: bool) -> Iterator[str]:
    if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.MatMult):
        yield "@"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        whole = isinstance(node.right, ast.Constant) and isinstance(node.right.value, int)
        if not (in_kernel and whole):  # there it is a product; Python asks the C library's pow
            yield "**"
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        if node.attr in {"np": OF_NUMPY, "math": FUNCTIONS, "rng": DRAWN}.get(node.value.id, ()):
            yield f"{node.value.id}.{node.attr}"
    if isinstance(node, ast.ImportFrom) and node.module in ("math", "numpy"):
        yield f"from {node.module} import"
    if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("scipy") and node.module not in SCIPY:
        yield from (f"{node.module}.{a.name}" for a in node.names if f"{node.module}.{a.name}" not in SCIPY)


def files() -> list[Path]:
    whole = [ROOT / "engine" / each for each in ON_THE_WAY]
    assert all(each.exists() for each in whole)
    return [f for each in whole for f in ([each] if each.suffix else python_files(str(each.relative_to(ROOT))))]


def test_nothing_on_the_way_to_a_take_depends_on_the_processor() -> None:
    found = [f"{f.relative_to(ROOT)}:{line} {what}" for f in files() for line, what in offences(parsed(f))]
    assert [each for each in found if not ("decide/chance.py" in each and each.endswith("rng.normal"))] == []


@pytest.mark.parametrize(
    "line",
    [
        "a @ b",
        "a @= b",
        "np.linalg.norm(a)",
        "np.einsum('i,i', a, b)",
        "math.sin(a)",
        "np.exp(a)",
        "a**2",
        "rng.normal()",
        "from scipy.optimize import nnls",
        "from math import sin",
    ],
)
def test_the_rule_sees(line: str) -> None:
    assert [*offences(ast.parse(line))]


def test_the_rule_lets_pass() -> None:
    kernel = "@kernel\ndef f(a):\n return math.sqrt(a**2)\n"
    assert not [*offences(ast.parse(f"{kernel}\nnp.cross(a, np.square(b))\nfrom scipy.spatial import ConvexHull"))]
