"""The arrays of a glTF file: buffers from the file itself, from data: addresses or from files beside it."""

from __future__ import annotations

import base64
import binascii
import json
import struct
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from engine.errors import LayoutError
from engine.layout.layout import check_counts, check_size

KINDS: dict[int, Any] = {
    5120: np.int8, 5121: np.uint8, 5122: np.int16, 5123: np.uint16, 5125: np.uint32, 5126: np.float32,
}  # fmt: skip
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
MOST_JSON = 200_000_000  # bytes
PACKED = ("KHR_draco_mesh_compression", "EXT_meshopt_compression")


def read_table(path: Path) -> tuple[dict[str, Any], bytes | None]:
    """The JSON of a .gltf or .glb file, and the binary part of the latter."""
    with path.open("rb") as stream:
        head = stream.read(12)
        if head[:4] != b"glTF":
            return _table(path, head + stream.read(MOST_JSON)), None
        text, binary = b"", None
        while len(frame := stream.read(8)) == 8:
            length, kind = struct.unpack("<I4s", frame)
            block = stream.read(length)
            if len(block) < length:
                raise LayoutError(f"{path.name} is damaged: its end is missing.")
            if kind == b"JSON" and not text:
                text = block
            elif kind == b"BIN\0" and binary is None:
                binary = block
        return _table(path, text), binary


def _table(path: Path, text: bytes) -> dict[str, Any]:
    try:
        table = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LayoutError(f"{path.name} is damaged or not glTF.") from error
    asset = table.get("asset") if isinstance(table, dict) else None
    if not isinstance(asset, dict) or not str(asset.get("version", "")).startswith("2"):
        raise LayoutError(f"{path.name} is not glTF 2.0.")
    packed = [name for name in PACKED if name in table.get("extensionsRequired", ())]
    if packed:
        raise LayoutError(f"{path.name} is compressed ({packed[0]}). Export it without compression.")
    return table


class Buffers:
    """Accessors by number. Raises LayoutError, or the errors of a table that is not what it should be."""

    def __init__(self, path: Path, table: dict[str, Any], binary: bytes | None) -> None:
        self._path, self._table, self._binary = path, table, binary
        self._loaded: dict[int, bytes] = {}

    def rows(self, number: int) -> np.ndarray:
        """(count, width) of an accessor; whole numbers that stand for fractions become those."""
        accessor = self._table["accessors"][number]
        kind, width, count = KINDS[accessor["componentType"]], WIDTHS[accessor["type"]], int(accessor["count"])
        check_counts(self._path.name, 0, 0, count)
        if "bufferView" in accessor:
            rows = self._view(accessor["bufferView"], kind, width, count, int(accessor.get("byteOffset", 0)))
        else:
            rows = np.zeros((count, width), kind)
        if "sparse" in accessor:
            rows = self._patched(rows, accessor["sparse"], kind, width)
        if accessor.get("normalized") and kind is not np.float32:
            return np.maximum(rows.astype(float) / np.iinfo(kind).max, -1.0)
        return rows

    def _patched(self, rows: np.ndarray, sparse: dict[str, Any], kind: Any, width: int) -> np.ndarray:
        count, where, what = int(sparse["count"]), sparse["indices"], sparse["values"]
        places = self._view(where["bufferView"], KINDS[where["componentType"]], 1, count, where.get("byteOffset", 0))
        values = self._view(what["bufferView"], kind, width, count, what.get("byteOffset", 0))
        rows = rows.copy()
        rows[places[:, 0]] = values
        return rows

    def _view(self, number: int, kind: Any, width: int, count: int, offset: int) -> np.ndarray:
        view = self._table["bufferViews"][number]
        data = self._buffer(view["buffer"])
        start, size = int(view.get("byteOffset", 0)), int(view["byteLength"])
        own = width * np.dtype(kind).itemsize
        stride = int(view.get("byteStride", own))
        if min(start, offset, count) < 0 or stride < own or start + size > len(data):
            raise LayoutError(f"{self._path.name} is damaged: data is missing.")
        if count and offset + (count - 1) * stride + own > size:
            raise LayoutError(f"{self._path.name} is damaged: data is missing.")
        block = np.frombuffer(data, np.uint8, size, start)
        rows = np.lib.stride_tricks.as_strided(block[offset:], (count, own), (stride, 1))
        return np.ascontiguousarray(rows).view(np.dtype(kind).newbyteorder("<")).reshape(count, width)

    def _buffer(self, number: int) -> bytes:
        if number not in self._loaded:
            address = self._table["buffers"][number].get("uri")
            self._loaded[number] = self._binary or b"" if address is None else self._fetched(str(address))
        return self._loaded[number]

    def _fetched(self, address: str) -> bytes:
        """From the address itself, or from a file in the same folder or below it; never from elsewhere."""
        if address.startswith("data:"):
            try:
                return base64.b64decode(address.partition(",")[2], validate=True)
            except (ValueError, binascii.Error) as error:
                raise LayoutError(f"{self._path.name} is damaged: data is missing.") from error
        folder = self._path.parent.resolve()
        file = (folder / unquote(address)).resolve()
        if "://" in address or not file.is_relative_to(folder):
            raise LayoutError(f"{self._path.name} refers to {address}, which is outside its folder. Pack it as .glb.")
        if not file.is_file():
            raise LayoutError(f"{self._path.name} needs {file.name}, which is not beside it.")
        check_size(file.name, file.stat().st_size)
        return file.read_bytes()
