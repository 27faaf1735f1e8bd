"""python -m engine: the command line."""

import sys

from engine.cli import program

sys.exit(program())
