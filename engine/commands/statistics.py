"""foregone statistics: contact states of a body's drops before rest, forward and backward, as a picture."""

from __future__ import annotations

from pathlib import Path

from engine.arrivals.dropped.raster import figure
from engine.arrivals.dropped.standard import standard
from engine.arrivals.dropped.states import STATES
from engine.commands.output import answer, say, table
from engine.commands.progress import Meter
from engine.picture.states import write_states


def statistics(shape: str, out: str, runs: int, dt: float, as_json: bool) -> int:
    """Returns the exit code."""
    with Meter() as meter:

        def told(what: str, found: int, wanted: int) -> None:
            meter.show(f"{what} of the {shape}", found, wanted)

        found = figure(standard(shape, dt), runs, told)
    Path(out).resolve().parent.mkdir(parents=True, exist_ok=True)
    write_states(out, found, f"Contact states of a {shape} before rest")
    if as_json:
        answer(
            {
                "shape": shape,
                "dt": dt,
                "forward_runs": len(found.forward),
                "backward_runs": len(found.backward),
                "shares": found.shares.mean(0),
                "transitions": found.transitions,
                "total_variation": found.apart.marginal,
                "total_variation_by_time": found.apart.by_time,
                "picture": out,
            }
        )
        return 0
    names = [f"{state}+" if state == STATES - 1 else str(state) for state in range(STATES)]
    rows = [[name, *(f"{value:.3f}" for value in row)] for name, row in zip(names, found.transitions, strict=True)]
    say(table(["contacts now", *(f"{name} a step earlier" for name in names)], rows))
    say(f"\nbackward runs spend {100.0 * found.apart.marginal:.1f} % of the last second otherwise than forward ones")
    say(f"Written to {out}.")
    return 0
