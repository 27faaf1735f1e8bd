"""The strip under the view where time runs."""
