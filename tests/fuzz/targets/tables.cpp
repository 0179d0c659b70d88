// Columns of numbers: curves and waveforms of both families, refractive indices, matrices and vectors.
#include "core/columns.hpp"
#include "fdtd/sources/sampled.hpp"
#include "fuzz/target.hpp"
#include "linalg/sparse/matrix_market.hpp"
#include "materials/nk_table.hpp"

namespace umov {

FUZZ_TARGET(columns, ".csv") {
  read_columns(path, {{{"E", "V/m"}, {"kappa", "S/m"}}, 0, true, 2}, "curve");
  read_columns(path, {{{"wavelength", "um", "", true}, {"n", ""}, {"k", ""}}, 1, false, 1}, "table");
}
FUZZ_TARGET(waveform, ".csv") { fdtd::read_samples(path); }
FUZZ_TARGET(nk, ".csv") { materials::read_nk(path); }
FUZZ_TARGET(nk_database, ".yml") { materials::read_nk(path); }
FUZZ_TARGET(matrix, ".mtx") { sparse::read_matrix(path); }
FUZZ_TARGET(vector, ".mtx") { sparse::read_vector(path); }

}  // namespace umov
