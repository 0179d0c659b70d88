// Machines that tests compute with, in a word.
#pragma once

#include <concepts>
#include <string>
#include <utility>

#include "run/machine.hpp"

namespace umov::test {

/// That of a family, too, which leaves what it adds to its ranks.
struct AnyMachine : run::Machine {
  template <std::derived_from<run::Machine> Own>
  requires(!std::same_as<Own, run::Machine>) operator Own() const {
    Own own;
    static_cast<run::Machine&>(own) = *this;
    return own;
  }
};

inline AnyMachine on(std::string backend, int threads = 0) {
  AnyMachine m;
  m.backend = std::move(backend);
  m.threads = threads;
  return m;
}

/// The serial backend; one thread of the processors, as small cases gain nothing from more.
inline const AnyMachine serial = on("serial"), one_thread = on("cpu", 1);

/// The same machine with its state in a folder, from which it goes on or not.
inline AnyMachine in(const run::Machine& like, std::string folder, bool resume = false) {
  AnyMachine m{like};
  m.output_dir = std::move(folder);
  m.checkpoint.resume = resume;
  return m;
}

}  // namespace umov::test
