"""Sources: what the parts of the browser read and work on, handed to them as one."""

from __future__ import annotations

from dataclasses import dataclass

from app.document.document import Document
from app.look.look import Look
from app.session.playback import Playback
from app.takes.browsing import Browsing
from app.takes.curves import Curves
from app.takes.running import RunningTakes
from app.viewport.thumbnails import Thumbnails


@dataclass(frozen=True)
class Sources:
    document: Document
    playback: Playback
    browsing: Browsing
    running: RunningTakes
    thumbnails: Thumbnails
    curves: Curves
    look: Look
