"""What the dialog and the messages about exports say. One place, so that they all say it alike; no Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.export.estimate import MEGABYTE
from engine.export.appearing import UNREAD, note

GROUP = "\u202f"  # narrow no-break space
NAMED = 12  # names that a tooltip lists
FOOTER = "An existing file is replaced only when the new one is complete."
WAITS = "Export when it has ended."
STOPPED = "Stopped. Nothing was replaced."


@dataclass(frozen=True)
class Note:
    """A line of "What you get". Kinds: ok, info, warning; an error keeps from exporting."""

    kind: str
    words: str
    tip: str = ""


def grouped(number: int) -> str:
    """ "4 536", with a narrow space."""
    return f"{number:,}".replace(",", GROUP)


def size_words(size: float) -> str:
    """ "0.6 MB", "48 kB", "1.3 GB"."""
    if size < 0.05 * MEGABYTE:
        return f"{max(1, round(size / 1000))} kB"
    if size < 10 * MEGABYTE:
        return f"{size / MEGABYTE:.1f} MB"
    return f"{size / MEGABYTE:.0f} MB" if size < 1000 * MEGABYTE else f"{size / MEGABYTE / 1000:.1f} GB"


def rate_number(fps: float) -> str:
    """ "24", "23.976"."""
    return f"{fps:.3f}".rstrip("0").rstrip(".")


def counted(count: int, one: str, many: str) -> str:
    return f"{grouped(count)} {one if count == 1 else many}"


def title(take: str) -> str:
    """ "Export take 07": the artist's own names keep their letters."""
    return f"Export {take[0].lower() + take[1:] if take.startswith('Take ') else take}"


# -- how it ends -----------------------------------------------------------------------------------------------------


def ending_words(exact: bool, disorder: float = 0.0) -> str:
    """How it ends, as a part of a sentence; `disorder` in m."""
    if exact:
        return "ends exactly on your pose"
    if disorder > 0.0:
        return f"ends up to {1000.0 * disorder:g} mm off your pose"
    return "without the ending"


def ending_note(inside: bool, disorder: float, stale: bool, pictures: bool) -> Note:
    """`inside`: the authored pose is among the frames."""
    if not inside:
        return Note("warning", "The ending is cut off.", "The last frame comes before the authored pose.")
    if disorder > 0.0:
        return Note("info", f"Ends up to {1000.0 * disorder:g} mm off your pose: the take has disorder.")
    if stale and pictures:
        return Note("warning", "Ends where the take ends: your pose is another one by now.")
    return Note("ok", "Ends exactly on your pose", "The frame of the ending has the authored poses, bit for bit.")


def stale_note(take: str) -> Note:
    return Note("warning", f"{take} is older than the scene.", "Generate it again to export what you see now.")


# -- names, files, programs ------------------------------------------------------------------------------------------


def names_note(pairs: Sequence[tuple[str, str]], program: str) -> Note:
    """`pairs`: names of bodies, and what they become; `program`: whose rules these are, "" where any name will do."""
    changed = [(old, new) for old, new in pairs if old != new]
    if not changed:
        return Note("ok", f"Names fit {program}\u2019s rules" if program else "Names stay as they are")
    listed = [f"{old} → {new}" for old, new in changed[:NAMED]]
    if len(changed) > NAMED:
        listed.append(f"and {len(changed) - NAMED} more")
    verb = "name is" if len(changed) == 1 else "names are"
    because = f" for {program}" if program else ", so that no two are alike"
    return Note("info", f"{len(changed)} {verb} changed{because}.", "\n".join(listed))


def missing_note(lacking: str) -> Note:
    return Note("error", f"{lacking} Install it and start Foregone again, or choose another format.")


def handles_note(still: int) -> Note | None:
    """`still`: frames of the handles that lie before the take."""
    if not still:
        return None
    who = "frame of the handles stands" if still == 1 else "frames of the handles stand"
    return Note("info", f"{grouped(still)} {who} still: the take begins after them.")


def fast_note(count: int, between: bool) -> Note | None:
    """About bodies that spin too fast for one key per frame; `between`: they get keys between frames."""
    if not count or between:
        return None
    who = "A body spins" if count == 1 else f"{count} bodies spin"
    return Note("warning", f"{who} too fast for one pose per frame. Raise the frame rate.")


def appearing_note(count: int, format: str, target: str) -> Note | None:
    """About bodies that are not to be seen at first, where the format or the program makes little of it."""
    words = note(format, count)
    if not words or (format in UNREAD and target != "blender"):
        return None
    return Note("warning" if format in UNREAD else "info", words)


ARRIVES = {
    ("usd", "blender"): "Arrives as a cache. Run Bake Action in Blender for keyframes.",
    ("alembic", "blender"): "Arrives as a cache. Run Bake Action in Blender for keyframes.",
    ("blender", "blender"): "Run it in Blender\u2019s Scripting tab: it builds meshes and keyframes.",
    ("houdini", "houdini"): "Read it with a File CHOP. Meshes do not come along.",
}
"""What to know about a format in a program."""


def arrival_note(format: str, target: str, program: str) -> Note | None:
    if program == "blender":
        return Note("info", "Written by the Blender on this machine.")
    words = ARRIVES.get((format, target))
    return Note("info", words) if words is not None else None


def place_note(path: Path, sequence: Sequence[Path] | None = None) -> Note | None:
    """What is at the place where it goes; `sequence`: the frames that are there already, for pictures."""
    if not path.stem.strip() or path.is_dir():
        return Note("error", "Give the file a name.")
    if not path.parent.is_dir():
        return Note("error", "There is no such folder.", str(path.parent))
    if sequence:
        return Note("info", f"{counted(len(sequence), 'picture', 'pictures')} of this name are replaced.")
    return Note("info", f"Replaces {path.name}.") if sequence is None and path.exists() else None


# -- effects of toggles ----------------------------------------------------------------------------------------------


def still_words(still: int) -> str:
    """Under "Leave still bodies without keys"."""
    if still == 0:
        return "every body moves"
    return f"{counted(still, 'body never moves', 'bodies never move')}"


def spin_words(count: int) -> str:
    """Under "Keys between frames for fast spinners"."""
    if count == 0:
        return "none spins that fast here"
    return f"{counted(count, 'body turns', 'bodies turn')} more than 150° per frame"


# -- when it is done -------------------------------------------------------------------------------------------------


def summary(bodies: int, frames: int, fps: float, size: float, ending: str) -> str:
    """ "45 bodies, 108 frames at 24 fps, 0.6 MB, ends exactly on your pose"."""
    what = f"{counted(bodies, 'body', 'bodies')}, {counted(frames, 'frame', 'frames')} at {rate_number(fps)} fps"
    return f"{what}, {size_words(size)}, {ending}"


def done_words(name: str, said: str) -> str:
    return f"Exported {name} · {said}."


def failed_words(reason: str) -> str:
    """A reason as a sentence."""
    text = reason.strip()
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."
