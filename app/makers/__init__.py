"""Makers: dialogs and functions that make many bodies at once: text, walls, arrays, meshes from files."""
