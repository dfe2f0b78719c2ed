# Every target sets up what it needs.

PYTHON ?= python3
BIN := .venv/bin
# The tests keep their compiled code here; its folders are named by the sources it was made from.
test test-compiled test-plain coverage: export LUDEX_CACHE ?= $(CURDIR)/.cache/compiled
# pytest rewrites the files of tests: one half reads what the other has kept.
test test-compiled test-plain coverage: export PYTHONDONTWRITEBYTECODE =

.PHONY: run notebooks test test-compiled test-plain coverage lint bench strength peers docs site release clean

run: .venv/run.done
	$(BIN)/ludex serve --open

# Their links lead to the pages of docs/, so that all is served.
notebooks: .venv/run.done
	$(PIP) --editable ".[notebook]"
	$(BIN)/jupyter-lab --ServerApp.root_dir=. --LabApp.default_url=/lab/tree/notebooks/01-first-match.ipynb

# Side by side, so that no core is idle: one process compiles, each function once, and the rest gives
# way to it, because browsers and sandboxes are waited for anyway.
test:
	$(MAKE) --no-print-directory --jobs 2 .venv/test.done .cache/axe.done
	$(MAKE) --no-print-directory --jobs 2 --output-sync test-compiled test-plain

test-compiled: .venv/test.done
	$(BIN)/python -m pytest -q -m "compiled or not plain"

# After the quick checks: by then the other half has rewritten the files of tests for pytest.
test-plain: .venv/test.done .cache/axe.done lint
	NUMBA_DISABLE_JIT=1 nice -n 14 $(BIN)/python -m pytest -q -n 3 --dist worksteal -m "not compiled"

# Apart from `test`: all code runs at a third of its speed while it is measured.
coverage: .venv/test.done
	NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest -q -n 3 --dist worksteal -m "not compiled and not unmeasured"
	$(BIN)/coverage combine -q && $(BIN)/coverage report --fail-under=95

lint: .venv/test.done
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell
	$(BIN)/cog --check README.md docs/*.md docs/games/*.md
	$(BIN)/python .githooks/commit-msg

bench: .venv/test.done
	$(BIN)/python -m bench

strength: .venv/run.done
	$(BIN)/python -m bench.truth
	$(BIN)/python -m bench.strength

# Ludex compared with other frameworks, and one of their learners on a game of ours.
peers: .venv/test.done
	$(PIP) stable-baselines3 sb3-contrib cvxpy
	$(BIN)/python -m bench peers
	$(BIN)/python -m bench.student

docs: .venv/test.done
	$(BIN)/python docs/pictures.py
	$(BIN)/python docs/screenshots.py
	$(BIN)/cog -r README.md docs/*.md docs/games/*.md

# The pages of docs/ as a site in build/site; dead links and foreign resources are errors.
# Not --quiet: it would silence the warnings that --strict counts.
site: .venv/site.done
	$(BIN)/mkdocs build --strict
	$(BIN)/python docs/site_check.py build/site
	@echo "to read it: $(PYTHON) -m http.server --directory build/site 8000"

# Refuses unless everything holds; uploads nothing. VERSION is that of the package if not given.
release: .venv/test.done
	$(PIP) build
	$(BIN)/python tools/release.py $(VERSION)

clean:
	rm -rf build/site .venv .cache .coverage* .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The pip that comes with Python 3.11 needs twice the time of today's.
VENV = $(PYTHON) -m venv .venv && $(PIP) --upgrade pip
PIP = $(BIN)/python -m pip install --quiet --no-compile --constraint constraints.txt
# pip would write bytecode with one core, and also for tests and tools that nothing here imports.
UNUSED = /(tests|pip|mypy|mypyc|setuptools|pkg_resources|docutils|fontTools|open_spiel|jax|lexers)/
COMPILE = $(BIN)/python -m compileall -qq -j 0 -x "$(UNUSED)" .venv/lib ludex

# numba-cuda has it imported whenever a Python starts, which takes as long as all the rest, and tests
# start thousands. What compiles for a card imports it by itself.
REDIRECTOR = .venv/lib/python3*/site-packages/_numba_cuda_redirector.pth

.venv/run.done: pyproject.toml constraints.txt
	$(VENV)
	$(PIP) --editable .
	-$(COMPILE)
	@touch $@

.venv/test.done: pyproject.toml constraints.txt
	$(VENV)
	$(PIP) --editable ".[test]"
	rm -f $(REDIRECTOR)
	-$(COMPILE)
	@touch .venv/run.done $@

.venv/site.done: pyproject.toml constraints.txt
	$(VENV)
	$(PIP) --editable ".[site]"
	@touch .venv/run.done $@

# axe-core looks at every page; without npm only tests/readable.js does, and a test says so.
.cache/axe.done:
	@mkdir -p .cache
	@npm install --silent --no-fund --no-audit --no-package-lock --fetch-retries=0 \
		--prefix .cache/axe axe-core@4.14.0 >/dev/null 2>&1 && touch $@ || true
