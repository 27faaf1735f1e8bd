"""What can be wrong with entrances, and with the stagger, stage and camera beside them. Nothing in here raises."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from engine.scene.entrance import BEFORES, ENTRANCE_KINDS, ORDERS, SIDES, Camera, Entrance, Stage, Stagger
from engine.scene.faults import is_number, is_vector
from engine.scene.joint_rules import entries, no_such
from engine.scene.nearest import holders_of
from engine.scene.spec import Body, Group, Problem, Scene

Fault: TypeAlias = tuple[str, str, str]
"""Code, message, fix."""

RANGES = {"height": "metres over its resting place", "speed": "m/s", "spin": "rad/s"}
OF_A_MOTION = ("height", "speed", "spin", "region")  # what cannot be asked of a body that is let go where it rests


def entrance_problems(scene: Scene) -> list[Problem]:
    """Every rule about entrances, stagger, stage and camera."""
    found: list[Problem] = []
    if not isinstance(scene.entrances, list):
        text = "The entrances of the scene are not a list."
        found.append(Problem("error", "entrances", None, text, "Use a list of entrances."))
    holders = holders_of(scene)
    for number, entrance in enumerate(entries(scene.entrances), start=1):
        if isinstance(entrance, Entrance):
            found += _entrance_rules(scene, entrance, number, holders)
        else:
            found.append(no_such(number, "entrance"))
    beside: dict[str, tuple[type, Callable[[Any], Iterator[Fault]]]] = {
        "stagger": (Stagger, _stagger_faults),
        "stage": (Stage, _stage_faults),
        "camera": (Camera, _camera_faults),
    }
    for what, (kind, faults) in beside.items():
        record = getattr(scene, what)
        if isinstance(record, kind):
            found += [Problem("error", code, None, f"The {what} {text}", fix) for code, text, fix in faults(record)]
        elif record is not None:
            found.append(Problem("error", what, None, f"The {what} of the scene is none.", "Clear it."))
    return found


def entrance_words(entrance: Entrance, number: int) -> str:
    """What an entrance is called in messages."""
    if isinstance(entrance.who, str):
        return f"The entrance of {entrance.who!r:.40}" if entrance.who else "The entrance of everything"
    return f"Entrance {number}"


def _entrance_rules(
    scene: Scene, entrance: Entrance, number: int, holders: dict[str, list[Body | Group]]
) -> Iterator[Problem]:
    called = entrance_words(entrance, number)
    meant = holders.get(entrance.who, []) if isinstance(entrance.who, str) else []
    body = meant[0] if len(meant) == 1 and isinstance(meant[0], Body) else None
    name = body.name if body is not None and isinstance(body.name, str) else None
    for code, message, fix in (
        *_aim_faults(entrance, bool(meant)),
        *_side_faults(entrance.side),
        *_range_faults(entrance),
        *_place_faults(entrance),
        *_contradictions(entrance),
    ):
        yield Problem("error", code, name, f"{called} {message}", fix)
    if entrance.off_camera is True and scene.camera is None:
        text = f"{called} is to begin off camera, but the scene has no camera."
        yield Problem("warning", "entrance-camera", name, text, "Add a camera, or clear this.")
    if body is None:
        return
    if body.static is True:
        text = f"{called} is asked for, but it is static."
        yield Problem("warning", "entrance-static", name, text, "Make the body moving, or delete the entrance.")
    start: Any = entrance.start[2] if isinstance(entrance.start, tuple) and len(entrance.start) == 3 else None
    rests: Any = body.arrival
    if is_number(start) and is_number(rests) and start <= rests:
        text = f"{called} starts {start:g} s before the end, and it is to rest from {rests:g} s before it on."
        yield Problem("warning", "entrance-start-late", name, text, "Start earlier, or let it arrive later.")


def _aim_faults(entrance: Entrance, known: bool) -> Iterator[Fault]:
    """For whom, and of what kind."""
    who, kind, before = entrance.who, entrance.kind, entrance.before
    if not isinstance(who, str):
        yield "entrance-who", f"is for {who!r:.40}.", "Name a body or a group, or nobody to mean everything."
    elif who and not known:
        text = "is for nobody: the scene has no such body or group."
        yield "entrance-who", text, "Choose another one, or delete the entrance."
    if not _is_one_of(kind, ENTRANCE_KINDS):
        yield "entrance-kind", f"is of the kind {kind!r:.40}.", f"Use one of {', '.join(ENTRANCE_KINDS)}."
    if not _is_one_of(before, BEFORES):
        yield "entrance-before", f"is {before!r:.40} before it begins.", f"Use one of {', '.join(BEFORES)}."
    if not isinstance(entrance.off_camera, bool):
        text = f"is off camera by {entrance.off_camera!r:.40}, which is neither yes nor no."
        yield "entrance-camera", text, "Set off_camera to True or False."


def _side_faults(side: Any) -> Iterator[Fault]:
    if isinstance(side, str):
        if side not in SIDES:
            fix = f"Use {', '.join(SIDES)}, or degrees and a spread."
            yield "entrance-side", f"is from the side {side!r:.40}, which nobody knows.", fix
    elif side is not None and not is_vector(side, 2):
        fix = f"Enter degrees from x toward y and a spread, or one of {', '.join(SIDES)}."
        yield "entrance-side", f"is from the side {side!r:.60}.", fix
    elif side is not None and not 0.0 <= side[1] <= 360.0:
        yield "entrance-side", f"has a spread of {side[1]:g} degrees.", "Enter 0 (one direction) to 360 (any side)."


def _range_faults(entrance: Entrance) -> Iterator[Fault]:
    for what, unit in RANGES.items():
        span = getattr(entrance, what)
        if span is None:
            continue
        code = f"entrance-{what}"
        if not is_vector(span, 2):
            yield code, f"has the {what} {span!r:.60}.", f"Enter the lowest and the highest, in {unit}, or nothing."
        elif span[0] < 0.0:
            yield code, f"has a {what} from {span[0]:g} on.", f"Enter {unit}, 0 or more."
        elif span[0] > span[1]:
            yield code, f"has a {what} from {span[0]:g} to {span[1]:g}.", "Enter the lower end first."


def _place_faults(entrance: Entrance) -> Iterator[Fault]:
    region, start = entrance.region, entrance.start
    if region is not None:
        if not _are_vectors(region, (3, 3)):
            fix = "Enter its centre and its half edges, three numbers in metres each."
            yield "entrance-region", f"is let go in {region!r:.60}.", fix
        elif min(region[1]) <= 0.0:
            yield "entrance-region", "is let go in a box without room.", "Make its half edges larger than 0."
    if start is not None:
        if not isinstance(start, tuple) or len(start) != 3 or not _are_vectors(start[:2], (3, 4)):
            fix = "Enter a place in metres, a quaternion, and seconds before the end."
            yield "entrance-start", f"starts from {start!r:.60}.", fix
        elif not any(start[1]):
            text = "starts from an orientation of zero, which is no rotation."
            yield "entrance-start", text, "Use (1, 0, 0, 0) for none."
        elif not is_number(start[2]) or start[2] <= 0.0:
            yield "entrance-start", f"starts {start[2]!r:.40} s before the end.", "Enter seconds, more than 0."


def _contradictions(entrance: Entrance) -> Iterator[Fault]:
    """Wishes that cannot both come true."""
    kind, before = (word if isinstance(word, str) else "" for word in (entrance.kind, entrance.before))
    if kind == "flight" and entrance.start is not None:
        text = "is under way from the first frame, so no hand can carry it from a start."
        yield "entrance-contradiction", text, "Clear the start, or choose another kind."
    if kind == "flight" and before in ("held", "unseen"):
        text = f"is under way from the first frame, so it is never {before}."
        yield "entrance-contradiction", text, "Let it be entering, or choose another kind."
    if kind != "flight" and entrance.start is not None and before in ("held", "unseen"):
        text = f"is carried from a start, so it is not {before} before."
        yield "entrance-contradiction", text, "Clear the start, or let it be entering."
    asked = [what for what in OF_A_MOTION if getattr(entrance, what) is not None] if kind == "placed" else []
    if asked:
        text = f"is placed, which means let go where it rests; a {asked[0]} cannot be asked of that."
        yield "entrance-contradiction", text, f"Clear the {asked[0]}, or choose another kind."


def _stagger_faults(stagger: Stagger) -> Iterator[Fault]:
    if not _is_one_of(stagger.order, ORDERS):
        yield "stagger-order", f"goes {stagger.order!r:.40}.", f"Use one of: {', '.join(ORDERS)}."
    if stagger.seconds is not None and not (is_number(stagger.seconds) and stagger.seconds >= 0.0):
        text = f"has {stagger.seconds!r:.40} s between two bodies."
        yield "stagger-seconds", text, "Enter seconds, 0 or more, or nothing."


def _stage_faults(stage: Stage) -> Iterator[Fault]:
    if not is_vector(stage.center):
        yield "stage-center", f"is at {stage.center!r:.60}.", "Enter three numbers in metres."
    if not is_vector(stage.half) or min(stage.half) <= 0.0:
        yield "stage-half", f"has the half edges {stage.half!r:.60}.", "Enter three lengths in metres, larger than 0."


def _camera_faults(camera: Camera) -> Iterator[Fault]:
    if not is_vector(camera.position):
        yield "camera-position", f"is at {camera.position!r:.60}.", "Enter three numbers in metres."
    if not is_vector(camera.orientation, 4) or not any(camera.orientation):
        text = f"has the orientation {camera.orientation!r:.60}."
        yield "camera-orientation", text, "Enter a quaternion that is not zero; (1, 0, 0, 0) looks straight down."
    for what, unit in (("lens", "mm"), ("sensor", "mm"), ("aspect", "width over height")):
        value = getattr(camera, what)
        if not is_number(value) or value <= 0.0:
            yield f"camera-{what}", f"has the {what} {value!r:.40}.", f"Enter a number larger than 0 ({unit})."
    if not (is_number(camera.near) and is_number(camera.far) and 0.0 <= camera.near < camera.far):
        text = f"sees from {camera.near!r:.40} to {camera.far!r:.40} m."
        yield "camera-clip", text, "Enter the nearer distance first, 0 or more, and a larger one after it."
    if not isinstance(camera.name, str):
        yield "camera-name", "has a name that is not text.", "Clear it."


def _is_one_of(word: Any, known: tuple[str, ...]) -> bool:
    return isinstance(word, str) and word in known


def _are_vectors(value: Any, lengths: tuple[int, ...]) -> bool:
    return (
        isinstance(value, tuple)
        and len(value) == len(lengths)
        and all(is_vector(entry, length) for entry, length in zip(value, lengths, strict=True))
    )
