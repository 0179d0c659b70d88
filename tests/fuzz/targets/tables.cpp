// Columns of numbers: curves and waveforms of both families, refractive indices, matrices and vectors.
#include <cmath>
#include <stdexcept>

#include "fdtd/sources/sampled.hpp"
#include "fuzz/target.hpp"
#include "linalg/sparse/matrix_market.hpp"
#include "materials/nk_table.hpp"
#include "parameters/columns.hpp"

namespace umov {

FUZZ_TARGET(columns, ".csv") {
  read_columns(path, {{{"E", "V/m"}, {"kappa", "S/m"}}, 0, true, 2}, "curve");
  read_columns(path, {{{"wavelength", "um", "", true}, {"n", ""}, {"k", ""}}, 1, false, 1}, "table");
}
FUZZ_TARGET(waveform, ".csv") { fdtd::read_samples(path); }

/// What is read has an index between its ends.
static void check_table(const materials::NkTable& t) {
  const auto promised = [](bool holds) {
    if (!holds) throw std::logic_error("a table of n and k breaks its promise");
  };
  promised(t.size() >= 2 && t.n.size() == t.size() && t.k.size() == t.size());
  for (std::size_t i = 0; i < t.size(); ++i) {
    promised(t.wavelength_um[i] > (i > 0 ? t.wavelength_um[i - 1] : 0) && t.n[i] > 0 && t.k[i] >= 0);
    promised(std::isfinite(t.n[i]) && std::isfinite(t.k[i]) && std::isfinite(t.wavelength_um[i]));
  }
  const cplx first = t.at(t.first()), last = t.at(t.last());
  promised(std::isfinite(std::abs(first)) && std::isfinite(std::abs(last)));
}

FUZZ_TARGET(nk, ".csv") { check_table(materials::read_nk(path)); }
FUZZ_TARGET(nk_database, ".yml") { check_table(materials::read_nk(path)); }
FUZZ_TARGET(matrix, ".mtx") { sparse::read_matrix(path); }
FUZZ_TARGET(vector, ".mtx") { sparse::read_vector(path); }

}  // namespace umov
