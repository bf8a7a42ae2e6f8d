# memlab: `make` lists what there is.

# The first of these that is Python 3.11 or newer; asked only when an environment is made.
PYTHON ?= $(shell for p in python3.11 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV ?= .venv
MEMLAB_DATA ?= ../shared/data
TORCH ?= torch==2.13.0

# The extras that each purpose installs.
demo-extras := notebooks,embeddings
test-extras := dev,notebooks,lexical,embeddings,ollama
lowest-extras := dev,notebooks,lexical
all-extras := dev,all

bin := $(VENV)/bin
package := $(shell find memlab -type f -not -name '*.pyc')
notebooks := $(wildcard notebooks/*.ipynb)

ifneq ($(wildcard $(MEMLAB_DATA)/.),)
export MEMLAB_DATA := $(abspath $(MEMLAB_DATA))
else
unexport MEMLAB_DATA
endif
# pip leaves compiling to the first import of each module (a minute less): that must be allowed to write.
unexport PYTHONDONTWRITEBYTECODE
pip_install := -m pip install -qq --no-compile --disable-pip-version-check

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# Two pips at once would spoil an environment; and pytest's summary is to close the log.
.NOTPARALLEL:
.PHONY: help venv install demo test slow check-all test-lowest lint format types wheel-test \
	notebooks-clean notebooks-check clean distclean

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

venv: $(VENV)/.test ## Make .venv with what `make test` needs
install: $(VENV)/.all ## Add every extra to it

demo: $(VENV)/.demo ## Install, index the fixtures, ask, retain, reflect, run a notebook
	$(bin)/python -m examples.demo

test: lint types notebooks-check wheel-test ## All checks and tests but the slow ones
	$(bin)/python -m pytest -n auto --dist loadfile

slow: $(VENV)/.test ## The slow tests
	$(bin)/python -m pytest -n auto --dist load -m slow

check-all: test slow ## Both

test-lowest: $(VENV)-lowest/.test ## The tests over the lowest versions that pyproject.toml admits
	$(VENV)-lowest/bin/python -m pytest

lint: $(VENV)/.test ## ruff, as linter and as formatter
	$(bin)/ruff check .
	$(bin)/ruff format --check .

format: $(VENV)/.test ## Mend what ruff can mend
	$(bin)/ruff check --fix .
	$(bin)/ruff format .

types: $(VENV)/.test ## mypy, strict
	$(bin)/mypy

wheel-test: $(VENV)/.wheel ## The wheel in an environment of its own, outside the checkout

# The kernel's name stays, since papermill asks for it; what the last run left goes.
nbstripout = $(bin)/nbstripout --extra-keys \
	"metadata.language_info metadata.papermill cell.metadata.papermill" $(1) $(notebooks)

notebooks-clean: $(VENV)/.test ## Strip outputs from notebooks; tags stay
	$(if $(notebooks),$(call nbstripout))

notebooks-check: $(VENV)/.test ## Fail when a notebook is not stripped
	$(if $(notebooks),$(call nbstripout,--verify))

clean: ## Remove what was built and cached, not environments and reports
	rm -rf build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -path './.venv*' -prune -o -name __pycache__ -exec rm -rf {} +

distclean: clean ## Remove the environments too
	rm -rf $(VENV) $(VENV)-lowest

# A stamp for each set of extras: pip runs again only when pyproject.toml has changed.
$(VENV)/.%: pyproject.toml Makefile | $(bin)/python
	@echo "Installing memlab[$($*-extras)] into $(VENV)"
	@$(bin)/python $(pip_install) -e '.[$($*-extras)]'
	@touch $@

# torch comes first and alone, since a plain install of sentence-transformers brings 6 GB of CUDA. Every
# CUDA build needs triton, so refusing that refuses them before they are installed.
$(VENV)/.test $(VENV)/.demo $(VENV)/.all: | $(VENV)/.torch
$(VENV)/.torch: | $(bin)/python
	@echo "Installing $(TORCH) into $(VENV)"
	@echo 'triton<0' > $(VENV)/cpu-only.txt
	@$(bin)/python $(pip_install) -c $(VENV)/cpu-only.txt '$(TORCH)' \
		&& ! $(bin)/python -m pip freeze | grep -E '^(nvidia-|triton)' \
		|| { echo "pip found no CPU build of $(TORCH). A CUDA build is several GB, of no use here, and was refused:" \
			"point pip at PyTorch's CPU wheels (PIP_EXTRA_INDEX_URL or PIP_FIND_LINKS), or name a version that" \
			"has one (make TORCH=torch==...). If CUDA is named above, 'make distclean' first." >&2; exit 1; }
	@touch $@

$(VENV)-lowest/.test: pyproject.toml Makefile tools/lowest.py | $(VENV)-lowest/bin/python
	$(VENV)-lowest/bin/python tools/lowest.py $(lowest-extras) > $(VENV)-lowest/lowest.txt
	$(VENV)-lowest/bin/python $(pip_install) -c $(VENV)-lowest/lowest.txt -e '.[$(lowest-extras)]'
	@touch $@

$(VENV)/.wheel: $(package) pyproject.toml README.md tools/check_wheel.py | $(VENV)/.test
	rm -rf dist
	$(bin)/python -m build --quiet --no-isolation
	$(bin)/python tools/check_wheel.py dist/*.whl
	@touch $@

.PRECIOUS: %/bin/python
%/bin/python:
	$(if $(PYTHON),,$(error Python 3.11 or newer is needed; name one: make PYTHON=/path/to/python))
	$(PYTHON) -m venv $*
	$@ $(pip_install) --upgrade pip
