#include "program/leaving.hpp"

#include <unistd.h>

#include <cstdio>

namespace umov::program {

void leave([[maybe_unused]] int code) {
#if !defined(__SANITIZE_ADDRESS__)
  std::fflush(nullptr);
  _exit(code);
#endif
}

}  // namespace umov::program
