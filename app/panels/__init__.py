"""Docks: each a model of what is shown and a panel that shows it."""
