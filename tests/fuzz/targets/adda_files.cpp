// The files beside ADDA's command line: angles of the grid, of the integrals and of the average; fields, and
// arrays of NumPy in their place.
#include "core/given_arrays.hpp"
#include "dda/observables/angles.hpp"
#include "dda/sources/beams.hpp"
#include "fuzz/target.hpp"
#include "shapes/recipe.hpp"

namespace umov {

FUZZ_TARGET(scat_params, ".dat") {
  describe(dda::load_scattering_grid(path, false));
  describe(dda::load_scattering_grid(path, true));
}
FUZZ_TARGET(alldir_params, ".dat") { describe(dda::load_all_directions(path)); }
FUZZ_TARGET(avg_params, ".dat") { describe(dda::load_orientation_angles(path)); }
FUZZ_TARGET(field, ".dat") { dda::sources::read_field(path, 3); }
FUZZ_TARGET(npy, ".npy") {
  if (const auto given = read_arrays(path)) {
    [[maybe_unused]] volatile double sum = 0;
    for (std::size_t i = 0; i < given->arrays.front().size(); ++i) sum = sum + given->arrays.front().real(i);
    shapes::read_array(*given);
  }
  dda::sources::read_field(path, 3);
}

}  // namespace umov
