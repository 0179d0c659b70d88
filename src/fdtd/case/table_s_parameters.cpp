// Parameters of `umov fdtd` that ask for S-parameters.
#include "cases/declare.hpp"
#include "fdtd/case/case.hpp"
#include "fdtd/case/frequencies.hpp"
#include "fdtd/case/readers.hpp"

namespace umov::fdtd {

using cases::declare;

void add_s_parameters(ParameterTable<Case>& t) {
  const char* s = "s_parameters";
  t.add(
      declare(s, "on", {"--s-parameters", "--no-s-parameters"}, "",
              "Compute S-parameters between the ports: a run for each port and mode, in place of the case's "
              "own.",
              "where the frequencies below are given"),
      optional_of(boolean()), UMOV_SIM(s_parameters.on));
  const auto info = [s](const char* key, const char* unit, const char* help, const char* when_unset) {
    return declare(s, key, {}, unit, help, when_unset);
  };
  add_frequencies(
      t, info, [](auto& c) -> auto& { return c.simulation.s_parameters; },
      [](auto& c) -> auto& { return c.s_parameters; });
  t.add(declare(s, "ports", {}, "", "Names of the ports, in the order of the matrix.", "all, as found"),
        list_of(text("NAME")), UMOV_SIM(s_parameters.ports));
  t.add(declare(s, "modes", {}, "",
                "How many modes of each port: one number for all, or one for each of `ports`, in their "
                "order."),
        list_of(integer<int>(Range::between(1, 100))), UMOV_SIM(s_parameters.modes));
  t.add(
      declare(s, "reference", {}, "unit",
              "From each port's plane outward to the plane that phases refer to, below 0 inward: one number "
              "for all, or one for each of `ports`, in their order."),
      list_of(number()), UMOV_SIM(s_parameters.reference));
  t.add(declare(s, "excite", {}, "",
                "Ports that are excited, by name, or single modes of them as \"NAME:2\": columns of the "
                "matrix.",
                "all of `ports`"),
        list_of(text("NAME")), UMOV_SIM(s_parameters.excite));
}

}  // namespace umov::fdtd
