"""What an artist reads is plain: terms of engineers and statisticians stand behind a question mark only."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
READ = ("app", "engine/analysis", "engine/commands", "engine/scene")
TERMS = re.compile(
    r"planar condition|total variation|slide-tip\b|\ba = \S|complementarity|wrench|twist",
    re.IGNORECASE,
)
BEHIND = {"CENTRE", "CONDITION", "term"}  # names whose words are shown as terms


def words_in(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Text that may be shown: neither docstrings, nor what is raised, nor terms."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.Raise | ast.Assert) or isinstance(node, ast.keyword) and node.arg in BEHIND:
            continue
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id in BEHIND for t in node.targets):
            continue
        if isinstance(node, ast.FunctionDef) and node.name in BEHIND:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        yield from words_in(node)


@pytest.mark.parametrize("folder", READ)
def test_no_term_stands_in_front_of_an_artist(folder: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {words}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line, words in words_in(ast.parse(path.read_text()))
        if TERMS.search(words)
    ]
    assert found == []


def test_terms_are_found_where_they_stand_and_left_alone_behind_a_question_mark() -> None:
    shown = 'Number("Planar condition, off by", f"a = {x} of the total variation", term="planar condition")'
    assert [words for _, words in words_in(ast.parse(shown)) if TERMS.search(words)] == [
        "Planar condition, off by",
        " of the total variation",
    ]
    assert TERMS.search("a = 2.16") and not TERMS.search("slide-tipping")
