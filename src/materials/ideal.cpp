// Materials that are definitions rather than measurements: vacuum, air, the perfect conductor.
#include "materials/library.hpp"

namespace umov::materials {

std::vector<Entry> ideal_materials() {
  Material vacuum;
  vacuum.name = "vacuum";
  vacuum.source = "definition: eps = mu = 1";

  // n - 1 = 2.77e-4 in the visible at 15 C, 1 atm. Its dispersion (1e-5) is below what a grid resolves.
  Material air;
  air.name = "air";
  air.eps = {1.000554, 1.000554, 1.000554};
  air.source = "P. E. Ciddor, Appl. Opt. 35, 1566 (1996): n = 1.000277 at 0.5876 um";
  air.range_um = {0.3, 1.69};

  Material conductor;
  conductor.name = "pec";
  conductor.perfect_conductor = true;
  conductor.source = "definition: E = 0 inside";

  return {{vacuum, {}, ""},
          {air, {}, "dry, 15 C, 101325 Pa; dispersion neglected"},
          {conductor, {"perfect conductor", "perfect-conductor"}, ""}};
}

}  // namespace umov::materials
