// How far poles are off a table of n and k, at its rows and between them.
#include <algorithm>
#include <cmath>
#include <vector>

#include "materials/fit.hpp"

namespace umov::materials {

namespace {

/// Parts of an interval between rows at whose ends a fit is looked at.
constexpr int parts = 24;
/// Share of the largest difference of neighbouring rows thereabouts by which a curve through them may leave
/// their straight connection.
constexpr double bend = 0.25;

double step(const NkTable& t, std::size_t i) {
  return i + 1 < t.size() ? std::hypot(t.n[i + 1] - t.n[i], t.k[i + 1] - t.k[i]) : 0;
}

void check_between_samples(PoleFit& fit, const NkTable& table) {
  for (std::size_t i = 0; i + 1 < table.size(); ++i) {
    const cplx from(table.n[i], table.k[i]), to(table.n[i + 1], table.k[i + 1]);
    const double room = bend * std::max({step(table, i), step(table, i + 1), i > 0 ? step(table, i - 1) : 0});
    for (int part = 1; part < parts; ++part) {
      const double t = double(part) / parts;
      const double um = (1 - t) * table.wavelength_um[i] + t * table.wavelength_um[i + 1];
      const cplx line = (1 - t) * from + t * to;
      const double off = std::abs(refractive_index(fit.material, um) - line) - room;
      if (off <= fit.between_error * std::abs(line)) continue;
      fit.between_error = off / std::abs(line);
      fit.between_wavelength_um = um;
    }
  }
}

}  // namespace

double loss_error(cplx index, cplx wanted, double least_k) {
  const double loss = (wanted * wanted).imag();
  return std::abs((index * index).imag() - loss) / std::max(loss, 2 * std::abs(wanted) * least_k);
}

double counted_k(const NkTable& table) {
  return std::clamp(0.1 * std::ranges::max(table.k), faintest_k, small_k);
}

PoleFit compare(const Material& material, const NkTable& table) {
  return compare(material, table, counted_k(table));
}

PoleFit compare(const Material& material, const NkTable& table, double least_k) {
  PoleFit fit{.material = material, .least_k = least_k};
  double sum = 0, sum_of_loss = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const cplx wanted(table.n[i], table.k[i]);
    const cplx index = refractive_index(material, table.wavelength_um[i]);
    const double error = std::abs(index - wanted) / std::abs(wanted),
                 off = loss_error(index, wanted, least_k);
    sum += error * error, sum_of_loss += std::min(off * off, 1.0);
    if (off > fit.worst_loss_error)
      fit.worst_loss_error = off, fit.worst_loss_wavelength_um = table.wavelength_um[i];
    if (error <= fit.worst_error) continue;
    fit.worst_error = error;
    fit.worst_wavelength_um = table.wavelength_um[i];
  }
  fit.rms_error = std::sqrt(sum / double(table.size()));
  fit.loss_error = std::sqrt(sum_of_loss / double(table.size()));
  check_between_samples(fit, table);
  return fit;
}

}  // namespace umov::materials
