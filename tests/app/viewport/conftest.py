"""A real view in a real window, and what to look at in it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from view_studio import Studio


@pytest.fixture
def studio(qtbot: Any) -> Iterator[Studio]:
    made = Studio(qtbot)
    yield made
    made.view.close()


@pytest.fixture
def shown(studio: Studio) -> Callable[..., Studio]:
    """Show bodies, seen from the front unless said otherwise."""

    def show(*bodies: Any, **fields: Any) -> Studio:
        from app.camera import Camera
        from engine.scene.spec import Scene

        studio.show()
        studio.document.new(Scene(bodies=list(bodies), **fields))
        studio.view.set_camera(Camera((0.0, 0.0, 0.5), 4.0).looking("front"))
        studio.rest()
        return studio

    return show
