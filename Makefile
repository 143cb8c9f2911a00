# Every command of the project; `make help` lists them.

SWIFT     ?= swift
BUILD     := .build
HEADGATE  := $(BUILD)/release/headgate
VENV      := $(BUILD)/sdk-venv
BROWSER   := $(BUILD)/browser-venv
NEWEST    := $(BUILD)/sdk-latest-venv
AGENTS    := $(BUILD)/agents-venv
APPLE     := $(BUILD)/apple-venv
SWIFT_SRC := Sources Tests Benchmarks Examples Package.swift
BENCH     := Benchmarks/run
GUARD     := Benchmarks/guard/run
# Arguments of Benchmarks/run: make bench BENCH_ARGS=--quick
BENCH_ARGS ?= --write-docs
# Folder where the gateway stores the on-device model.
MODELS    := $(or $(XDG_DATA_HOME),$(HOME)/.local/share)/headgate/on-device
# Part whose tests `make test` runs; empty for everything.
PART      ?=
# Arguments for `headgate serve`: make run ARGS="--config headgate.yaml"
ARGS      ?=
# The prefix of `make install`, below DESTDIR if that is set, and the folder for packages.
PREFIX    ?= /usr/local
DESTDIR   ?=
PACKAGES  := $(BUILD)/packages
# The SSH key that signs the checksums of a release, and the steps of the release check (empty for all).
RELEASE_KEY ?=
STEPS     ?=
# Duration of the mixed load of `make soak`.
SOAK      ?= 10m
# Total seconds of all fuzzers, and the name of a single fuzzer to run (empty for all).
FUZZ      ?= 600
TARGET    ?=
# Seed that selects the places that `make mutate` changes, their number, and the numbers of single changes to try.
SEED      ?= 1
COUNT     ?= 120
MUTANTS   ?=
# Name of the container image.
IMAGE     ?= headgate

SHELL       := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS   += --no-print-directory
# Steps must not leave compiled Python next to the tests.
export PYTHONDONTWRITEBYTECODE := 1

.DEFAULT_GOAL := help
.PHONY: help setup setup-tests build release install deb archive dist wheel sbom checksums release-check run test \
	test-portable firefox sdk-latest docs-assets generate dialects errors manual lint format check bench guard fuzz \
	mutate sanitize image soak agents clean

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install the Debian packages that are missing (root or sudo)
	@.ci/setup

setup-tests: ## Install what the tests need besides: nginx, Chromium and the like
	@.ci/setup tests

build: setup ## Build for debugging
	@.ci/embed
	$(SWIFT) build

release: setup ## Build the optimised headgate binary, with the Swift library inside it
	@.ci/embed
	@SWIFT="$(SWIFT)" deploy/build-release

install: docs-assets ## Put what `make release` has built below PREFIX=/usr/local (and DESTDIR)
	@deploy/install $(HEADGATE) "$(PREFIX)" "$(DESTDIR)"

deb: release docs-assets ## Build a Debian package, and install it into a clean root to check it (root)
	@.ci/setup packages
	@rm -f $(PACKAGES)/headgate_*.deb
	@deploy/build-deb $(HEADGATE) $(PACKAGES)
	@$(SWIFT) build --product headgate-upstream
	@.ci/step "Debian package" Tests/Deploy/deb-test $(PACKAGES)/headgate_*.deb

# The archive that `make dist` checks, and that `make wheel` repacks.
archive: setup docs-assets
	@.ci/setup packages
	@rm -f $(PACKAGES)/headgate-*.tar.gz
	@SWIFT="$(SWIFT)" deploy/build-dist $(PACKAGES)

dist: archive ## Build an archive that needs nothing but glibc, and run it in a minimal root to check it (root)
	@$(SWIFT) build --product headgate-upstream
	@.ci/step "archive" Tests/Deploy/dist-test $(PACKAGES)/headgate-*.tar.gz

wheel: archive ## Build a Python wheel of the same, and install it into an empty environment to check it
	@rm -f $(PACKAGES)/headgate-*.whl
	@deploy/build-wheel $(PACKAGES)/headgate-*.tar.gz $(PACKAGES)
	@$(SWIFT) build --product headgate-upstream
	@.ci/step "wheel" Tests/Deploy/wheel-test $(PACKAGES)/headgate-*.whl

sbom: setup docs-assets ## List every package, library and file of a release, with versions and licences (CycloneDX)
	@.ci/setup packages
	@$(SWIFT) package resolve
	@rm -f $(PACKAGES)/headgate-*.cdx.json
	@SWIFT="$(SWIFT)" deploy/build-sbom $(PACKAGES)

checksums: ## Write SHA256SUMS for the packages that were built, signed with the SSH key RELEASE_KEY=path
	@RELEASE_KEY="$(RELEASE_KEY)" deploy/sign-release $(PACKAGES)

release-check: ## Run every long check (hours), or those of STEPS="wheel sbom"; writes .build/release-check.md
	@STEPS="$(STEPS)" .ci/release-check

run: setup ## Set up, build and serve; arguments in ARGS="--config headgate.yaml"
	@.ci/embed
	@SWIFT="$(SWIFT)" .ci/first-run "$(MODELS)" $(ARGS)
	@exec $(HEADGATE) serve $(ARGS)

test: setup-tests ## Set up and run every check and test; of one part with PART=cache
	@SWIFT="$(SWIFT)" .ci/test $(PART)

test-portable: setup-tests ## The build that a Mac has: compiled for macOS, and its unit and integration tests here
	@.ci/step "Python environment" .ci/python-env $(APPLE) Tests/Apple/requirements.txt
	@$(SWIFT) package resolve
	@.ci/step "the gateway for macOS" $(APPLE)/bin/python Tests/Apple/gateway
	@HEADGATE_PORTABLE=1 $(SWIFT) build --scratch-path .build-portable --build-tests
	@EVENT_NOEPOLL=1 HEADGATE_PORTABLE=1 $(SWIFT) test --scratch-path .build-portable --skip-build \
		--experimental-maximum-parallelization-width 32 --skip "ArchitectureTests|SQLiteLedgerTests|IntegrationTests"
	@EVENT_NOEPOLL=1 HEADGATE_PORTABLE=1 $(SWIFT) test --scratch-path .build-portable --skip-build \
		--filter IntegrationTests

firefox: setup-tests docs-assets ## Try the pages in Firefox, too
	@.ci/setup firefox
	@$(SWIFT) build
	@.ci/step "Python environment of the browser" .ci/python-env $(BROWSER) Tests/Browser/requirements.txt
	@.ci/step "chat in Firefox" env HEADGATE_BROWSER=firefox $(BROWSER)/bin/python -m pytest -p no:cacheprovider \
		$(addprefix Tests/Browser/test_,$(addsuffix .py,access chat chat_attachments chat_branches chat_context \
		chat_rendering chat_safety chat_settings docs inspection keys status))

sdk-latest: setup-tests ## Try the newest OpenAI and Anthropic SDKs
	@$(SWIFT) build --product headgate
	@$(SWIFT) build --product headgate-upstream
	@rm -rf $(NEWEST)
	@python3 -m venv $(NEWEST)
	@$(NEWEST)/bin/python -m pip install --quiet --no-input --disable-pip-version-check openai anthropic pytest
	@$(NEWEST)/bin/python -m pip list --disable-pip-version-check | grep -E '^(openai|anthropic) '
	@.ci/step "newest SDKs" $(NEWEST)/bin/python -m pytest -p no:cacheprovider \
		Tests/Contract/test_shapes.py Tests/Contract/test_strict_models.py Tests/Contract/test_exceptions.py

docs-assets: setup ## Install what the pages load: Swagger UI, and the chat's libraries
	@.ci/docs-assets $(BUILD)/assets/swagger-ui

generate: setup ## Write the generated Swift again: from openapi.yaml, of a test and the drivers, and of embedded files
	@.ci/embed
	$(SWIFT) run openapi-generator contract --document openapi.yaml \
		--contract Sources/HeadgateContract/Generated --output Sources/HeadgateAPI/Generated
	$(SWIFT) run openapi-generator generate Tests/Vectors/OpenAPI/21-composed.yaml --mode types --access-modifier public \
		--output-directory Tests/OpenAPIGeneratorTests/Generated
	$(SWIFT) run openapi-generator generate Examples/greeting/Sources/greeting/openapi.yaml --mode types --mode server \
		--access-modifier public --output-directory Benchmarks/drivers/Generated

dialects: setup ## Write the tables of docs/dialects.md anew from what translation does
	@$(SWIFT) build --build-tests
	@HEADGATE_WRITE_DOCUMENTS=1 $(SWIFT) test --skip-build --filter MemberTableTests

errors: setup ## Write docs/errors.md anew from the table of causes and the catalogue of codes
	@$(SWIFT) build --build-tests
	@HEADGATE_WRITE_DOCUMENTS=1 $(SWIFT) test --skip-build --filter ErrorCatalogueTests

manual: setup ## Write deploy/headgate.1 anew from the command's own help
	@$(SWIFT) build --product headgate
	@.ci/manual $(BUILD)/debug/headgate >$(BUILD)/headgate.1
	@mv $(BUILD)/headgate.1 deploy/headgate.1

lint: ## Check the format of the Swift files, that embedded files are up to date, and what is at the top
	@.ci/embed --check
	@.ci/top
	@$(SWIFT) format lint --strict --recursive --parallel $(SWIFT_SRC)

format: ## Bring the Swift files into format
	@$(SWIFT) format --in-place --recursive --parallel $(SWIFT_SRC)

check: setup ## Check the format, the architecture and the unit tests of what changed (minutes)
	@SWIFT="$(SWIFT)" .ci/check

bench: release ## Compare with nginx and others (20 minutes), and write docs/performance.md
	@$(BENCH) $(BENCH_ARGS)

guard: setup-tests ## Count instructions and allocations, against the committed thresholds
	@$(GUARD)

fuzz: setup ## Fuzz every reader of foreign bytes, for FUZZ=600 seconds in all; of one with TARGET=json
	@FUZZ="$(FUZZ)" SWIFT="$(SWIFT)" Tests/Fuzz/run $(TARGET)

mutate: setup ## Say which of COUNT=120 changes no test notices; others: SEED=2, single ones: MUTANTS="3 14"
	@SEED="$(SEED)" COUNT="$(COUNT)" SWIFT="$(SWIFT)" Tests/Mutation/mutate.py $(MUTANTS)

sanitize: setup-tests docs-assets ## Run the whole suite under AddressSanitizer and under ThreadSanitizer (an hour)
	@Tests/Sanitizers/run address
	@Tests/Sanitizers/run thread

soak: setup-tests ## Storms of clients, reloads, an upgrade and failing upstreams, then mixed load for SOAK=10m (or 24h)
	@$(SWIFT) build --product headgate
	@.ci/step "Python environment" .ci/python-env $(VENV) Tests/SDK/requirements.txt
	@.ci/step "reloads under load" $(VENV)/bin/python Tests/Soak/reload.py
	@.ci/step "failing upstreams under load" $(VENV)/bin/python Tests/Soak/failover.py
	@.ci/step "an upgrade under load" $(VENV)/bin/python Tests/Soak/upgrade.py
	@.ci/step "an upgrade with PostgreSQL and Redis" $(VENV)/bin/python Tests/Soak/upgrade.py shared
	@.ci/step "storms of clients" $(VENV)/bin/python Tests/Soak/storms.py
	@.ci/step "memory of 5,000 clients" $(VENV)/bin/python Tests/Soak/memory.py
	@.ci/step "$(SOAK) of mixed load" $(VENV)/bin/python Tests/Soak/mixed.py $(SOAK)

agents: setup-tests ## Let Codex, Claude Code and llm work through the gateway (downloads 300 MB)
	@$(SWIFT) build --product headgate
	@.ci/step "Python environment of the agents" .ci/python-env $(AGENTS) Tests/Agents/requirements.txt
	@.ci/step "agents" $(AGENTS)/bin/python -m pytest -p no:cacheprovider Tests/Agents

image: setup ## Build the container image, and run it when buildah is here
	@deploy/build-image $(IMAGE)
	@$(SWIFT) build --product headgate-upstream
	@.ci/step "container image" Tests/Deploy/image-test $(IMAGE) $(BUILD)/debug/headgate-upstream

clean: ## Delete everything built, the Python environment too
	rm -rf $(BUILD) .build-guard .build-fuzz .build-mutation
