"""The layers of a USD file: opened one after another, and only those in the folder of the first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pxr import Ar, Sdf, Tf, Usd

from engine.errors import LayoutError
from engine.layout.layout import check_size

MOST_LAYERS = 2_000


def open_stage(path: Path) -> tuple[Any, list[str]]:
    """The composed stage, and names of files it refers to that are not there. Before anything is composed every file
    that would be opened is known."""
    try:
        root = Sdf.Layer.FindOrOpen(str(path))
        if root is None:
            raise LayoutError(f"{path.name} is damaged or not USD.")
        root.Reload()
        missing = _check(root, path)
        return Usd.Stage.Open(root), missing
    except Tf.ErrorException as error:
        raise LayoutError(f"{path.name} is damaged or not USD.") from error


def _check(root: Any, path: Path) -> list[str]:
    folder = path.parent.resolve()
    pending, seen, missing = [root], {root.identifier}, []
    while pending:
        layer = pending.pop()
        _refuse_clips(layer, path)
        for asset in filter(None, layer.GetCompositionAssetDependencies()):  # "": another prim of the same layer
            asset, _ = Sdf.Layer.SplitIdentifier(asset)
            identifier = Sdf.ComputeAssetPathRelativeToLayer(layer, asset)
            found = Ar.GetResolver().Resolve(identifier).GetPathString()
            if "://" in asset or not _is_inside(found or identifier, folder):
                raise LayoutError(
                    f"{path.name} refers to {asset}, which is outside its folder. Flatten it into one file first."
                )
            if not found:
                missing.append(asset)
            elif identifier not in seen:
                seen.add(identifier)
                check_size(asset, _size(found))
                if len(seen) > MOST_LAYERS:
                    raise LayoutError(f"{path.name} refers to more than {MOST_LAYERS} files. Flatten it first.")
                inner = Sdf.Layer.FindOrOpen(identifier)
                if inner is None:
                    raise LayoutError(f"{path.name} refers to {asset}, which is damaged.")
                pending.append(inner)
    return missing


def _is_inside(identifier: str, folder: Path) -> bool:
    """Is a path, or the package it is in, in the folder?"""
    outer = Ar.SplitPackageRelativePathOuter(identifier)[0]
    return (folder / outer).resolve().is_relative_to(folder)


def _size(identifier: str) -> int:
    """Bytes of a file, or of the package it is in."""
    return Path(Ar.SplitPackageRelativePathOuter(identifier)[0]).stat().st_size


def _refuse_clips(layer: Any, path: Path) -> None:
    """Value clips open further files when values are asked for."""
    found: list[Any] = []

    def look(at: Any) -> None:
        spec = layer.GetPrimAtPath(at) if at.IsPrimPath() else None
        if spec is not None and spec.HasInfo("clips"):
            found.append(at)

    layer.Traverse(Sdf.Path.absoluteRootPath, look)
    if found:
        raise LayoutError(f"{path.name} takes motion from other files (value clips). Flatten it into one file first.")
