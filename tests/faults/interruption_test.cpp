// Runs that are stopped, killed and continued: the answer is that of an undisturbed run, to the last bit.
#include <gtest/gtest.h>

#include "support/program.hpp"

using namespace umov;
using test::TemporaryFolder;

namespace {

/// Oblique light on an absorbing ellipsoid: two polarizations, some 60 iterations each, about a second.
const std::string particle =
    "dda --shape ellipsoid --shape-arguments 0.7,1.3 --shape-grid 24 --grid-unit 0.35 --m (1.9,0.05) --propagation 1,2,3 "
    "--epsilon 1e-10 --iter bicgstab --cpu --backend serial --no-pictures --no-hdf5 --store-dip-pol ";

const std::vector<std::string> results{"CrossSec-Y", "CrossSec-X", "DipPol-Y", "DipPol-X", "mueller"};

}  // namespace
