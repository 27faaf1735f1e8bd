"""The numbers of natural takes that were found by trying."""

HAND, FALL = 0.45, 2.0  # s of usual bodies: in a hand, and until most drops rest
EARLY = 0.25  # of the time that is left, at most, by which a single body comes in later than it could
MOST_ENERGY = 3.5  # times that of the ending, both over the lowest point of it, of what joints hold together
RICHER = (4.0, 3.0, 2.0, 1.0, 0.0)  # of the energy of an ending in motion that its bodies may gain, in turn
SOONEST, LATEST = 0.25, 1.2  # s of usual bodies before rest between which that is let go

# Flops of articulations (flop.py). Speeds are shares of the square root of gravity times the largest size.
DOWN = (0.3, 0.8)  # speed downward of what is farthest out
INNERMOST = 0.1  # of it, of a trunk
UNEVEN = (0.2, 0.7)  # spread of the logarithms of impulses
HARDLY, SLOWEST = 0.06, 0.006  # how fast the contacts of a trunk close, and any contact at least
TRIES = 100  # random impulses until all contacts close

# Which flop is taken (loose.py).
FLOPS, ENOUGH = 20, 3  # drawn at most; that are as they should be, of which the shortest is taken
LONGEST = 0.9  # s of usual bodies that they are run back after the last body has left
GROWTH = 2.3  # times the ending's energy that a flop gains by bounces, at most
UNDER_WAY = 0.16  # s of usual bodies that a body is let go before its rest, at least
TO_THE_EYE = 0.1  # sizes from its place within which a body seems to rest there
FOLLOWING = 0.7  # of the limbs that come to rest after the trunk
TURNED = 0.5  # of the joints that turn visibly on the way
COSINE_OF_HALF = 0.984  # of half of the turn that is visible: 20.5 degrees
