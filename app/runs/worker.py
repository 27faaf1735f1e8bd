"""Worker: the window's end of the worker process. Nothing here blocks, and nothing runs in a thread.

A request is a job. Its scene is packed in portions between other events, answers come as signals. When the process
dies, the running job fails, and the next one starts a new process.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Qt, QTimer, Signal

from app.document.fixes import Item
from app.runs.contact_states import ContactStates
from app.runs.export_order import Exported, ExportOrder
from app.runs.parcels import parcels
from app.runs.protocol import Message, ProtocolError, Unpacker, pack
from engine.errors import ProjectError
from engine.scene.inspection import from_json
from engine.scene.seat import Seat, Stacking, Trouble
from engine.scene.shot import TakeCard
from engine.scene.spec import Quaternion, Scene, Vector

COMMAND = [sys.executable, "-m", "app.runs.child"]
STOP_WAIT = 500  # ms for a clean end
KEPT_OUTPUT = 8192  # characters of what the process printed, for Details

DOING = {
    "settle": "Settling",
    "check": "Checking",
    "stacking": "Looking at the stack",
    "inspect": "Looking at the body",
    "survey": "Looking at the bodies",
    "take": "The take",
    "statistics": "Measuring contacts",
    "export": "The export",
}


class Job(QObject):
    """One request under way. Exactly one of finished, failed and cancelled comes, then nothing more.

    Signals:
        progressed(share, text)   share from 0 to 1
        posed(poses)              {id: (position, orientation)} on the way, for a preview
        finished(result)          settle: Settling; check: list of Item; take: TakeCard; statistics: ContactStates;
                                  stacking: Stacking; inspect, survey: tuple of Inspection; export: Exported
        failed(message)           in the artist's words
        cancelled()
    """

    progressed = Signal(float, str)
    posed = Signal(object)
    finished = Signal(object)
    failed = Signal(str)
    cancelled = Signal()

    def __init__(self, worker: Worker, number: int, kind: str, scene: Scene, values: dict[str, Any]) -> None:
        super().__init__()  # kept by the worker while it runs, and by whoever asked
        self.number, self.kind, self.over = number, kind, False
        self._worker = worker
        self.letters: Iterator[Message] = iter(_letters(scene, number, kind, values))

    def cancel(self) -> None:
        """Nothing of it comes any more; the worker stops as soon as it hears of it."""
        if not self.over:
            self._end()
            self._worker._drop(self)
            self.cancelled.emit()

    def take(self, message: Message) -> None:
        """An answer of the process."""
        if self.over:
            return
        if message.kind == "progress":
            self.progressed.emit(float(message["share"]), str(message["text"]))
        elif message.kind == "posed":
            self.posed.emit(_poses(message))
        elif message.kind == "done":
            self._end()
            self.finished.emit(_result(self.kind, message))
        elif message.kind == "failed":
            fault = message.values.get("fault")
            self.fail(f"{DOING[self.kind]} did not work. Your scene is safe." if fault else str(message["reason"]))

    def fail(self, words: str) -> None:
        if not self.over:
            self._end()
            self.failed.emit(words)

    def _end(self) -> None:
        self.over = True
        self.letters = iter(())
        self._worker._ended(self)


@dataclass(frozen=True)
class Settling:
    """Result of a settle job: where bodies rest, {id: (position, orientation)}, and what to say about it."""

    poses: dict[str, tuple[Vector, Quaternion]]
    message: str
    restless: tuple[str, ...]  # ids of bodies that did not come to rest, or fell away


@dataclass(frozen=True)
class Order:
    """One take to generate."""

    key: str  # id of the card
    name: str
    seed: int
    seconds: float
    after: float
    quality: str
    arrivals: str = "ahead"
    disorder: float = 0.0  # m


@dataclass(frozen=True)
class Question:
    """What is asked about a body: at the ending, or in a take at a moment."""

    body: str
    topics: tuple[str, ...]
    push: tuple[float, float, float] = (0.0, 0.0, 0.0)  # N, at the centre of mass
    tape: str = ""  # file of the take, or the project in which it is
    member: str = ""  # its name inside the project; "" when `tape` is the take itself
    time: float = 0.0  # s, of the take
    disorder: float = 0.0  # m, of the take's ending, drawn with its seed
    seed: int = 0


class Worker(QObject):
    """Signals:
    ready()                  the engine is loaded; jobs asked for earlier wait for it
    compiling(done, total)   first start ever: kernels so far, of about how many
    lost(details)            the process died by itself
    changed()                `busy` changed
    """

    ready = Signal()
    compiling = Signal(int, int)
    lost = Signal(str)
    changed = Signal()

    def __init__(self, parent: QObject | None = None, command: list[str] | None = None) -> None:
        """`command` replaces the process of its own."""
        super().__init__(parent)
        self._command = command or COMMAND
        self._process: QProcess | None = None
        self._unpacker = Unpacker()
        self._jobs: dict[int, Job] = {}
        self._count = 0
        self._output = ""
        self._prepared = False
        self._pump = QTimer(self)
        self._pump.setInterval(0)
        self._pump.timeout.connect(self._send_one)

    @property
    def busy(self) -> bool:
        return bool(self._jobs)

    @property
    def running(self) -> bool:
        return self._process is not None

    @property
    def prepared(self) -> bool:
        """Is the engine loaded, and so compiled?"""
        return self._prepared

    @property
    def process_id(self) -> int:
        """0 when there is none."""
        return self._process.processId() if self._process is not None else 0

    @property
    def details(self) -> str:
        """What the process printed last."""
        return self._output

    def start(self) -> None:
        """Start the process now, so that the first job need not wait for it."""
        if self._process is not None:
            return
        process = QProcess()
        environment = QProcessEnvironment.systemEnvironment()
        home = str(Path(__file__).resolve().parents[2])
        path = environment.value("PYTHONPATH", "")
        environment.insert("PYTHONPATH", os.pathsep.join(filter(None, [home, path])))
        process.setProcessEnvironment(environment)
        process.readyReadStandardOutput.connect(self._read)
        process.readyReadStandardError.connect(self._read_output)
        later = Qt.ConnectionType.QueuedConnection  # the process is let go of there, not inside its own call
        process.finished.connect(self._died, later)
        process.errorOccurred.connect(self._did_not_start, later)
        self._process, self._unpacker = process, Unpacker()
        process.start(self._command[0], self._command[1:])

    def stop(self) -> None:
        """End the process; what it was doing is cancelled. It has half a second to go by itself."""
        for job in list(self._jobs.values()):
            job.cancel()
        process = self._release()
        if process is None:
            return
        process.closeWriteChannel()
        if not process.waitForFinished(STOP_WAIT):
            process.kill()
            process.waitForFinished(STOP_WAIT)

    def settle(self, scene: Scene, ids: Collection[str] | None = None) -> Job:
        """Let bodies come to rest (None: all that can move); the others are held."""
        return self._ask("settle", scene, {"ids": None if ids is None else list(ids)})

    def check(self, scene: Scene) -> Job:
        """Everything wrong with a scene, as app.document.fixes.Item."""
        return self._ask("check", scene, {})

    def stacking(self, scene: Scene) -> Job:
        """How the bodies hold each other, as engine.scene.seat.Stacking."""
        return self._ask("stacking", scene, {})

    def statistics(self, scene: Scene, body: str, count: int, dt: float) -> Job:
        """Contact states of one body's drops before rest, and of as many backward runs, as ContactStates."""
        own = [each for each in scene.bodies if each.id == body]
        alone = replace(scene, bodies=own, hints=[], joints=[], groups=[], takes=[], shot="")
        return self._ask("statistics", alone, {"body": body, "count": count, "dt": dt})

    def inspect(self, scene: Scene, question: Question) -> Job:
        """What inspectors find out about a body, as engine.scene.inspection.Inspection; nothing while the scene has
        errors. Without a take everything is as in the scene, at rest."""
        return self._ask("inspect", replace(scene, takes=[], shot=""), asdict(question))

    def survey(self, scene: Scene) -> Job:
        """Every body of an ending that does not stand, or is about to fall, as Inspection."""
        return self._ask("survey", replace(scene, takes=[], shot=""), {})

    def take(self, scene: Scene, order: Order, folder: str) -> Job:
        """Generate one take; its motion is written into `folder` (take_store.PARTS), its card is the result."""
        return self._ask("take", replace(scene, takes=[], shot=""), {**asdict(order), "folder": folder})

    def export(self, scene: Scene, order: ExportOrder) -> Job:
        """Write a take for another program; what was written is the result."""
        return self._ask("export", replace(scene, takes=[], shot=""), order.values())

    def kill(self) -> None:
        """End the process at once, whatever it is doing; its jobs are cancelled."""
        for job in list(self._jobs.values()):
            job.cancel()
        process = self._release()
        if process is not None:
            process.kill()
            process.waitForFinished(STOP_WAIT)

    def _ask(self, kind: str, scene: Scene, values: dict[str, Any]) -> Job:
        self.start()
        self._count += 1
        job = self._jobs[self._count] = Job(self, self._count, kind, scene, values)
        self._pump.start()
        if len(self._jobs) == 1:
            self.changed.emit()
        return job

    def _send_one(self) -> None:
        """Pack and send one portion of the oldest job that is not wholly sent; then let other events come."""
        for job in list(self._jobs.values()):
            try:
                message = next(job.letters, None)
            except ProjectError as error:
                job.fail(str(error))
                return
            if message is not None:
                self._write(message)
                return
        self._pump.stop()

    def _write(self, message: Message) -> None:
        if self._process is not None:
            self._process.write(pack(message))

    def _drop(self, job: Job) -> None:
        self._write(Message("cancel", {"job": job.number}))

    def _ended(self, job: Job) -> None:
        if self._jobs.pop(job.number, None) is not None and not self._jobs:
            self._pump.stop()
            self.changed.emit()

    def _read(self) -> None:
        if self._process is None:
            return
        try:
            for message in self._unpacker.feed(bytes(self._process.readAllStandardOutput().data())):
                self._take(message)
        except (ProtocolError, KeyError, TypeError, ValueError) as error:
            self._output += f"\nThe answer could not be read: {error}"
            if self._process is not None:
                self._process.kill()

    def _take(self, message: Message) -> None:
        if message.kind == "ready":
            self._prepared = True
            self.ready.emit()
        elif message.kind == "compiling":
            self.compiling.emit(int(message["done"]), int(message["total"]))
        elif (job := self._jobs.get(int(message["job"]))) is not None:
            job.take(message)

    def _read_output(self) -> None:
        if self._process is not None:
            text = bytes(self._process.readAllStandardError().data()).decode("utf-8", "replace")
            self._output = (self._output + text)[-KEPT_OUTPUT:]

    def _did_not_start(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._died()

    def _died(self) -> None:
        self._read()
        self._read_output()
        if self._process is None or self._process.state() != QProcess.ProcessState.NotRunning:
            return  # that was an earlier one
        self._release()
        for job in list(self._jobs.values()):
            job.fail(f"{DOING[job.kind]} stopped unexpectedly. Your scene is safe.")
        self.lost.emit(self._output)

    def _release(self) -> QProcess | None:
        """Let go of the process; what it still says is not heard, for its slots ask whether there is one."""
        process, self._process, self._prepared = self._process, None, False
        self._pump.stop()
        return process


def _letters(scene: Scene, number: int, kind: str, values: dict[str, Any]) -> Iterator[Message]:
    """What is to be sent for a job: the scene, then the request."""
    yield from parcels(scene, number)
    yield Message(kind, {"job": number, **values})


def _poses(message: Message) -> dict[str, Any]:
    places, turns = message.arrays["position"].tolist(), message.arrays["orientation"].tolist()
    rows = zip(message["ids"], places, turns, strict=True)
    return {str(key): (tuple(place), tuple(turn)) for key, place, turn in rows}


def _result(kind: str, message: Message) -> Any:
    if kind == "settle":
        return Settling(_poses(message), str(message["message"]), tuple(map(str, message["restless"])))
    if kind == "take":
        return TakeCard(**message["card"])
    if kind == "statistics":
        return ContactStates.of(message)
    if kind == "export":
        return Exported.of(message["exported"])
    if kind in ("inspect", "survey"):
        return tuple(from_json(row) for row in message["inspections"])
    if kind == "stacking":
        seats = (
            Seat(**{**row, "below": tuple(row["below"]), "above": tuple(row["above"])}) for row in message["seats"]
        )
        return Stacking(tuple(seats), tuple(Trouble(tuple(row["ids"]), row["words"]) for row in message["troubles"]))
    return [Item(**{**row, "ids": tuple(row["ids"])}) for row in message["items"]]
