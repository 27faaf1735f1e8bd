"""Takes on disk: one npz of plain arrays (never pickles), refused when it does not belong to the scene."""

from __future__ import annotations

import contextlib
import io
import os
import zipfile
import zlib
from collections.abc import Mapping
from os import PathLike

import numpy as np

from engine.errors import ProjectError
from engine.model.compile import Model, compile_scene
from engine.params import Params
from engine.scene.spec import Scene
from engine.take.take import Take
from engine.take.tape import CONTACT_COLUMNS, Tape

FORMAT = 1
LARGEST = 8 << 30  # bytes, unpacked
ARRAYS = ("x", "q", "v", "l", "energy", "start", "asleep", "outside_v", "outside_l")
UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, KeyError, TypeError, RuntimeError)


def save_take(path: str | PathLike[str], take: Take) -> None:
    """Write a take atomically: a crash leaves either the old file or the new one."""
    replace_file(path, take_bytes(take))


def replace_file(path: str | PathLike[str], data: bytes) -> None:
    """Put `data` at `path` in one go; raises ProjectError."""
    folder, base = os.path.split(os.path.abspath(path))
    temporary = os.path.join(folder, f".{base}.part")
    try:
        try:
            with open(temporary, "wb") as stream:
                stream.write(data)
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise ProjectError(f"{os.fspath(path)}: {error.strerror or error}") from error


def take_bytes(take: Take) -> bytes:
    """The file's content."""
    tape = take.tape
    arrays = {name: getattr(tape, name) for name in ARRAYS}
    arrays |= {f"contact.{name}": tape.contacts[name] for name in CONTACT_COLUMNS}
    arrays |= {
        "format": np.array(FORMAT),
        "params": np.array(tape.params, float),
        "seconds": np.array(take.seconds, float),
        "seed": np.array(take.seed, np.int64),
        "backward": np.array(take.backward),
        "stopped": np.array(take.stopped or ""),
        "notes": np.array(take.notes, dtype=np.str_),
        "bodies": np.array(take.model.ids, dtype=np.str_),
        "hash": np.array(take.hash()),
    }
    stream = io.BytesIO()
    np.savez_compressed(stream, allow_pickle=False, **arrays)
    return stream.getvalue()


def load_take(path: str | PathLike[str], scene: Scene) -> Take:
    """Read a take of `scene`; raises ProjectError when the file is damaged or the scene has changed since."""
    name = os.fspath(path)
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(info.file_size for info in archive.infolist()) > LARGEST:
                raise ProjectError(f"{name}: larger than any take")
        with np.load(path, allow_pickle=False) as archive:
            arrays = {key: archive[key] for key in archive.files}
        return _decode(arrays, scene)
    except ProjectError as error:
        raise ProjectError(str(error) if str(error).startswith(name) else f"{name}: {error}") from None
    except UNREADABLE as error:
        raise ProjectError(f"{name}: no take can be read from it ({error})") from error


def _decode(arrays: Mapping[str, np.ndarray], scene: Scene) -> Take:
    if "format" not in arrays:
        raise ProjectError("not a take")
    if int(arrays["format"]) > FORMAT:
        raise ProjectError("written by a newer version of Foregone")
    params = Params(*(float(value) for value in arrays["params"]))
    model = compile_scene(scene)
    tape = Tape(
        params,
        **{key: np.ascontiguousarray(arrays[key]) for key in ARRAYS},
        contacts={key: np.ascontiguousarray(arrays[f"contact.{key}"]) for key in CONTACT_COLUMNS},
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
    if take.hash() != str(arrays["hash"]):
        raise ProjectError("the take is damaged: its fingerprint does not fit its motion")
    _check_scene(take, model, tuple(str(key) for key in arrays["bodies"]))
    return take


def _check_scene(take: Take, model: Model, bodies: tuple[str, ...]) -> None:
    authored = -1 if take.backward else 0
    same = bodies == model.ids and take.tape.x.shape[1:] == model.start.x.shape
    if same:
        same = np.array_equal(take.tape.x[authored], model.start.x) and np.array_equal(
            take.tape.q[authored], model.start.q
        )
    if not same:
        raise ProjectError("the take was made from another version of the scene; generate it again")
