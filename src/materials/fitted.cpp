// Poles fitted to published n and k with fit_poles: semiconductors, transparent conductors, metals, glass.
#include "materials/library.hpp"

namespace umov::materials {

namespace {

/// wp^2 and gamma, in (rad/fs)^2 and rad/fs.
Pole drude(double wp2, double gamma) { return {Pole::Kind::drude, wp2, 0, gamma, 0}; }

/// delta, w0 and gamma, in 1, rad/fs and rad/fs.
Pole lorentz(double delta, double w0, double gamma) { return {Pole::Kind::lorentz, delta, w0, gamma, 0}; }

struct Fit {
  const char* name;
  std::vector<std::string> aliases;
  double eps_inf;
  std::vector<Pole> poles;
  std::pair<double, double> range_um;
  const char* source;
  const char* note;
};

}  // namespace

// Poles of negative strength shape the absorption edges: Im eps of the sum is >= 0 everywhere, which the
// tests check.
std::vector<Entry> fitted_materials() {
  const std::vector<Fit> fits{
      {"silicon",
       {"Si"},
       1,
       {lorentz(10.6556, 6.24017, 0)},
       {1.2, 14},
       "H. H. Li, J. Phys. Chem. Ref. Data 9, 561 (1980)",
       "crystalline, 20 C, infrared, lossless (visible: c-Si); our fit: rms error of n + ik 0.016 %, worst "
       "0.033 %"},
      {"c-Si",
       {"crystalline silicon", "Si-visible"},
       1.7887109,
       {lorentz(2.46944204, 5.14163956, 0.396064035), lorentz(-10.7349012, 6.28938829, 3.61880657),
        lorentz(21.3171348, 6.3309856, 2.01774978), lorentz(-2.04416199, 5.03662852, 0.608036912),
        lorentz(-0.999925631, 4.66775799, 1.68342985), lorentz(-0.0123630514, 1.99286704, 1.05579268),
        lorentz(-1.16933632, 6.04638671, 0.67065744), lorentz(1.05860324, 5.39022936, 0.651759933)},
       {0.3, 1.2},
       "M. A. Green, Sol. Energy Mater. Sol. Cells 92, 1305 (2008)",
       "crystalline, intrinsic, 27 C; k within 3 % from 0.4 to 1 um; our fit: rms error of n + ik 0.093 %, "
       "worst 0.58 %"},
      {"a-Si:H",
       {"a-Si", "amorphous silicon"},
       1.14943,
       {lorentz(9.74132, 5.67404, 2.90907), lorentz(-7.49918, 3.63077, 3.4756),
        lorentz(-0.0136825, 2.82819, 0.427815), lorentz(0.77267, 2.56445, 1.93648),
        lorentz(8.42406, 6.67968, 4.8449)},
       {0.3, 1.2},
       "D. Franta et al., Thin Solid Films 541, 12 (2013)",
       "hydrogenated amorphous silicon film; our fit: rms error of n + ik 0.018 %, worst 0.064 %"},
      {"GaAs-visible",
       {"gallium arsenide visible"},
       1.48896832,
       {lorentz(0.77169148, 7.39990563, 0.556935062), lorentz(0.397222192, 4.43528592, 0.231732717),
        lorentz(5.38660583, 5.3902308, 2.68044951), lorentz(1.7252836, 9.39769384, 3.59636389),
        lorentz(1.13194321, 4.74982836, 0.596013065), lorentz(2.51918049, 6.96185047, 1.13955405),
        lorentz(-0.854903686, 2.18502828, 2.10788339), lorentz(-1.55842972, 4.22572083, 2.14717236)},
       {0.22, 0.83},
       "D. E. Aspnes, S. M. Kelso, R. A. Logan, R. Bhat, J. Appl. Phys. 60, 754 (1986)",
       "above the gap; our fit: rms error of n + ik 0.45 %, worst 0.87 %"},
      {"ZnO:Al",
       {"AZO"},
       1,
       {drude(4.22574, 0.0982081), lorentz(2.36279, 10.4321, 0.104647), lorentz(-1.05467, 6.24206, 2.4587),
        lorentz(1.16317, 6.25545, 2.15581), lorentz(-0.238636, 5.42199, 0.707042),
        lorentz(0.230495, 5.45973, 0.666231)},
       {0.3, 0.9},
       "R. E. Treharne et al., J. Phys. Conf. Ser. 286, 012038 (2011)",
       "sputtered film, 2 % Al by weight; films differ widely; our fit: rms error of n + ik 0.1 %, worst "
       "0.57 %"},
      {"ITO",
       {"In2O3:Sn"},
       2.59591,
       {drude(8.03067, 0.0273673), lorentz(2.43456, 8.81997, 3.26469), lorentz(-0.0565388, 6.03201, 1.53828),
        lorentz(-1.0724, 7.89173, 5.77232)},
       {0.3, 1.0},
       "T. A. F. Konig et al., ACS Nano 8, 6182 (2014)",
       "film of 72 nm on glass; films differ widely; our fit: rms error of n + ik 0.019 %, worst 0.14 %"},
      {"silver-jiang",
       {"Ag-jiang"},
       3.62312,
       {drude(177.645, 0.0669567), lorentz(0.383448, 6.52911, 0.856969),
        lorentz(0.457876, 7.64004, 0.0470913), lorentz(-0.0247604, 6.0333, 0.291963),
        lorentz(-0.0598692, 5.94859, 0.818687)},
       {0.3, 2.0},
       "Y. Jiang, S. Pillai, M. A. Green, Sci. Rep. 6, 30605 (2016)",
       "annealed films: less loss in the visible than silver; our fit: rms error of n + ik 0.052 %, worst "
       "0.3 %"},
      {"gold-jc",
       {"Au-jc"},
       4.04603,
       {drude(177.434, 0.0905317), lorentz(0.357653, 4.04822, 0.639697), lorentz(0.993849, 6.50452, 1.47994),
        lorentz(0.704708, 4.58798, 1.04536), lorentz(0.9039, 5.43996, 1.54533)},
       {0.3, 1.94},
       "P. B. Johnson, R. W. Christy, Phys. Rev. B 6, 4370 (1972)",
       "evaporated films; our fit: rms error of n + ik 1.5 %, worst 3.4 %"},
      {"soda-lime glass",
       {"glass", "window glass"},
       1,
       {lorentz(1.28995, 20.2109, 0), lorentz(1.02552, 0.179395, 0)},
       {0.31, 2.5},
       "M. Rubin, Sol. Energy Mater. 12, 275 (1985), clear",
       "lossless; our fit: rms error of n 0.015 %, worst 0.053 %"},
  };
  std::vector<Entry> entries;
  for (const auto& fit : fits) {
    Material m;
    m.name = fit.name;
    m.eps = {fit.eps_inf, fit.eps_inf, fit.eps_inf};
    m.poles = fit.poles;
    m.source = fit.source;
    m.range_um = fit.range_um;
    entries.push_back({m, fit.aliases, fit.note});
  }
  return entries;
}

}  // namespace umov::materials
