"""The project file: a zip with project.json, meshes/*.npz, takes/*.npz and thumbs/*.

Reading trusts nothing: sizes are checked before anything is unpacked, arrays are never pickles, names inside the
zip never become paths on disk. Writing goes to a temporary file beside the project which then takes its place,
so a crash leaves either the old file or the new one.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Collection, Iterator, Mapping
from os import PathLike
from typing import Any, TypeAlias

import numpy as np

from engine.errors import ProjectError
from engine.scene.pretty import pretty
from engine.scene.schema import decode_scene, encode_scene
from engine.scene.spec import Scene

Path: TypeAlias = str | PathLike[str]
Content: TypeAlias = bytes | pathlib.Path  # of a file inside: the bytes, or a file on disk that holds them

PROJECT = "project.json"
MOST_MEMBERS = 100_000
LARGEST_JSON = 64 << 20  # bytes, unpacked
LARGEST_MESH = 256 << 20
ALL_MESHES = 2 << 30
MOST_ARRAYS = 8  # in one mesh
PIECE = 1 << 20  # bytes copied at once
MESH_NAME = re.compile(r"meshes/[A-Za-z0-9_-]+\.npz")
KEPT_NAME = re.compile(r"(?!/)(?!.*(^|/)\.\.(/|$))[^\\:\x00]+")  # neither absolute nor climbing
EPOCH = (1980, 1, 1, 0, 0, 0)  # one date for everything: the same scene gives the same bytes
UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, OSError, ValueError)


def load_scene(path: Path) -> Scene:
    """Read the scene of a project; raises ProjectError, and never changes the file."""
    with _named(path), _opened(path) as archive:
        data = _member(archive, PROJECT, LARGEST_JSON)
        tree = _parsed(data)

        meshes: dict[str, Mapping[str, np.ndarray]] = {}

        def fetch(name: str, where: str) -> Mapping[str, np.ndarray]:
            if not MESH_NAME.fullmatch(name):
                raise ProjectError(f"{where}.mesh: {name!r:.60} is not a mesh inside the project")
            if name not in meshes:
                meshes[name] = _arrays(_member(archive, name, LARGEST_MESH), name)
                if sum(array.nbytes for mesh in meshes.values() for array in mesh.values()) > ALL_MESHES:
                    raise ProjectError(f"the meshes take more than the {ALL_MESHES} bytes allowed")
            return meshes[name]

        try:
            return decode_scene(tree, fetch)
        except ProjectError as error:
            raise ProjectError(f"{PROJECT}: {error}") from None


def save_scene(
    scene: Scene,
    path: Path,
    members: Mapping[str, Content] | None = None,
    source: Path | None = None,
    without: Collection[str] = (),
) -> None:
    """Write a project atomically.

    `members` (name -> bytes, or a pathlib.Path whose file is streamed in) are added or replaced, for example a take.
    Everything else that the project at `source` (default: the file being replaced) already holds is copied as it is,
    except meshes nobody mentions and the names in `without`.
    """
    with _named(path):
        meshes: dict[str, bytes] = {}

        def store(arrays: Mapping[str, np.ndarray]) -> str:
            data = _npz(arrays)
            name = f"meshes/{hashlib.sha256(data).hexdigest()[:20]}.npz"
            meshes[name] = data
            return name

        try:
            text = pretty(encode_scene(scene, store)) + "\n"
        except (TypeError, ValueError, RecursionError) as error:
            raise ProjectError(f"an extra field cannot be written as JSON: {error}") from None
        own: dict[str, Content] = {PROJECT: text.encode("utf-8", "surrogatepass"), **meshes, **(members or {})}
        source = os.path.realpath(source if source is not None else path)
        _write(os.path.realpath(path), own, text, source, frozenset(without))


def member_names(path: Path, folder: str = "") -> list[str]:
    """Names inside a project that start with `folder`, sorted."""
    with _named(path), _opened(path) as archive:
        return sorted({info.filename for info in archive.infolist() if info.filename.startswith(folder)})


def read_member(path: Path, name: str, largest: int = LARGEST_MESH) -> bytes:
    """One file inside a project, at most `largest` bytes."""
    with _named(path), _opened(path) as archive:
        return _member(archive, name, largest)


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """Put the name of the file in front of every complaint about it."""
    try:
        yield
    except ProjectError as error:
        raise ProjectError(f"{os.fspath(path)}: {error}") from None
    except OSError as error:
        raise ProjectError(f"{os.fspath(path)}: {error.strerror or error}") from error


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    with open(path, "rb") as stream:
        try:
            archive = zipfile.ZipFile(stream)
        except UNREADABLE as error:
            raise ProjectError("this is not a project, or it is cut off (no zip directory found)") from error
        with archive:
            # The directory of a stored npz inside passes for that of a project whose own one is cut off.
            if archive.infolist() and min(info.header_offset for info in archive.infolist()) > 0:
                raise ProjectError("this is not a project, or it is cut off (the zip directory is not its own)")
            if len(archive.infolist()) > MOST_MEMBERS:
                raise ProjectError(f"more than {MOST_MEMBERS} files inside")
            yield archive


def _member(archive: zipfile.ZipFile, name: str, largest: int) -> bytes:
    """Unpack one member; its declared size is also the most that zipfile will unpack."""
    try:
        info = archive.getinfo(name)
    except KeyError:
        raise ProjectError(f"{name} is missing inside") from None
    if info.file_size > largest:
        raise ProjectError(f"{name} claims {info.file_size} bytes, more than the {largest} allowed")
    try:
        return archive.read(info)
    except UNREADABLE as error:
        raise ProjectError(f"{name} is damaged ({error})") from error


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data.decode("utf-8", "surrogatepass"))
    except json.JSONDecodeError as error:
        raise ProjectError(f"{PROJECT}, line {error.lineno}, column {error.colno}: {error.msg}") from None
    except UnicodeDecodeError as error:
        raise ProjectError(f"{PROJECT} is not text in UTF-8 (byte {error.start})") from None
    except (ValueError, RecursionError) as error:
        raise ProjectError(f"{PROJECT} cannot be read: {error}") from None


def _npz(arrays: Mapping[str, np.ndarray]) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)  # type: ignore[arg-type]
    return stream.getvalue()


def _arrays(data: bytes, name: str) -> dict[str, np.ndarray]:
    """The arrays of an npz; no memory is taken on the word of a header."""
    found = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if len(archive.infolist()) > MOST_ARRAYS:
                raise ProjectError(f"{name} holds more than {MOST_ARRAYS} arrays")
            for info in archive.infolist():
                if info.file_size > LARGEST_MESH:
                    raise ProjectError(f"{name} claims {info.file_size} bytes, more than the {LARGEST_MESH} allowed")
                with archive.open(info) as stream:
                    found[info.filename.removesuffix(".npy")] = _array(stream, name)
    except UNREADABLE as error:
        raise ProjectError(f"{name} is damaged ({error})") from error
    return found


def _array(stream: Any, name: str) -> np.ndarray:
    version = np.lib.format.read_magic(stream)
    read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, fortran, dtype = read_header(stream)
    if dtype.kind not in "fiub" or any(length < 0 for length in shape):
        raise ProjectError(f"{name} holds something else than numbers")
    count = 1
    for length in shape:
        count *= length
    data = stream.read()
    if len(data) != count * dtype.itemsize:
        raise ProjectError(f"{name} is damaged (an array of {count} numbers in {len(data)} bytes)")
    return np.frombuffer(data, dtype).reshape(shape, order="F" if fortran else "C")


def _write(path: str, own: Mapping[str, Content], project_text: str, source: str, without: frozenset[str]) -> None:
    """Write the zip beside `path` and move it into place."""
    folder, base = os.path.split(path)
    handle, temporary = tempfile.mkstemp(prefix=f".{base}.", suffix=".part", dir=folder)
    try:
        with os.fdopen(handle, "wb") as stream:
            with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, content in own.items():
                    _add(archive, name, content)
                _copy_others(source, archive, without.union(own), project_text)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, _mode(path))
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    _sync_folder(folder)


def _add(archive: zipfile.ZipFile, name: str, content: Content) -> None:
    """Put one of the project's own files in; one on disk goes through in pieces, however large it is."""
    entry = _entry(name)
    if isinstance(content, bytes):
        archive.writestr(entry, content)
        return
    try:
        with content.open("rb") as reading:
            entry.file_size = os.fstat(reading.fileno()).st_size  # tells zipfile whether it needs 64-bit sizes
            with archive.open(entry, "w") as writing:
                shutil.copyfileobj(reading, writing, PIECE)
    except FileNotFoundError as error:
        raise ProjectError(f"{name} is to come from {content}, which is not there") from error


def _entry(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, EPOCH)
    info.compress_type = zipfile.ZIP_STORED if name.endswith((".npz", ".png")) else zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    return info


def _copy_others(source: str, archive: zipfile.ZipFile, but: Collection[str], project_text: str) -> None:
    """Carry over takes, thumbnails and files of other versions. A file that is no zip has nothing to keep."""
    with contextlib.ExitStack() as stack:
        try:
            old = stack.enter_context(_opened(source))
        except (ProjectError, OSError):
            return
        for name in sorted({info.filename for info in old.infolist()}):
            unused_mesh = name.startswith("meshes/") and name not in project_text
            if name in but or unused_mesh or name.endswith("/") or not KEPT_NAME.fullmatch(name):
                continue
            info = old.getinfo(name)
            entry = zipfile.ZipInfo(name, info.date_time)
            entry.compress_type, entry.external_attr, entry.comment = (
                info.compress_type,
                info.external_attr,
                info.comment,
            )
            entry.file_size = info.file_size  # tells zipfile whether the entry needs 64-bit sizes
            try:
                with old.open(info) as reading, archive.open(entry, "w") as writing:
                    shutil.copyfileobj(reading, writing, PIECE)
            except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
                raise ProjectError(
                    f"{name} in the existing project is damaged ({error}): save under a new name"
                ) from error


def _mode(path: str) -> int:
    """Permissions of the file being replaced, else those a new file gets."""
    with contextlib.suppress(OSError):
        return stat.S_IMODE(os.stat(path).st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _sync_folder(folder: str) -> None:
    """Make the rename itself durable, where the system lets a folder be opened."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
