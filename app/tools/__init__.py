"""Gestures in the view, one class each; a gesture ends in one command or none."""
