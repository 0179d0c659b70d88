// Transparent materials by their published Sellmeier formulas, as undamped Lorentz poles.
#include <cmath>

#include "materials/library.hpp"

namespace umov::materials {

namespace {

/// One term B lambda^2 / (lambda^2 - lambda0^2), wavelengths in um.
struct Term {
  double strength, wavelength_um;
};

/// n^2 = constant + sum of terms: each is a Lorentz pole of delta = B and omega = 2 pi c / lambda0, undamped.
struct Formula {
  const char* name;
  std::vector<std::string> aliases;
  double constant;
  std::vector<Term> terms;
  std::pair<double, double> range_um;
  const char* source;
  const char* note;
};

Entry entry(const Formula& f) {
  Material m;
  m.name = f.name;
  m.eps = {f.constant, f.constant, f.constant};
  m.source = f.source;
  m.range_um = f.range_um;
  for (const auto& term : f.terms)
    m.poles.push_back({Pole::Kind::lorentz, term.strength, angular_frequency(term.wavelength_um), 0, 0});
  return {m, f.aliases, f.note};
}

/// The wavelength of a term written as B lambda^2 / (lambda^2 - C), C in um^2.
double root(double c) { return std::sqrt(c); }

}  // namespace

std::vector<Entry> sellmeier_materials() {
  const std::vector<Formula> formulas{
      {"silica",
       {"SiO2", "fused silica", "fused-silica"},
       1,
       {{0.6961663, 0.0684043}, {0.4079426, 0.1162414}, {0.8974794, 9.896161}},
       {0.21, 6.7},
       "I. H. Malitson, J. Opt. Soc. Am. 55, 1205 (1965); to 6.7 um: C. Z. Tan, J. Non-Cryst. Solids 223, "
       "158 (1998)",
       "fused silica, 20 C, lossless"},
      {"BK7",
       {"N-BK7"},
       1,
       {{1.03961212, root(0.00600069867)}, {0.231792344, root(0.0200179144)}, {1.01046945, root(103.560653)}},
       {0.3, 2.5},
       "SCHOTT, data sheet N-BK7 (2017)",
       "borosilicate crown glass, in air, lossless"},
      {"sapphire",
       {"Al2O3", "alumina"},
       1,
       {{1.4313493, 0.0726631}, {0.65054713, 0.1193242}, {5.3414021, 18.028251}},
       {0.2, 5.0},
       "I. H. Malitson, M. J. Dodge, J. Opt. Soc. Am. 62, 1405 (1972); M. J. Dodge, Handbook of Laser "
       "Science and "
       "Technology IV (CRC 1986), p. 30",
       "ordinary ray (the extraordinary index is 0.008 lower), 20 C, lossless"},
      {"silicon nitride",
       {"Si3N4", "silicon-nitride"},
       1,
       {{3.0249, 0.1353406}, {40314, 1239.842}},
       {0.31, 5.504},
       "K. Luke, Y. Okawachi, M. R. E. Lamont, A. L. Gaeta, M. Lipson, Opt. Lett. 40, 4823 (2015)",
       "film by low-pressure chemical vapour deposition, lossless"},
      // n^2 = 5.913 + 0.2441 / (lambda^2 - 0.0803): B lambda^2 / (lambda^2 - C) = B + B C / (lambda^2 - C).
      {"titania",
       {"TiO2", "rutile"},
       5.913 - 0.2441 / 0.0803,
       {{0.2441 / 0.0803, root(0.0803)}},
       {0.43, 1.53},
       "J. R. DeVore, J. Opt. Soc. Am. 41, 416 (1951)",
       "rutile, ordinary ray (the extraordinary index is 0.29 higher), lossless"},
      {"gallium arsenide",
       {"GaAs", "gallium-arsenide"},
       5.372514,
       {{5.466742, 0.4431307}, {0.02429960, 0.8746453}, {1.957522, 36.9166}},
       {0.97, 17},
       "T. Skauli et al., J. Appl. Phys. 94, 6447 (2003)",
       "22 C, below the gap, lossless; in the visible: GaAs-visible"},
      {"water",
       {"H2O"},
       1,
       {{5.684027565e-1, root(5.101829712e-3)},
        {1.726177391e-1, root(1.821153936e-2)},
        {2.086189578e-2, root(2.620722293e-2)},
        {1.130748688e-1, root(1.069792721e1)}},
       {0.182, 1.129},
       "M. Daimon, A. Masumura, Appl. Opt. 46, 3811 (2007)",
       "distilled, 20 C, lossless"},
      {"PMMA",
       {"acrylic"},
       1,
       {{1.1819, root(0.011313)}},
       {0.4368, 1.052},
       "N. Sultanova, S. Kasarova, I. Nikolov, Acta Phys. Pol. A 116, 585 (2009); Sellmeier term: "
       "refractiveindex.info",
       "20 C, lossless"},
  };
  std::vector<Entry> entries;
  for (const auto& formula : formulas) entries.push_back(entry(formula));
  return entries;
}

}  // namespace umov::materials
