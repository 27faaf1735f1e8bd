"""Engine work in a process of its own."""
