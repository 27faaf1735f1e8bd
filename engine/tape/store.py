"""Takes on disk: one npz of plain arrays (never pickles), refused when it does not belong to the scene.

Blocks of the tape are written and read one by one (member "12/impulse"), so that a long take never stands in memory
as a whole. A seal over all members tells damage; whether the motion is lawful is for the certificate to say."""

from __future__ import annotations

import contextlib
import hashlib
import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from os import PathLike
from typing import IO

import numpy as np

from engine.errors import ProjectError
from engine.model.compile import Model, compile_scene
from engine.params import Params
from engine.scene.spec import Scene
from engine.tape.block import Block
from engine.tape.origin import origin_of, overtaken, packed_origin, unpacked_origin
from engine.tape.release import packed, unpacked
from engine.tape.sound import unsound
from engine.tape.spool import Spool
from engine.tape.take import Take
from engine.tape.tape import Tape

FORMAT = 3
SEAL = "seal"  # of all other members; takes of earlier versions have none
WITHOUT_RELEASES = 2  # the format of takes that earlier versions read as well
LARGEST = 32 << 30  # bytes, unpacked
UNREADABLE = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError),
    *(ValueError, KeyError, TypeError, RuntimeError, MemoryError, OverflowError),  # what numpy says of forged headers
)


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
        "notes": np.array([note for note in take.notes if note not in take.overtaken], dtype=np.str_),
        "bodies": np.array(take.model.ids, dtype=np.str_),
        "hash": np.array(take.hash()),
    }
    if tape.linear_damping:
        arrays["linear_damping"] = np.array(tape.linear_damping)
    if tape.released is not None:
        arrays |= packed(tape.released)
    if tape.backward != take.backward:
        arrays["recorded_backward"] = np.array(tape.backward)
    arrays |= packed_origin(take.made if take.made is not None else origin_of(take.scene))
    seals: dict[str, str] = {}
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, array in arrays.items():
            seals[name] = _write(archive, name, array)
        for i, block in enumerate(tape.blocks):
            for name, array in block.arrays.items():
                seals[f"{i}/{name}"] = _write(archive, f"{i}/{name}", array)
        _write(archive, SEAL, np.array(_sealed(seals)))


def _write(archive: zipfile.ZipFile, name: str, array: np.ndarray) -> str:
    """Answers the member's own seal."""
    whole = np.asarray(array, order="C")
    with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
        np.lib.format.write_array(member, whole, allow_pickle=False)
    return _seal_of(whole)


def _seal_of(array: np.ndarray) -> str:
    whole = np.asarray(array, order="C")
    return hashlib.sha256(f"{whole.dtype.str} {whole.shape} ".encode() + whole.tobytes()).hexdigest()


def _sealed(seals: Mapping[str, str]) -> str:
    return hashlib.sha256("\n".join(f"{name} {seals[name]}" for name in sorted(seals)).encode()).hexdigest()


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
    if int(arrays["format"]) == FORMAT and "release_step" not in arrays:
        raise ProjectError(DAMAGED)
    if SEAL in arrays and _sealed({name: _seal_of(arrays[name]) for name in arrays if name != SEAL}) != str(
        arrays[SEAL]
    ):
        raise ProjectError(DAMAGED)
    params = Params(*(float(value) for value in arrays["params"]))
    model = compile_scene(scene)
    _check_bodies(model, tuple(str(key) for key in arrays["bodies"]))
    made = unpacked_origin(arrays)
    edited = tuple(overtaken(made, params, scene))
    tape = Tape(
        model=model,
        params=params,
        backward=bool(arrays["recorded_backward" if "recorded_backward" in arrays else "backward"]),
        blocks=_blocks(arrays, model, edited),
        first_energy=float(arrays["first_energy"]),
        damping=float(arrays["damping"]),
        released=unpacked(arrays, len(model.names)),
        linear_damping=float(arrays["linear_damping"]) if "linear_damping" in arrays else 0.0,
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
        made=made,
    )
    _check_ending(take, model)
    if (tape.releases.step > tape.steps).any():
        raise ProjectError("a body is let go after the end of the take")
    if take.hash() != str(arrays["hash"]):
        raise ProjectError("; ".join(take.overtaken) or DAMAGED)  # with other masses or shapes it cannot be flown again
    return replace(take, notes=(*take.notes, *take.overtaken)) if take.overtaken else take


def _blocks(arrays: Mapping[str, np.ndarray], model: Model, edited: tuple[str, ...]) -> Spool:
    """The blocks of the tape, one member after another. `edited`: how the scene has changed since; a block need not fit
    it any more."""
    members: dict[int, list[str]] = {}
    for key in arrays:
        block, slash, name = key.partition("/")
        if slash:
            members.setdefault(int(block), []).append(name)
    spool = Spool()
    for i, steps in enumerate(arrays["block_steps"]):
        columns = {name: np.ascontiguousarray(arrays[f"{i}/{name}"]) for name in members[i]}
        read = Block(int(steps), len(model.names), columns)
        if (misfit := unsound(read, model)) is not None:
            raise ProjectError("; ".join(edited) or f'the take is damaged: "{misfit}" does not fit block {i + 1}')
        spool.append(read)
    return spool


DAMAGED = "the take is damaged: its fingerprint does not fit its motion"
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
