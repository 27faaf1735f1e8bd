"""Text of Maya's files: numbers, strings and arrays as its reader takes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

ROW = 12  # values in a line; Maya wraps its lines, too


def number(value: float) -> str:
    """The shortest text that reads back to the same bits."""
    return repr(float(value))


def quoted(text: str) -> str:
    """A string of MEL."""
    known = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    return '"' + "".join(known.get(c, c if c.isprintable() else " ") for c in text) + '"'


def rows(values: Iterable[str], width: int = ROW) -> str:
    """Values in lines of `width`."""
    values = list(values)
    return "\n\t\t".join(" ".join(values[k : k + width]) for k in range(0, len(values), width))


def array(name: str, items: Sequence[str], chunk: int, kind: str = "", size: str = "", width: int = ROW) -> list[str]:
    """Statements that set an array attribute, `chunk` items at a time: long statements overflow older readers.
    `size` goes with the announcement of the length."""
    typed = f' -type "{kind}"' if kind else ""
    length = f"-s {len(items)}{size}"
    if len(items) <= chunk:
        return [f'\tsetAttr {length} "{name}[{span(0, len(items))}]"{typed} \n\t\t{rows(items, width)};']
    found = [f'\tsetAttr {length} "{name}";']
    for k in range(0, len(items), chunk):
        part = items[k : k + chunk]
        found.append(f'\tsetAttr "{name}[{span(k, len(part))}]"{typed} \n\t\t{rows(part, width)};')
    return found


def span(first: int, count: int) -> str:
    """Places of an array: "0:5", or "3" for a single one."""
    return str(first) if count == 1 else f"{first}:{first + count - 1}"
