"""Choosing among takes: the browser, the comparison of two, and the energies of all."""
