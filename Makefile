# `make demo` and `make test` do everything from a fresh clone; each sets up what it needs.

SWIFT = $(strip Package.swift Plugins Sources Samples Tests $(wildcard Benchmarks))
# The options are those of the whole check (.ci/run); other builds have none.
STRICT = --explicit-target-dependency-import-check error $(HOLDFAST_BUILD_OPTIONS)

# `make test SANITIZE=thread` runs the suites (or files) named …ConcurrencyTests in a build folder
# of their own. A race ends the run, or the child process of an exit test, at once.
# `make test SANITIZE=address` runs HoldfastSQLite's tests, and looks for leaks when they end.
# Without a FILTER only the targets with these tests are built.
ifdef SANITIZE
FLAVOUR = --sanitize=$(SANITIZE) --scratch-path .build/$(SANITIZE)
SERIAL = --no-parallel
ifeq ($(SANITIZE),address)
# The sanitizer takes memory of its own, which this one measures.
SERIAL += --skip aLongTextIsNotCopiedForEachStatement
endif
ifndef FILTER
ifeq ($(SANITIZE),address)
FILTER = ^HoldfastSQLiteTests
export HOLDFAST_TESTS = HoldfastSQLiteTests
else
FILTER = ConcurrencyTests
export HOLDFAST_SUITES = ConcurrencyTests
export HOLDFAST_TESTS = $(sort $(shell find Tests -name '*ConcurrencyTests*.swift' | cut -d/ -f2))
endif
endif
export TSAN_OPTIONS ?= halt_on_error=1
# A status of its own tells leaks from other failures.
export ASAN_OPTIONS ?= detect_leaks=1:exitcode=23
export LSAN_OPTIONS ?= suppressions='$(CURDIR)/Scripts/leaks.supp':print_suppressions=0
endif

# `make test CIPHER=1` runs the tests of access and sharing with SQLCipher in place of SQLite, in a
# build folder of its own: once as they are, and once with every database encrypted. As they are,
# CIPHER=encrypted runs only those that give keys themselves, and TOOL=1 also compiles the tool and reads
# an encrypted database with it: the whole check has no time for more.
# `make bench CIPHER=1` measures with it. Both are skipped with a message where no SQLCipher from 4.5.1 is to be had.
BENCH = .build/bench-build
ifdef CIPHER
WITH = Scripts/with-sqlcipher .build/cipher/library
TRAIT = --traits SQLCipher -Xlinker -rpath -Xlinker $(CURDIR)/.build/cipher/library/lib
FLAVOUR = $(TRAIT) --scratch-path .build/cipher
BENCH = .build/cipher/bench-build
export HOLDFAST_TESTS = $(strip HoldfastSQLiteTests HoldfastTests $(if $(TOOL),HoldfastTool))
PLAIN = $(if $(filter encrypted,$(CIPHER)),Encrypt)
endif

# `make test SNAPSHOT=1` runs the tests of snapshots with several connections, as they are built for all
# tests, with a SQLite that has such snapshots; it is skipped with a message where none is to be had.
ifdef SNAPSHOT
WITH = Scripts/with-snapshots .build/snapshots
FILTER ?= SnapshotPool
endif

PREFIX ?= /usr/local

.PHONY: help build test lint format bench samples docs demo install uninstall clean

help:
	@echo 'make demo     build the tool and let it show what it does'
	@echo 'make test     run the tests        FILTER=Suite  SANITIZE=thread or address  CIPHER=1 or encrypted TOOL=1  SNAPSHOT=1'
	@echo 'make build    build everything'
	@echo 'make lint     check format, warnings, imports, scripts, packages, types for Apple, names and architecture'
	@echo 'make format   format every Swift file'
	@echo 'make bench    measure              ONLY=group  SHORT=1  CIPHER=1'
	@echo 'make samples  build and run the packages of sample apps'
	@echo 'make docs     build .build/docs/Holdfast.doccarchive'
	@echo 'make install  build a release and install the tool   PREFIX=/usr/local; uninstall removes it'
	@echo 'make clean    remove .build'

build:
	@Scripts/setup build
	swift build $(strip $(STRICT))

test:
	@Scripts/setup test
	$(if $(SNAPSHOT),,$(WITH)) swift build --build-tests $(strip $(STRICT) $(FLAVOUR))
	$(WITH) Scripts/run-tests $(strip $(FLAVOUR) $(SERIAL) $(if $(or $(FILTER),$(PLAIN)),--filter '$(or $(FILTER),$(PLAIN))'))
ifdef CIPHER
	$(WITH) Scripts/with-key .build/cipher/library Scripts/run-tests $(strip $(FLAVOUR) $(if $(FILTER),--filter '$(FILTER)'))
	$(if $(TOOL),$(WITH) Scripts/with-key .build/cipher/library Scripts/check-cipher .build/cipher/debug/holdfast)
endif

# The whole check, which sets the variable, runs the rules of the house with all other tests.
lint:
	@Scripts/setup test
	swift format lint --strict --parallel --recursive $(SWIFT)
	Scripts/lint-scripts
	swift build --build-tests $(strip $(STRICT))
	Scripts/check-dependencies
	Scripts/check-apple
	Scripts/grdb-names check
	$(if $(HOLDFAST_BUILD_ONCE),,Scripts/run-tests --filter HouseRulesTests)

format:
	@Scripts/setup build
	swift format --in-place --parallel --recursive $(SWIFT)

bench:
	@Scripts/setup test
	env -u HOLDFAST_TESTS $(WITH) swift build -c release $(strip --package-path Benchmarks --scratch-path $(BENCH) $(TRAIT))
	$(WITH) $(BENCH)/release/holdfast-bench $(if $(ONLY),--only $(ONLY)) $(if $(SHORT),--short)

samples:
	@Scripts/setup build
	Scripts/samples

docs:
	@Scripts/setup build
	Scripts/docs

demo:
	@Scripts/setup build
	swift run $(HOLDFAST_BUILD_OPTIONS) holdfast demo

install:
	@Scripts/setup install
	Scripts/install install '$(PREFIX)'

uninstall:
	Scripts/install uninstall '$(PREFIX)'

clean:
	rm -rf .build
