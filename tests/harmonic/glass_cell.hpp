// A flat thin-film cell and what becomes of light in it, for tests.
#pragma once

#include <vector>

#include "layers/transfer_matrix.hpp"

namespace umov::harmonic {

/// Soda-lime glass (half space) / ZnO:Al 500 nm / a-Si:H 300 nm / ZnO:Al 80 nm / Ag (half space), normal
/// incidence. n and k: glass: M. Rubin, Solar Energy Materials 12, 275 (1985), clear; ZnO:Al: R. E. Treharne
/// et al., J. Phys.: Conf. Ser. 286, 012038 (2011); a-Si:H: D. Franta et al., Appl. Surf. Sci. 421, 405
/// (2017); Ag: Y. Jiang et al., Sci. Rep. 6, 30605 (2016), as tabulated by refractiveindex.info (CC0),
/// interpolated linearly. The powers are those of a transfer-matrix program that shares nothing with this
/// one, to five digits.
struct GlassCell {
  double wavelength;  ///< um
  double glass;
  cplx zinc_oxide, silicon, silver_index;
  double reflection, front_contact, absorber, back_contact, silver;

  layers::FlatStack stack() const {
    const cplx oxide = zinc_oxide * zinc_oxide;
    return {
        glass * glass, {{0.5, oxide}, {0.3, silicon * silicon}, {0.08, oxide}}, silver_index * silver_index};
  }
};

inline std::vector<GlassCell> glass_cells() {
  return {{0.55,
           1.5251,
           {1.8559, 0.00166},
           {4.6262, 0.31576},
           {0.0490, 3.248},
           0.10296,
           0.02137,
           0.87357,
           0.00056,
           0.00155},
          {0.65,
           1.5210,
           {1.7862, 0.00337},
           {4.2235, 0.04501},
           {0.0610, 4.079},
           0.39387,
           0.04049,
           0.54837,
           0.00696,
           0.01031},
          {0.75,
           1.5183,
           {1.7207, 0.00631},
           {3.9739, 0.00270},
           {0.0780, 4.867},
           0.87772,
           0.07978,
           0.02622,
           0.00819,
           0.00809}};
}

}  // namespace umov::harmonic
