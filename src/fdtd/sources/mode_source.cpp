// Waveguide modes as sources: not part of this version.
#include "fdtd/sources/mode_source.hpp"

#include "core/error.hpp"

namespace umov::fdtd {

void add_mode(const SourceSpec&, const Signal&, const std::string& owner, Problem&) {
  throw BadInput(
      owner +
      ": waveguide modes are not built yet (this version has currents and plane waves); use a line source");
}

}  // namespace umov::fdtd
