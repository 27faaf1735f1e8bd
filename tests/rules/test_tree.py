"""README's layout, ARCHITECTURE.md, the contracts and the tree say the same."""

from __future__ import annotations

import ast
import itertools
import re
import tomllib
from pathlib import Path

import pytest
from source_tree import ROOT, parsed, python_files

README = (ROOT / "README.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "engine" / "ARCHITECTURE.md").read_text(encoding="utf-8")
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]

ENTRY = re.compile(r"^ {4}([\w/]+)  ", re.M)
"""A line of a list: an indented name, two spaces, words."""


def packages(root: str) -> set[str]:
    return {folder.parent.name for folder in (ROOT / root.replace(".", "/")).glob("*/__init__.py")}


def section(text: str, heading: str) -> str:
    """What stands under a heading, up to the next one."""
    return re.split(r"^#+ ", text.partition(f"# {heading}\n")[2], maxsplit=1, flags=re.M)[0]


def layout(root: str) -> list[str]:
    """Packages of a root as README's Layout lists them."""
    entries = ENTRY.findall(section(README, "Layout"))
    assert [entry for entry in entries if not (ROOT / entry).is_dir()] == []
    return [entry.removeprefix(f"{root}/") for entry in entries if entry.startswith(f"{root}/")]


def layers(root: str) -> list[list[str]]:
    """Packages that may import all before them, lowest first."""
    lists = [contract["layers"] for contract in CONTRACTS if contract.get("containers") == [root]]
    assert len(lists) == 1
    return [re.findall(r"\w+", layer) for layer in reversed(lists[0])]


@pytest.mark.parametrize("root", ["engine", "engine.arrivals", "app"])
def test_every_package_has_one_place_in_the_contract(root: str) -> None:
    assert sorted(itertools.chain(*layers(root))) == sorted(packages(root))


@pytest.mark.parametrize("root", ["engine", "app"])
def test_layout_of_the_readme(root: str) -> None:
    assert sorted(layout(root)) == sorted(packages(root))
    assert_in_order(layout(root), root)


def test_list_of_the_architecture() -> None:
    listed = [entry.removesuffix("/") for entry in ENTRY.findall(section(ARCHITECTURE, "The engine"))]
    assert sorted(listed) == sorted(packages("engine"))
    assert_in_order(listed, "engine")


def assert_in_order(listed: list[str], root: str) -> None:
    """Each imports only what stands above it."""
    place = {name: i for i, layer in enumerate(layers(root)) for name in layer}
    assert listed == sorted(listed, key=place.__getitem__)


def test_contracts_name_packages_only() -> None:
    """Single modules need no place: circles are forbidden to them, too."""
    of_contracts = [contract.get("source_modules", []) + contract.get("ancestors", []) for contract in CONTRACTS]
    named = {name for names in of_contracts for name in names}
    assert {name for name in named if not (ROOT / name.replace(".", "/") / "__init__.py").is_file()} == set()
    assert [contract["name"] for contract in CONTRACTS if "ignore_imports" in contract] == []
    assert not any(":" in layer for contract in CONTRACTS for layer in contract.get("layers", []))


def test_files_that_texts_name_are_there() -> None:
    """By their path from the root or from the engine's; a bare name stands for one in the folder that is meant."""
    bare = {path.name for path in python_files("engine", "app")}
    missing = []
    for text in (README, ARCHITECTURE):
        for name in re.findall(r"(?<![\w./<>*-])((?:\w+/)*\w+\.py)\b", text):
            there = name in bare if "/" not in name else (ROOT / name).is_file() or (ROOT / "engine" / name).is_file()
            missing += [] if there else [name]
    assert missing == []


def test_modules_that_the_architecture_lists_are_there() -> None:
    """Under a paragraph that begins with a folder, `arrivals/` for example, lists name what is in it. Lines that name
    files themselves list something else, stages for example."""
    missing = []
    for folder, block in folders_and_lists():
        for line in block.splitlines():
            names = re.match(r" {4}((?:[\w/]+ )+) ", line)
            for name in names[1].split() if names and ".py" not in line else []:
                if not (folder / f"{name}.py").is_file() and not (folder / name / "__init__.py").is_file():
                    missing.append(f"{folder.relative_to(ROOT)}: {name}")
    assert missing == []


def folders_and_lists() -> list[tuple[Path, str]]:
    paragraphs = ARCHITECTURE.split("\n\n")
    found = []
    for before, block in itertools.pairwise(paragraphs):
        folder = re.match(r"`([\w/]+)/`", before)
        if folder and block.startswith("    "):
            found.append((ROOT / "engine" / folder[1], block))
    return found


def test_lists_are_seen() -> None:
    assert {folder.name for folder, _ in folders_and_lists()} >= {"arrivals", "ahead", "analysis", "export", "work"}


def test_tools_import_what_is_there() -> None:
    """No test runs them: they take minutes."""
    missing = []
    for tool in sorted((ROOT / "tools").glob("make-*")):
        for node in ast.walk(ast.parse(tool.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(("engine.", "app.", "tests.")):
                names = defined(ROOT / f"{str(node.module).replace('.', '/')}.py")
                missing += [f"{tool.name}: {node.module}.{each.name}" for each in node.names if each.name not in names]
    assert missing == []


def defined(module: Path) -> set[str]:
    """What a module itself defines; nothing when it is not there."""
    names = set()
    for node in parsed(module).body if module.is_file() else []:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
    return names


def test_papers_are_cited_by_name() -> None:
    """Numbers of papers, and notes that are not in the repository, tell a reader nothing."""
    by_number = re.compile(r"\b[Pp]aper 0\d\d|\b00\d,? sec\.|\b(?!README|ARCHITECTURE|errata)\w+\.md\b")
    files = [path for path in python_files("engine", "app", "tests") if path.name != Path(__file__).name]
    assert [str(path) for path in files if by_number.search(path.read_text(encoding="utf-8"))] == []


def test_cited_papers_are_in_the_bibliography() -> None:
    listed = set(re.findall(r"^ {4}(\w.*? \d{4})  ", section(ARCHITECTURE, "Papers"), re.M))
    name = r"[A-Z][\w-]+"
    cited = re.compile(rf"\b((?:de )?(?:{name}, )*{name}(?: and {name}| et al\.)? (?:19|20)\d\d)\b")
    texts = [path.read_text(encoding="utf-8") for path in python_files("engine")]
    citations = {found for text in texts for found in cited.findall(" ".join(text.split()))}
    assert citations == listed
