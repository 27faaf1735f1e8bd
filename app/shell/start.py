"""Start: from the command line to a window that can be used."""

from __future__ import annotations

import gc
import os
import socket
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.shell.window import Window

NO_DISPLAY = 3  # exit code
USAGE = 2
ICON = Path(__file__).resolve().parents[2] / "assets" / "icon" / "foregone.png"
SOON = 200  # ms after the window is up: what may wait


def main(arguments: Sequence[str]) -> int:
    """Run the studio until it is closed; returns the exit code. Arguments: a project to open, or --example NAME."""
    example = arguments[1] if len(arguments) == 2 and arguments[0] == "--example" else None
    if example is not None:
        from app.shell.examples import examples

        names = [entry.scene.stem for entry in examples()]
        if example not in names:
            sys.stderr.write(f"foregone: there is no example {example!r}; there are {', '.join(names)}.\n")
            return USAGE
    elif len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        sys.stderr.write("Usage: foregone [FILE | --example NAME]\n")
        return USAGE
    reason = why_no_display(os.environ)
    if reason:
        sys.stderr.write(f"foregone: {reason} Commands such as `foregone demo` work without one.\n")
        return NO_DISPLAY
    return _run(arguments[0] if arguments and example is None else None, example)


def why_no_display(environment: Mapping[str, str]) -> str:
    """ "" when a window can be opened. Qt itself would end the process without a word to the caller."""
    if sys.platform in ("win32", "darwin") or environment.get("QT_QPA_PLATFORM") in ("offscreen", "minimal", "vnc"):
        return ""
    if environment.get("WAYLAND_DISPLAY"):
        return ""
    display = environment.get("DISPLAY", "")
    if not display:
        return "there is no display (DISPLAY is not set)."
    host, _, number = display.partition(":")
    if host:
        return ""  # on another machine: Qt will see
    path = f"/tmp/.X11-unix/X{number.split('.')[0]}"
    for address in (path, "\0" + path):
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(address)
            except OSError:
                continue
            return ""
    return f"the display {display} does not answer."


def _run(file: str | None, example: str | None) -> int:
    from PySide6.QtCore import QCoreApplication, QEvent
    from PySide6.QtGui import QIcon, QSurfaceFormat
    from PySide6.QtWidgets import QApplication

    from app.document.document import Document
    from app.look.look import Look
    from app.look.style import apply_style
    from app.session.settings import Settings, home
    from app.shell.mishaps import Mishaps
    from app.shell.parts import Parts
    from app.shell.window import Window

    surface = QSurfaceFormat()
    surface.setVersion(3, 3)
    surface.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    surface.setDepthBufferSize(24)
    QSurfaceFormat.setDefaultFormat(surface)
    app = QApplication(["foregone"])
    app.setApplicationName("Foregone")
    app.setDesktopFileName("foregone")
    app.setWindowIcon(QIcon(str(ICON)))
    settings = Settings()
    look = Look(settings.get("look/theme"))
    apply_style(app, look)
    window = Window(Document(scratch=home() / "takes"), settings, look, Parts())
    mishaps = Mishaps(lambda message, details: window.tell(message, kind="error", details=details))
    mishaps.install()
    begin(window, file, example)
    gc.freeze()  # a hundred thousand objects that live as long as the program: no need to look at them again and again
    try:
        return app.exec()
    finally:
        mishaps.remove()
        window.deleteLater()  # first the window, which listens to all the others
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def begin(window: Window, file: str | None, example: str | None = None) -> None:
    """Show a window as an artist finds it: with a project or a copy of an example, else the start page; or an offer of
    what a crash left."""
    from PySide6.QtCore import QTimer

    from app.shell.examples import examples
    from app.shell.file_commands import open_example, open_path

    window.fit_screen()
    window.show()
    safety = window.guard()
    if file is not None:
        open_path(window.studio, file)
    for entry in examples() if example is not None else ():
        if entry.scene.stem == example:
            open_example(window.studio, entry.scene, entry.title)
    if file is None and example is None and window.studio.settings.get("start/welcome"):
        window.show_welcome()
    else:
        safety.tell()

    def warm_up() -> None:
        if window.isVisible():  # and not closed again already: nobody would end the process
            window.studio.worker.start()

    QTimer.singleShot(SOON, window, warm_up)
