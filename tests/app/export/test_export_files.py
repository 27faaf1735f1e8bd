"""Exports of a take that the engine made, through the real worker and the real window."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEventLoop
from PySide6.QtGui import QDesktopServices
from standins import Answers, standin_parts
from subjects import scene_of_three

from app.document import edits, take_edits
from app.document.document import Document
from app.export.export_dialog import ExportDialog
from app.export.place import usual_name
from app.export.wish import Wish
from app.look.look import Look
from app.runs.job import Job
from app.runs.worker import Worker
from app.session.settings import Settings
from app.shell.window import Window
from engine.export.settings import FORMATS
from engine.export.settings import Settings as Asked
from engine.scene.fingerprint import fingerprint
from engine.scene.shot import TakeCard
from engine.scene.spec import Scene
from engine.scene.take_files import FILM, TAPE, TakeFiles
from engine.work.records import ExportOrder, KeptTake

LONG = 600_000  # ms: on a new machine the engine is compiled first


class Taken:
    """A take of the engine's, in a folder."""

    def __init__(self, worker: Worker, folder: Path) -> None:
        self.scene, self.folder, self.worker = scene_of_three(), folder, worker
        for part in (FILM, TAPE):
            (folder / part).parent.mkdir(exist_ok=True)
        self.card = self.take(TakeCard("t7", "Take 07", seed=3, seconds=0.75, quality="preview"))

    def take(self, order: TakeCard) -> TakeCard:
        card = self.made(self.worker.take(self.scene, order, str(self.folder)))
        assert isinstance(card, TakeCard)
        return replace(card, scene=fingerprint(self.scene))

    def exported(self, card: TakeCard, path: Path) -> np.ndarray:
        """(F, n, 3) positions, from a file."""
        order = ExportOrder(str(path), Asked("npz"), "wall", KeptTake(card, TakeFiles(folder=self.folder)))
        self.made(self.worker.export(self.scene, order))
        with np.load(path) as arrays:
            return arrays["positions"]

    def made(self, job: Job) -> object:
        """What came of a job."""
        loop, found = QEventLoop(), []
        job.finished.connect(found.append)
        for signal in (job.finished, job.failed):
            signal.connect(loop.quit)
        loop.exec()
        assert found, self.worker.details
        return found[0]

    def put_into(self, document: Document) -> None:
        document.new(self.scene)
        for part in (FILM, TAPE):
            name = part.format("t7")
            (document.takes.folder / name).write_bytes((self.folder / name).read_bytes())
        document.edit("Generate 1 take", take_edits.add_takes(document.scene, [self.card]))


@pytest.fixture(scope="module")
def taken(qapp: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Taken]:
    worker = Worker(lazy=True)
    yield Taken(worker, tmp_path_factory.mktemp("take"))
    worker.stop()


@pytest.fixture
def window(taken: Taken, qtbot, own_home: Path, tmp_path: Path) -> Iterator[Window]:
    """A window with a take that is shown, the worker and the dialog real, everything else simple."""
    made = Window(Document(), Settings(), Look(), replace(standin_parts(), export_dialog=ExportDialog), Answers())
    made.studio.worker = taken.worker
    made.studio.settings.set("export/folder", str(tmp_path))
    made.resize(1280, 720)
    made.show()
    taken.put_into(made.studio.document)
    made.studio.playback.show("t7")
    yield made
    made.studio.questions.keep, made.studio.questions.stop = "discard", True
    made.studio.worker = standin_parts().worker(made)  # the other one is not this window's to stop
    made.close()
    made.deleteLater()


def wait_until_done(window: Window, qtbot) -> None:
    qtbot.waitUntil(lambda: window.studio.job is None, timeout=LONG)


def start(window: Window, path: Path, **asked) -> None:
    studio = window.studio
    studio.exporting.start(studio.exporting.subject(), Wish("data", Asked(**asked), path))


def authored(scene: Scene) -> np.ndarray:
    return np.array([[*body.position, *body.orientation] for body in scene.bodies])


def test_export_from_the_menu_to_a_table(window, qtbot, tmp_path: Path, monkeypatch) -> None:
    window.actions_by_id.run("file.export")
    dialog = window.studio.exporting.dialog
    assert dialog.subject.project == "Untitled" and not window.actions_by_id["file.export_again"].isEnabled()
    dialog.choose_target("data")
    dialog._put(tmp_path / "wall_t07.csv")
    guessed = dialog.outcome
    dialog.export_button.click()
    assert window.studio.job_words == "Exporting" and dialog.strip.isVisible()
    wait_until_done(window, qtbot)
    assert window.studio.exporting.dialog is None
    with (tmp_path / "wall_t07.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 3 * 19
    last = np.array([[float(value) for value in list(row.values())[2:9]] for row in rows[-3:]])
    assert (last == authored(window.studio.document.scene)).all(), "bit for bit"
    size = (tmp_path / "wall_t07.csv").stat().st_size
    assert 0.5 * size < guessed.size < 2.0 * size
    words = window.message.label.text()
    assert words.startswith("Exported wall_t07.csv · 3 bodies, 19 frames at 24 fps, ")
    assert "ends exactly on your pose." in words
    opened: list = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    window.message.buttons[0].click()
    assert window.message.buttons[0].text() == "Show in folder" and opened == [str(tmp_path)]


@pytest.mark.parametrize("format", ["json", "npz", "usd", "glb", "blender", "maya", "houdini"])
def test_estimates_hold_for_small_files(window, qtbot, tmp_path: Path, format: str) -> None:
    from app.export.outcome import outcome_of

    path = tmp_path / f"a{FORMATS[format].suffixes[0]}"
    start(window, path, format=format)
    guessed = outcome_of(window.studio.exporting.subject(), Asked(format), "data", path).size
    wait_until_done(window, qtbot)
    assert 0.5 * path.stat().st_size < guessed < 2.0 * path.stat().st_size


def test_export_again_gives_the_same_file(window, qtbot, tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    start(window, path, format="npz", unit="cm", hold=2)
    wait_until_done(window, qtbot)
    with np.load(path) as arrays:
        first = {name: arrays[name] for name in arrays}
    assert len(first["frames"]) == 21 and first["ending"] == 18
    scene = window.studio.document.scene
    assert (first["positions"][18] == 100.0 * authored(scene)[:, :3]).all()
    assert (first["rotations"][18] == authored(scene)[:, 3:]).all()
    path.unlink()
    window.actions_by_id.run("file.export_again")
    assert window.studio.exporting.dialog is None
    wait_until_done(window, qtbot)
    with np.load(path) as arrays:
        assert all((arrays[name] == value).all() for name, value in first.items())


def test_export_again_names_the_file_after_the_take(window, qtbot, tmp_path: Path) -> None:
    studio = window.studio
    first = tmp_path / usual_name(studio.document.title, "Take 07", "npz")
    start(window, first, format="npz")
    wait_until_done(window, qtbot)
    studio.document.edit("Rename", take_edits.change_takes(studio.document.scene, ["t7"], name="Take 08"))
    window.actions_by_id.run("file.export_again")
    wait_until_done(window, qtbot)
    second = first.with_name(first.name.replace("t07", "t08"))
    assert first.exists() and second.exists() and studio.exporting.last.path == second


def test_cancelling_leaves_the_old_file(window, qtbot, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("old")
    start(window, path, format="csv", fps=24.0, hold=100_000)
    window.studio.job.progressed.connect(lambda share, words: share > 0.31 and window.studio.job.cancel())
    wait_until_done(window, qtbot)
    assert window.status.said == "Stopped. Nothing was replaced."
    qtbot.waitUntil(lambda: not list(tmp_path.glob(".a.csv*")), timeout=20_000)
    assert path.read_text() == "old"


def test_a_place_that_cannot_be_written_to(window, qtbot, tmp_path: Path) -> None:
    window.actions_by_id.run("file.export")
    dialog = window.studio.exporting.dialog
    dialog.choose_target("data")
    dialog._put(Path("/proc/wall.csv"))  # nobody may write there
    dialog.accept()
    wait_until_done(window, qtbot)
    assert dialog.isVisible() and dialog.said.text.startswith("Could not write to /proc: ")
    assert dialog.said.text.endswith("Nothing was written.")
    dialog.reject()


def test_a_take_of_another_scene_is_refused_in_words(window, qtbot, tmp_path: Path) -> None:
    document = window.studio.document
    document.edit("Move", edits.translate(document.scene, ["b1"], (0.0, 0.0, 0.5)))
    window.studio.playback.show("t7")
    assert window.studio.playback.stale
    start(window, tmp_path / "a.csv", format="csv")
    wait_until_done(window, qtbot)
    assert window.message.label.text().startswith("Take 07: ") and not (tmp_path / "a.csv").exists()


def test_closing_asks_while_an_export_runs(window, qtbot, tmp_path: Path) -> None:
    answers = window.studio.questions
    answers.stop = False
    start(window, tmp_path / "a.csv", format="csv", hold=100_000)
    window.close()
    assert window.isVisible() and answers.asked[-1] == "Exporting is still under way."
    window.studio.job.cancel()
    qtbot.waitUntil(lambda: not list(tmp_path.glob(".a.csv*")), timeout=20_000)


def test_an_export_goes_on_without_its_dialog(window, qtbot, tmp_path: Path) -> None:
    window.actions_by_id.run("file.export")
    dialog = window.studio.exporting.dialog
    dialog.choose_target("data")
    dialog._put(tmp_path / "a.csv")
    dialog.accept()
    dialog.close()
    assert window.studio.job is not None and window.studio.exporting.dialog is None
    wait_until_done(window, qtbot)
    assert (tmp_path / "a.csv").exists() and window.message.label.text().startswith("Exported a.csv")


def test_a_film_from_the_window(window, qtbot, tmp_path: Path) -> None:
    start(window, tmp_path / "a.png", format="png", first=17, width=64, height=36)
    assert window.studio.job is not None and window.tool_bar.strip.words == "Exporting a.png"
    wait_until_done(window, qtbot)
    assert sorted(each.name for each in tmp_path.glob("*.png")) == ["a.0001.png", "a.0002.png"]
    assert window.message.label.text().startswith("Exported a.0002.png · 3 bodies, 2 frames at 24 fps, ")


def test_nothing_half_written_is_left_when_the_window_goes(taken: Taken, tmp_path: Path) -> None:
    worker = Worker(lazy=True)
    take = KeptTake(taken.card, TakeFiles(folder=taken.folder))
    job = worker.export(taken.scene, ExportOrder(str(tmp_path / "a.csv"), Asked("csv", hold=100_000), "a", take))
    loop = QEventLoop()
    job.progressed.connect(lambda share, words: share > 0.31 and loop.quit())
    loop.exec()
    assert list(tmp_path.glob(".a.csv*"))
    worker.stop()
    assert [each.name for each in tmp_path.iterdir() if each.name != "home"] == []


def test_there_must_be_a_take(window) -> None:
    window.studio.playback.show("")
    export = window.actions_by_id["file.export"]
    assert not export.isEnabled() and "No take is shown." in export.toolTip()
    window.studio.document.new()
    window.studio.refreshed.emit()
    assert "Generate a take first." in export.toolTip()


def test_a_take_that_goes_on_after_its_frame(taken: Taken, tmp_path: Path) -> None:
    card = taken.take(TakeCard("t8", "Take 08", seed=3, seconds=0.5, after=0.25, quality="preview"))
    found = taken.exported(card, tmp_path / "a.npz")
    assert len(found) == 19 and (found[12] == authored(taken.scene)[:, :3]).all(), "half a second before, then on"


def test_a_disordered_take_ends_where_it_ended(taken: Taken, tmp_path: Path) -> None:
    card = taken.take(TakeCard("t9", "Take 09", seed=3, seconds=0.5, quality="preview", disorder=0.003))
    off = np.linalg.norm(taken.exported(card, tmp_path / "a.npz")[-1] - authored(taken.scene)[:, :3], axis=1)
    assert 0.0 < off.max() <= 0.0031 and off[2] == 0.0
