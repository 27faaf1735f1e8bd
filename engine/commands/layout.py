"""foregone import: a layout made elsewhere becomes the ending of a project."""

from __future__ import annotations

from pathlib import Path

from engine.commands.output import answer, complain, say
from engine.errors import LayoutError
from engine.export.settings import UNITS
from engine.layout.bodies import layout_bodies
from engine.layout.floors import extents, with_fixed_floors
from engine.layout.merge import merged
from engine.layout.read import read_layout
from engine.scene.spec import Scene

SUFFIX = ".foregone"
BELOW = -1e-3  # m: a new project has no ground where the layout goes deeper than this


def import_layout(file: str, out: str, unit: str | None, up: str | None, as_json: bool) -> int:
    """Into a new project, or into one that is there: its bodies with known names move, and keep ids and hints."""
    target = Path(out)
    if target.suffix != SUFFIX:
        raise LayoutError(f"the project {target.name} must end in {SUFFIX}")
    layout = read_layout(file)
    found = layout_bodies(layout, UNITS[unit] if unit else None, up)
    bodies = with_fixed_floors(found.bodies)
    if target.exists():
        scene = Scene.load(target)
    else:
        scene = Scene(name=Path(file).stem, ground=bool(extents(bodies)[:, 0, 2].min() >= BELOW))
    result = merged(scene, bodies)
    target.parent.mkdir(parents=True, exist_ok=True)
    result.scene.save(target)
    chosen = [body for body in result.scene.bodies if body.id in set(result.ids)]
    fixed = sum(body.static for body in chosen)
    notes = [*found.notes, *result.notes]
    if not layout.unit_known and unit is None:
        notes.append(f"The file does not say its unit; {layout.metres:g} m was taken. --unit says another.")
    if not layout.up_known and up is None:
        notes.append(f"The file does not say which way is up; {layout.up} was taken. --up says another.")
    if as_json:
        answer(
            {
                "file": str(target),
                "bodies": [{"id": b.id, "name": b.name, "shape": type(b.shape).__name__.lower(), "static": b.static}
                           for b in chosen],
                "added": result.added, "replaced": result.replaced, "fixed": fixed, "notes": notes,
            }
        )  # fmt: skip
        return 0
    for note in notes:
        complain(note)
    say(f"{len(chosen)} bodies ({fixed} fixed): {result.added} added, {result.replaced} replaced. Written to {target}.")
    return 0
