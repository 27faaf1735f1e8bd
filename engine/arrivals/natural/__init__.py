"""The natural way: each body as it suits it. See director.py."""
