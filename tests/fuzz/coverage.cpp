// Counters of branches for the fuzzer: g++ calls functions at every branch and comparison of a reader,
// libFuzzer reads an array.
#include <cstdint>

extern "C" {

extern const char __executable_start;

/// libFuzzer finds them by the name of their section.
__attribute__((section("__libfuzzer_extra_counters"))) std::uint8_t umov_branches[1 << 16];

/// Takes the place of libFuzzer's function of this name, which is empty (linker option --wrap).
void __wrap___sanitizer_cov_trace_pc() {
  const auto place = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) -
                     reinterpret_cast<std::uintptr_t>(&__executable_start);
  ++umov_branches[(place ^ (place >> 16)) & 0xffff];
}

/// Comparisons of whole numbers are libFuzzer's; it has no use for these two, which only g++ calls.
void __sanitizer_cov_trace_cmpf(float, float) {}
void __sanitizer_cov_trace_cmpd(double, double) {}
}
