"""That the arrays of a block that was read from a file fit each other: kernels do not look where an index leads."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.model.compile import Model
from engine.tape.block import STATE_PARTS, Block
from engine.tape.reel import KINDS, VECTORS, JointStrip, Strip, empty_joint_strip

TIERS, HOLDS, FEATURE_KINDS = 6, 4, 4

RANGES: dict[str, tuple[int, int]] = {
    "kind_a": (0, FEATURE_KINDS),
    "kind_b": (0, FEATURE_KINDS),
    "hold": (0, HOLDS),
    "forced": (0, 2),
    "tier": (0, TIERS),
    "limit_side": (-1, 2),
    "limit_hold": (0, HOLDS),
    "limit_forced": (0, 2),
    "limit_tier": (0, TIERS),
}
"""From the first to before the last."""


def unsound(block: Block, model: Model) -> str | None:
    """The first array that does not fit, or nothing."""
    return next(_misfits(block, model), None)


def _misfits(block: Block, model: Model) -> Iterator[str]:
    arrays, steps = block.arrays, block.steps
    shapes = _shapes(block, model)
    missing = [name for name in shapes if name not in arrays and name not in (*Strip._fields, *JointStrip._fields)]
    yield from missing
    if steps < 1 or missing:
        yield "steps"
    for name, (shape, dtype) in shapes.items():
        array = arrays.get(name)
        if array is None:
            continue
        if array.shape != shape or array.dtype != dtype:
            yield name
        elif dtype.kind == "f" and not np.isfinite(array).all():
            yield name
        elif name in RANGES and array.size and not RANGES[name][0] <= array.min() <= array.max() < RANGES[name][1]:
            yield name
    yield from _astray(block, model)
    yield from _idle(block, model)


def _shapes(block: Block, model: Model) -> dict[str, tuple[tuple[int, ...], np.dtype]]:
    """Of all arrays that a block may have."""
    steps, bodies, arrays = block.steps, len(model.names), block.arrays
    rows, pushes = _rows(arrays.get("contact_start")), _rows(arrays.get("push_start"))
    number, whole = np.dtype(float), np.dtype(np.int64)
    shapes: dict[str, tuple[tuple[int, ...], np.dtype]] = {
        "contact_start": ((steps + 1,), whole),
        "asleep": ((steps, (bodies + 7) // 8), np.dtype(np.uint8)),
        "energy": ((steps,), number),
        "residual": ((steps,), number),
    }
    if "x" in arrays:
        shapes |= {name: ((steps + 1, bodies, width), number) for name, width in STATE_PARTS.items()}
    else:
        shapes |= {f"anchor_{name}": ((bodies, width), number) for name, width in STATE_PARTS.items()}
        shapes["push_start"] = ((steps + 1,), whole)
        shapes["push_body"] = ((pushes,), np.dtype(np.int32))
        shapes |= {name: ((pushes, 3), number) for name in ("push_v", "push_l")}
    for name in Strip._fields:
        shapes[name] = ((rows, 3) if name in VECTORS else (rows,), np.dtype(KINDS.get(name, np.float64)))
    blank = empty_joint_strip(1, len(model.joints.kind))  # of one step: a forged block says that it has trillions
    for name, part in zip(blank._fields, blank, strict=True):
        shapes[name] = ((steps, *part.shape[1:]), np.dtype(part.dtype))
    return shapes


def _rows(start: np.ndarray | None) -> int:
    return int(start[-1]) if start is not None and start.ndim == 1 and start.size and start.dtype == np.int64 else 0


def _astray(block: Block, model: Model) -> Iterator[str]:
    """Starts that do not ascend, and indices of what there is not."""
    for name in ("contact_start", "push_start"):
        start = block.arrays.get(name)
        if start is not None and (start[0] != 0 or (np.diff(start) < 0).any()):
            yield name
    part_body, moves = model.geometry.part_body, model.bodies.inverse_mass > 0.0
    parts = [block.column(name) for name in ("part_a", "part_b")]
    for name, part in zip(("part_a", "part_b"), parts, strict=True):
        if part.size and not 0 <= part.min() <= part.max() < len(part_body):
            yield name
            return
    a, b = part_body[parts[0]], part_body[parts[1]]
    if not moves[a].all() or (a == b).any():
        yield "part_a"
    step, still = np.repeat(np.arange(block.steps), np.diff(block.arrays["contact_start"])), _still(block, model)
    if (still[step, a] & still[step, b]).any():
        yield "asleep"  # what sleepers bear is on record once, where they fell asleep
    body = block.arrays.get("push_body", np.zeros(0, np.int32))
    if body.size and not 0 <= body.min() <= body.max() < len(model.names):
        yield "push_body"


def _idle(block: Block, model: Model) -> Iterator[str]:
    """Impulses of equations that a joint has not, of joints that sleep, and of limits that nobody has reached."""
    impulse, joints = block.arrays.get("joint_impulse"), model.joints
    limit, side = (block.arrays.get(name) for name in ("limit_impulse", "limit_side"))
    still = _still(block, model)
    asleep = still[:, joints.a] & still[:, joints.b]
    if impulse is not None and (impulse[:, np.arange(6) >= joints.rows[:, None]].any() or impulse[asleep].any()):
        yield "joint_impulse"
    if limit is not None and (limit[asleep].any() or (limit if side is None else limit[side == 0]).any()):
        yield "limit_impulse"


def _still(block: Block, model: Model) -> np.ndarray:
    """(s, n) bool: who sleeps, or is fixed in place."""
    asleep = np.unpackbits(block.arrays["asleep"], axis=1, count=len(model.names)).astype(bool)
    return asleep | (model.bodies.inverse_mass == 0.0)
