"""Simple stand-ins for the parts of the window, so that its tests need neither GL nor a worker process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from unittest.mock import MagicMock

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.camera import Camera
from app.document import edits, take_edits
from app.document.document import Document
from app.panels.inspection_panel import CONTACT, STABILITY, WEDGED, InspectionPanel
from app.panels.stacking_panel import StackingPanel
from app.runs.generation import Generation
from app.shell.parts import Parts
from app.tools.stage import Surface
from app.tools.tool import Expect, Pointer, Tool
from engine.scene.shot import TakeCard
from engine.scene.spec import Body, Box
from engine.scene.take_files import FILM
from tests.app.films import film_bytes


class View(QWidget):
    camera_changed = Signal()
    expects_changed = Signal()
    said = Signal(str)
    color_by_changed = Signal()
    menu_requested = Signal(QPoint)
    settings_changed = Signal()
    ending_needed = Signal()
    again_requested = Signal()

    def __init__(self, document, selection, settings, look) -> None:
        super().__init__()
        self.document, self.selection, self.settings, self.look = document, selection, settings, look
        self.camera = Camera()
        self.calls: list[tuple] = []
        self.overlay, self.marks = MagicMock(), MagicMock()
        self.marks.set_extra, self.marks.set_problems = self._set_extra_marks, self._set_problem_bodies
        self.tool = Tool(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def extent(self):
        return self.width(), self.height()

    def set_tool(self, tool: Tool) -> None:
        self.tool.deactivate()
        self.tool = tool
        self.expects_changed.emit()

    def pick(self, x, y):
        return None

    def pick_inside(self, area):
        return []

    def surface_at(self, x, y, without=frozenset()):
        return Surface(np.array([x / 100.0, y / 100.0, 0.0]), np.array([0.0, 0.0, 1.0]), None)

    def refresh(self) -> None:
        self.calls.append(("refresh",))
        self.expects_changed.emit()

    def say(self, message: str) -> None:
        self.said.emit(message)

    def frame(self, ids=None) -> None:
        self.calls.append(("frame", ids))

    def look_from(self, axis: str) -> None:
        self.calls.append(("look_from", axis))

    def set_orthographic(self, on: bool) -> None:
        self.calls.append(("orthographic", on))

    def set_color_by(self, mode: str) -> None:
        self.calls.append(("color_by", mode))
        self.settings.set("view/color_by", mode)

    def apply_settings(self) -> None:
        self.calls.append(("apply_settings",))

    def set_poses(self, poses) -> None:
        self.poses = poses

    def _set_extra_marks(self, owner, marks) -> None:
        self.extra_marks = {**getattr(self, "extra_marks", {}), owner: marks}

    def set_pose_arrays(self, ids, positions, orientations, shown=None) -> None:
        self.poses = dict(zip(ids, zip(positions, orientations, strict=True), strict=True))

    def set_ghosts(self, ghosts) -> None:
        self.ghosts = ghosts

    def show_ending(self) -> None:
        self.ending_needed.emit()

    def _set_problem_bodies(self, problems) -> None:
        self.problems = problems

    def set_body_values(self, mode, values) -> None:
        self.values = {**getattr(self, "values", {}), mode: values}

    def event(self, event) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and self.tool.busy():
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.tool.cancel()
        elif not self.tool.key(event.key(), event.text(), event.modifiers()):
            super().keyPressEvent(event)


class SimpleTool(Tool):
    """Moves, when asked, until a key ends it."""

    def __init__(self, stage, name: str) -> None:
        super().__init__(stage)
        self.name, self.gesture, self.typed = name, "", ""

    def busy(self) -> bool:
        return bool(self.gesture)

    def cancel(self) -> None:
        self.gesture = ""

    def key(self, key, text, modifiers) -> bool:
        if self.busy():
            self.typed += text
            return True
        return False

    def expects(self) -> list[Expect]:
        if self.gesture:
            return [Expect("Enter", "confirm"), Expect("Esc", "cancel")]
        return [Expect("Click", "select a body"), Expect("G", "move the ending"), Expect("F", "frame it")]

    def start(self, mode: str, gesture: str = "") -> None:
        self.gesture = mode
        self.stage.refresh()


class PlaceTool(Tool):
    def __init__(self, stage, make: Callable[[], Body], finished: Callable[[], None]) -> None:
        super().__init__(stage)
        self.make, self.finished, self.shown = make, finished, False

    def busy(self) -> bool:
        return self.shown

    def _scene(self, pointer: Pointer):
        place = self.stage.surface_at(pointer.x, pointer.y).point
        body = self.make()
        body = replace(body, position=(float(place[0]), float(place[1]), body.shape.half[2]))
        return edits.add(self.stage.document.scene, [body])

    def move(self, pointer: Pointer) -> bool:
        self.shown = True
        self.stage.document.preview(self._scene(pointer)[0])
        return True

    def press(self, pointer: Pointer) -> bool:
        scene, ids = self._scene(pointer)
        self.shown = False
        self.stage.document.edit("Add box", scene)
        self.stage.selection.set(ids)
        self.finished()
        return True

    def cancel(self) -> None:
        self.deactivate()
        self.finished()

    def deactivate(self) -> None:
        self.shown = False
        self.stage.document.preview(None)


class Outliner(QWidget):
    add_requested = Signal(QPoint)

    def __init__(self, document, selection, look) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        self.model = MagicMock()
        self.field = QLineEdit(self)
        self.field.setPlaceholderText("Filter bodies")
        column.addWidget(QLabel("Outliner", self))
        column.addWidget(self.field)
        column.addStretch(1)


class Shelf(QWidget):
    chosen = Signal(str)

    def __init__(self, look) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        button = QPushButton("Box", self)
        button.clicked.connect(lambda: self.chosen.emit("box"))
        column.addWidget(QLabel("Shapes", self))
        column.addWidget(button)


class Inspector(QWidget):
    tab_changed = Signal(str)
    tab = ""

    def __init__(self, document, selection, look) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.addWidget(QLabel("Select a body to see its ending.", self))
        column.addWidget(QLineEdit(self))
        column.addStretch(1)
        self.items, self.checking, self.preparing = [], False, False
        self.problems, self.body, self.help = MagicMock(), MagicMock(), MagicMock()
        self.problems.set_checking, self.problems.set_preparing = self._set_checking, self._set_preparing
        self.stacking = StackingPanel(document, selection, look)
        self.add_tab("stacking", "", "Stacking", self.stacking)
        topics = (STABILITY, WEDGED, CONTACT)
        self.inspections = tuple(InspectionPanel(topic, document, selection, look) for topic in topics)
        for panel in self.inspections:
            self.add_tab(panel.topic.key, "", panel.topic.words, panel)

    def add_tab(self, key, glyph, words, panel, after="") -> None:
        self.layout().addWidget(panel)
        panel.hide()

    def show_tab(self, key) -> None:
        self.tab = key

    def set_problems(self, items) -> None:
        self.items, self.checking = items, False

    def next_problem(self) -> None:
        self.walked = True

    def _set_checking(self, on: bool) -> None:
        self.checking = on

    def _set_preparing(self, on: bool) -> None:
        self.preparing = on


class Job(QObject):
    began = Signal()
    progressed = Signal(float, str)
    posed = Signal(object)
    finished = Signal(object)
    failed = Signal(str)
    cancelled = Signal()

    def cancel(self) -> None:
        self.cancelled.emit()


class Worker(QObject):
    ready = Signal()
    compiling = Signal(int, int, float)
    lost = Signal(str)

    def __init__(self, parent=None) -> None:
        super().__init__(parent)
        self.jobs: list[tuple[Job, object, object]] = []
        self.stopped = False
        self.running = self.prepared = True
        self.checks: list[tuple[Job, object]] = []
        self.stackings: list[tuple[Job, object]] = []
        self.questions: list[tuple[Job, object, object]] = []
        self.surveys: list[tuple[Job, object]] = []
        self.details = "the last words of the process"

    def start(self) -> None:
        pass

    def stacking(self, scene) -> Job:
        job = Job(self)
        self.stackings.append((job, scene))
        return job

    def statistics(self, scene, body, count, dt) -> Job:
        job = Job(self)
        self.jobs.append((job, scene, body))
        return job

    def loads(self, scene, body) -> Job:
        job = Job(self)
        self.jobs.append((job, scene, body))
        return job

    def reach(self, scene, body, throws, seed) -> Job:
        job = Job(self)
        self.jobs.append((job, scene, (body, throws, seed)))
        return job

    def snap(self, scene, found) -> Job:
        job = Job(self)
        self.jobs.append((job, scene, found))
        return job

    def kill(self) -> None:
        self.stopped = True

    def inspect(self, scene, question) -> Job:
        job = Job(self)
        self.questions.append((job, scene, question))
        return job

    def survey(self, scene) -> Job:
        job = Job(self)
        self.surveys.append((job, scene))
        return job

    def check(self, scene) -> Job:
        job = Job(self)
        self.checks.append((job, scene))
        return job

    def settle(self, scene, ids=None) -> Job:
        job = Job(self)
        self.jobs.append((job, scene, ids))
        return job

    def export(self, scene, order) -> Job:
        job = Job(self)
        self.jobs.append((job, scene, order))
        return job

    def stop(self) -> None:
        self.stopped = True


class ExportDialog(QDialog):
    closed = Signal()

    def __init__(self, subject, store, look, hands, project, parent) -> None:
        super().__init__(parent)
        self.subject, self.hands = subject, hands

    def done(self, result) -> None:
        super().done(result)
        self.closed.emit()


class MakerDialog(QDialog):
    arrived = Signal()
    opened: list[MakerDialog] = []

    def __init__(self, document, selection, look, parent=None) -> None:
        super().__init__(parent)
        self.loaded: Path | None = None
        MakerDialog.opened.append(self)


def open_mesh(path: Path, *arguments) -> MakerDialog:
    dialog = MakerDialog(*arguments)
    dialog.loaded = path
    dialog.show()
    return dialog


def open_layout(path: Path, *arguments) -> MakerDialog:
    dialog = open_mesh(path, *arguments)
    dialog.setObjectName("layout")
    return dialog


def with_take(studio, key: str = "t90") -> None:
    """A take of all bodies in the document, shown."""
    document = studio.document
    ids = tuple(body.id for body in document.scene.bodies)
    (document.takes.folder / FILM.format(key)).write_bytes(film_bytes(2.0, ids))
    card = TakeCard(key, "Take 01", seed=3, seconds=2.0, energy=9.0, tiers=(1.0, 0, 0, 0, 0))
    document.edit("Generate 1 take", take_edits.add_takes(document.scene, [card]))
    studio.playback.show(key)


class Pool(QObject):
    """Its generations begin and never get on."""

    details = ""

    def generate(self, scene, orders, folder) -> Generation:
        return Generation(self, scene, orders, folder)

    def take(self, scene, order, folder) -> Job:
        return Job(self)

    def cancel(self) -> None: ...

    def aside(self) -> Worker:
        self.helper = getattr(self, "helper", None) or Worker(self)
        return self.helper

    def stop(self) -> None: ...


def lowered(scene, ids):
    """Every box onto the ground."""
    return edits.alter(
        scene, edits.movable(scene, ids), lambda b: replace(b, position=(*b.position[:2], b.shape.half[2]))
    )


def standin_parts() -> Parts:
    return Parts(
        view=View,
        outliner=Outliner,
        shelf=Shelf,
        inspector=Inspector,
        worker=Worker,
        pool=Pool,
        tool=lambda name, stage: SimpleTool(stage, name),
        place_tool=PlaceTool,
        dialog=lambda kind: MakerDialog,
        open_mesh=open_mesh,
        open_layout=open_layout,
        export_dialog=ExportDialog,
        new_body=lambda kind: Body(kind.capitalize(), Box((0.1, 0.1, 0.1))),
        drop=lowered,
        to_ground=lowered,
    )


class Answers:
    """Answers of an artist who knows in advance what will be asked."""

    def __init__(self) -> None:
        self.open: Path | None = None
        self.save: Path | None = None
        self.mesh: Path | None = None
        self.keep = "discard"
        self.stop = True
        self.note: str | None = "calm"
        self.keep_takes: int | None = 1
        self.asked: list[str] = []

    def file_to_open(self, folder):
        self.asked.append("open")
        return self.open

    def file_to_save(self, suggestion):
        self.asked.append(f"save {suggestion.name}")
        return self.save

    def layout_to_open(self, folder):
        self.asked.append("layout")
        return self.mesh

    def mesh_to_open(self, folder):
        self.asked.append("mesh")
        return self.mesh

    def keep_changes(self, title):
        self.asked.append(f"keep {title}")
        return self.keep

    def stop_job(self, words):
        self.asked.append(words)
        return self.stop

    def picture_to_save(self, suggestion):
        self.asked.append(f"picture {suggestion}")
        return self.save

    def file_to_export(self, suggestion, kinds):
        self.asked.append(f"export {suggestion.name}")
        return self.save

    def note_on(self, name, note):
        self.asked.append(f"note {name}")
        return self.note

    def takes_to_keep(self, usual, most):
        self.asked.append(f"keep {usual} of {most}")
        return self.keep_takes


def boxes(count: int = 3) -> list[Body]:
    return [Body(f"Box {k + 1}", Box((0.1, 0.1, 0.1)), (0.5 * k, 0.0, 1.0)) for k in range(count)]


def filled(document: Document, count: int = 3) -> list[str]:
    scene, ids = edits.add(document.scene, boxes(count))
    document.new(scene)
    return ids
