"""Where benches of the view run: a virtual screen, no graphics card, a home of their own. To be imported first."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "app"), str(ROOT / "tests" / "app" / "viewport")]

from conftest import SCREEN, start_screen  # noqa: E402


def on_own_screen(measure: Callable[[], None], room: str = SCREEN) -> None:
    process, display = start_screen(room)
    with tempfile.TemporaryDirectory() as home:
        os.environ.update(DISPLAY=display, QT_QPA_PLATFORM="xcb", LIBGL_ALWAYS_SOFTWARE="1", FOREGONE_HOME=home)
        try:
            measure()
        finally:
            process.terminate()
            process.wait()
