"""A program that edits a document with a journal until it is killed. It prints how many commands it has made."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QTimer

from app.document import edits
from app.document.autosave import Autosave
from app.document.document import Document
from app.document.journal import Journal
from engine.scene.spec import Body, Sphere

application = QCoreApplication([])
document = Document()
journal = Journal(document, Path(sys.argv[1]))
autosave = Autosave(document, journal)
count = 0


def work() -> None:
    """Command number n adds a ball, and makes gravity n."""
    global count
    scene, _ = edits.add(document.scene, [Body("Ball", Sphere(0.1), (0.1 * count, 0, 0.1))])
    document.edit("Add", replace(scene, gravity=(0, 0, -float(count + 1))))
    count += 1
    print(count, flush=True)


timer = QTimer()
timer.timeout.connect(work)
timer.start(1)
application.exec()
