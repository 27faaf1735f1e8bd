"""Why no arrival was found, in the artist's words."""

from __future__ import annotations

REASONS = {
    "unlawful": "nothing that ends there came from anywhere: contacts would have had to be ignored",
    "sideways": "whatever leaves there runs into its neighbours",
    "in the way": "the ways of other bodies leave it no room",
    "crowding": "there is no room beside bodies that arrive next to it",
    "unsolved": "the forces of its contacts could not be found",
    "stayed": "nothing moves it",
    "no room": "it touches too much at once",
    "turned": "whatever leaves there turns too fast",
    "not carried": "what it rests on cannot carry its landing",
    "unborne": "nothing under it carries it",
    "near": "nothing that ends there came from further away",
    "refused": "what it met on its way could not be explained",
    "rich": "whatever ends there came too fast",
    "kept": "a way was found, and given up for those of others",
}
"""Why a body has no arrival, by what ended most of its candidates."""
