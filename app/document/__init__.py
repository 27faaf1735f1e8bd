"""The document: a scene, how it is edited, undone, saved and recovered."""
