"""Names that scripts outside the project call stay where they are, whatever moves inside."""

from __future__ import annotations

import importlib

import pytest

PUBLIC = {
    "engine": (
        "Scene Body Sphere Box Capsule Cylinder Hull Plane Material Hint Problem backward forward sample certify Take "
        "Entrance Stagger Stage Camera"
    ),
    "engine.direct.hints": "read_stroke",
    "engine.analysis.stability": "classify weak_is_strong inspect_scene inspect_body moves_without_sliding",
    "engine.analysis.consistency": "solutions",
    "engine.analysis.wedged": "rays critical_friction sign_patterns inspect_body",
    "engine.analysis.patch": "read",
    "engine.analysis.stacking": "free_bodies",
}


@pytest.mark.parametrize("module", PUBLIC)
def test_a_public_name_is_there(module: str) -> None:
    found = importlib.import_module(module)
    assert [name for name in PUBLIC[module].split() if not callable(getattr(found, name, None))] == []
