"""What Blender makes of exported files. Run by a Python that has bpy, never by pytest:

    python read_in_blender.py JOBS.json OUT.npz

A job is {"path", "fps": [numerator, denominator], "frames": [...], "names": [...]}; for each the world matrices
(frames, bodies, 4, 4), the size of every body in the world, rate, range and what came are written.
"""

import json
import runpy
import sys

import bpy
import numpy as np


def load(path):
    if path.endswith((".usda", ".usdc")):
        bpy.ops.wm.usd_import(filepath=path)
    elif path.endswith(".glb"):
        bpy.ops.import_scene.gltf(filepath=path)
    elif path.endswith(".fbx"):
        bpy.ops.import_scene.fbx(filepath=path, anim_offset=0.0)  # by default it shifts all keys by one frame
    elif path.endswith(".abc"):
        bpy.ops.wm.alembic_import(filepath=path)
    elif path.endswith(".blend"):
        bpy.ops.wm.open_mainfile(filepath=path)
    else:
        for _ in range(2):  # the second time lands on the objects of the first
            runpy.run_path(path)


def go(scene, time, rate):
    """Show a moment in s; keys of glTF and FBX come at time times the whole rate, whatever the base."""
    frame = time * rate
    whole = int(np.floor(frame + 1e-6))
    scene.frame_set(whole, subframe=min(max(frame - whole, 0.0), 0.999999))


def size_of(owner):
    corners = np.array([[*vertex.co] for vertex in owner.data.vertices]) @ np.array(owner.matrix_world)[:3, :3].T
    return np.sort(np.linalg.svd(corners - corners.mean(axis=0), compute_uv=False)), np.ptp(corners, axis=0)


def color_of(material):
    nodes = material.node_tree.nodes if material.node_tree else []
    shaders = [node for node in nodes if node.type == "BSDF_PRINCIPLED"]
    return [*(shaders[0].inputs["Base Color"].default_value if shaders else material.diffuse_color)][:3]


def colors_of(owner):
    """[red, green, blue, area] in the mesh's frame, one row per material that faces have."""
    mesh, area = owner.data, {}
    for face in mesh.polygons:
        area[face.material_index] = area.get(face.material_index, 0.0) + face.area
    slots = [slot.material for slot in owner.material_slots]
    return [[*(color_of(slots[k]) if k < len(slots) and slots[k] else (-1, -1, -1)), area[k]] for k in sorted(area)]


def look(job):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    numerator, denominator = job["fps"]
    whole = -(-numerator // denominator)
    by_time = job["path"].endswith((".glb", ".fbx"))
    # Blender leaves its rate as it is when it reads USD and glTF: the artist has set it to that of the shot. The base
    # stays 1 for glTF and FBX, whose importers do not divide by it.
    bpy.context.scene.render.fps = whole
    bpy.context.scene.render.fps_base = 1.0 if by_time else whole * denominator / numerator
    load(job["path"])
    scene = bpy.context.scene
    matrices = np.zeros((len(job["frames"]), len(job["names"]), 4, 4))
    for k, frame in enumerate(job["frames"]):
        if by_time:
            go(scene, frame * denominator / numerator, whole)
        else:
            scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        for i, name in enumerate(job["names"]):
            matrices[k, i] = scene.objects[name].evaluated_get(graph).matrix_world
    keys = [tuple(action.frame_range) for action in bpy.data.actions]
    return {
        "matrices": matrices,
        "sizes": np.array([size_of(scene.objects[name].evaluated_get(graph))[1] for name in job["names"]]),
        "die": np.array(colors_of(scene.objects[job["names"][0]])),
        "fps": np.array(scene.render.fps / scene.render.fps_base),
        "range": np.array([scene.frame_start, scene.frame_end]),
        "names": np.array(sorted(each.name for each in scene.objects if each.type == "MESH")),
        "keys": np.array(keys).reshape(-1, 2),
        "properties": np.array(json.dumps({n: _plain(scene.objects[n].get("foregone")) for n in job["names"]})),
    }


def _plain(group):
    return {key: str(group[key]) for key in group.keys()} if hasattr(group, "keys") else group


def main():
    jobs = json.load(open(sys.argv[1], encoding="utf-8"))
    found = {f"{i}/{key}": value for i, job in enumerate(jobs) for key, value in look(job).items()}
    np.savez(sys.argv[2], **found)


if __name__ == "__main__":
    main()
