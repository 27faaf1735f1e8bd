"""A scene in pieces: rows of JSON for some of its bodies, and for everything else.

The project file writes a scene as a whole. The journal writes only what a command changed, and the worker gets large
scenes in portions, so that no single portion holds up the window. Both use the project's own encoding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.scene.schema import FORMAT, FetchMesh, StoreMesh, decode_scene, encode_scene
from engine.scene.spec import Body, Scene


def encode_bodies(bodies: Sequence[Body], store: StoreMesh) -> list[dict[str, Any]]:
    """Rows as in project.json; meshes go through `store`. Raises ProjectError."""
    rows: list[dict[str, Any]] = encode_scene(Scene(bodies=list(bodies)), store)["bodies"]
    return rows


def decode_bodies(rows: list[dict[str, Any]], fetch: FetchMesh) -> list[Body]:
    """Raises ProjectError for rows that are not as encode_bodies made them."""
    return decode_scene({"format": FORMAT, "bodies": rows}, fetch).bodies


def encode_frame(scene: Scene) -> dict[str, Any]:
    """Everything but the bodies: settings, groups, hints."""
    return encode_scene(replace(scene, bodies=[]), _no_mesh)


def decode_frame(tree: dict[str, Any], bodies: list[Body]) -> Scene:
    """The scene of a frame and its bodies. Raises ProjectError."""
    return replace(decode_scene({**tree, "bodies": []}, _no_meshes), bodies=bodies)


def _no_mesh(arrays: object) -> str:
    raise AssertionError("only bodies have meshes")


def _no_meshes(name: str, where: str) -> Any:
    raise AssertionError("only bodies have meshes")
