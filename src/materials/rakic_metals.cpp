// Lorentz-Drude models of eleven metals: Rakic, Djurisic, Elazar, Majewski, Appl. Opt. 37, 5271 (1998).
#include "materials/library.hpp"

namespace umov::materials {

namespace {

/// One oscillator of table 2 or 3: strength f, resonance and damping in eV.
struct Oscillator {
  double f, omega, gamma;
};

/// A metal as the paper tabulates it: plasma frequency (eV), the intraband (Drude) term, the interband ones.
struct Metal {
  const char* name;
  const char* symbol;
  double plasma, f0, gamma0;
  std::vector<Oscillator> bands;
  double shortest_um, longest_um;  ///< range of the spectra drawn with the model in the paper
};

/// eps = 1 - f0 wp^2 / (w^2 + i g0 w) + sum f wp^2 / (w0^2 - w^2 - i g w): equations 1 to 4 of the paper.
Entry entry(const Metal& metal) {
  constexpr double ev = rad_per_fs_per_ev;
  const double wp2 = metal.plasma * metal.plasma;
  Material m;
  m.name = metal.name;
  m.source =
      "A. D. Rakic, A. B. Djurisic, J. M. Elazar, M. L. Majewski, Appl. Opt. 37, 5271 (1998), Lorentz-Drude";
  m.range_um = {metal.shortest_um, metal.longest_um};
  m.poles.push_back({Pole::Kind::drude, metal.f0 * wp2 * ev * ev, 0, metal.gamma0 * ev, 0});
  for (const auto& b : metal.bands)
    m.poles.push_back({Pole::Kind::lorentz, b.f * wp2 / (b.omega * b.omega), b.omega * ev, b.gamma * ev, 0});
  std::vector<std::string> aliases{metal.symbol};
  if (m.name == "aluminium") aliases.push_back("aluminum");
  return {m, aliases, "evaporated films and crystals, room temperature"};
}

}  // namespace

std::vector<Entry> rakic_metals() {
  const std::vector<Metal> metals{
      {"silver",
       "Ag",
       9.01,
       0.845,
       0.048,
       {{0.065, 0.816, 3.886},
        {0.124, 4.481, 0.452},
        {0.011, 8.185, 0.065},
        {0.840, 9.083, 0.916},
        {5.646, 20.29, 2.419}},
       0.248,
       12.4},
      {"gold",
       "Au",
       9.03,
       0.760,
       0.053,
       {{0.024, 0.415, 0.241},
        {0.010, 0.830, 0.345},
        {0.071, 2.969, 0.870},
        {0.601, 4.304, 2.494},
        {4.384, 13.32, 2.214}},
       0.248,
       6.2},
      {"copper",
       "Cu",
       10.83,
       0.575,
       0.030,
       {{0.061, 0.291, 0.378}, {0.104, 2.957, 1.056}, {0.723, 5.300, 3.213}, {0.638, 11.18, 4.305}},
       0.207,
       12.4},
      {"aluminium",
       "Al",
       14.98,
       0.523,
       0.047,
       {{0.227, 0.162, 0.333}, {0.050, 1.544, 0.312}, {0.166, 1.808, 1.351}, {0.030, 3.473, 3.382}},
       0.062,
       248},
      {"beryllium",
       "Be",
       18.51,
       0.084,
       0.035,
       {{0.031, 0.100, 1.664}, {0.140, 1.032, 3.395}, {0.530, 3.183, 4.454}, {0.130, 4.604, 1.802}},
       0.248,
       62},
      {"chromium",
       "Cr",
       10.75,
       0.168,
       0.047,
       {{0.151, 0.121, 3.175}, {0.150, 0.543, 1.305}, {1.149, 1.970, 2.676}, {0.825, 8.775, 1.335}},
       0.248,
       62},
      {"nickel",
       "Ni",
       15.92,
       0.096,
       0.048,
       {{0.100, 0.174, 4.511}, {0.135, 0.582, 1.334}, {0.106, 1.597, 2.178}, {0.729, 6.089, 6.292}},
       0.248,
       6.2},
      {"palladium",
       "Pd",
       9.72,
       0.330,
       0.008,
       {{0.649, 0.336, 2.950}, {0.121, 0.501, 0.555}, {0.638, 1.659, 4.621}, {0.453, 5.715, 3.236}},
       0.248,
       12.4},
      {"platinum",
       "Pt",
       9.59,
       0.333,
       0.080,
       {{0.191, 0.780, 0.517}, {0.659, 1.314, 1.838}, {0.547, 3.141, 3.668}, {3.576, 9.249, 8.517}},
       0.248,
       12.4},
      {"titanium",
       "Ti",
       7.29,
       0.148,
       0.082,
       {{0.899, 0.777, 2.276}, {0.393, 1.545, 2.518}, {0.187, 2.509, 1.663}, {0.001, 19.43, 1.762}},
       0.248,
       31},
      {"tungsten",
       "W",
       13.22,
       0.206,
       0.064,
       {{0.054, 1.004, 0.530}, {0.166, 1.917, 1.281}, {0.706, 3.580, 3.332}, {2.590, 7.498, 5.836}},
       0.248,
       12.4},
  };
  std::vector<Entry> entries;
  for (const auto& metal : metals) entries.push_back(entry(metal));
  return entries;
}

}  // namespace umov::materials
