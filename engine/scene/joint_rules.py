"""What can be wrong with the joints of a scene. Nothing in here raises."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from engine.scene.faults import is_number, is_vector
from engine.scene.spec import JOINT_KINDS, Body, Joint, Problem, Scene

WITH_LIMITS = ("hinge", "slider")
WIDEST = 2.0 * math.pi - 1.5  # rad: angles are known up to full turns, and a limit is passed by up to 0.7 rad in a step


def joint_problems(scene: Scene) -> list[Problem]:
    """Every rule about joints."""
    found: list[Problem] = []
    for number, joint in enumerate(entries(scene.joints), start=1):
        if isinstance(joint, Joint):
            found += _joint_rules(scene, joint, number)
        else:
            found.append(no_such(number, "joint"))
    for attribute, fix in (("id", "Clear its id; it gets a new one."), ("name", "Rename one.")):
        for _, value in repeated(entries(scene.joints, Joint), attribute):
            if value:
                text = f"Two joints have the {attribute} {value!r:.40}."
                found.append(Problem("error", f"duplicate-joint-{attribute}", None, text, fix))
    return found


def entries(value: Any, kind: type | None = None) -> list[Any]:
    """Of a list in a scene, all or those of a kind; none where it is no list."""
    found = value if isinstance(value, list) else []
    return found if kind is None else [entry for entry in found if isinstance(entry, kind)]


def no_such(number: int, what: str) -> Problem:
    several = {"body": "bodies"}.get(what, f"{what}s")
    return Problem("error", f"not-a-{what}", None, f"Entry {number} of the {several} is no {what}.", "Delete it.")


def repeated(records: list[Any], attribute: str) -> Iterator[tuple[Any, str]]:
    """Records with the same text as another before them, and that text."""
    seen: set[str] = set()
    for record in records:
        value = getattr(record, attribute)
        if isinstance(value, str):
            if value in seen:
                yield record, value
            seen.add(value)


def partner(scene: Scene, key: Any) -> Body | str:
    """The body that an id or a name means; in words why there is none."""
    bodies = entries(scene.bodies, Body)
    with_id = [body for body in bodies if isinstance(body.id, str) and body.id == key]
    named = [body for body in bodies if isinstance(body.name, str) and body.name == key]
    if not with_id and len(named) > 1:
        return f"but {len(named)} bodies are called so"
    return next(iter(with_id + named), None) or "which is not in the scene"


def joint_words(joint: Joint, number: int = 0) -> str:
    """What a joint is called in messages."""
    if isinstance(joint.name, str) and joint.name:
        return f"The joint {joint.name!r}"
    kind = joint.kind if isinstance(joint.kind, str) and joint.kind in JOINT_KINDS else "joint"
    return f"The {kind} {number}" if kind == "joint" else f"The {kind} joint {number}"


def _joint_rules(scene: Scene, joint: Joint, number: int) -> Iterator[Problem]:
    called = joint_words(joint, number)
    first, second = (None if key == "" else partner(scene, key) for key in (joint.a, joint.b))  # None: the world
    name = next((body.name for body in (first, second) if isinstance(body, Body)), None)

    def error(code: str, message: str, fix: str) -> Problem:
        return Problem("error", code, name, f"{called} {message}", fix)

    known = isinstance(joint.kind, str) and joint.kind in JOINT_KINDS
    if not known:
        yield error("joint-kind", f"is of the kind {joint.kind!r:.40}.", f"Use one of {', '.join(JOINT_KINDS)}.")
    if not isinstance(joint.id, str) or not isinstance(joint.name, str):
        yield error("joint-name", "has a name or an id that is not text.", "Clear it.")
    unknown = False
    for key, body in ((joint.a, first), (joint.b, second)):
        if isinstance(body, str):
            unknown = True
            yield error("joint-body", f"is for {key!r:.40}, {body}.", "Choose a body, or delete the joint.")
    if not unknown:
        if isinstance(first, Body) and first is second:
            yield error("joint-same", f"links {first.name} with itself.", "Choose another body, or the world.")
        elif all(body is None or (isinstance(body, Body) and body.static is True) for body in (first, second)):
            yield error("joint-static", "links nothing that moves.", "Make one of its bodies moving, or delete it.")
    if not is_vector(joint.anchor):
        yield error("joint-anchor", f"is at {joint.anchor!r:.60}.", "Enter three numbers in metres.")
    if not is_vector(joint.axis) or not any(joint.axis):
        yield error("joint-axis", f"has the axis {joint.axis!r:.60}.", "Enter a direction that is not zero.")
    if not is_number(joint.restitution) or not 0.0 <= joint.restitution <= 1.0:
        text = f"has the restitution {joint.restitution!r:.40}."
        yield error("joint-restitution", text, "Enter a number from 0 to 1.")
    if known:
        yield from (error(*fault) for fault in _limit_faults(joint))


def _limit_faults(joint: Joint) -> Iterator[tuple[str, str, str]]:
    """Code, message, fix."""
    lo, hi = joint.lo, joint.hi
    unit = "rad" if joint.kind == "hinge" else "m"
    if lo is None and hi is None:
        return
    if joint.kind not in WITH_LIMITS:
        yield "joint-limits", "cannot have limits.", "Clear them; hinges and sliders have limits."
        return
    for limit in (lo, hi):
        if limit is not None and not is_number(limit):
            yield "joint-limits", f"has the limit {limit!r:.40}.", f"Enter a number in {unit}, or nothing."
            return
    if lo is not None and hi is not None and not lo < hi:
        yield "joint-limits", f"has limits out of order: {lo:g} to {hi:g} {unit}.", "Enter the lower one first."
    elif (lo is not None and lo > 0.0) or (hi is not None and hi < 0.0):
        span = f"{'-inf' if lo is None else format(lo, 'g')} to {'inf' if hi is None else format(hi, 'g')} {unit}"
        yield "joint-limits", f"ends outside its limits {span}.", "They count from the ending: 0 must lie between them."
    elif joint.kind == "hinge" and (hi or 0.0) - (lo or 0.0) > WIDEST:
        fix = f"Narrow its limits to {WIDEST:.1f} rad in all, or clear them."
        yield "joint-limits", "may turn by nearly a full circle.", fix
