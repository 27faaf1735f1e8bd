"""Checks with other programs, by `make test-dcc`: their names keep them out of the ordinary tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "engine" / "export"))
