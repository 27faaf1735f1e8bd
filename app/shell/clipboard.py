"""Bodies on the clipboard: JSON text, so that they pass between windows and can be looked at. No Qt here."""

from __future__ import annotations

import base64
import hashlib
import io
import json
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from app.document import edits
from app.document.joint_edits import bodies_of, with_copied_joints
from engine.errors import ProjectError
from engine.scene.schema import decode_scene, encode_scene
from engine.scene.spec import Scene

MIME = "application/x-foregone-bodies+json"
KIND = "foregone bodies"
LONGEST = 64 << 20  # characters


def to_text(scene: Scene, ids: Collection[str]) -> str:
    """The bodies of `ids`, the groups they are in, the joints between them and their meshes."""
    chosen = set(ids)
    bodies = [body for body in scene.bodies if body.id in chosen]
    joints = [joint for joint in scene.joints if all(body.id in chosen for body in bodies_of(scene, joint))]
    meshes: dict[str, str] = {}

    def store(arrays: Mapping[str, np.ndarray]) -> str:
        stream = io.BytesIO()
        np.savez_compressed(stream, **arrays)  # type: ignore[arg-type]
        data = stream.getvalue()
        name = f"meshes/{hashlib.sha256(data).hexdigest()[:20]}.npz"
        meshes[name] = base64.b64encode(data).decode("ascii")
        return name

    part = Scene(bodies=bodies, groups=scene.groups, next_id=scene.next_id, joints=joints)
    return json.dumps({"kind": KIND, "scene": encode_scene(part, store), "meshes": meshes}, ensure_ascii=False)


def from_text(text: str) -> Scene:
    """What was copied, as a scene; raises ProjectError with a sentence that says what is wrong."""
    if len(text) > LONGEST:
        raise ProjectError("the clipboard holds more than 64 MB")
    try:
        tree: Any = json.loads(text)
    except (ValueError, RecursionError):
        raise ProjectError("the clipboard holds no bodies") from None
    if not isinstance(tree, dict) or tree.get("kind") != KIND:
        raise ProjectError("the clipboard holds no bodies")
    meshes = tree.get("meshes", {})

    def fetch(name: str, where: str) -> Mapping[str, np.ndarray]:
        try:
            data = base64.b64decode(meshes[name], validate=True)
            with np.load(io.BytesIO(data), allow_pickle=False) as archive:
                return {key: archive[key] for key in archive.files}
        except (KeyError, TypeError, ValueError, OSError, EOFError) as error:
            raise ProjectError(f"{where}: the mesh of a copied body is damaged ({error})") from None

    return decode_scene(tree.get("scene"), fetch)


def pasted(copied: Scene, scene: Scene) -> tuple[Scene, list[str]]:
    """A scene with copied bodies in it, and the joints between them; returns the scene and the new ids. Bodies are
    unlocked, and in their old group where the scene still has it."""
    known = {(group.id, group.name) for group in scene.groups}
    kept = {group.id for group in copied.groups if (group.id, group.name) in known}
    bodies = [
        replace(body, locked=False, hidden=False, group=body.group if body.group in kept else "")
        for body in copied.bodies
    ]
    grown, ids = edits.add(scene, bodies)
    made = {old.id: new for old, new in zip(bodies, ids, strict=True)}
    return with_copied_joints(grown, copied, made), ids
