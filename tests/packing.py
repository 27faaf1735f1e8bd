"""Makes packs (engine/packs.py): for tools/make-kernels, and for the tests of packs."""

from __future__ import annotations

import hashlib
import importlib.metadata
import io
import json
import sys
import tarfile
import zipfile
from pathlib import Path

from engine.packs import CONTENTS, SUFFIX, Pack


def write_pack(home: Path, root: Path, processor: str) -> Pack:
    """Pack all cache folders of `root`; the same folders give the same bytes. Named by them, Python and numba."""
    folders = {folder.name: _packed(folder) for folder in sorted(root.iterdir()) if folder.is_dir()}
    hashes = {name: hashlib.sha256(packed).hexdigest() for name, packed in folders.items()}
    source = hashlib.sha256(" ".join(folders).replace(f"-{processor}", "").encode()).hexdigest()[:12]
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    facts = {"source": source, "python": python, "numba": importlib.metadata.version("numba"), "processor": processor}
    home.mkdir(parents=True, exist_ok=True)
    path = home / f"{source}-{python}-numba{facts['numba']}-{processor}{SUFFIX}"
    beside = path.with_suffix(".part")
    with zipfile.ZipFile(beside, "w", zipfile.ZIP_STORED) as archive:
        for name, data in {CONTENTS: json.dumps({"facts": facts, "folders": hashes}).encode(), **folders}.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    beside.replace(path)
    return Pack(path, facts, hashes)


def _packed(folder: Path) -> bytes:
    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname, entry.mode = 0, 0, 0, "", "", 0o644
        return entry

    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:xz") as files:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                files.add(file, file.relative_to(folder).as_posix(), filter=plain)
    return data.getvalue()
