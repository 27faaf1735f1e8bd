"""Status bits that kernels return instead of raising; 0 means that all went well."""

from __future__ import annotations

CONTACTS_FULL = 1  # more contacts than Contacts has rows: raise the contact capacity
PAIRS_FULL = 2  # more neighbouring pairs of parts than the broad phase can list: raise the pair capacity
MANIFOLD_FULL = 4  # more contacts between two parts than a manifold can hold: raise the manifold capacity
ISLAND_FULL = 8  # an island larger than the solver has room for: raise the island capacity
REEL_FULL = 16  # no room to record the step: enlarge the reel
DIVERGED = 32  # a body is too fast, or its state is no number
JOINTS_FULL = 128  # an island with joints larger than there is room for
OVERTURNED = 256  # a body with a joint turns too far in one step for its joints to be followed
OPENED = 512  # joints could not be closed

FATAL = DIVERGED | OVERTURNED | OPENED  # a run ends there
