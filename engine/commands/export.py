"""foregone export: a take as keyframes, tables or pictures for another program."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from engine.commands.kept_takes import Chosen, chosen_take
from engine.commands.output import answer, complain, say
from engine.commands.progress import Meter
from engine.commands.videos import write_video
from engine.errors import ExportError, ForegoneError
from engine.export.clip import Clip
from engine.export.settings import FORMATS, Settings, format_of, preset, target_of
from engine.export.write import export
from engine.scene.spec import Scene

PARTS = 1000  # of a progress bar


def export_file(
    file: str, take: str | None, to: str | None, target: str | None, out: str, thin: float | None, as_json: bool,
    **given: Any,
) -> int:  # fmt: skip
    """Load, read, write, tell. Without --to the suffix of `out` says what it is, without --take it is the shot. `thin`
    in mm; `given`: other fields of Settings, None where nothing is asked for."""
    given["thin"] = None if thin is None else 1e-3 * thin
    asked = {name: value for name, value in given.items() if value is not None}
    scene = Scene.load(file)
    settings = wanted_settings(to, target, out, {"fps": scene.request.fps, **asked})
    place_of(out, "take", settings)
    with Meter() as meter:
        chosen = chosen_take(file, scene, take or shot_of(file, scene))
        path = place_of(out, f"{Path(file).stem}_{chosen.name}", settings)
        clip = written(chosen, path, settings, Path(file).stem, meter)
    for note in (*ignored(asked, settings), *clip.notes):
        complain(note)
    size = sum(each.stat().st_size for each in ([path] if path.is_file() else path.parent.glob(f"{path.stem}.*.png")))
    if as_json:
        answer({"file": str(path), "format": settings.format, "take": chosen.name, "fps": clip.fps, "bytes": size,
                "first_frame": clip.first, "last_frame": clip.last, "ending_frame": clip.ending,
                "bodies": len(clip.actors), "keyed": sum(actor.keyed for actor in clip.actors),
                "unit": settings.unit, "up": settings.up, "notes": list(clip.notes)})  # fmt: skip
    else:
        say(f"{path}: {summary(clip, size)}")
    return 0


def written(chosen: Chosen, path: Path, settings: Settings, name: str, meter: Meter) -> Clip:
    def tell(share: float) -> None:
        meter.show(f"writing {path.name}", int(PARTS * share), PARTS)

    if settings.kind.pictures:
        return write_video(chosen.take, path, settings, chosen.after, name, tell)
    return export(chosen.take, path, settings, chosen.after, name, tell, chosen.tiers, chosen.name)


def wanted_settings(to: str | None, target: str | None, out: str, asked: dict[str, Any]) -> Settings:
    kind = to or format_of(out)
    if kind is None and target is None:
        raise ExportError(f"say with --to what {out} is to be: {', '.join(FORMATS)}")
    return preset(target or target_of(kind or ""), kind or "", **asked)


def ignored(asked: dict[str, Any], settings: Settings) -> list[str]:
    """What was asked for and has no effect in this format."""
    kind = settings.kind
    found = [
        f"{kind.name} has its own {name}: {value} is not used."
        for name, value in asked.items()
        if name in ("unit", "up", "hand", "rotation") and (kind.pictures or value != getattr(settings, name))
    ]
    if asked.get("thin") is not None and not kind.keys:
        found.append(f"{kind.name} has no keys that could be left out.")
    return found


def place_of(out: str, name: str, settings: Settings) -> Path:
    """`out`, or a file called `name` in it when it is a folder."""
    path, suffixes = Path(out), settings.kind.suffixes
    if path.is_dir():
        return path / (re.sub(r"[^\w.-]+", "_", name) + suffixes[0])
    if path.suffix.lower() not in suffixes:
        raise ExportError(f"{out}: a file of this format ends in {' or '.join(suffixes)}")
    return path


def shot_of(file: str, scene: Scene) -> str:
    if scene.shot:
        return scene.shot
    if len(scene.takes) == 1:
        return scene.takes[0].id
    known = ", ".join(f"{card.name} ({card.id})" for card in scene.takes)
    told = f"there are {known}" if known else f"{file} has none; `foregone run` makes some"
    raise ForegoneError(f"say with --take which take: {told}")


def summary(clip: Clip, size: int) -> str:
    """ "47 bodies, 96 frames at 24 fps, 0.6 MB, ends exactly on the pose"."""
    bodies = f"{len(clip.actors)} {'body' if len(clip.actors) == 1 else 'bodies'}"
    rate = f"{clip.fps:.3f}".rstrip("0").rstrip(".")
    end = "ends exactly on the pose" if clip.ending is not None else "the ending is cut off"
    return f"{bodies}, {clip.frames.count} frames at {rate} fps, {_size_words(size)}, {end}"


def _size_words(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{max(size / 1e3, 0.1):.1f} kB"
