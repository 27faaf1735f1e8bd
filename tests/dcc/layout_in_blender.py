"""An artist's scene in Blender. Run by a Python that has bpy:

    python layout_in_blender.py write LAYOUT.usdc ENDING.npz
    python layout_in_blender.py read SCRIPT.py SEEN.npz FRAME

`write` builds objects and exports them as USD; `read` builds the same objects again, runs a script from Foregone on
them and looks where they are at a frame. Both keep the corners of every object in the world.
"""

import math
import runpy
import sys

import bpy
import numpy as np


def build():
    """Boxes whose pivot is at a corner, at the middle of a face or far off, one of them turned and scaled; a ball."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    for name, half, pivot, place, angle in (
        ("Crate.Big", (0.2, 0.15, 0.1), (0.2, 0.15, 0.1), (0.0, 0.0, 0.0), 0.0),
        ("Kiste ä", (0.1, 0.1, 0.1), (0.0, 0.0, 0.1), (1.0, 0.3, 0.0), 0.4),
        ("box.003", (0.08, 0.12, 0.05), (0.5, 0.0, 0.05), (0.0, 1.0, 0.0), -1.1),
    ):
        corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half + pivot
        faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(corners.tolist(), [], faces)
        owner = bpy.data.objects.new(name, mesh)
        owner.location, owner.rotation_euler = place, (0.0, 0.0, angle)
        bpy.context.scene.collection.objects.link(owner)
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.1, location=(-0.7, -0.5, 0.1))
    bpy.context.active_object.name = "Ball"
    bpy.context.view_layer.update()


def corners():
    found = {}
    for owner in bpy.context.scene.objects:
        matrix = np.array(owner.matrix_world)
        points = np.array([vertex.co for vertex in owner.data.vertices])
        found[owner.name] = points @ matrix[:3, :3].T + matrix[:3, 3]
    return found


build()
if sys.argv[1] == "write":
    bpy.ops.wm.usd_export(filepath=sys.argv[2])
else:
    runpy.run_path(sys.argv[2])
    bpy.context.scene.frame_set(int(sys.argv[4]))
assert math.isfinite(sum(each.sum() for each in corners().values()))
np.savez(sys.argv[3], **corners())
