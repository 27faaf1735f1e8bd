"""A clip as a Maya scene: a transform with a mesh per body, curves where it moves, a material per colour.

All lengths are in the file's own unit, key times in its own frames; Maya turns both into its own on reading. The axis
that points up is a preference of Maya's and no part of a scene, so that a scene with z up brings a script that sets it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from engine.errors import ExportError
from engine.export.clip import Actor, Clip, Progress
from engine.export.maya_mesh import mesh_lines
from engine.export.mel import array, number, quoted
from engine.export.names import legal_names
from engine.export.settings import rate_fraction
from engine.scene.colors import linear
from engine.scene.dice import SPOT_COLOR

VERSION = "2020"  # the oldest that reads all of it
UNIT_NAMES = {"m": "meter", "cm": "centimeter", "mm": "millimeter", "in": "inch", "ft": "foot"}
PLAIN_RATES = (
    *(2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 40, 75, 80, 100, 120, 125, 150, 200, 240, 250, 300, 375, 400, 500, 600, 750),
    *(1200, 1500, 2000, 3000, 6000),
)
RATE_NAMES = {
    **{(n, 1): f"{n}fps" for n in PLAIN_RATES},
    **{(n, 1): name for n, name in zip((15, 24, 25, 30), ("game", "film", "pal", "ntsc"), strict=True)},
    **{(n, 1): name for n, name in zip((48, 50, 60), ("show", "palf", "ntscf"), strict=True)},
    **{(n * 1000, 1001): f"{n * 1000 / 1001:.5g}fps" for n in (24, 30, 48, 60)},
}
"""Rate as a fraction -> Maya's time unit. It knows no others."""
TAKEN = frozenset(
    "persp perspShape top topShape front frontShape side sideShape time1 sequenceManager1 world "
    "lambert1 standardSurface1 openPBR_shader1 particleCloud1 shaderGlow1 dof1 initialShadingGroup initialParticleSE "
    "initialMaterialInfo renderPartition renderGlobalsList1 defaultLightList1 defaultShaderList1 postProcessList1 "
    "defaultRenderUtilityList1 defaultRenderingList1 lightList1 defaultTextureList1 defaultLightSet defaultObjectSet "
    "defaultRenderGlobals defaultRenderQuality defaultResolution defaultViewColorManager defaultColorMgtGlobals "
    "defaultHardwareRenderGlobals hardwareRenderGlobals hardwareRenderingGlobals characterPartition ikSystem "
    "hyperGraphInfo hyperGraphLayout globalCacheControl dynController1 strokeGlobals lightLinker1 layerManager "
    "defaultLayer renderLayerManager defaultRenderLayer shapeEditorManager poseInterpolatorManager groundPlane "
    "groundPlane_transform ViewCompass Manipulator1 UniversalManip CubeCompass sceneConfigurationScriptNode "
    "uiConfigurationScriptNode".split()
)
"""Nodes that every scene has. A body with such a name would be renamed on reading, and its curves would go astray."""
CURVES = (
    *(("animCurveTL", f"translate{axis}", f"t{axis.lower()}", k) for k, axis in enumerate("XYZ")),
    *(("animCurveTA", f"rotate{axis}", f"r{axis.lower()}", 3 + k) for k, axis in enumerate("XYZ")),
)
"""Kind, name, attribute, column of the keys."""
KEYS = 500  # in a statement, as Maya writes them
LINEAR, STEP = 2, 5  # tangents
LONGEST_INT = 2**31 - 1


def write(clip: Clip, path: Path, progress: Progress) -> None:
    """Raises ExportError for a rate that Maya has no name for."""
    time = rate_name(clip.settings.fps)
    names = _Names(clip)
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        _put(stream, _head(clip, time))
        _put(stream, _node("transform", names.group) + _attributes(clip.facts))
        lines_of = cache(mesh_lines)  # bodies that look alike share a surface
        for i, actor in enumerate(clip.actors):
            _put(stream, _body(actor, names.bodies[i], names.group))
            _put(stream, _node("mesh", names.shapes[i], names.bodies[i]) + ['\tsetAttr -k off ".v";'])
            _put(stream, _face_groups(actor))
            _put(stream, lines_of(actor.surface))
            if actor.keyed:
                _put(stream, _curves(actor, names.curves[i]))
            if actor.switches:
                _put(stream, _visibility(actor, names.visibilities[i]))
            progress((i + 1) / len(clip.actors))
        _put(stream, _materials(clip, names) + _scripts(clip, names) + _globals(clip))
        _put(stream, _connections(clip, names))
        stream.write("// End\n")


def rate_name(fps: float) -> str:
    """Maya's time unit of a frame rate."""
    found = RATE_NAMES.get(rate_fraction(fps))
    if found is None:
        rates = sorted(RATE_NAMES, key=lambda rate: abs(math.log(rate[0] / rate[1] / fps)))[:2]
        near = " or ".join(f"{n / d:.6g}" for n, d in sorted(rates, key=lambda rate: rate[0] / rate[1]))
        raise ExportError(f"Maya does not know {fps:.6g} frames per second. Choose {near}, or another format.")
    return found


class _Names:
    """Names of all nodes, no two alike and none that Maya has already."""

    def __init__(self, clip: Clip) -> None:
        used = set(TAKEN)
        self.bodies = self._free([actor.body.name for actor in clip.actors], used)
        self.group = self._free([clip.name], used)[0]
        self.shapes = self._free([f"{name}Shape" for name in self.bodies], used)
        self.curves = [
            self._free([f"{name}_{curve[1]}" for curve in CURVES], used) if actor.keyed else []
            for name, actor in zip(self.bodies, clip.actors, strict=True)
        ]
        self.visibilities = [
            self._free([f"{name}_visibility"], used)[0] if actor.switches else ""
            for name, actor in zip(self.bodies, clip.actors, strict=True)
        ]
        self.colors = list(dict.fromkeys(color for actor in clip.actors for color in _colors(actor)))
        self.materials = self._free([f"color_{color.lstrip('#')}" for color in self.colors], used)
        self.sets = self._free([f"{name}SG" for name in self.materials], used)
        self.infos = self._free([f"{name}Info" for name in self.materials], used)
        self.groups = [
            self._free([f"{name}_faces" for _ in _colors(actor)], used) if actor.surface.spots is not None else []
            for name, actor in zip(self.bodies, clip.actors, strict=True)
        ]
        self.upward = self._free(["upAxisScriptNode"], used)[0]

    @staticmethod
    def _free(wanted: list[str], used: set[str]) -> list[str]:
        found = legal_names(wanted, "identifier", used)
        used.update(found)
        return found


def _put(stream: TextIO, lines: Collection[str]) -> None:
    stream.writelines(f"{line}\n" for line in lines)


def _head(clip: Clip, time: str) -> list[str]:
    return [
        f"//Maya ASCII {VERSION} scene",
        "//Codeset: UTF-8",
        f'requires maya "{VERSION}";',
        f"currentUnit -l {UNIT_NAMES[clip.settings.unit]} -a degree -t {time};",
        'fileInfo "application" "maya";',
        f'fileInfo "product" "Maya {VERSION}";',
        f'fileInfo "version" "{VERSION}";',
        f'fileInfo "foregone" {quoted(clip.name)};',
    ]


def _node(kind: str, name: str, parent: str = "") -> list[str]:
    return [f'createNode {kind} -n "{name}"' + (f' -p "{parent}"' if parent else "") + ";"]


def _body(actor: Actor, name: str, group: str) -> list[str]:
    lines = _node("transform", name, group) + _attributes(actor.facts)
    if not actor.keyed:
        for attribute, row in ((".t", actor.track.positions[-1]), (".r", actor.track.angles[-1])):
            lines.append(f'\tsetAttr "{attribute}" -type "double3" {" ".join(map(number, row.tolist()))} ;')
    return lines


def _colors(actor: Actor) -> list[str]:
    return [actor.color] if actor.surface.spots is None else [actor.color, SPOT_COLOR]


def _face_groups(actor: Actor) -> list[str]:
    """Which faces of a die are of which colour."""
    parts = list(actor.surface.parts.values())
    lines = [f'\tsetAttr -s {len(parts)} ".iog[0].og";'] if parts else []
    for k, faces in enumerate(parts):
        lines.append(f'\tsetAttr ".iog[0].og[{k}].gcl" -type "componentList" 1 "f[{faces[0]}:{faces[-1]}]";')
    return lines


def _attributes(facts: dict[str, Any]) -> list[str]:
    """Custom attributes, and what is said in sentences as Maya's notes."""
    added, filled = [], []
    for key, value in facts.items():
        name = "foregone_" + legal_names([key], "identifier")[0]
        kind, text = _attribute(value)
        added.append(f'\taddAttr -ci true -sn "{name}" -ln "{name}" {kind};')
        filled.append(f'\tsetAttr ".{name}" {text};')
    notes = "\n".join(str(facts[key]) for key in ("notes", "hints") if key in facts)
    if notes:
        added.append('\taddAttr -ci true -sn "nts" -ln "notes" -dt "string";')
        filled.append(f'\tsetAttr ".nts" -type "string" {quoted(notes)};')
    return added + filled


def _attribute(value: Any) -> tuple[str, str]:
    """Type and value of a custom attribute; what Maya has no plain type for as JSON."""
    if isinstance(value, bool):
        return '-at "bool"', "yes" if value else "no"
    if isinstance(value, int) and abs(value) <= LONGEST_INT:
        return '-at "long"', str(value)
    if isinstance(value, float) and math.isfinite(value):
        return '-at "double"', number(value)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return '-dt "string"', f'-type "string" {quoted(text)}'


def _curves(actor: Actor, names: list[str]) -> list[str]:
    track, lines = actor.track, []
    values = np.concatenate([track.positions, track.angles], axis=1)
    times = [number(frame) for frame in track.frames.tolist()]
    for name, (kind, _, _, column) in zip(names, CURVES, strict=True):
        keys = [f"{t} {number(value)}" for t, value in zip(times, values[:, column].tolist(), strict=True)]
        lines += _node(kind, name)
        lines += [f'\tsetAttr ".tan" {LINEAR};', '\tsetAttr ".wgt" no;', *array(".ktv", keys, KEYS, width=4)]
    return lines


def _visibility(actor: Actor, name: str) -> list[str]:
    """Off and on, without anything in between: tangents that leave a key are steps."""
    keys = [f"{number(frame)} {int(on)}" for frame, on in actor.switches]
    lines = [*_node("animCurveTU", name), f'\tsetAttr ".tan" {LINEAR};', '\tsetAttr ".wgt" no;']
    lines += array(".ktv", keys, KEYS, width=4)
    return lines + array(".kot", [str(STEP)] * len(keys), KEYS)


def _materials(clip: Clip, names: _Names) -> list[str]:
    lines = []
    for k, color in enumerate(names.colors):
        members = sum(_colors(actor).count(color) for actor in clip.actors)
        lines += _node("lambert", names.materials[k])
        lines.append(f'\tsetAttr ".c" -type "float3" {" ".join(map(number, linear(color)))} ;')
        lines += _node("shadingEngine", names.sets[k])
        lines += ['\tsetAttr ".ihi" 0;', f'\tsetAttr -s {members} ".dsm";', '\tsetAttr ".ro" yes;']
        lines += _node("materialInfo", names.infos[k])
    for group in (name for groups in names.groups for name in groups):
        lines += [*_node("groupId", group), '\tsetAttr ".ihi" 0;']
    return [*lines, 'createNode lightLinker -s -n "lightLinker1";']


def _scripts(clip: Clip, names: _Names) -> list[str]:
    """The frame range, in the node in which Maya keeps it; and z up."""
    first, last = clip.first, clip.last
    span = f"playbackOptions -min {first} -max {last} -ast {first} -aet {last} "
    lines = _node("script", "sceneConfigurationScriptNode")
    lines += [f'\tsetAttr ".b" -type "string" {quoted(span)};', '\tsetAttr ".st" 6;']
    if clip.settings.up == "z":
        lines += _node("script", names.upward)
        lines += [f'\tsetAttr ".b" -type "string" {quoted("upAxis -ax z;")};', '\tsetAttr ".st" 1;']
    return lines


def _globals(clip: Clip) -> list[str]:
    """The scene opens at its first frame, and renders all of them."""
    return [
        "select -ne :time1;",
        f'\tsetAttr ".o" {clip.first};',
        f'\tsetAttr ".unw" {clip.first};',
        "select -ne :defaultRenderGlobals;",
        f'\tsetAttr ".fs" {clip.first};',
        f'\tsetAttr ".ef" {clip.last};',
    ]


def _connections(clip: Clip, names: _Names) -> list[str]:
    lines = []
    for i, actor in enumerate(clip.actors):
        for curve, (_, _, attribute, _) in zip(names.curves[i], CURVES if actor.keyed else (), strict=True):
            lines.append(f'connectAttr "{curve}.o" "{names.bodies[i]}.{attribute}";')
        if actor.switches:
            lines.append(f'connectAttr "{names.visibilities[i]}.o" "{names.bodies[i]}.v";')
        sets = [names.sets[names.colors.index(color)] for color in _colors(actor)]
        if actor.surface.spots is None:
            lines.append(f'connectAttr "{names.shapes[i]}.iog" "{sets[0]}.dsm" -na;')
        for k, (faces, shading) in enumerate(zip(names.groups[i], sets, strict=False)):
            part = f"{names.shapes[i]}.iog.og[{k}]"
            lines += [
                f'connectAttr "{faces}.id" "{part}.gid";',
                f'connectAttr "{shading}.mwc" "{part}.gco";',
                f'connectAttr "{part}" "{shading}.dsm" -na;',
                f'connectAttr "{faces}.msg" "{shading}.gn" -na;',
            ]
    for material, group, info in zip(names.materials, names.sets, names.infos, strict=True):
        for kind in ("link", "shadowLink"):  # else no light would fall on it
            lines.append(f'relationship "{kind}" ":lightLinker1" "{group}.message" ":defaultLightSet.message";')
        lines += [
            f'connectAttr "{material}.oc" "{group}.ss";',
            f'connectAttr "{group}.msg" "{info}.sg";',
            f'connectAttr "{material}.msg" "{info}.m";',
            f'connectAttr "{group}.pa" ":renderPartition.st" -na;',
            f'connectAttr "{material}.msg" ":defaultShaderList1.s" -na;',
        ]
    return lines
