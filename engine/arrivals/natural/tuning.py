"""The numbers of natural takes that were found by trying."""

HAND, FALL = 0.45, 2.0  # s of usual bodies: in a hand, and until most drops rest
EARLY = 0.25  # of the time that is left, at most, by which a single body comes in later than it could
MOST_ENERGY = 3.5  # times that of the ending, both over the lowest point of it, of what joints hold together
SOONEST, LATEST = 0.25, 1.2  # s of usual bodies before rest between which that is let go
