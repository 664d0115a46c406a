# `make demo` and `make test` do everything from a fresh clone; each sets up what it needs.

SWIFT = $(strip Package.swift Plugins Sources Samples Tests $(wildcard Benchmarks))
STRICT = --explicit-target-dependency-import-check error $(HOLDFAST_BUILD_OPTIONS)

# The plugin's tool is a program of the same build; its modules are not compiled once more for the plugin.
export HOLDFAST_PACK_TOOL ?= $(CURDIR)/.build/debug/HoldfastPackTool

# `make test SANITIZE=thread` runs the suites (or files) named …ConcurrencyTests in a build folder
# of their own. A race ends the run, or the child process of an exit test, at once.
# `make test SANITIZE=address` runs HoldfastSQLiteTests, and looks for leaks when they end.
# Without a FILTER only the targets with these tests are built.
ifdef SANITIZE
FLAVOUR = --sanitize=$(SANITIZE)
FOLDER = $(SANITIZE)
# A status of its own tells leaks from other failures.
export ASAN_OPTIONS ?= detect_leaks=1:exitcode=23
export LSAN_OPTIONS ?= suppressions='$(CURDIR)/Scripts/leaks.supp':print_suppressions=0
export TSAN_OPTIONS ?= halt_on_error=1
ifeq ($(SANITIZE),address)
# The sanitizer takes memory of its own, which this one measures.
OPTIONS = --no-parallel --skip aLongTextIsNotCopiedForEachStatement
TESTS = HoldfastSQLiteTests
PART = ^HoldfastSQLiteTests
else
TESTS = $(sort $(shell find Tests -name '*ConcurrencyTests*.swift' | cut -d/ -f2))
PART = ConcurrencyTests
# As many at a time as in Scripts/run-tests.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH = 2
endif
endif

# `make test CIPHER=1` runs the tests of access and sharing with SQLCipher in place of SQLite, in a
# build folder of its own: once as they are, and once with every database encrypted. TOOL=1 also compiles the
# tool and reads an encrypted database with it. `make test SANITIZE=thread CIPHER=1` is the short form of both
# for the whole check: it runs, in one build, the suites named …ConcurrencyTests of access, files and downloads
# with SQLCipher, and those that give keys themselves.
# `make bench CIPHER=1` measures with it. All are skipped with a message where no SQLCipher from 4.5.1 is to be had.
BENCH = .build/bench-build
ifdef CIPHER
CIPHER_LIBRARY = .build/cipher/library
WITH = Scripts/with-sqlcipher $(CIPHER_LIBRARY)
TRAIT = --traits SQLCipher -Xlinker -rpath -Xlinker $(CURDIR)/$(CIPHER_LIBRARY)/lib
FLAVOUR += $(TRAIT)
BENCH = .build/cipher/bench-build
ifdef SANITIZE
ifneq ($(SANITIZE),thread)
$(error SQLCipher is tested with SANITIZE=thread or without a sanitizer)
endif
FOLDER = $(SANITIZE)-cipher
TESTS = HoldfastFilesTests HoldfastDownloadsTests HoldfastTests HoldfastEncryptionTests
PART = ConcurrencyTests|^HoldfastEncryptionTests
else
FOLDER = cipher
TESTS = HoldfastSQLiteTests HoldfastTests HoldfastEncryptionTests HoldfastEncryptedFilesTests $(if $(TOOL),HoldfastTool)
ENCRYPTED = $(WITH) Scripts/with-key $(CIPHER_LIBRARY)
endif
endif

ifdef FOLDER
FLAVOUR += --scratch-path .build/$(FOLDER)
ifneq ($(if $(FILTER),$(CIPHER),1),)
export HOLDFAST_TESTS = $(strip $(TESTS))
endif
ifeq ($(SANITIZE)/$(FILTER),thread/)
export HOLDFAST_SUITES = ConcurrencyTests
endif
FILTER ?= $(PART)
endif

# With a FILTER only the test targets are built in which it matches a test. The whole check has built all.
ifdef FILTER
ifeq ($(FOLDER)$(SNAPSHOT)$(HOLDFAST_BUILD_ONCE),)
export HOLDFAST_TESTS = $(shell Scripts/test-targets '$(FILTER)')
endif
endif

# `make test SNAPSHOT=1` runs the tests of snapshots with several connections, as they are built for all
# tests, with a SQLite that has such snapshots, and those of waiting, because it sleeps for whole seconds; it is
# skipped with a message where none is to be had.
ifdef SNAPSHOT
WITH = Scripts/with-snapshots .build/snapshots
FILTER ?= SnapshotPool|BusyHandlerTests
endif

PREFIX ?= /usr/local

.PHONY: help build build-tests test lint lint-sources check-long format bench fuzz samples docs demo install uninstall clean

help:
	@echo 'make demo     build the tool and let it show what it does'
	@echo 'make test     run the tests        FILTER=Suite  SANITIZE=thread or address  CIPHER=1 TOOL=1  SNAPSHOT=1'
	@echo 'make build    build everything'
	@echo 'make lint     check format, warnings, imports, scripts, packages, types for Apple, names and architecture'
	@echo 'make check-long   run the tests that .ci/run has no time for'
	@echo 'make format   format every Swift file'
	@echo 'make fuzz     feed mutated bytes to the readers   ONLY=reader  SECONDS=1200'
	@echo 'make bench    measure              ONLY=group  SHORT=1  CIPHER=1'
	@echo 'make samples  build and run the packages of sample apps'
	@echo 'make docs     build .build/docs/Holdfast.doccarchive, and the page of GRDB'\''s names'
	@echo 'make install  build a release and install the tool   PREFIX=/usr/local; uninstall removes it'
	@echo 'make clean    remove .build'

build:
	@Scripts/setup build
	swift build $(strip $(STRICT))

# The tests without running them.
build-tests:
	$(if $(SNAPSHOT),,$(WITH)) swift build --build-tests $(strip $(STRICT) $(FLAVOUR))

test:
	@Scripts/setup test
	@$(MAKE) --no-print-directory build-tests
	$(WITH) Scripts/run-tests $(strip $(FLAVOUR) $(OPTIONS) $(if $(FILTER),--filter '$(FILTER)'))
ifdef ENCRYPTED
	$(ENCRYPTED) Scripts/run-tests $(strip $(FLAVOUR) $(if $(FILTER),--filter '$(FILTER)'))
	$(if $(TOOL),$(ENCRYPTED) Scripts/check-cipher .build/$(FOLDER)/debug/holdfast)
endif

lint:
	@Scripts/setup test
	@$(MAKE) --no-print-directory lint-sources
	@$(MAKE) --no-print-directory build-tests
	Scripts/check-apple
	Scripts/grdb-names check
	Scripts/run-tests --filter HouseRulesTests

# What needs no build.
lint-sources:
	swift format lint --strict --parallel --recursive $(SWIFT)
	Scripts/lint-scripts
	Scripts/check-dependencies

# What the whole check has no time for.
check-long: export HOLDFAST_REQUIRED = 1
check-long:
	$(MAKE) test CIPHER=1 TOOL=1
	$(MAKE) test SANITIZE=thread
	$(MAKE) test SANITIZE=address
	HOLDFAST_CASES=1000 $(MAKE) test FILTER=InspectorPageTests
	$(MAKE) install PREFIX=.build/installed
	.build/installed/bin/holdfast demo

format:
	@Scripts/setup build
	swift format --in-place --parallel --recursive $(SWIFT)

bench:
	@Scripts/setup test
	env -u HOLDFAST_TESTS $(WITH) swift build -c release $(strip --package-path Benchmarks --scratch-path $(BENCH) $(TRAIT))
	$(if $(filter inspector,$(or $(ONLY),inspector)),swift build -c release --product holdfast --scratch-path .build/bench-tool)
	HOLDFAST_BENCH_TOOL=$(CURDIR)/.build/bench-tool/release/holdfast $(WITH) \
	  $(BENCH)/release/holdfast-bench $(if $(ONLY),--only $(ONLY)) $(if $(SHORT),--short)

# Readers of outside bytes, each for 20 minutes or SECONDS, or one of them: FuzzedReader has their names.
fuzz: export HOLDFAST_FUZZ_SECONDS = $(or $(SECONDS),1200)
fuzz: export HOLDFAST_FUZZED = $(ONLY)
fuzz:
	$(MAKE) test FILTER=ReaderFuzzTests

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
