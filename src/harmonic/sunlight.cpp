// Sunlight: photons per wavelength, and what a spectrum of absorption makes of them.
#include "harmonic/sunlight.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "parameters/columns.hpp"

namespace umov::harmonic {

Sunlight am15g() {
  Sunlight out{"AM1.5G (ASTM G173-03)", {}, {}};
  for (int i = 0; i < am15g_rows; ++i) {
    const double nm = i < 241     ? 280 + 0.5 * i
                      : i < 1541  ? 400 + (i - 240)
                      : i == 1541 ? 1702
                                  : 1705 + 5 * (i - 1542);
    out.wavelength.push_back(nm * 1e-3);
    out.irradiance.push_back(am15g_table[i] * 1e3);
  }
  return out;
}

Sunlight read_sunlight(const std::string& path) {
  ColumnFormat format;
  format.columns = {{"wavelength", "um", "", true}, {"irradiance", "W/m^2/um"}};
  format.ascending = true;
  format.least_rows = 2;
  const Columns columns = read_columns(path, format, "spectrum of the light");
  for (std::size_t i = 0; i < columns.rows(); ++i)
    if (columns.value[0][i] <= 0 || columns.value[1][i] < 0)
      throw BadInput(
          path + ":" + std::to_string(columns.line[i]) +
          ": a wavelength must be above 0 and an irradiance not below (the columns are wavelength in um and "
          "irradiance in W/m^2/um); correct the row");
  return {path, columns.value[0], columns.value[1]};
}

namespace {

/// Photons per m^2, s and um: irradiance over h c / wavelength.
class PhotonFlux {
 public:
  explicit PhotonFlux(const Sunlight& s) : s_(s) {}
  double operator()(double w) const {
    constexpr double hc = 6.62607015e-34 * 299792458 * 1e6;  // J um
    const auto& x = s_.wavelength;
    if (x.empty() || w < x.front() || w > x.back()) return 0;
    const auto above = std::upper_bound(x.begin(), x.end(), w);
    const std::size_t i = std::min<std::size_t>(std::size_t(above - x.begin()), x.size() - 1) - 1;
    const double t = (w - x[i]) / (x[i + 1] - x[i]);
    const auto photons = [&](std::size_t n) { return s_.irradiance[n] * x[n] / hc; };
    return (1 - t) * photons(i) + t * photons(i + 1);
  }

 private:
  const Sunlight& s_;
};

}  // namespace

std::vector<double> photon_weights(const Sunlight& sun, const std::vector<double>& wavelengths) {
  std::vector<double> out(wavelengths.size(), 0);
  const PhotonFlux flux(sun);
  for (std::size_t i = 0; i + 1 < wavelengths.size(); ++i) {
    const double a = wavelengths[i], b = wavelengths[i + 1];
    std::vector<double> nodes{a, b};
    for (const double w : sun.wavelength)
      if (w > a && w < b) nodes.push_back(w);
    std::sort(nodes.begin(), nodes.end());
    for (std::size_t n = 0; n + 1 < nodes.size(); ++n) {
      // Simpson's rule: exact for the product of two linear functions
      const double l = nodes[n], r = nodes[n + 1], m = (l + r) / 2;
      const double fl = flux(l), fm = flux(m), fr = flux(r), h = (r - l) / 6;
      const auto share = [&](double w) { return (w - a) / (b - a); };
      out[i + 1] += h * (fl * share(l) + 4 * fm * share(m) + fr * share(r));
      out[i] += h * (fl * (1 - share(l)) + 4 * fm * (1 - share(m)) + fr * (1 - share(r)));
    }
  }
  return out;
}

}  // namespace umov::harmonic
