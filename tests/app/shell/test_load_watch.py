"""Which forces a body withstands is asked when somebody wants to know, and forgotten when the scene is another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt
from standins import filled

from engine.analysis.stability.loads import sphere
from engine.scene.load_map import GOES, KINDS, SURELY, LoadMap


def some_map() -> LoadMap:
    ways = sphere(4, 6)
    kinds = np.where(ways[..., 2] < 0.0, SURELY, GOES)
    around = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
    return LoadMap('"ball"', ways, kinds, around, np.where(around[:, 2] < 0.0, SURELY, GOES), no_luck=False)


def test_it_is_asked_shown_and_forgotten(window, qtbot) -> None:
    studio = window.studio
    ids = filled(studio.document)
    studio.selection.set(ids[:1])
    panel = next(panel for panel in window.inspector.inspections if panel.loads is not None)
    section = panel.loads
    qtbot.mouseClick(section.ask, Qt.MouseButton.LeftButton)
    job, scene, body = studio.worker.jobs[-1]
    assert scene is studio.document.scene and body == ids[0]
    assert not section.ask.isEnabled() and section.said.text == "Trying every direction…"
    job.finished.emit(some_map())
    assert section.ask.isEnabled() and section.said.text.endswith(
        "it surely holds over 90° of the full turn on the left."
    )
    assert section.luck.accessibleName().startswith("No luck needed: no")
    assert [section.slice.isHidden(), section.sheet.isHidden()] == [False, False] and len(section.legend) == len(KINDS)
    studio.selection.set(ids[1:2])
    assert section.slice.isHidden() and section.said.isHidden(), "the map is of another body"

    qtbot.mouseClick(section.ask, Qt.MouseButton.LeftButton)
    job = studio.worker.jobs[-1][0]
    cancelled = []
    job.cancelled.connect(lambda: cancelled.append(True))
    studio.document.edit("Name it", replace(studio.document.scene, name="another"))
    assert cancelled and section.said.isHidden() and section.ask.isEnabled()

    qtbot.mouseClick(section.ask, Qt.MouseButton.LeftButton)
    studio.worker.jobs[-1][0].failed.emit("too many to be asked at once")
    assert section.said.text == "too many to be asked at once" and section.sheet.isHidden()
