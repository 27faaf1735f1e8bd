"""The numbers by which meetings were tuned. What compiled code reads of them stands where that code is (step.py,
leave.py)."""

from __future__ import annotations

from typing import NamedTuple


class Tuning(NamedTuple):
    last_share: float = 0.67  # of the take, from its end, in which bodies arrive: the more at once, the harder
    patience: int = 24  # attempts before those stay at rest who are in the way most often
    less_patience: int = 8  # further attempts before more of them do
    staying_share: float = 0.1  # of the bodies, each time

    # A search, and where it goes back to.
    most_jumps: int = 100  # of one attempt; those who have not arrived by then rarely do
    at_once: int = 128  # steps in compiled code before progress is told and a request to stop is heard
    depth: float = 1.3  # mean number of decisions to go back
    deeper: float = 6.0  # jumps in one place that add one more
    stuck: int = 12  # jumps in one place before landings are put off,
    put_off: float = 0.35  # how often one is drawn again,
    later: float = 0.6  # and then put off,
    longest_wait: float = 0.25  # s, by at most
    lost: int = 60  # jumps in one place before much is undone,
    undo: float = 0.1  # how often,
    undone: float = 0.1  # s, and over how long on average
    close: int = 2  # steps by which the search must get further to count as having moved on

    # A population of searches.
    segment: float = 0.125  # s
    segment_jumps: int = 40  # of one search in one segment
    temperature: float = 0.5  # mean energy budgets of a body: who has so much more weighs 1/e
    few: float = 0.5  # resampling waits until the weights are worth fewer searches than this share of them


TUNING = Tuning()
