"""The window that holds it all: actions, theme, dialogs, recovery."""
