"""Takes on disk: one npz of plain arrays (never pickles), refused when it does not belong to the scene.

Blocks of the tape are written and read one by one (member "12/impulse"), so that a long take never stands in memory
as a whole."""

from __future__ import annotations

import contextlib
import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from os import PathLike
from typing import IO

import numpy as np

from engine.errors import ProjectError
from engine.model.compile import Model, compile_scene
from engine.params import Params
from engine.scene.spec import Scene
from engine.tape.block import Block
from engine.tape.release import packed, unpacked
from engine.tape.spool import Spool
from engine.tape.take import Take
from engine.tape.tape import Tape

FORMAT = 3
WITHOUT_RELEASES = 2  # the format of takes that earlier versions read as well
LARGEST = 32 << 30  # bytes, unpacked
UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, KeyError, TypeError, RuntimeError)


def save_take(path: str | PathLike[str], take: Take) -> None:
    """Write a take atomically: a crash leaves either the old file or the new one."""
    with replacing(path) as stream:
        write_take(stream, take)


@contextlib.contextmanager
def replacing(path: str | PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to write to that becomes `path` when all went well and is gone when not; raises ProjectError."""
    folder, base = os.path.split(os.path.abspath(path))
    temporary = os.path.join(folder, f".{base}.part")
    try:
        try:
            with open(temporary, "wb") as stream:
                yield stream
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise ProjectError(f"{os.fspath(path)}: {error.strerror or error}") from error


def replace_file(path: str | PathLike[str], data: bytes) -> None:
    """Put `data` at `path` in one go; raises ProjectError."""
    with replacing(path) as stream:
        stream.write(data)


def write_take(stream: IO[bytes], take: Take) -> None:
    """The file's content."""
    tape = take.tape
    arrays = {
        "format": np.array(WITHOUT_RELEASES if tape.released is None else FORMAT),
        "params": np.array([*tape.params], float),
        "first_energy": np.array(tape.first_energy),
        "damping": np.array(tape.damping),
        "block_steps": np.array([block.steps for block in tape.blocks], np.int64),
        "seconds": np.array(take.seconds, float),
        "seed": np.array(take.seed, np.int64),
        "backward": np.array(take.backward),
        "stopped": np.array(take.stopped or ""),
        "notes": np.array(take.notes, dtype=np.str_),
        "bodies": np.array(take.model.ids, dtype=np.str_),
        "hash": np.array(take.hash()),
    }
    if tape.released is not None:
        arrays |= packed(tape.released)
    if tape.backward != take.backward:
        arrays["recorded_backward"] = np.array(tape.backward)
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, array in arrays.items():
            _write(archive, name, array)
        for i, block in enumerate(tape.blocks):
            for name, array in block.arrays.items():
                _write(archive, f"{i}/{name}", array)


def _write(archive: zipfile.ZipFile, name: str, array: np.ndarray) -> None:
    with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
        np.lib.format.write_array(member, np.asarray(array, order="C"), allow_pickle=False)


def load_take(path: str | PathLike[str], scene: Scene) -> Take:
    """Read a take of `scene`; raises ProjectError when the file is damaged or the scene has changed since."""
    return read_take(path, scene, os.fspath(path))


def read_take(source: str | PathLike[str] | IO[bytes], scene: Scene, name: str) -> Take:
    """The same from anything that can be read; `name` is how errors call it."""
    try:
        with zipfile.ZipFile(source) as archive:
            if sum(info.file_size for info in archive.infolist()) > LARGEST:
                raise ProjectError(f"{name}: larger than any take")
        if hasattr(source, "seek"):
            source.seek(0)
        with np.load(source, allow_pickle=False) as archive:
            return _decode(archive, scene)
    except ProjectError as error:
        raise ProjectError(str(error) if str(error).startswith(name) else f"{name}: {error}") from None
    except UNREADABLE as error:
        raise ProjectError(f"{name}: no take can be read from it ({error})") from error


def _decode(arrays: Mapping[str, np.ndarray], scene: Scene) -> Take:
    if "format" not in arrays:
        raise ProjectError("not a take")
    if int(arrays["format"]) > FORMAT:
        raise ProjectError("written by a newer version of Foregone")
    if int(arrays["format"]) < WITHOUT_RELEASES:
        raise ProjectError("written by an older version of Foregone; generate it again")
    params = Params(*(float(value) for value in arrays["params"]))
    model = compile_scene(scene)
    _check_bodies(model, tuple(str(key) for key in arrays["bodies"]))
    tape = Tape(
        model=model,
        params=params,
        backward=bool(arrays["recorded_backward" if "recorded_backward" in arrays else "backward"]),
        blocks=_blocks(arrays, len(model.names)),
        first_energy=float(arrays["first_energy"]),
        damping=float(arrays["damping"]),
        released=unpacked(arrays, len(model.names)),
    )
    take = Take(
        scene,
        model,
        tape,
        seconds=float(arrays["seconds"]),
        seed=int(arrays["seed"]),
        backward=bool(arrays["backward"]),
        stopped=str(arrays["stopped"]) or None,
        notes=tuple(str(note) for note in arrays["notes"]),
    )
    _check_ending(take, model)
    if (tape.releases.step > tape.steps).any():
        raise ProjectError("a body is let go after the end of the take")
    if take.hash() != str(arrays["hash"]):
        raise ProjectError("the take is damaged: its fingerprint does not fit its motion")
    return take


def _blocks(arrays: Mapping[str, np.ndarray], bodies: int) -> Spool:
    """The blocks of the tape, one member after another."""
    members: dict[int, list[str]] = {}
    for key in arrays:
        block, slash, name = key.partition("/")
        if slash:
            members.setdefault(int(block), []).append(name)
    spool = Spool()
    for i, steps in enumerate(arrays["block_steps"]):
        columns = {name: np.ascontiguousarray(arrays[f"{i}/{name}"]) for name in members[i]}
        spool.append(Block(int(steps), bodies, columns))
    return spool


OTHER_SCENE = "the take was made from another version of the scene; generate it again"


def _check_bodies(model: Model, bodies: tuple[str, ...]) -> None:
    if bodies != model.ids:
        raise ProjectError(OTHER_SCENE)


def _check_ending(take: Take, model: Model) -> None:
    state = take.tape.state(take.tape.steps if take.backward else 0)
    if state.x.shape != model.start.x.shape or any(
        not np.array_equal(mine, theirs) for mine, theirs in ((state.x, model.start.x), (state.q, model.start.q))
    ):
        raise ProjectError(OTHER_SCENE)
