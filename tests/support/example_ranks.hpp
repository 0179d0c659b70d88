// An example of the repository on one rank, on processes of an MPI, or on ranks of one process.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "support/ranked_program.hpp"

namespace umov::test {

struct ExampleOn {
  std::string name;
  std::string kind;  ///< "": one rank; "threads": three; "openmpi", "mpich": two
};
inline void PrintTo(const ExampleOn& e, std::ostream* to) {
  *to << e.name << (e.kind.empty() ? "" : "_") << e.kind;
}

/// What stands before the program and behind its words.
inline std::string before(const ExampleOn& e) {
  return e.kind.empty() || e.kind == "threads" ? "" : mpirun(e.kind, 2);
}
inline std::string after(const ExampleOn& e) { return e.kind == "threads" ? "--ranks 3" : ""; }
inline bool can_run(const ExampleOn& e) {
  return e.kind.empty() || e.kind == "threads" || !before(e).empty();
}

inline std::vector<ExampleOn> alone(const std::vector<std::string>& names) {
  std::vector<ExampleOn> all;
  for (const auto& name : names) all.push_back({name, ""});
  return all;
}
inline std::vector<ExampleOn> on_ranks(const std::vector<std::string>& names) {
  std::vector<ExampleOn> all;
  for (const auto& name : names)
    for (const std::string kind : {"threads", "openmpi"}) all.push_back({name, kind});
  return all;
}

}  // namespace umov::test
