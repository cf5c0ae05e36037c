# Builds Daybook on a fresh Debian machine with Swift. Build output goes to stderr, so that stdout
# belongs to the program alone, and no recipe reads stdin, so that piped keys reach the program.

BUILD_PACKAGES := libncursesw5-dev libsqlite3-dev libreadline-dev libarchive-dev libsodium-dev git
TEST_PACKAGES := tmux sqlite3 tzdata zsh fish procps
# Code that needs a generic type, such as a dictionary of ours, else has its name looked up: each
# first use reads all 8,000 protocol conformances of the program, two fifths of a start's instructions.
TYPES := -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
# The program to try: QUICK=run optimises only the modules that compute, see Package.swift. It takes half
# of a release's time to build, and half as long again as it to answer a key.
QUICK := -c debug --disable-index-store -debug-info-format none $(TYPES)
TRIED := $(QUICK) --static-swift-stdlib
# The program to install. Startup time is a feature: optimising generic code across modules, and
# linking the Swift libraries statically, halve the time to the first screen.
RELEASE := -c release --static-swift-stdlib -Xswiftc -cross-module-optimization $(TYPES)
# Tests have a build directory of their own, since their library is not there to be linked statically.
# QUICK=test optimises what computes and other packages.
TEST_FLAGS := -c release -Xswiftc -enable-testing -Xswiftc -num-threads -Xswiftc 2 --disable-index-store \
  -debug-info-format none $(TYPES) --scratch-path .build-test
CHECK_FLAGS := $(QUICK) --scratch-path .build-check
# The long tests run for hours, so all of their code is optimised.
PROOF_FLAGS := -c release -Xswiftc -enable-testing $(TYPES) --scratch-path .build-proof
# Tests with the address sanitizer, and with counters of branches and comparisons for libFuzzer, whose
# archive comes with Swift and is linked into the fuzz tests.
BRANCHES := indirect-calls,trace-cmp,inline-8bit-counters,pc-table
FUZZ_FLAGS := -c release -Xswiftc -enable-testing --sanitize address --scratch-path .build-fuzz \
  -Xswiftc -sanitize-coverage=edge,$(BRANCHES) -Xcc -fsanitize-coverage=$(BRANCHES)
THREAD_FLAGS := -c release -Xswiftc -enable-testing --sanitize thread --scratch-path .build-thread
SWIFT_LIBRARIES = $(shell swift -print-target-info </dev/null | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
LIBFUZZER = $(SWIFT_LIBRARIES)/clang/lib/linux/libclang_rt.fuzzer_no_main-$(shell uname -m).a
TARGET ?=
KEY ?=
ARGS ?=
FILTER ?=
FILTERED = $(if $(FILTER),--filter '$(FILTER)')
# The directories of `make install`; a package is an installation into DESTDIR.
PREFIX ?= /usr/local
DESTDIR ?=
BIN := $(DESTDIR)$(PREFIX)/bin
SHARE := $(DESTDIR)$(PREFIX)/share
BUILT := .build/release/daybook
QUICKLY_BUILT := .build/debug/daybook
# The time that a first build takes on two processors, for people who wait for it.
define tell_first_build
[ -e $(1) ] || echo "daybook: building for the first time, which takes $(2) minutes" >&2
endef
VERSION = $(shell sed -n 's/.*let version = "\(.*\)"/\1/p' Sources/Journal/Release.swift)
DAY = $(shell sed -n 's/.*let date = "\(.*\)"/\1/p' Sources/Journal/Release.swift)
# What dpkg-buildpackage understands: DEB_BUILD_OPTIONS="parallel=4 nostrip".
JOBS := $(patsubst parallel=%,--jobs %,$(filter parallel=%,$(DEB_BUILD_OPTIONS)))
STRIP := $(if $(filter nostrip,$(DEB_BUILD_OPTIONS)),,-s)

.DEFAULT_GOAL := help
.PHONY: help run build test check drills mutants coverage proof simulate fuzz sanitize bench figures pictures man docs api install uninstall deb dist trial lint format setup deps clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 16

run: deps ## build and open Daybook; ARGS='list --limit 5' passes arguments
	@$(call tell_first_build,$(QUICKLY_BUILT),about three)
	@QUICK=run swift build $(TRIED) --product daybook </dev/null >&2
	@exec $(QUICKLY_BUILT) $(ARGS)

build: deps ## build the program to install, in full optimisation
	@$(call tell_first_build,$(BUILT),five to eight)
	@swift build $(RELEASE) $(JOBS) --product daybook </dev/null >&2

# The random tests try something else each day.
SEED := $(or $(RESULTS_SEED),$(shell date -u +%Y%m%d))
# In processes side by side, unless options choose the tests.
run_tests = RESULTS_SEED=$(SEED) bash Resources/tests.sh $@ $(1) $(FILTERED)
test: SHELL := /bin/bash
# Time is told beside what it was, so that nobody doubles it unnoticed; that of the processors tells a
# slow change from a busy machine.
BUILD_TIME := daybook: tests built in %0R s, processors %0U s; from nothing on 2026-11-27 426 s, 827 s
RUN_TIME := daybook: tests ran in %0R s, processors %0U s$(if $(FILTER),,; on 2026-11-27 705 s, 1145 s)
test: setup ## build and run all tests; FILTER=QueryTests runs those whose names match
	@TIMEFORMAT='$(BUILD_TIME)'; \
	  time QUICK=test swift build --build-tests $(TEST_FLAGS) </dev/null >&2
	@TIMEFORMAT='$(RUN_TIME)'; time $(call run_tests,.build-test/release)

# The tests of the modules that start no processes, without those that are long where nothing is optimised.
CHECKED := FilesTests JournalTests MarkdownTests TerminalTests ScreenTests
LONG := MarkdownPropertyTests|DocumentTests.hostile|SanitizerTests
check: setup ## build and run the tests of the modules without processes, in a minute; FILTER as above
	@TEST_TARGETS="$(CHECKED)" swift build --product daybookPackageTests $(CHECK_FLAGS) </dev/null >&2
	@$(call run_tests,.build-check/debug --skip '$(LONG)')

drills: setup ## build a copy with all drills of CONTRIBUTING, and run their tests; DRILL=sort, DRILL=today
	@sh Resources/drills.sh run $(DRILL)

# A mutant is a fault that the tests must notice; see CONTRIBUTING. MUTANT, EVERY and BOUND are of mutants.sh.
export MUTANT EVERY BOUND
mutants: setup ## build a copy with all mutants, and show that the tests notice each; MUTANT=name, EVERY=10
	@bash Resources/mutants.sh copy
	@cd .build-mutants/tree && QUICK=test swift build --build-tests $(TEST_FLAGS) </dev/null >&2
	@RESULTS_SEED=$(SEED) bash Resources/mutants.sh run .build-mutants/tree/.build-test/release

# The modules that keep, merge, seal, list and import entries, without the tests of their users.
COVERED := FilesTests SealTests JournalTests JournalStoreTests JournalSyncTests JournalFormatsTests \
  SectionedResultsTests SectionedResultsGRDBTests
COVERAGE_FLAGS := $(subst .build-test,.build-coverage,$(TEST_FLAGS)) --enable-code-coverage \
  -Xcc -fprofile-instr-generate -Xcc -fcoverage-mapping
export REPORT
coverage: setup ## compare what the tests run with the floors of Resources/coverage.txt; REPORT=DIRECTORY
	@QUICK=test TEST_TARGETS="$(COVERED)" swift build --product daybookPackageTests $(COVERAGE_FLAGS) </dev/null >&2
	@RESULTS_SEED=$(SEED) bash Resources/coverage.sh .build-coverage/release

proof: setup ## run the long random and fault tests and all mutants, for hours; ARGS=GIT_KILLS runs one of them
	@swift build --build-tests $(PROOF_FLAGS) </dev/null >&2
	@sh Resources/proof.sh .build-proof/release $(ARGS)
	@[ -n "$(ARGS)" ] || $(MAKE) --no-print-directory mutants

# SEED is that of a world, as a failure tells it; else as many worlds as fit, of the seeds of the day.
SECONDS ?= 60
WORLDS ?=
WORLD = $(filter command line,$(origin SEED))
simulate: SHELL := /bin/bash
simulate: setup ## run simulated devices for a minute; SECONDS=3600, WORLDS=1000, or SEED=7 for one world
	@QUICK=test swift build --build-tests $(TEST_FLAGS) </dev/null >&2
	@set -o pipefail; SWIFT_DETERMINISTIC_HASHING=1 QUICK=test RESULTS_SEED=$(or $(RESULTS_SEED),$(shell date -u +%Y%m%d)) \
	  $(if $(WORLD),SIMULATION_SEED=$(SEED),$(if $(WORLDS),SIMULATION_WORLDS=$(WORLDS),SIMULATION_SECONDS=$(SECONDS))) \
	  .build-test/release/daybookPackageTests.xctest --testing-library swift-testing \
	  --filter 'SimulationTests/worlds' </dev/null 2>&1 | sed -u -e 's/\x1b\[[0-9;]*m//g'

fuzz: $(if $(TARGET),deps) ## fuzz a reader of foreign data: TARGET=query ARGS=-max_total_time=60; else list them
	@if [ -z "$(TARGET)" ]; then ls Tests/FuzzTests/Corpus; else \
	  LIBFUZZER=$(LIBFUZZER) TEST_TARGETS=FuzzTests swift build --build-tests $(FUZZ_FLAGS) </dev/null >&2 && \
	  sh Resources/fuzz.sh .build-fuzz/release "$(TARGET)" $(ARGS); \
	fi

# Left out: DaybookTests, JournalStoreTests and JournalSyncTests start, kill or measure processes by the
# thousand, and ScreenTests and BenchmarksTests have neither C nor threads.
SANITIZED := FuzzTests FilesTests SealTests JournalTests MarkdownTests JournalFormatsTests TerminalTests \
  SectionedResultsTests SectionedResultsGRDBTests
sanitize: setup ## run the tests of C code and threads with the address and the thread sanitizer
	@LIBFUZZER=$(LIBFUZZER) TEST_TARGETS="$(SANITIZED)" swift build --build-tests $(FUZZ_FLAGS) </dev/null >&2
	@LSAN_OPTIONS=suppressions=Resources/leaks.txt:print_suppressions=0 \
	  .build-fuzz/release/daybookPackageTests.xctest --testing-library swift-testing </dev/null
	@TEST_TARGETS="$(SANITIZED)" swift build --build-tests $(THREAD_FLAGS) </dev/null >&2
	@TSAN_OPTIONS=suppressions=Resources/races.txt \
	  .build-thread/release/daybookPackageTests.xctest --testing-library swift-testing </dev/null

bench: build ## measure speed and memory, compared with lower bounds and other programs; ARGS=--quick, ARGS=--full
	@swift build $(RELEASE) --product daybook-bench </dev/null >&2
	@exec .build/release/daybook-bench $(ARGS)

# FROM is the output of make bench ARGS='--full --json'.
figures: ## show a run of the benchmark in Resources/performance.md and the README; FROM=run.jsonl
	@test -r "$(FROM)" || { echo "daybook: FROM names no output of make bench ARGS=--json" >&2; exit 1; }
	@sed '/^## Latest run$$/q' Resources/performance.md >.build/performance.md
	@{ echo; .build/release/daybook-bench --from "$(FROM)" --markdown --svg Resources/pictures/growth.svg; } \
	  >>.build/performance.md
	@mv .build/performance.md Resources/performance.md

pictures: build ## redraw the pictures of the README
	@sh Resources/pictures/draw.sh $(BUILT) Resources/pictures

man: deps ## write the manual pages and the manual's key table from the catalog
	@QUICK=run swift build $(TRIED) --product daybook </dev/null >&2
	@QUICK=run swift build $(TRIED) --product daybook-manual </dev/null >&2
	@$(QUICKLY_BUILT) --experimental-dump-help | .build/debug/daybook-manual >Resources/daybook.1
	@for page in $(CHAPTER_PAGES); do \
	  .build/debug/daybook-manual --page $$page >Resources/$$page || exit; \
	done
	@.build/debug/daybook-manual --keys <Resources/manual/keys.md >.build/keys.md
	@mv .build/keys.md Resources/manual/keys.md

docs: deps ## make the documentation of the libraries in .build/docs; every warning fails
	@swift build $(RELEASE) --target SectionedResultsGRDB </dev/null >&2
	@swift build $(RELEASE) --target SectionedResultsTesting </dev/null >&2
	@sh Resources/docs.sh .build/release .build/docs </dev/null >&2

api: setup ## write the public declarations of the libraries, which a test compares, to Resources/api
	@QUICK=test swift build --build-tests $(TEST_FLAGS) </dev/null >&2
	@sh Resources/api.sh .build-test/release Resources/api </dev/null >&2

# The owner of PREFIX may be another user than the builder: make build, then sudo make install. The
# installed program needs no Swift, so an existing build is not built again.
install: ## install under PREFIX (/usr/local): program, manual, completions; DESTDIR for packages
	@test -x $(BUILT) || [ -z "$$SUDO_USER" ] || \
	  { echo "daybook: build it first as yourself: make build" >&2; exit 1; }
	@test -x $(BUILT) || $(MAKE) --no-print-directory build
	@install -d "$(BIN)" "$(SHARE)/man/man1" "$(SHARE)/man/man5" "$(SHARE)/man/man7" \
	  "$(SHARE)/bash-completion/completions" \
	  "$(SHARE)/zsh/$(ZSH_DIRECTORY)" "$(SHARE)/fish/vendor_completions.d" "$(SHARE)/doc/daybook/manual"
	@install -m 755 $(STRIP) $(BUILT) "$(BIN)/daybook"
	@install -m 644 Resources/manual/*.md "$(SHARE)/doc/daybook/manual"
	@for page in daybook.1 $(CHAPTER_PAGES); do \
	  gzip -n9 <"Resources/$$page" >"$(SHARE)/man/man$${page##*.}/$$page.gz" || exit; \
	done
	@$(BUILT) --generate-completion-script bash | sed '1{/^#!/d}' >"$(SHARE)/bash-completion/completions/daybook"
	@$(BUILT) --generate-completion-script zsh >"$(SHARE)/zsh/$(ZSH_DIRECTORY)/_daybook"
	@$(BUILT) --generate-completion-script fish >"$(SHARE)/fish/vendor_completions.d/daybook.fish"
	@cd "$(SHARE)" && chmod 644 $(SHARED_FILES)
	@echo "daybook: installed in $(BIN) and $(SHARE)" >&2

uninstall: ## remove the installed files under PREFIX
	@rm -f "$(BIN)/daybook"
	@cd "$(SHARE)" 2>/dev/null && rm -f $(SHARED_FILES) doc/daybook/manual/*.md || true
	@cd "$(SHARE)/doc" 2>/dev/null && rmdir -p daybook/manual 2>/dev/null || true

# zsh searches different directories for completions of a distribution and of its administrator.
ZSH_DIRECTORY = $(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)
# The manual pages that are made of chapters of the manual.
CHAPTER_PAGES := daybook-config.5 daybook-queries.7 daybook-sync.7 daybook-sealed.7 \
  daybook-mcp.7
SHARED_FILES = man/man1/daybook.1.gz man/man5/daybook-config.5.gz man/man7/daybook-queries.7.gz \
  man/man7/daybook-sync.7.gz man/man7/daybook-sealed.7.gz man/man7/daybook-mcp.7.gz \
  bash-completion/completions/daybook \
  zsh/$(ZSH_DIRECTORY)/_daybook fish/vendor_completions.d/daybook.fish

deb: build ## make a Debian package in .build
	@$(MAKE) --no-print-directory install PREFIX=/usr DESTDIR=.build/deb-root
	@sh Resources/debian/package.sh .build/deb-root "$(VERSION)" "$(DAY)" .build

DIST_PACKAGES := apt-utils gnupg xz-utils lintian debootstrap
DIST := .build/dist
dist: build ## make a release in .build/dist: package, archives, apt repository; KEY=NAME signs it with gpg
	@$(call install_missing,$(DIST_PACKAGES))
	@rm -rf $(DIST) && mkdir -p $(DIST)
	@$(MAKE) --no-print-directory install PREFIX=/usr DESTDIR=.build/deb-root
	@sh Resources/debian/package.sh .build/deb-root "$(VERSION)" "$(DAY)" $(DIST)
	@lintian --fail-on error,warning $(DIST)/*.deb >&2
	@$(MAKE) --no-print-directory install PREFIX= DESTDIR=$(DIST)/daybook-$(VERSION)-linux-$$(uname -m)
	@sh Resources/dist.sh "$(VERSION)" "$(DAY)" .build/checkouts $(DIST) "$(KEY)"

trial: ## install what make dist made in a clean Debian 12 and 13, as root, and use it; ARGS=trixie for one
	@sh Resources/debian/trial.sh $(DIST) $(ARGS)

lint: ## check the format of the sources, the subjects of new commits, and that drills and mutants apply
	@swift format lint --strict --parallel --recursive Package.swift Sources Tests </dev/null
	@sh Resources/subjects.sh
	@sh Resources/drills.sh check
	@bash Resources/mutants.sh check

format: ## format the sources in place
	@swift format --in-place --parallel --recursive Package.swift Sources Tests </dev/null

deps: ## install missing Debian packages for a build
	@$(call install_missing,$(BUILD_PACKAGES))

setup: ## install the Debian packages for builds and tests
	@$(call install_missing,$(BUILD_PACKAGES) $(TEST_PACKAGES))

clean: ## remove the build directories
	@rm -rf .build .build-*

# apt is called only for packages that dpkg does not list as installed, and never with our stdin.
define install_missing
command -v dpkg-query >/dev/null || exit 0; missing=; \
for package in $(1); do \
  case "$$(dpkg-query -W -f='$${Status}' $$package 2>/dev/null)" in \
    *' installed') ;; *) missing="$$missing $$package" ;; \
  esac; \
done; \
[ -n "$$missing" ] || exit 0; \
sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
echo "daybook: installing the missing Debian packages$$missing with" \
  "$${sudo:+sudo }apt-get$${sudo:+; it may ask for your password}" >&2; \
{ $$sudo apt-get update && \
  $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y $$missing; } </dev/null >&2
endef
