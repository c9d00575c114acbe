# All tasks of the project; `make help` lists them.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Where rustup installs cargo, for shells without it in PATH.
export PATH := $(PATH):$(HOME)/.cargo/bin

PORT ?= 8080
DATA_DIR ?= .data
SCREENSHOT_DIR ?= screenshots

PROGRAM := target/release/driveline
DEMO_PROGRAM := target/demo/driveline
DEBUG_PROGRAM := target/debug/driveline
CLIENT := frontend/dist/pages/manifest.json
CLIENT_SOURCES := $(shell find frontend/src frontend/public frontend/scripts frontend/*.json frontend/*.ts frontend/*.js frontend/*.mjs frontend/*.cjs crates/adapters/http/templates -type f 2>/dev/null)

# Every build for the tests chooses the features of the whole workspace: with those of single packages each choice of
# packages would compile most other crates again. Set if `make programs` has built everything already.
BUILT ?=
RUN_TESTS := scripts/run-tests.mjs
# Our own crates are compiled by clippy's compiler, so that they need not be read a second time to be linted, nor the crates
# of others a second time for that.
LINTED := RUSTC_WORKSPACE_WRAPPER=clippy-driver

# Runs a command with DATABASE_URL set to a temporary Postgres that stops when the command ends.
WITH_POSTGRES := $(DEBUG_PROGRAM) postgres --

CHECKS := fmt lint spec-coverage-check common-passwords-check test-unit test-vin test-invoices test-alerts test-simulation test-adapters test-stripe test-client openapi-check client-api-check test-store test-search test-http test-api test-outages test-mail test-browser test-serve test-upgrade

# What `make bench` measures; all if empty.
BENCH ?=

# What `make test-api` asks from, how many random cases of an operation at most, and the roles that also send what the
# description implies at its bounds.
SEEDS ?= 1
CASES ?= 2
COVERING ?= admin

# What `make strength` tries; all if empty.
STRENGTH ?=

# What `make cluster` breaks; everything if empty.
SCENARIOS ?=

# What `make check` runs.
PARTS ?= $(CHECKS)

.PHONY: help run build packages client demo-libraries check third-party programs previous-program $(CHECKS) format screenshots bench lighthouse drill strength cluster schema openapi client-api common-passwords vehicles clean-data debug-program bootstrap-run bootstrap-check

help: ## this list
	@sed -nE 's/^([a-z-]+):.*## (.*)$$/\1|\2/p' Makefile | awk -F'|' '{ printf "  make %-16s %s\n", $$1, $$2 }'

run: bootstrap-run ## build what is not built and run the demo shop on http://127.0.0.1:8080 (PORT=9000, DATA_DIR=.data)
	@$(MAKE) --no-print-directory -j2 client demo-libraries
	@cargo build --profile demo --package driveline
	@exec $(DEMO_PROGRAM) demo --port "$(PORT)" --data-dir "$(DATA_DIR)"

# What the demo needs beside its client, compiled while the client is built. The program is named only so that features are
# chosen as for it: it has no library, and what is left of it waits for the client.
demo-libraries: bootstrap-run
	@cargo build --profile demo --lib $(addprefix --package ,driveline driveline-payments driveline-identity driveline-images driveline-email driveline-webhooks driveline-opensearch actix-multipart multer actix-web clap diesel diesel_migrations metrics-exporter-prometheus tracing-subscriber utoipa)

build: client ## the release program, target/release/driveline, with the web client and the migrations inside
	@cargo build --release --locked --package driveline

packages: bootstrap-run ## the Debian package, a tarball, what they are made of and their checksums, the same bytes for the same commit, into dist/
	@scripts/build-release
	@scripts/package $(PROGRAM) dist

client: $(CLIENT) ## the web client, frontend/dist

$(CLIENT): $(CLIENT_SOURCES) | bootstrap-run
	@cd frontend && npm run --silent build
	@touch $@

check: bootstrap-check ## all tests, from a clean checkout; exactly what CI runs (PARTS="fmt lint" for some)
	@CI=true scripts/check.mjs client $(PARTS)

# What Cargo can compile while the client is built: the crates that our testkit is made of, which most others need as well, the
# testkit and its fake Stripe.
third-party:
	@$(LINTED) cargo build --quiet --workspace --example fake_stripe

programs: client ## build whatever the tests run, once, by clippy's compiler, which also finds what `make lint` looks for
	@mkdir -p target
	@$(LINTED) cargo test --quiet --workspace --no-run --message-format=json > target/programs.json || { scripts/warnings.mjs target/programs.json; exit 1; }

fmt: bootstrap-check ## check the formatting
	@cargo fmt --all --check
	@cd frontend && npx --no-install biome format .

lint: bootstrap-check client ## clippy, Biome, tsc, and the rules for migrations, words, copy, CI and what the shop is made of, and the judges of the long runs, all without a warning
	@node scripts/lint-migrations.mjs
	@node scripts/lint-words.mjs
	@node scripts/lint-copy.mjs
	@node scripts/ci-parts.mjs
	@node scripts/lint-judges.mjs
	@node scripts/supply-chain.mjs
	@$(if $(BUILT),scripts/warnings.mjs $(BUILT),cargo clippy --workspace --all-targets --quiet -- -D warnings)
	@cd frontend && npm run --silent lint && npm run --silent typecheck

test-unit: ## the domain and the use cases: no database, takes seconds
	@$(RUN_TESTS) driveline-domain/lib driveline-ports/lib driveline-application/lib driveline-application/model driveline-vehicles

test-invoices: bootstrap-check ## the XML of invoices against the schemas of UBL and the rules of EN 16931, which others wrote
	@scripts/test-invoices $(RUN_TESTS)

test-vin: bootstrap-check ## what the shop reads in VINs against another decoder, ultravin
	@$(if $(BUILT),,$(LINTED) cargo build --quiet --workspace --example decode_vins)
	@scripts/test-vin

test-alerts: bootstrap-check debug-program ## the alerts and the dashboard against promtool and what a shop exports
	@scripts/with-demo $(DEBUG_PROGRAM) scripts/test-alerts.mjs

test-simulation: ## ten thousand seeded histories through the whole application (SIM_SEED=4711 prints one, SIM_HISTORIES=100000 for more)
	@$(RUN_TESTS) driveline-application/simulation $(if $(SIM_SEED),-- no_history --nocapture)

test-adapters: bootstrap-check ## identity, payments, images, mail, webhooks, documents and the search engine, against fakes; every parser, against hostile inputs
	@$(RUN_TESTS) driveline-identity driveline-payments driveline-images driveline-email driveline-webhooks driveline-opensearch driveline-documents driveline-testkit driveline-fuzz

test-stripe: bootstrap-run debug-program ## Stripe's own library for Node against the fake Stripe that the other tests use
	@cd frontend && npm run --silent test:stripe

test-store: debug-program ## the stores, on a real Postgres of their own
	@$(WITH_POSTGRES) $(RUN_TESTS) driveline-persistence

test-search: bootstrap-check debug-program ## the search engine against a server that speaks OpenSearch, osmem-server
	@scripts/test-search $(WITH_POSTGRES) $(RUN_TESTS) driveline/search

# More tests at a time than two processors, because most of a test here waits for clocks and for the database.
test-http: debug-program ## the whole program over HTTP, on a Postgres of its own
	@RUST_TEST_THREADS=$$(($$(nproc) + 1)) $(WITH_POSTGRES) $(RUN_TESTS) driveline-http driveline/bin driveline/architecture driveline/demo driveline/http

test-api: bootstrap-check debug-program ## whatever the API description allows and forbids, asked by Schemathesis as three roles (SEEDS="1 2 3", CASES=20, COVERING="visitor customer admin")
	@for seed in $(SEEDS); do scripts/with-demo $(DEBUG_PROGRAM) scripts/test-api "$$seed" "$(CASES)" "$(COVERING)" || exit; done

test-outages: debug-program ## the program while its database is away, slow, locked or behind a pooler
	@$(WITH_POSTGRES) $(RUN_TESTS) driveline/database

test-mail: debug-program ## e-mails from a shop to a third-party mail server
	@cd frontend && npm run --silent test:mail

previous-program: debug-program
	@scripts/test-upgrade --build

test-upgrade: bootstrap-run debug-program ## the program before the newest migration, running on the current schema (FROM=revision)
	@scripts/test-upgrade $(FROM)

test-client: bootstrap-run ## the web client's unit tests
	@cd frontend && npm run --silent test

test-browser: bootstrap-check debug-program ## journeys through a demo shop in a real browser
	@CHROMIUM="$$(scripts/find-chromium)" scripts/with-demo $(DEBUG_PROGRAM) npm run --silent --prefix frontend e2e

test-serve: bootstrap-check debug-program ## the program as in production, with fakes of Stripe and Google, in a real browser
	@CHROMIUM="$$(scripts/find-chromium)" npm run --silent --prefix frontend e2e:serve

drill: bootstrap-check debug-program ## what one sick provider, subscriber, row or product does to the others (DRILL_SECONDS=20); prints ratios
	@cd frontend && npm run --silent drill

strength: bootstrap-check debug-program ## the long form of what must not break: kills, stops, races, histories, hostile calls, fuzzing, SQL injection, mutants (STRENGTH="races stops" for some)
	@node scripts/strength.mjs $(STRENGTH)

cluster: build ## a cluster on this machine, and what it does when something fails (SCENARIOS="quiet c" for some, SEED=7, KEEP=1)
	@scripts/bootstrap cluster
	@cargo build --quiet --workspace --example books
	@test -x .tools/cluster/bin/python || { echo "cluster: not run: Patroni is not there, so this is no success"; exit 3; }; exec .tools/cluster/bin/python scripts/cluster $(SCENARIOS)

spec-coverage-check: bootstrap-run ## check that the tests exist which the pages of promises name
	@node scripts/spec-coverage.mjs

screenshots: bootstrap-check debug-program ## every screen, 1440 and 390 px wide, light and dark, into SCREENSHOT_DIR=screenshots
	@mkdir -p "$(SCREENSHOT_DIR)"
	@CHROMIUM="$$(scripts/find-chromium)" SCREENSHOT_DIR="$$(cd "$(SCREENSHOT_DIR)" && pwd)" \
		scripts/with-demo $(DEBUG_PROGRAM) npm run --silent --prefix frontend screenshots

bench: build ## the shop against its limits, in ten minutes on an idle machine and longer for a million parts (BENCH="catalogue orders" for some of it)
	@scripts/bootstrap bench
	@cargo build --release --locked --package driveline-bench-limits
	@node bench/bench.mjs $(BENCH)

lighthouse: bootstrap-check build ## how fast the pages are, against their budgets (RUNS=5); needs an idle machine
	@CHROMIUM="$$(scripts/find-chromium)" scripts/with-demo $(PROGRAM) npm run --silent --prefix frontend lighthouse

format: bootstrap-check ## format everything
	@cargo fmt --all
	@cd frontend && npm run --silent format

schema: debug-program ## regenerate schema.rs from the migrations
	@scripts/bootstrap schema
	@$(WITH_POSTGRES) scripts/schema > target/schema.rs
	@cp target/schema.rs crates/adapters/persistence/src/schema.rs

common-passwords: bootstrap-run ## regenerate the filter of common passwords from the list
	@cd frontend && node scripts/common-passwords.mjs

common-passwords-check: bootstrap-run ## check that the filter of common passwords is up to date
	@cd frontend && node scripts/common-passwords.mjs --check

openapi: debug-program ## regenerate docs/openapi.json from the routes
	@$(DEBUG_PROGRAM) openapi > target/openapi.json
	@cp target/openapi.json docs/openapi.json

openapi-check: debug-program ## check that docs/openapi.json is up to date
	@$(DEBUG_PROGRAM) openapi > target/openapi.json
	@diff -u docs/openapi.json target/openapi.json || { echo "docs/openapi.json is not what the routes make: run make openapi" >&2; exit 1; }

client-api: bootstrap-run ## regenerate the client's types and endpoints from docs/openapi.json
	@cd frontend && npm run --silent codegen

client-api-check: bootstrap-run ## check that the client's types and endpoints are up to date
	@cd frontend && npm run --silent codegen -- --check

vehicles: bootstrap-run ## make the table of vehicles and VIN patterns anew from public data (needs python3 and npm)
	@python3 assets/vehicles/make.py

clean-data: ## remove the demo shop's data (DATA_DIR=.data)
	@scripts/clean-data "$(DATA_DIR)"

debug-program: client
	@$(if $(BUILT),,cargo build --quiet --workspace --bin driveline --example fake_stripe)

bootstrap-run:
	@scripts/bootstrap run

bootstrap-check:
	@scripts/bootstrap check
