"""All ways to arrive, side by side, and the choice between them."""

from __future__ import annotations

from collections.abc import Mapping

from engine.arrivals.ahead import director as ahead
from engine.arrivals.brief import Brief
from engine.arrivals.dropped import director as dropped
from engine.arrivals.natural import director as natural
from engine.arrivals.options import ArrivalsName
from engine.arrivals.strategy import Strategy
from engine.arrivals.together import director as together

STRATEGIES: Mapping[ArrivalsName, Strategy] = {
    "natural": Strategy(natural.make, lambda brief: ""),
    "ahead": Strategy(ahead.look_ahead, ahead.unsuited, "nobody comes one after another"),
    "together": Strategy(together.go_back, lambda brief: ""),
    "meeting": Strategy(natural.meet, lambda brief: brief.unsettled, "nobody is let meet others"),
    "dropped": Strategy(dropped.drop_in, dropped.unsuited, "nobody is dropped into place"),
}

REMEDIED = "other things that were asked act on all bodies together"


def chosen(brief: Brief) -> Strategy:
    """The way that was asked for, where it suits; together suits every ending. A way that does not is told of."""
    asked = STRATEGIES[brief.options.arrivals]
    searches = brief.options.searches and brief.clock is None
    why = asked.unsuited(brief) if searches or asked.refusal else ""
    if not why and not searches and brief.options.launch and brief.clock is None:
        why = REMEDIED
    if why and asked.refusal and why != ahead.HINTED:
        brief.told.append(f"{asked.refusal}: {why}")
    if brief.options.particles > 1 and (brief.options.arrivals != "meeting" or why):
        brief.told.append("nothing is searched for side by side: nobody is let meet others")
    return asked if searches and not why else STRATEGIES["together"]
