"""The window's end of engine/work: what its processes say comes as signals."""
