// Ends the program with a message where the processor lacks what it was compiled to use, before an
// instruction of it ends it without one. Compiled for any processor of its kind, before all other
// initialisation; no header with code is included, whose copy might be another file's.
#include <unistd.h>

#include "processor/needs.hpp"

#ifdef __x86_64__

namespace {

unsigned long length(const char* text) {
  unsigned long n = 0;
  while (text[n]) ++n;
  return n;
}

void say(const char* text) {
  if (write(2, text, length(text)) < 0) _exit(4);
}

const char* lacking() {
  using namespace umov::processor;
  __builtin_cpu_init();
  if ((needs & sse42) && !__builtin_cpu_supports("sse4.2")) return "SSE4.2";
  if ((needs & avx) && !__builtin_cpu_supports("avx")) return "AVX";
  if ((needs & avx2) && !__builtin_cpu_supports("avx2")) return "AVX2";
  if ((needs & fma) && !__builtin_cpu_supports("fma")) return "FMA";
  if ((needs & bmi2) && !__builtin_cpu_supports("bmi2")) return "BMI2";
  if ((needs & avx512f) && !__builtin_cpu_supports("avx512f")) return "AVX-512";
  if ((needs & avx512vl) && !__builtin_cpu_supports("avx512vl")) return "AVX-512VL";
  return nullptr;
}

// 101 is the first priority that a program may take.
__attribute__((constructor(101))) void check() {
  const char* what = lacking();
  if (!what) return;
  say("umov: this processor lacks ");
  say(what);
  say(" (umov was built for " UMOV_PROCESSOR_WORDS
      "); build it here, as `make build` does, or with -DUMOV_NATIVE=OFF -DUMOV_PROCESSOR=x86-64 for any "
      "processor\n");
  _exit(4);
}

}  // namespace

#endif
