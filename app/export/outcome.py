"""Outcome: what an export with these settings will be, in numbers and notes. No Qt: the dialog shows it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.export import export_words as words
from app.export.estimate import Contents, estimated_bytes
from app.export.export_words import Note
from app.export.subject import Subject
from engine.errors import ExportError
from engine.export.frames import Frames, frames_of
from engine.export.names import legal_names
from engine.export.settings import TARGETS, Format, Settings, missing
from engine.export.video import leftovers


@dataclass(frozen=True)
class Outcome:
    frames: Frames | None  # None: there are none to export
    bodies: int = 0
    moving: int = 0
    spinning: int = 0
    keys: int = 0
    size: float = 0.0  # bytes, estimated
    exact: bool = False
    notes: tuple[Note, ...] = ()

    @property
    def ready(self) -> bool:
        return self.frames is not None and not any(note.kind == "error" for note in self.notes)

    @property
    def still(self) -> int:
        return self.bodies - self.moving


def outcome_of(subject: Subject, settings: Settings, target: str, path: Path) -> Outcome:
    try:
        kind = settings.settled().kind
        frames = frames_of(subject.span, settings)
    except ExportError as error:
        return Outcome(None, subject.bodies, notes=(Note("error", words.failed_words(str(error))),))
    moving, spinning = subject.moving(frames), subject.spinning(frames)
    keys = (subject.bodies if settings.still_keys else moving) * frames.count if kind.keys else 0
    names = [body.name for body in subject.scene.bodies]
    contents = Contents(
        settings.format, subject.bodies, moving, frames.count, keys, subject.poses(frames), settings.rotation,
        sum(map(len, names)) / max(1, len(names)), settings.width * settings.height,
        subject.points, subject.shared_points,
    )  # fmt: skip
    return Outcome(
        frames,
        subject.bodies,
        moving,
        spinning,
        keys,
        estimated_bytes(contents),
        frames.ending is not None and not subject.card.disorder and not (subject.stale and kind.pictures),
        tuple(_notes(subject, settings, frames, spinning, target, path)),
    )


def _notes(subject: Subject, settings: Settings, frames: Frames, spinning: int, target: str, path: Path) -> list[Note]:
    kind = settings.kind
    inside = frames.ending is not None
    found = [words.ending_note(inside, subject.card.disorder, subject.stale, kind.pictures)]
    if not kind.pictures:
        names = [body.name for body in subject.scene.bodies]
        changed = list(zip(names, legal_names(names, kind.names), strict=True))
        found.append(words.names_note(changed, _rules_of(kind, target)))
    lacking = missing(kind)
    more = [
        words.missing_note(lacking) if lacking else None,
        words.stale_note(subject.card.name) if subject.stale else None,
        None if kind.pictures else words.fast_note(spinning, settings.subframes and kind.keys),
        words.appearing_note(subject.appearing(frames), kind.key, target),
        words.handles_note(frames.moving.start),
        words.arrival_note(kind.key, target, kind.program),
        words.place_note(path, _old_pictures(path, frames) if kind.key == "png" else None),
    ]
    return found + [note for note in more if note is not None]


def _rules_of(kind: Format, target: str) -> str:
    """The program whose rules names follow; "" where any name will do."""
    if kind.names == "any":
        return ""
    return kind.name if kind.key == "usd" else TARGETS[target].name


def _old_pictures(path: Path, frames: Frames) -> list[Path]:
    return leftovers(path, int(frames.numbers[0]), 0) if path.parent.is_dir() else []
