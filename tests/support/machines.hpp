// Machines that tests compute with, in a word.
#pragma once

#include <string>
#include <utility>

#include "run/machine.hpp"

namespace umov::test {

inline run::Machine on(std::string backend, int threads = 0) {
  run::Machine m;
  m.backend = std::move(backend);
  m.threads = threads;
  return m;
}

/// The serial backend; one thread of the processors, as small cases gain nothing from more.
inline const run::Machine serial = on("serial"), one_thread = on("cpu", 1);

/// The same machine with its state in a folder, from which it goes on or not.
inline run::Machine in(run::Machine m, std::string folder, bool resume = false) {
  m.output_dir = std::move(folder);
  m.checkpoint.resume = resume;
  return m;
}

}  // namespace umov::test
