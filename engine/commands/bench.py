"""foregone bench: measurements as tables, or as one JSON object."""

from __future__ import annotations

from typing import Any

from engine.bench import table as measure
from engine.commands.output import answer, complain, say, table
from engine.commands.progress import Meter
from engine.contact.tiers import TIER_NAMES


def bench(names: list[str], as_json: bool) -> int:
    """Returns 1 when a promise is broken (a take that differs between two ways of running it)."""
    results: dict[str, Any] = {}
    for name in names:
        with Meter() as meter:
            results[name] = getattr(measure, name)(meter.show)
        if not as_json:
            say(f"{name}\n{TABLES[name](results[name])}\n")
    if as_json:
        answer(results)
    if not all(row["same"] for row in results.get("determinism", [])):
        complain("the same take came out differently")
        return 1
    return 0


def _certification(rows: list[dict[str, Any]]) -> str:
    head = ["scene", "dt", "contact steps", "exact", "tuned", "residual", "replay m", "cold", "largest m/s",
            "mirror Euler", "largest m/s", "sum m/s"]  # fmt: skip
    body = [
        [
            row["scene"],
            f"1/{1.0 / row['dt']:.0f}",
            f"{row['contact_steps']} of {row['steps']}",
            f"{row['exact']:.3f}",
            f"{row['tuned']:.3f}",
            f"{row['max_residual']:.0e}",
            f"{row['replay_error']:.0e}",
            f"{row['cold_reproduced']:.3f}",
            f"{row['cold_largest']:.0e}",
            f"{row['mirror_reproduced']:.3f}",
            f"{row['mirror_largest']:.2g}",
            f"{row['mirror_summed']:.2g}",
        ]
        for row in rows
    ]
    notes = (
        "exact, tuned: share of contact steps by the law certificate. cold, mirror Euler: share of contact steps that\n"
        "one cold forward step reproduces to 1e-8 m/s, for our states and for those of mirror Euler."
    )
    return f"{table(head, body)}\n{notes}"


def _boxes(rows: list[dict[str, Any]]) -> str:
    head = [
        "policy",
        "start J",
        "worst J",
        "end J",
        "worst x",
        *(f"{name.lower()} %" for name in TIER_NAMES),
        "ghosted awake %",
        "assist m/s",
        "stopped",
        "s",
    ]
    return table(
        head,
        [
            [
                row["policy"],
                f"{row['energy_start']:.3g}",
                f"{row['energy_start_worst']:.3g}",
                f"{row['energy_end']:.3g}",
                f"{row['energy_ratio_worst']:.3g}",
                *(f"{100.0 * share:.1f}" for share in row["tiers"].values()),
                f"{100.0 * row['ghosted_awake']:.2f}",
                f"{row['assist']:.3g}",
                str(row["stopped"]),
                f"{row['seconds']:.1f}",
            ]
            for row in rows
        ],
    )


def _walls(rows: list[dict[str, Any]]) -> str:
    return table(
        ["step of a wall", "bricks", "contacts", "cold ms", "warm ms", "residual"],
        [
            [
                row["case"],
                str(row["bricks"]),
                str(row["contacts"]),
                f"{row['cold_ms']:.1f}",
                f"{row['warm_ms']:.1f}",
                f"{row['residual']:.0e}",
            ]
            for row in rows
        ],
    )


def _determinism(rows: list[dict[str, Any]]) -> str:
    return table(
        ["way", "hash", "same"], [[row["way"], row["hash"][:16], "yes" if row["same"] else "NO"] for row in rows]
    )


TABLES = {"certification": _certification, "boxes": _boxes, "walls": _walls, "determinism": _determinism}
