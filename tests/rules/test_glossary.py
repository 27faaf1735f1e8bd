"""One word, one meaning: the glossary names what exists, a class name means one class, rest is judged by one table."""

from __future__ import annotations

import ast
import importlib
import re
from collections import Counter, defaultdict

import pytest
from source_tree import ROOT, parsed, python_files

ENTRY = re.compile(r"- \*\*([A-Za-z][A-Za-z ]*)\*\*: .+ `(engine[\w.]+)`")
OF_EACH_STRATEGY = {"Search", "Tuning"}  # records of the same use, one in the package of every way to arrive
REST = ROOT / "engine" / "rest.py"
ANY_REST = re.compile(r"(STILL|SLOW|QUIET|CALM|MOVES|SLIPS|TOUCHES|RESTS|AT_REST|REST_SPEED|QUIET_\w+|REST_OF_\w+)")


def glossary() -> list[str]:
    text = (ROOT / "engine" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    return [line for line in text.split("\n## Glossary\n")[1].splitlines() if line.startswith("-")]


def found(name: str) -> object:
    """A module, or what one holds."""
    module, _, last = name.rpartition(".")
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        return getattr(importlib.import_module(module), last)


def test_every_line_of_the_glossary_is_a_noun_and_where_it_lives() -> None:
    assert [line for line in glossary() if not ENTRY.fullmatch(line)] == []


def test_the_glossary_is_in_order_and_says_every_noun_once() -> None:
    nouns = [match[1].lower() for line in glossary() if (match := ENTRY.fullmatch(line))]
    assert nouns == sorted(set(nouns)) and len(nouns) > 50


def test_every_name_in_the_glossary_exists() -> None:
    for line in glossary():
        for name in re.findall(r"`(engine[\w.]+)`", line):
            found(name)


@pytest.mark.parametrize("name", ["engine.tape.reels", "engine.tape.reel.Wheel"])
def test_the_glossary_sees_what_is_gone(name: str) -> None:
    with pytest.raises((ModuleNotFoundError, AttributeError)):
        found(name)


def test_a_class_name_means_one_class() -> None:
    homes = defaultdict(list)
    for path in python_files("engine"):
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(str(path.relative_to(ROOT)))
    several = {name: paths for name, paths in homes.items() if len(paths) > 1 and name not in OF_EACH_STRATEGY}
    assert several == {}


def constants(tree: ast.Module) -> list[str]:
    """Names that a module gives to values of its own."""
    targets = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]


def test_tolerances_of_rest_stand_in_one_table() -> None:
    elsewhere = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in python_files("engine")
        if path != REST
        for name in constants(parsed(path))
        if ANY_REST.fullmatch(name)
    }
    assert elsewhere == set()


def test_every_tolerance_of_rest_is_asked_for() -> None:
    used = Counter(
        alias.name
        for path in python_files("engine")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ImportFrom) and node.module == "engine.rest"
        for alias in node.names
    )
    assert set(constants(parsed(REST))) == set(used)
