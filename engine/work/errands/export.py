"""One take, from its tape to a file of another program."""

from __future__ import annotations

import math
from pathlib import Path

from engine.export.write import export
from engine.kept import open_kept
from engine.scene.spec import Scene
from engine.work.errand import Desk
from engine.work.parcel import Parcel
from engine.work.records import Exported, ExportOrder


def exported(scene: Parcel[Scene], order: ExportOrder, desk: Desk) -> Exported:
    path, card = Path(order.path), order.take.card

    def tell(share: float) -> None:
        desk.progress(share, f"Exporting {path.name} · {math.floor(100.0 * share)} %")

    take, after = open_kept(scene.content, card, order.take.files)
    tell(0.0)
    clip = export(take, path, order.settings, after, order.name, tell, card.tiers or None, card.name)
    exact = clip.ending is not None and not card.disorder
    size = path.stat().st_size
    return Exported(str(path), size, len(clip.actors), clip.frames.count, clip.fps, exact, tuple(clip.notes))
