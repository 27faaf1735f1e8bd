"""Videos of takes on a machine without a display: drawn ray by ray (engine/picture), encoded as they come."""

from __future__ import annotations

from pathlib import Path

from engine.export.clip import SAMPLED, Clip, Progress, clip_of
from engine.export.settings import Settings
from engine.export.video import frame_writer, picture_size
from engine.picture.video import pictures
from engine.tape.take import Take


def write_video(
    take: Take,
    path: Path,
    settings: Settings,
    after: Take | None = None,
    name: str = "",
    progress: Progress | None = None,
) -> Clip:
    """An MP4, or a picture per frame beside `path`; raises ExportError."""
    tell = progress or (lambda share: None)
    clip = clip_of(take, settings, after, name, progress)
    size = picture_size(settings)
    with frame_writer(path, settings, clip.first) as video:
        for k, picture in enumerate(pictures(take.scene, clip.positions, clip.orientations, clip.shown, *size)):
            video.add(picture)
            tell(SAMPLED + (1.0 - SAMPLED) * (k + 1) / clip.frames.count)
    return clip
