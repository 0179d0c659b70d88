// Inputs of OpenDDA and DDSCAT, with the files beside them.
#include <cmath>
#include <filesystem>
#include <fstream>

#include "dda/ddscat/dielectric.hpp"
#include "dda/ddscat/parameters.hpp"
#include "dda/ddscat/target.hpp"
#include "dda/ddscat/translate.hpp"
#include "dda/opendda/index_table.hpp"
#include "dda/opendda/results.hpp"
#include "fuzz/target.hpp"

namespace umov {
namespace {

namespace fs = std::filesystem;

/// A file that inputs may name, in the same folder.
void beside(const std::string& path, const std::string& name, const std::string& text) {
  std::ofstream(fs::path(path).parent_path() / name) << text;
}

}  // namespace

FUZZ_TARGET(opendda_control, ".input") {
  beside(path, "custom.target", "0,0,0,0,0,0\n1,0,0,0,0,0\n");
  const auto box = dda::opendda::read_control(path).box;
  if (double(box[0]) * box[1] * box[2] < 1e5) dda::opendda::make_job(path);
}
FUZZ_TARGET(opendda_index, ".input") {
  const auto table = dda::opendda::read_index_table(path);
  dda::opendda::index_at(table, 0.5 * (table.wavelength.front() + table.wavelength.back()));
}
FUZZ_TARGET(ddscat_par, ".par") {
  beside(path, "m.tab", "m\n1 2 3 0 0\nwave n k\n1e-6 1.5 0.01\n1 1.5 0.01\n1e5 1.5 0.01\n");
  beside(path, "two.targ", "2\nnone\n1 0 0\n0 1 0\nx y z a\n0 0 0 0.5\n1 0 0 0.5\n");
  for (const double x : dda::ddscat::read_parameters(path).shape_parameters)
    if (std::abs(x) > 30) return;
  dda::ddscat::make_job(path);
}
FUZZ_TARGET(ddscat_index, ".tab") {
  const auto table = dda::ddscat::read_dielectric(path);
  dda::ddscat::index_at(table, 0.5 * (table.wavelength.front() + table.wavelength.back()));
}
FUZZ_TARGET(ddscat_target, ".dat") { dda::ddscat::target_from_file(path, true, 3); }

}  // namespace umov
