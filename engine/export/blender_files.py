"""A clip as .blend or FBX: the script of blender.py is run by a Blender of this machine, which then saves."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

from engine.errors import ExportError
from engine.export.blender import script
from engine.export.clip import Clip, Progress
from engine.export.find_blender import MISSING, find_blender

EMPTY = "import bpy\n\nbpy.ops.wm.read_factory_settings(use_empty=True)\n"
SAVE = {
    ".blend": "bpy.ops.wm.save_as_mainfile(filepath={path!r}, compress=True, check_existing=False)\n",
    ".fbx": """bpy.ops.export_scene.fbx(
    filepath={path!r}, check_existing=False, object_types={{"MESH"}}, add_leaf_bones=False, use_custom_props=True,
    bake_anim=True, bake_anim_use_all_bones=False, bake_anim_use_nla_strips=False, bake_anim_use_all_actions=False,
    bake_anim_force_startend_keying=True, bake_anim_step=1.0, bake_anim_simplify_factor=0.0)
""",
}
BUILT = 0.8  # share of the time after which bodies are built and saving begins


def write(clip: Clip, path: Path, progress: Progress) -> None:
    blender = find_blender()
    if blender is None:
        raise ExportError(MISSING)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "build.py"
        file.write_text(EMPTY + script(clip) + SAVE[path.suffix].format(path=str(path)), encoding="utf-8")
        said = _run(blender.command(file), progress)
    if not path.exists():
        raise ExportError(f"Blender did not write {path.name}. Its last words: {said[-300:].strip() or 'none'}")
    progress(1.0)


def _run(command: list[str], progress: Progress) -> str:
    """What it said. Whoever listens to progress may stop it."""
    said = ""
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    except OSError as error:
        raise ExportError(f"{command[0]} could not be started: {error.strerror}") from error
    with process:
        try:
            for line in process.stdout or ():
                said = (said + line)[-4000:]
                told = re.match(r"Foregone: (\d+) of (\d+) bodies", line)
                if told:
                    progress(BUILT * int(told[1]) / int(told[2]))
        except BaseException:
            process.kill()
            raise
    return said
