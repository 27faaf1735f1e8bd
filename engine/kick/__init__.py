"""Kicks: velocities across x_k, forward and backward, of islands with and without joints.

    forward    u+ = u- + g dt + M^-1 J^T lambda        lambda from u-
    backward   u- = u+ - g dt - M^-1 J^T lambda        lambda from u+

Both are one Coulomb problem with different right-hand sides (contact/rows.py), solved inside one outer loop that finds
the secants of the gaps (rounds.py). Islands with joints take the same way with some of its stages replaced
(jointed.py). Kernels here are handed the scratch of a run `s` (step/scratch.py) and states: `at` has the configuration
x_k, `given` the velocities on the known side of the kick, `found` receives those on the other. `sign` is 1 forward in
time and -1 backward.
"""
