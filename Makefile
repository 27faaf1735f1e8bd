# make run    set up if needed, then open the studio (FILE=wall.foregone opens a project)
# make test   set up if needed, then all tests
# make setup  only prepare .venv and the system packages
# make test-dcc  set up Blender and the glTF validator as well, then let them read our exports
# make bench  compare with peers and with the results kept (BENCH="exact balls" chooses, KEEP=--csv keeps)
# make kernels  compile all kernels once and pack them: from then on, and in wheels, nothing needs to be compiled
# make dist   a wheel for this Python with packs inside, and a source distribution, in dist
# make clean  remove what was made (.venv stays; delete it by hand for a fresh start)

SHELL := /bin/bash
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3.14 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
STAMP := .venv/.foregone-setup
BIN := .venv/bin
DCC := .venv-dcc/.foregone-setup
BENCH ?= fast box start
FILE ?=
KEEP ?=

.PHONY: setup run test test-dcc bench kernels dist clean

setup: $(STAMP)

$(STAMP): pyproject.toml tools/system-packages
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed and was not found." >&2; exit 1; }
	tools/system-packages $(PYTHON)
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dcc,dev,farm,studio]'
	touch $@

# Exit code 3 of the studio: there is no display. The headless demo then shows what the engine does.
run: $(STAMP)
	@$(BIN)/foregone $(FILE); code=$$?; \
	if [ $$code -eq 3 ]; then \
		echo "Running the headless demo into out/die instead."; $(BIN)/foregone demo die --out out/die; \
	else exit $$code; fi

test: $(STAMP)
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

# Blender's module needs an older numpy than ours, hence an environment of its own.
$(DCC): $(STAMP)
	test -x .venv-dcc/bin/python || $(PYTHON) -m venv .venv-dcc
	.venv-dcc/bin/python -m pip install --quiet --disable-pip-version-check 'bpy==5.0.1' 'numpy<2'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[alembic]'
	npm install --silent --no-audit --no-fund --no-package-lock --prefix .venv-dcc gltf-validator@2.0.0-dev.3.10
	touch $@

test-dcc: $(STAMP) $(DCC)
	FOREGONE_BLENDER=.venv-dcc/bin/python FOREGONE_NODE_MODULES=.venv-dcc/node_modules \
		$(BIN)/python -m pytest tests/dcc/blender_reads.py tests/dcc/validators.py

bench: $(STAMP)
	$(BIN)/foregone bench $(BENCH) --compare $(KEEP)

kernels: $(STAMP)
	PYTHONPATH=. $(BIN)/python tools/make-kernels $(PROCESSORS)

# Machine code is for one system and one version of Python, and so is a wheel that has it.
dist: kernels
	rm -rf dist build
	$(BIN)/python -m build --sdist --outdir dist .
	$(BIN)/python -m build --wheel --outdir dist . \
		"-C--build-option=--python-tag=cp$$($(BIN)/python -c 'import sys; print("%d%d" % sys.version_info[:2])')" \
		"-C--build-option=--plat-name=$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_platform())')"
	ls -l dist

clean:
	rm -rf out build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find engine tests tools -name __pycache__ -type d -prune -exec rm -rf {} +
