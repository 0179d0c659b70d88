// Parameters that ask for several ranks: the same in every family that can use them.
#pragma once

#include "cases/declare.hpp"
#include "comm/asked.hpp"

namespace umov::cases {

inline constexpr int most_ranks = 1024;

/// A number of GPUs, or all.
inline Codec<int> gpu_count() {
  return {[](const Value& v) {
            if (std::holds_alternative<std::string>(v.data)) {
              read_choice(v, {"all"});
              return comm::Asked::all;
            }
            return static_cast<int>(read_integer(v, Range::between(0, most_ranks)));
          },
          parse_scalar,
          [](const int& n) { return n == comm::Asked::all ? std::string("\"all\"") : std::to_string(n); },
          "0 to 1024, all",
          "N|all",
          false,
          false,
          schema::any_of({schema::whole_number(Range::between(0, most_ranks)), schema::words({"all"})})};
}

/// gpus and ranks of [machine].
template <class Case>
void add_rank_parameters(ParameterTable<Case>& t) {
  const char* s = "machine";
  t.add(of_machine(
            declare(s, "gpus", {"--gpus"}, "",
                    "GPUs of this machine that compute one case together; 0: one device, as `device` says.")),
        gpu_count(), UMOV_MACHINE(ranks.gpus));
  t.add(of_machine(
            declare(s, "ranks", {"--ranks"}, "",
                    "Parts of this process that compute one case together on processors, as those of mpirun "
                    "would; 0: one.")),
        integer<int>(Range::between(0, most_ranks)), UMOV_MACHINE(ranks.ranks));
}

}  // namespace umov::cases
