"""The numbers of natural takes that were found by trying."""

HAND, FALL = 0.45, 2.0  # s of usual bodies: in a hand, and until most drops rest
EARLY = 0.25  # of the time that is left, at most, by which a single body comes in later than it could
MOST_ENERGY = 3.5  # times that of the ending, both over the lowest point of it, of what joints hold together
SOONEST, LATEST = 0.25, 1.2  # s of usual bodies before rest between which that is let go

# Flops of articulations (flop.py). Speeds are shares of the square root of gravity times the largest size.
DOWN = (0.05, 0.25)  # speed downward
ASIDE = 0.4  # level speed over that, at most
TURNING = (0.05, 0.3)  # speed of a body's surface by its own spin
CALM = 0.3  # of these a trunk has
EVEN = 0.5  # of the speed downward that every contact of a body stops its share of
GRIP = 0.6  # of a friction cone that is used: at its edge few launches can be solved
APPROACH = 0.03  # of the mean: how fast every contact closes at least
WISHES = 40  # drawn until all contacts close

# Which flop is taken (loose.py).
FLOPS, ENOUGH = 20, 2  # drawn at most; that are as good as they get, of which the shortest is taken
GROWTH = 2.3  # times the ending's energy that a flop gains by bounces, at most
UNDER_WAY = 0.16  # s of usual bodies that a body is let go before its rest, at least
TURNED = 0.5  # of the joints that turn visibly on the way
COSINE_OF_HALF = 0.984  # of half of the turn that is visible: 20.5 degrees
