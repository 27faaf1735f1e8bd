"""The outliner's rows without a window: groups as folders, bodies in the scene's order, a filter, and drops."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count as counter

from app.document import edits
from engine.scene.spec import Body, Group, Scene

FILTERS: dict[str, str] = {
    "all": "All bodies",
    "moving": "Moving",
    "static": "Static",
    "hinted": "With a hint",
    "problems": "With a problem",
    "hidden": "Hidden",
    "locked": "Locked",
}
_numbers = counter(1)


@dataclass(eq=False)
class Row:
    """A folder or a body. `key` is the id; `place` orders it among its siblings (folders before bodies)."""

    key: str
    folder: bool
    parent: Row | None
    place: int
    children: list[Row] = field(default_factory=list)
    count: int = 0  # of bodies in a folder and the folders inside it
    serial: int = 0  # never given twice, so that an old index finds nothing; odd for bodies

    def __post_init__(self) -> None:
        self.serial = 2 * next(_numbers) + (not self.folder)

    def index(self) -> int:
        """Where it is among its siblings."""
        assert self.parent is not None
        at = self.parent.position(self.folder, self.place)
        assert self.parent.children[at] is self
        return at

    def position(self, folder: bool, place: int) -> int:
        """Where a child with this place is, or belongs."""
        return bisect_left(self.children, (not folder, place), key=lambda row: (not row.folder, row.place))


class Rows:
    """The tree of a scene. `keep` says which bodies the filter lets through."""

    def __init__(self, scene: Scene, keep: Callable[[Body], bool] | None = None) -> None:
        self.root = Row("", True, None, 0)
        self.folders: dict[str, Row] = {"": self.root}
        self.bodies: dict[str, Row] = {}
        self.by_serial: dict[int, Row] = {self.root.serial: self.root}
        groups = {group.id: (place, group) for place, group in enumerate(scene.groups)}
        kept = [(place, body) for place, body in enumerate(scene.bodies) if keep is None or keep(body)]
        wanted = groups if keep is None else {body.group for _, body in kept}
        for key in wanted:
            self._folder(key, groups, set())
        for place, body in kept:
            self.put(body, place, at_end=True)

    def _folder(self, key: str, groups: dict[str, tuple[int, Group]], above: set[str]) -> Row:
        """The row of a group, made with all folders it is in; a group inside itself hangs at the root."""
        if key in self.folders or key not in groups or key in above:
            return self.folders.get(key, self.root)
        place, group = groups[key]
        parent = self._folder(group.parent, groups, above | {key})
        row = Row(key, True, parent, place)
        parent.children.insert(parent.position(True, place), row)
        self.folders[key] = row
        self.by_serial[row.serial] = row
        return row

    def put(self, body: Body, place: int, at_end: bool = False) -> Row:
        """Add a body to its folder; `at_end` is for those that come in the scene's order."""
        parent = self.folders.get(body.group, self.root)
        row = Row(body.id, False, parent, place)
        parent.children.insert(len(parent.children) if at_end else parent.position(False, place), row)
        self.bodies[body.id] = row
        self.by_serial[row.serial] = row
        self._count(parent, 1)
        return row

    def take(self, key: str) -> None:
        row = self.bodies.pop(key)
        assert row.parent is not None
        del row.parent.children[row.index()]
        del self.by_serial[row.serial]
        self._count(row.parent, -1)

    def renumber(self, scene: Scene) -> None:
        """Places after bodies were added or removed; the order of those that stay is the same."""
        for place, body in enumerate(scene.bodies):
            row = self.bodies.get(body.id)
            if row is not None:
                row.place = place

    @staticmethod
    def _count(folder: Row | None, by: int) -> None:
        while folder is not None:
            folder.count += by
            folder = folder.parent


def keeper(text: str, kind: str, hints: Collection[str], problems: Collection[str]) -> Callable[[Body], bool] | None:
    """The filter as a function; None when it lets everything through."""
    tests: list[Callable[[Body], bool]] = []
    needle = text.strip().casefold()
    if needle:
        tests.append(lambda body: needle in body.name.casefold())
    by_kind: dict[str, Callable[[Body], bool]] = {
        "moving": lambda body: not body.static,
        "static": lambda body: body.static,
        "hinted": lambda body: body.id in hints,
        "problems": lambda body: body.id in problems,
        "hidden": lambda body: body.hidden,
        "locked": lambda body: body.locked,
    }
    if kind in by_kind:
        tests.append(by_kind[kind])
    return (lambda body: all(test(body) for test in tests)) if tests else None


def inside(scene: Scene, group_id: str, outer: Iterable[str]) -> bool:
    """Is a group one of `outer`, or in one of them?"""
    parent = {group.id: group.parent for group in scene.groups}
    goal, seen = set(outer), set()
    while group_id and group_id not in seen:
        if group_id in goal:
            return True
        seen.add(group_id)
        group_id = parent.get(group_id, "")
    return False


def dropped(scene: Scene, bodies: Sequence[str], groups: Sequence[str], target: str, before: str | None) -> Scene:
    """Bodies and groups moved into a group ("" for none); bodies also in front of another body (None: as they are).
    A group does not go into itself."""
    movable_groups = [key for key in groups if key != target and not inside(scene, target, [key])]
    moved = scene
    if movable_groups:
        fresh = [replace(g, parent=target) if g.id in movable_groups else g for g in scene.groups]
        moved = replace(moved, groups=fresh)
    chosen = {body.id for body in scene.bodies if body.id in set(bodies)}
    regrouped = [body.id for body in scene.bodies if body.id in chosen and body.group != target]
    if regrouped:
        moved = edits.set_fields(moved, regrouped, group=target)
    if chosen and before is not None:
        before = _next_outside(scene, before, chosen)
        moved = edits.reorder(moved, chosen, before)
    return edits.without_empty_groups(moved)


def dissolved(scene: Scene, group_id: str) -> Scene:
    """Without a group; what was in it, bodies and groups, is where the group was."""
    parent = next((group.parent for group in scene.groups if group.id == group_id), "")
    groups = [
        replace(group, parent=parent) if group.parent == group_id else group
        for group in scene.groups
        if group.id != group_id
    ]
    inside_it = [body.id for body in scene.bodies if body.group == group_id]
    return edits.set_fields(replace(scene, groups=groups), inside_it, group=parent)


def _next_outside(scene: Scene, key: str, chosen: Collection[str]) -> str | None:
    """`key`, or the first body after it that is not moved itself; "" means the end."""
    ids = [body.id for body in scene.bodies]
    start = ids.index(key) if key in ids else len(ids)
    return next((other for other in ids[start:] if other not in chosen), None)
