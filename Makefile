# The front door: `make demo` shows what umov does, `make test` shows that it is right.
# Everything else is CMake; see CMakePresets.json and ARCHITECTURE.md.
BUILD ?= build
JOBS ?= $(shell nproc)
CMAKE_FLAGS ?=

.PHONY: help build demo test validate benchmark cuda format clean

help:
	@echo "make demo      install what is needed, build, compute particles and waves, compare with exact answers: pictures in out/demo"
	@echo "make test      install, build and run all tests"
	@echo "make validate  longer validation (tens of minutes)"
	@echo "make build     build only; the program is $(BUILD)/bin/umov"
	@echo "make cuda      build with the CUDA backend (needs nvcc 13)"
	@echo "make benchmark build and run the benchmarks: measured / floor"
	@echo "make format    format the sources"

build:
	@tools/setup.sh build
	@echo "configure: $(BUILD)"
	@cmake -S . -B $(BUILD) -G Ninja -DUMOV_TESTS=OFF $(CMAKE_FLAGS) >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }; mv $(BUILD).log $(BUILD)/configure.log
	@echo "build: $(JOBS) jobs"
	@cmake --build $(BUILD) -j $(JOBS)

demo: build
	@tools/demo.sh $(BUILD)/bin/umov

test:
	@tools/setup.sh test
	@echo "configure: $(BUILD)"
	@cmake -S . -B $(BUILD) -G Ninja -DUMOV_TESTS=ON $(CMAKE_FLAGS) >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }; mv $(BUILD).log $(BUILD)/configure.log
	@echo "build: $(JOBS) jobs"
	@cmake --build $(BUILD) -j $(JOBS)
	@echo "test: $(BUILD)"
	@ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS) -LE validate

validate: test
	@ctest --test-dir $(BUILD) --output-on-failure -L validate

cuda:
	@tools/setup.sh test
	@cmake -S . -B $(BUILD) -G Ninja -DUMOV_CUDA=ON $(CMAKE_FLAGS)
	@cmake --build $(BUILD) -j $(JOBS)

benchmark:
	@tools/setup.sh build
	@cmake -S . -B $(BUILD) -G Ninja -DUMOV_BENCHMARKS=ON $(CMAKE_FLAGS) >/dev/null
	@cmake --build $(BUILD) -j $(JOBS)
	@$(BUILD)/bin/bench_dda_product

format:
	@git ls-files '*.cpp' '*.hpp' '*.cu' '*.cuh' | xargs clang-format -i

clean:
	rm -rf $(BUILD) out
