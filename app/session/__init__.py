"""What the window remembers that is not part of the document: selection, preferences."""
