// Values that no analysis accepts.
#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.hpp"
#include "core/text.hpp"
#include "eqs/model/model_parts.hpp"

namespace umov::eqs {

namespace {

void need(bool ok, const std::string& message) {
  if (!ok) throw BadInput(message);
}

void check_names(const Simulation& s) {
  std::set<std::string> seen;
  for (const auto& m : s.materials) {
    need(!m.name.empty(), "a material has no name; name it");
    need(seen.insert(m.name).second, "material '" + m.name + "' is given twice; merge the two or rename one");
  }
  seen.clear();
  for (const auto& e : s.electrodes) {
    need(!e.name.empty(), "an electrode has no name; name it");
    need(seen.insert(e.name).second,
         "electrode '" + e.name + "' is given twice; merge the two or rename one");
    need(std::isfinite(e.charge), "electrode '" + e.name + "': its charge is not a number");
  }
  seen.clear();
  const std::vector<std::string> axes{"x", "y", "z"};
  for (const auto& a : s.symmetry) {
    need(std::find(axes.begin(), axes.end(), a) != axes.end(),
         "unknown symmetry plane '" + a + "' (known: x, y, z)");
    need(seen.insert(a).second, "symmetry plane '" + a + "' is given twice");
  }
}

}  // namespace

void check_simulation(const Simulation& s) {
  need(s.mesh.file.empty() != !s.mesh.geometry.has_value(),
       s.mesh.file.empty() ? "there is no mesh; name a .msh file or describe a geometry"
                           : "both a mesh file and a geometry are given; take one out");
  need(s.mesh.order >= 0 && s.mesh.order <= 2,
       "element order " + std::to_string(s.mesh.order) + " is not there (known: 1, 2)");
  need(s.mesh.refine >= 0 && s.mesh.refine <= 8,
       "refine = " + std::to_string(s.mesh.refine) +
           " (every one multiplies the elements by eight; 0 to 8 are accepted)");
  need(s.mesh.unit > 0 && std::isfinite(s.mesh.unit), "the mesh's unit must be a positive number of metres");
  need(!s.materials.empty(), "there are no materials; give every volume region one");
  check_names(s);
  const bool fixed = std::any_of(s.electrodes.begin(), s.electrodes.end(), [](const ElectrodeSpec& e) {
    return e.kind != ElectrodeSpec::Kind::floating;
  });
  need(fixed, "no electrode has a fixed potential (the potential would be free by a constant); ground one");
  need(s.newton.tolerance > 0 && s.newton.tolerance < 1 && s.newton.max_iterations > 0,
       "Newton's tolerance must lie between 0 and 1, its iterations above 0");
  need(s.linear.tolerance > 0 && s.linear.tolerance < 1 && s.linear.max_iterations > 0,
       "the linear solver's tolerance must lie between 0 and 1, its iterations above 0");
  need(s.linear.reuse_growth >= 1, "reuse_growth is a ratio of iteration counts and at least 1");
  const std::vector<std::string> known{"auto", "amg", "p-multigrid", "jacobi"};
  need(std::find(known.begin(), known.end(), s.linear.preconditioner) != known.end(),
       "unknown preconditioner '" + s.linear.preconditioner + "' (known: " + join(known, ", ") + ") " +
           did_you_mean(s.linear.preconditioner, known));
}

}  // namespace umov::eqs
