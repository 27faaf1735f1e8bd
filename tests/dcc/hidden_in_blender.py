"""When Blender shows a body. Run by a Python that has bpy, never by pytest:

    python hidden_in_blender.py FILE OUT.npz NAME FIRST LAST

A row per frame: hidden in the view, hidden in pictures, the smallest scale, the place (x, y, z).
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from read_in_blender import load

path, out, name, first, last = sys.argv[1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
load(path)
scene, rows = bpy.context.scene, []
for frame in range(int(first), int(last) + 1):
    scene.frame_set(frame)
    seen = scene.objects[name].evaluated_get(bpy.context.evaluated_depsgraph_get())
    owner, matrix = scene.objects[name], seen.matrix_world
    rows.append([owner.hide_viewport, owner.hide_render, min(matrix.to_scale()), *matrix.translation])
np.savez(out, rows=np.array(rows, float))
