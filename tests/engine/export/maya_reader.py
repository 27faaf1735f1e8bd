"""A strict reader of the Maya ASCII that we write, which knows nothing of the writer: it refuses every command, node,
attribute, value and connection that it does not know, and computes world matrices by itself."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

METRES = {"meter": 1.0, "centimeter": 0.01, "millimeter": 0.001, "inch": 0.0254, "foot": 0.3048}
RATES = {"game": 15.0, "film": 24.0, "pal": 25.0, "ntsc": 30.0, "show": 48.0, "palf": 50.0, "ntscf": 60.0}
RATES |= {"23.976fps": 24000 / 1001, "29.97fps": 30000 / 1001, "59.94fps": 60000 / 1001, "120fps": 120.0}
SCENE = {":renderPartition": "partition", ":defaultShaderList1": "list", ":defaultLightSet": "set"}
DEFAULTS = {":time1": {"o": "int", "unw": "int"}, ":defaultRenderGlobals": {"fs": "int", "ef": "int"}}
ATTRIBUTES = {
    "transform": {"t": "double3", "r": "double3"},
    "mesh": {"v": "none", "vt": "rows3", "ed": "rows3", "fc": "faces"},
    "animCurveTL": {"tan": "int", "wgt": "bool", "ktv": "rows2"},
    "animCurveTA": {"tan": "int", "wgt": "bool", "ktv": "rows2"},
    "animCurveTU": {"tan": "int", "wgt": "bool", "ktv": "rows2", "kot": "rows1"},
    "lambert": {"c": "float3"},
    "shadingEngine": {"ihi": "int", "dsm": "size", "ro": "bool"},
    "materialInfo": {},
    "groupId": {"ihi": "int"},
    "lightLinker": {},
    "script": {"b": "string", "st": "int"},
}
ADDED = {("-dt", "string"): "string", ("-at", "bool"): "bool", ("-at", "long"): "int", ("-at", "double"): "double"}
CONNECTIONS = {
    *(("animCurveTL.o", f"transform.t{axis}") for axis in "xyz"),
    *(("animCurveTA.o", f"transform.r{axis}") for axis in "xyz"),
    ("animCurveTU.o", "transform.v"),
    *(("lambert.oc", "shadingEngine.ss"), ("shadingEngine.msg", "materialInfo.sg"), ("lambert.msg", "materialInfo.m")),
    *(("groupId.id", "mesh.iog.og[].gid"), ("shadingEngine.mwc", "mesh.iog.og[].gco")),
}
APPENDED = {
    *(("mesh.iog", "shadingEngine.dsm"), ("mesh.iog.og[]", "shadingEngine.dsm"), ("groupId.msg", "shadingEngine.gn")),
    *(("shadingEngine.pa", "partition.st"), ("lambert.msg", "list.s")),
}
GROUP = re.compile(r"\.iog\[0\]\.og(?:\[(\d+)\]\.gcl)?")  # faces of one material
TOKEN = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";]+)|(;))')
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}


class Refused(Exception):
    pass


@dataclass
class Node:
    kind: str
    name: str
    parent: str = ""
    values: dict[str, Any] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)  # what may be set
    sizes: dict[str, int] = field(default_factory=dict)  # announced lengths of arrays


class Word(NamedTuple):
    text: str
    string: bool


class Scene:
    def __init__(self, text: str) -> None:
        self.nodes: dict[str, Node] = {}
        self.defaults: dict[str, Node] = {}
        self.inputs: dict[str, str] = {}  # "body.tx" -> "curve.o"
        self.members: dict[str, list[str]] = {}  # shading group -> shapes
        self.parts: dict[str, str] = {}  # "shape.iog.og[0]" -> shading group
        self.named: set[tuple[str, str]] = set()  # groups of faces that a shading group has heard of
        self.links: list[tuple[str, str]] = []
        self.info: dict[str, str] = {}
        self.linear = self.time = ""
        self._current: Node | None = None
        lines = text.split("\n")
        need(lines[0] == "//Maya ASCII 2020 scene" and lines[1] == "//Codeset: UTF-8", "header")
        need(lines[-1] == "" and lines[-2] == "// End", "end")
        need(not any(line.startswith("//") for line in lines[2:-2]), "comment")
        for k, statement in enumerate(statements("\n".join(lines[2:-2]))):
            command = statement[0]
            need(not command.string and command.text in COMMANDS, f"command {command.text}")
            need((k == 0) == (command.text == "requires") and (k == 1) == (command.text == "currentUnit"), "order")
            COMMANDS[command.text](self, statement[1:])
        self._check()

    @property
    def metres(self) -> float:
        return METRES[self.linear]

    @property
    def fps(self) -> float:
        return RATES[self.time]

    def bodies(self) -> dict[str, Node]:
        return {name: node for name, node in self.nodes.items() if node.kind == "transform" and node.parent}

    def shape(self, body: str) -> Node:
        (found,) = [node for node in self.nodes.values() if node.kind == "mesh" and node.parent == body]
        return found

    def curve(self, body: str, channel: str) -> np.ndarray | None:
        """(k, 2) frames and values."""
        source = self.inputs.get(f"{body}.{channel}")
        return None if source is None else self.nodes[source.removesuffix(".o")].values["ktv"]

    def value(self, body: str, channel: str, frame: float) -> float:
        keys = self.curve(body, channel)
        if keys is None:
            return self.nodes[body].values[channel[0]]["xyz".index(channel[1])]
        after = int(np.searchsorted(keys[:, 0], frame, side="left"))
        if after < len(keys) and keys[after, 0] == frame:
            return float(keys[after, 1])
        if after in (0, len(keys)):  # constant before and after
            return float(keys[min(after, len(keys) - 1), 1])
        (t0, v0), (t1, v1) = keys[after - 1], keys[after]
        return float(v0 + (frame - t0) / (t1 - t0) * (v1 - v0))

    def shown(self, body: str, frame: float) -> bool:
        """By the last key at or before the frame: its curve has steps."""
        keys = self.curve(body, "v")
        if keys is None:
            return True
        need(set(keys[:, 1].tolist()) <= {0.0, 1.0}, "half visible")
        return bool(keys[max(int(np.searchsorted(keys[:, 0], frame, side="right")) - 1, 0), 1])

    def matrix(self, body: str, frame: float) -> np.ndarray:
        """(4, 4) world matrix for columns, in the file's unit."""
        ax, ay, az = (np.radians(self.value(body, f"r{axis}", frame)) for axis in "xyz")
        about_x = np.array([[1, 0, 0], [0, np.cos(ax), -np.sin(ax)], [0, np.sin(ax), np.cos(ax)]])
        about_y = np.array([[np.cos(ay), 0, np.sin(ay)], [0, 1, 0], [-np.sin(ay), 0, np.cos(ay)]])
        about_z = np.array([[np.cos(az), -np.sin(az), 0], [np.sin(az), np.cos(az), 0], [0, 0, 1]])
        world = np.eye(4)
        world[:3, :3] = about_z @ about_y @ about_x
        world[:3, 3] = [self.value(body, f"t{axis}", frame) for axis in "xyz"]
        return world

    def faces(self, body: str) -> list[list[int]]:
        """Points around every face."""
        values = self.shape(body).values
        return [[int(values["ed"][edge if edge >= 0 else -1 - edge][0 if edge >= 0 else 1]) for edge in loop]
                for loop in values["fc"]]  # fmt: skip

    def command_requires(self, words: list[Word]) -> None:
        need([word.text for word in words] == ["maya", "2020"], "version")

    def command_current_unit(self, words: list[Word]) -> None:
        flags = pairs(words)
        need(set(flags) == {"-l", "-a", "-t"} and flags["-a"].text == "degree", "units")
        self.linear, self.time = flags["-l"].text, flags["-t"].text
        need(self.linear in METRES and self.time in RATES, f"unit {self.linear} {self.time}")

    def command_file_info(self, words: list[Word]) -> None:
        need(len(words) == 2 and all(word.string for word in words), "fileInfo")
        need(words[0].text not in self.info, "fileInfo twice")
        self.info[words[0].text] = words[1].text

    def command_create_node(self, words: list[Word]) -> None:
        kind, rest = words[0].text, words[1:]
        shared = [word for word in rest if word.text == "-s"]
        flags = pairs([word for word in rest if word.text != "-s"])
        need(kind in ATTRIBUTES and set(flags) <= {"-n", "-p"} and "-n" in flags, f"node {kind}")
        need(bool(shared) == (kind == "lightLinker"), "shared")
        name = flags["-n"].text
        need(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) is not None and flags["-n"].string, f"name {name}")
        need(name not in self.nodes and f":{name}" not in {**SCENE, **DEFAULTS}, f"{name} twice")
        parent = flags["-p"].text if "-p" in flags else ""
        need(not parent or (kind in ("transform", "mesh") and self.nodes[parent].kind == "transform"), "parent")
        need(bool(parent) or kind != "mesh", "a mesh without a transform")
        self._current = self.nodes[name] = Node(kind, name, parent, kinds=dict(ATTRIBUTES[kind]))

    def command_add_attr(self, words: list[Word]) -> None:
        flags, node = pairs(words), self._current
        need(node is not None and node.kind == "transform", "addAttr")
        assert node is not None
        kind = [(key, word.text) for key, word in flags.items() if key in ("-at", "-dt")]
        need(set(flags) - {"-at", "-dt"} == {"-ci", "-sn", "-ln"} and len(kind) == 1 and kind[0] in ADDED, "addAttr")
        short, long = flags["-sn"].text, flags["-ln"].text
        need(re.fullmatch(r"[A-Za-z_]\w*", long, re.ASCII) is not None and short not in node.kinds, f"addAttr {long}")
        node.kinds[short] = ADDED[kind[0]]

    def command_select(self, words: list[Word]) -> None:
        need(len(words) == 2 and words[0].text == "-ne" and words[1].text in DEFAULTS, "select")
        name = words[1].text
        self._current = self.defaults[name] = Node("default", name, kinds=dict(DEFAULTS[name]))

    def command_set_attr(self, words: list[Word]) -> None:
        node = self._current
        need(node is not None, "setAttr of nothing")
        assert node is not None
        place = next(k for k, word in enumerate(words) if word.string)
        flags, rest = pairs(words[:place]), words[place + 1 :]
        grouped = GROUP.fullmatch(words[place].text)
        if grouped is not None:
            set_group(node, grouped[1], flags, rest)
            return
        found = re.fullmatch(r"\.(\w+)(?:\[(\d+)(?::(\d+))?\])?", words[place].text)
        need(found is not None, f"attribute {words[place].text}")
        assert found is not None
        name, low, high = found[1], found[2], found[3] or found[2]
        need(name in node.kinds, f"{node.kind}.{name}")
        if rest and rest[0].text == "-type":
            flags["-type"], rest = rest[1], rest[2:]
        kind = node.kinds[name]
        if kind in ("rows1", "rows2", "rows3", "faces", "size"):
            set_array(node, name, kind, flags, None if low is None else (int(low), int(high)), rest)
            return
        need(low is None and name not in node.values, f"{name} twice")
        node.values[name] = single(kind, flags, rest)

    def command_connect_attr(self, words: list[Word]) -> None:
        need(len(words) in (2, 3) and words[0].string and words[1].string, "connectAttr")
        source, target = words[0].text, words[1].text
        kinds = self._kind(source), self._kind(target)
        if len(words) == 3:
            need(words[2].text == "-na" and kinds in APPENDED, f"appended {kinds}")
            if kinds[0] in ("mesh.iog", "mesh.iog.og[]"):
                self.members.setdefault(target.split(".")[0], []).append(source.split(".")[0])
            if kinds[0] == "mesh.iog.og[]":
                need(source not in self.parts, "faces in two materials")
                self.parts[source] = target.split(".")[0]
            if kinds[0] == "groupId.msg":
                self.named.add((source.split(".")[0], target.split(".")[0]))
            return
        need(kinds in CONNECTIONS and target not in self.inputs, f"connection {kinds}")
        self.inputs[target] = source

    def command_relationship(self, words: list[Word]) -> None:
        need(len(words) == 4 and words[0].text in ("link", "shadowLink") and words[1].text == ":lightLinker1", "link")
        group, lights = words[2].text, words[3].text
        need(self._kind(group) == "shadingEngine.message" and lights == ":defaultLightSet.message", "link")
        self.links.append((words[0].text, group.split(".")[0]))

    def _kind(self, plug: str) -> str:
        name, _, attribute = plug.partition(".")
        need(name in self.nodes or name in SCENE, f"no node {name}")
        attribute = re.sub(r"\[\d+\]", "[]", attribute)
        return f"{SCENE[name] if name in SCENE else self.nodes[name].kind}.{attribute}"

    def _check(self) -> None:
        """What is left when all has been read: complete arrays, whole graph."""
        for node in self.nodes.values():
            for name, size in node.sizes.items():
                need(node.kinds[name] == "size" or len(node.values[name]) == size, f"{node.name}.{name} has a gap")
            if node.kind == "animCurveTU":
                need(node.values["kot"].ravel().tolist() == [5.0] * len(node.values["ktv"]), "no steps")
            if node.kind in ("animCurveTL", "animCurveTA", "animCurveTU"):
                need(node.values["tan"] == 2 and node.values["wgt"] is False, "tangents")
                need(bool((np.diff(node.values["ktv"][:, 0]) > 0).all()), "keys out of order")
                need(sum(source == f"{node.name}.o" for source in self.inputs.values()) == 1, f"{node.name} drives")
            if node.kind == "mesh":
                check_mesh(node)
                self._check_materials(node)
            if node.kind == "shadingEngine":
                need(node.sizes["dsm"] == len(self.members.get(node.name, [])), "members")
                need(f"{node.name}.ss" in self.inputs, "no material")
                need(sorted(kind for kind, group in self.links if group == node.name) == ["link", "shadowLink"], "dark")
        for name, node in self.bodies().items():
            for channel in ("tx", "ty", "tz", "rx", "ry", "rz"):
                need((channel[0] in node.values) != (f"{name}.{channel}" in self.inputs), f"{name}.{channel}")
            self.shape(name)

    def _check_materials(self, node: Node) -> None:
        """One for all faces, or one for each group of them; the groups are all faces."""
        groups = node.values.get("groups", {})
        used = sum(shapes.count(node.name) for shapes in self.members.values())
        need(used == max(len(groups), 1) == max(node.sizes.get("groups", 1), 1), f"{node.name} has materials")
        for k in groups:
            part = f"{node.name}.iog.og[{k}]"
            need(part in self.parts, f"{part} has no material")
            need(self.inputs.get(f"{part}.gco") == f"{self.parts[part]}.mwc", f"{part} has no colour")
            name = self.inputs.get(f"{part}.gid", "").removesuffix(".id")
            need((name, self.parts[part]) in self.named, f"{part} has no name")
        faces = [face for span in groups.values() for face in span]
        need(not groups or sorted(faces) == list(range(len(node.values["fc"]))), "faces without a material")

    def face_color(self, body: str, face: int) -> list[float]:
        shape = self.shape(body)
        groups = shape.values.get("groups", {})
        owner = next((self.parts[f"{shape.name}.iog.og[{k}]"] for k, faces in groups.items() if face in faces), "")
        owner = owner or next(name for name, shapes in self.members.items() if shape.name in shapes)
        return self.nodes[self.inputs[f"{owner}.ss"].removesuffix(".oc")].values["c"]


COMMANDS = {
    "requires": Scene.command_requires,
    "currentUnit": Scene.command_current_unit,
    "fileInfo": Scene.command_file_info,
    "createNode": Scene.command_create_node,
    "addAttr": Scene.command_add_attr,
    "setAttr": Scene.command_set_attr,
    "select": Scene.command_select,
    "connectAttr": Scene.command_connect_attr,
    "relationship": Scene.command_relationship,
}


def need(condition: bool, what: str) -> None:
    if not condition:
        raise Refused(what)


def statements(text: str) -> list[list[Word]]:
    found: list[list[Word]] = []
    words: list[Word] = []
    place = 0
    text = text.rstrip()
    for match in TOKEN.finditer(text):
        need(match.start() == place, f"text {text[place : place + 40]!r}")
        place = match.end()
        if match[3]:
            need(bool(words), "empty statement")
            found.append(words)
            words = []
        elif match[2] is not None:
            words.append(Word(match[2], False))
        else:
            need("\n" not in match[1], "a string over several lines")
            words.append(Word(re.sub(r"\\(.)", lambda m: ESCAPES[m[1]], match[1]), True))
    need(not words and place == len(text), "the last statement is not ended")
    return found


def pairs(words: list[Word]) -> dict[str, Word]:
    need(len(words) % 2 == 0, "flags")
    flags = {words[k].text: words[k + 1] for k in range(0, len(words), 2)}
    need(len(flags) == len(words) // 2 and all(key.startswith("-") for key in flags), "flags")
    return flags


def set_group(node: Node, number: str | None, flags: dict[str, Word], words: list[Word]) -> None:
    """How many groups of faces there are, then which faces are in each."""
    need(node.kind == "mesh", "faces of what is no mesh")
    if number is None:
        need(set(flags) == {"-s"} and not words and "groups" not in node.sizes, "groups")
        node.sizes["groups"], node.kinds["groups"], node.values["groups"] = int(flags["-s"].text), "size", {}
        return
    texts = [word.text for word in words]
    need(not flags and texts[:3] == ["-type", "componentList", "1"] and len(texts) == 4 and words[3].string, "faces")
    span = re.fullmatch(r"f\[(\d+):(\d+)\]", texts[3])
    need(span is not None and int(number) == len(node.values["groups"]), f"faces {texts[3]}")
    assert span is not None
    node.values["groups"][int(number)] = range(int(span[1]), int(span[2]) + 1)


def single(kind: str, flags: dict[str, Word], words: list[Word]) -> Any:
    texts = [word.text for word in words]
    typed = {"double3": "double3", "float3": "float3", "string": "string"}.get(kind)
    need(("-type" in flags) == (typed is not None), "type")
    need(typed is None or flags["-type"].text == typed, "type")
    if kind == "none":
        need(set(flags) == {"-k"} and not words, "value")
        return None
    need(set(flags) <= {"-type"}, "flags")
    if typed in ("double3", "float3"):
        need(len(texts) == 3, "three numbers")
        return [float(text) for text in texts]
    need(len(texts) == 1 and words[0].string == (kind == "string"), "one value")
    if kind == "bool":
        need(texts[0] in ("yes", "no"), "flag")
        return texts[0] == "yes"
    return {"int": int, "double": float, "string": str}[kind](texts[0])


def set_array(node: Node, name: str, kind: str, flags: dict[str, Word], span: Any, words: list[Word]) -> None:
    if "-s" in flags:
        need(name not in node.sizes, "size twice")
        node.sizes[name] = int(flags["-s"].text)
    need(name in node.sizes and set(flags) <= {"-s", "-ch", "-type"}, "array")
    need(("-ch" in flags) == ("-s" in flags and kind == "faces"), "corners")
    if "-ch" in flags:
        node.values["corners"] = int(flags["-ch"].text)
    if span is None:
        need(not words, "values without a place")
        return
    need(("-type" in flags) == (kind == "faces") and kind != "size", "type")
    texts, count = [word.text for word in words], span[1] - span[0] + 1
    if kind == "faces":
        rows = faces_of(texts)
    else:
        width = int(kind[-1])
        number = int if name == "ed" else float
        need(len(texts) == count * width, f"{name} has {len(texts)} numbers for {count} places")
        rows = [[number(text) for text in texts[k : k + width]] for k in range(0, len(texts), width)]
    need(len(rows) == count, "places")
    before = node.values.get(name, [] if kind == "faces" else np.zeros((0, len(rows[0]))))
    need(len(before) == span[0], "places out of order")
    node.values[name] = before + rows if kind == "faces" else np.concatenate([before, np.array(rows)])


def faces_of(texts: list[str]) -> list[list[int]]:
    found, place = [], 0
    while place < len(texts):
        need(texts[place] == "f", f"face {texts[place]}")
        count = int(texts[place + 1])
        loop = [int(text) for text in texts[place + 2 : place + 2 + count]]
        need(count >= 3 and len(loop) == count, "loop")
        found.append(loop)
        place += 2 + count
    return found


def check_mesh(node: Node) -> None:
    edges, points = node.values["ed"].astype(int), node.values["vt"]
    need(bool(((edges[:, :2] >= 0) & (edges[:, :2] < len(points))).all()), "an edge without points")
    need(len({tuple(sorted(edge)) for edge in edges[:, :2].tolist()}) == len(edges), "an edge twice")
    need(set(edges[:, 2].tolist()) <= {0, 1}, "hard or soft")
    need(sum(map(len, node.values["fc"])) == node.values["corners"], "corners")
    for loop in node.values["fc"]:
        ends = []
        for edge in loop:
            need(-len(edges) <= edge < len(edges), "a face without edges")
            start, end, _ = edges[edge if edge >= 0 else -1 - edge].tolist()
            ends.append((start, end) if edge >= 0 else (end, start))
        need(all(ends[k - 1][1] == ends[k][0] for k in range(len(ends))), "a face that is not closed")
