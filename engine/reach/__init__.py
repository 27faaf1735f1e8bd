"""Where could a body have come from: random throws of it, forward, and where they end (Twigg and James 2008, fig. 5).

Everything else rests at its ending. Throws run in the fast engine, each by itself from numbers that depend on the seed
and the throw alone, so the same seed gives the same map whoever runs them."""
