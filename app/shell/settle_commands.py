"""Settle: the worker lets bodies come to rest, the scene shows it, the result is one command."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from app.document import edits
from app.shell.action import Action, counted, needs, needs_quiet
from app.shell.studio import Studio
from engine.scene.settled import Settled
from engine.scene.spec import Scene

WORDS = "Settling"
NAMED = 3  # bodies that a sentence names


def settle(studio: Studio) -> None:
    """The selection, or everything that can move."""
    settle_bodies(studio, studio.selection.ids)


def settle_bodies(studio: Studio, ids: Collection[str]) -> None:
    """These bodies, or all when there are none."""
    start = studio.document.scene
    moving = [body for body in start.bodies if not body.static and (not ids or body.id in ids)]
    label = f"Settle {moving[0].name if len(moving) == 1 else counted(len(moving))}"
    job = studio.worker.settle(start, list(ids) or None)
    studio.begin_job(job, WORDS)
    job.posed.connect(lambda poses: _preview(studio, start, poses))
    job.finished.connect(lambda result: _finish(studio, start, label, result))
    job.failed.connect(lambda reason: _fail(studio, reason))
    job.cancelled.connect(lambda: _cancel(studio))


def _preview(studio: Studio, start: Scene, poses: Mapping[str, Any]) -> None:
    """Show bodies on their way, unless the artist is at work on the scene in the meantime."""
    if studio.job is not None and studio.document.scene is start and not studio.view.tool.busy():
        studio.document.preview(edits.place(start, poses))


def _finish(studio: Studio, start: Scene, label: str, result: Settled) -> None:
    studio.end_job()
    poses = result.poses
    scene = studio.document.scene
    before = {body.id: body for body in start.bodies}
    untouched = {body.id for body in scene.bodies if before.get(body.id) is body}
    fitting = {key: pose for key, pose in poses.items() if key in untouched}
    changed = studio.document.edit(label, edits.place(scene, fitting))
    left = len(poses) - len(fitting)
    if left:
        studio.shell.say(f"{counted(left)} changed meanwhile and kept.")
    elif result.restless:
        studio.shell.tell(settled_words(start, result), kind="warning")
    else:
        studio.shell.say(settled_words(start, result) if changed else "Everything was at rest already.")


def settled_words(scene: Scene, result: Settled) -> str:
    """What came of it; names what did not come to rest."""
    names = {body.id: body.name for body in scene.bodies}
    words = []
    if result.fallen:
        verb = "falls" if len(result.fallen) == 1 else "fall"
        words.append(f"{_listed([names[i] for i in result.fallen])} {verb} away: there is nothing below.")
    if result.moving:
        verb = "does" if len(result.moving) == 1 else "do"
        words.append(f"{_listed([names[i] for i in result.moving])} {verb} not come to rest.")
    count = len(result.poses) - len(result.restless)
    return " ".join(words) or f"{count} {'body' if count == 1 else 'bodies'} at rest."


def _listed(names: list[str]) -> str:
    """A, B and 4 more."""
    if len(names) <= NAMED:
        return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    return f"{', '.join(names[: NAMED - 1])} and {len(names) - NAMED + 1} more"


def _fail(studio: Studio, reason: str) -> None:
    studio.end_job()
    studio.document.preview(None)
    studio.shell.tell(reason, [("Try again", lambda: settle(studio))], kind="error", details=studio.worker.details)


def _cancel(studio: Studio) -> None:
    studio.end_job()
    studio.document.preview(None)
    studio.shell.say("Stopped. The scene is as it was.")


def cancel(studio: Studio) -> None:
    if studio.job is not None:
        studio.job.cancel()


def _can_move(studio: Studio) -> bool:
    return any(not body.static for body in studio.selection.bodies() or studio.document.scene.bodies)


ACTIONS = (
    Action("body.settle", "Settle", "Edit/Transform", "Let the selection (or everything) fall until it is at rest.",
           settle, ("Ctrl+T",), icon="tool.settle",
           why_not=needs(_can_move, "Nothing here can move.", needs_quiet)),
    Action("job.cancel", "Stop what is running", "Edit", "Stop settling; the scene stays as it was.", cancel,
           ("Ctrl+.",), icon="generate.cancel", why_not=needs(lambda studio: studio.job, "Nothing is running."),
           line=True),
)  # fmt: skip
