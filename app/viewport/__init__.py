"""The picture of the scene: what to draw (no GL), how (GL), from where, and what is under the mouse."""
