# The front door: `make demo` shows what umov does, `make test` shows that it is right.
# Everything else is CMake; see CMakePresets.json and ARCHITECTURE.md.
BUILD ?= build
JOBS ?= $(shell nproc)
CMAKE_FLAGS ?=
# A first build compiles several files at a time; a build that is there stays as it was configured.
first = $(if $(wildcard $(1)/CMakeCache.txt),,-DUMOV_UNITY=ON)
# Tests of several ranks wait for one another: one more than there are cores.
TEST_JOBS ?= $(shell expr $(JOBS) + 1)
# make fuzz: seconds for each reader, and which readers (none: all)
FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?=

.PHONY: help configure build demo test tests quick page site package validate benchmark cuda fuzz sanitize sanitize-quick sanitizers format clean

help:
	@echo "make demo      install what is needed, build, compute particles and waves, compare with exact answers: pictures in out/demo"
	@echo "make test      install, build and run all tests"
	@echo "make quick     install, build, and run the tests that take a minute together: before every commit"
	@echo "make page      the page of the live view: types, rules, tests, build, browsers (needs npm; chromium for the last)"
	@echo "make site      the manual as a site, with its tutorials run: $(BUILD)/site (installs Sphinx and furo)"
	@echo "make package   Debian packages and an archive for processors of the level x86-64-v3: $(BUILD)/package/packages"
	@echo "make validate  longer validation (tens of minutes)"
	@echo "make build     build only; the program is $(BUILD)/bin/umov"
	@echo "make cuda      build with the CUDA backend for the GPU of this machine (nvcc 12.4 or later; any NVIDIA GPU from compute capability 7.5)"
	@echo "make benchmark build and run the benchmarks: measured / floor"
	@echo "make fuzz      hostile input for every reader, with sanitizers, FUZZ_SECONDS=$(FUZZ_SECONDS) each; FUZZ_TARGETS=\"png msh\" for some"
	@echo "make sanitize  the quick tests with address and undefined-behaviour sanitizers"
	@echo "make sanitize-quick  the same of the rooms that no family is needed for: three minutes"
	@echo "make format    format the sources"

configure:
	@tools/setup.sh build
	@echo "configure: $(BUILD)"
	@cmake -S . -B $(BUILD) -G Ninja -DUMOV_TESTS=OFF $(call first,$(BUILD)) $(CMAKE_FLAGS) >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }; mv $(BUILD).log $(BUILD)/configure.log

build: configure
	@echo "build: $(JOBS) jobs"
	@cmake --build $(BUILD) -j $(JOBS)

# Particles are a third of the program: their pictures come before the rest is compiled.
demo: configure
	@echo "build: $(JOBS) jobs, first what computes particles"
	@cmake --build $(BUILD) -j $(JOBS) --target umov-particles
	@tools/demo.sh $(BUILD)/bin/umov-particles particles
	@echo; echo "build: $(JOBS) jobs, the rest"
	@cmake --build $(BUILD) -j $(JOBS)
	@tools/demo.sh $(BUILD)/bin/umov waves

tests:
	@tools/setup.sh test
	@echo "configure: $(BUILD)"
	@cmake -S . -B $(BUILD) -G Ninja -DUMOV_TESTS=ON $(call first,$(BUILD)) $(CMAKE_FLAGS) >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }; mv $(BUILD).log $(BUILD)/configure.log
	@echo "build: $(JOBS) jobs"
	@cmake --build $(BUILD) -j $(JOBS)

test: tests
	@echo "test: $(BUILD)"
	@ctest --test-dir $(BUILD) --output-on-failure -j $(TEST_JOBS) -LE validate

quick: tests
	@ctest --test-dir $(BUILD) --output-on-failure -j $(TEST_JOBS) -L quick

page:
	@tools/page.sh

site: build
	@tools/setup.sh site
	@tools/site.sh $(BUILD)

package:
	@tools/setup.sh build
	@tools/package.sh $(BUILD)/package

validate: test
	@ctest --test-dir $(BUILD) --output-on-failure -L validate

cuda:
	@tools/setup.sh test
	@cmake -S . -B $(BUILD) -G Ninja -DUMOV_CUDA=ON $(call first,$(BUILD)) $(CMAKE_FLAGS)
	@cmake --build $(BUILD) -j $(JOBS)

benchmark:
	@tools/setup.sh build
	@cmake -S . -B $(BUILD) -G Ninja -DUMOV_BENCHMARKS=ON $(call first,$(BUILD)) $(CMAKE_FLAGS) >/dev/null
	@cmake --build $(BUILD) -j $(JOBS)
	@$(BUILD)/bin/bench_dda_product

sanitizers:
	@tools/setup.sh fuzz
	@cmake --preset asan -B $(BUILD)/asan -DUMOV_TESTS=ON $(CMAKE_FLAGS) >/dev/null

fuzz: sanitizers
	@cmake --build $(BUILD)/asan -j $(JOBS) --target fuzzer
	@tools/fuzz.sh $(BUILD)/asan/bin/fuzzer $(FUZZ_SECONDS) $(FUZZ_TARGETS)

sanitize: sanitizers
	@cmake --build $(BUILD)/asan -j $(JOBS)
	@tools/sanitize.sh $(BUILD)/asan

sanitize-quick:
	@tools/setup.sh test
	@cmake --preset asan -B $(BUILD)/asan -DUMOV_TESTS=ON $(call first,$(BUILD)/asan) $(CMAKE_FLAGS) >/dev/null
	@cmake --build $(BUILD)/asan -j $(JOBS) --target test_shared test_mesh
	@tools/sanitize.sh $(BUILD)/asan quick

format:
	@git ls-files '*.cpp' '*.hpp' '*.cu' '*.cuh' | xargs clang-format -i

clean:
	rm -rf $(BUILD) out
