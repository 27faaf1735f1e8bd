"""python -m app [FILE]: the studio."""

import sys

from app.shell.start import main

sys.exit(main(sys.argv[1:]))
