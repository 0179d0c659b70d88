// The only file that is compiled anew when the version changes.
#include "run/version.hpp"

#include <fmt/format.h>

namespace umov::run {

const char* version() { return UMOV_VERSION; }

std::string built_for() {
  return fmt::format("processor  {}\ncompiler   {}\nbuilt in   {}\nleft out   {}\n", UMOV_PROCESSOR_WORDS,
                     UMOV_COMPILER, UMOV_BUILT_IN, UMOV_LEFT_OUT);
}

}  // namespace umov::run
