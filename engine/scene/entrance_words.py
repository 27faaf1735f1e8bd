"""The words of entrances, for records, rules and the command line; plain tuples, so that reading them costs nothing."""

from __future__ import annotations

ENTRANCE_KINDS = ("auto", "drop", "toss", "roll", "slide", "carried", "placed", "flight")
"""How a body comes in: "auto" as it fits, "placed" carried all the way to its rest, "flight" under way from the first
frame on."""
BEFORES = ("entering", "held", "unseen")
"""What a body is before it is let go: on its way in from the edge of the stage; held still; not shown."""
SIDES = ("left", "right", "front", "behind", "top")
"""As the camera sees it: in front is where the camera is. Without a camera one that looks along y is meant."""
ORDERS = (
    "at once",
    "one after another",
    "left to right",
    "right to left",
    "front to back",
    "back to front",
    "bottom up",
    "from the middle",
    "at random",
)
"""Who comes when, in a stagger."""
