// Shares of materials by counting sites.
#include "dda/run/shares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace umov::dda {

namespace {

std::vector<double> shares_of(const shapes::Particle& p) {
  std::vector<double> out;
  for (const std::size_t n : p.dipoles_per_material) out.push_back(double(n) / double(p.dipoles()));
  return out;
}

/// Sites that give the volume of every part to about a per cent.
double enough_sites(const shapes::Particle& p) {
  constexpr double least = 1e6, most = 1e7, of_part = 500;
  std::size_t smallest = p.dipoles();
  for (const std::size_t n : p.dipoles_per_material)
    if (n > 0) smallest = std::min(smallest, n);
  const double own = double(p.sites());
  return std::max({least, 2 * own, std::min(most, own * of_part / double(smallest))});
}

/// What a small sphere of the material absorbs, the mean of its axes.
double small_absorption(const CVec3& m) {
  double sum = 0;
  for (const cplx& one : m) sum += std::max(0.0, (one * one).imag()) / std::norm(one * one + 2.0);
  return sum / 3;
}

std::string words_of(const shapes::Particle& p, std::size_t part, double off, double expected, double cabs) {
  const std::string absorption =
      cabs == 0 ? "" : fmt::format(", Cabs by some {:+.0f} % (each taken as a small sphere)", 100 * cabs);
  return fmt::format(
      "a part is off by {:.0f} % in volume: material {} has {} of {} dipoles, its share of the shape is "
      "{:.3g} "
      "(the grid is too coarse for it); what it absorbs and scatters is off with it{}; use a finer grid, or "
      "let `accuracy = '1%'` find values and error bars",
      100 * std::abs(off), part + 1, p.dipoles_per_material[part], p.dipoles(), expected, absorption);
}

}  // namespace

std::vector<double> true_shares(const shapes::Request& request, const Int3& box, double sites) {
  const double refined = std::cbrt(sites / (double(box[0]) * box[1] * box[2]));
  shapes::Request fine = request;
  fine.jagged = 1;
  // what a lattice misses scatters from one to the next
  constexpr int lattices = 4;
  std::vector<double> mean;
  for (int i = 0; i < lattices; ++i) {
    fine.grid = {std::max(1, int(std::lround(box[0] * refined)) - i), 0, 0};
    const std::vector<double> shares = shares_of(shapes::make_particle(fine));
    mean.resize(shares.size());
    for (std::size_t m = 0; m < shares.size(); ++m) mean[m] += shares[m] / lattices;
  }
  return mean;
}

std::vector<double> share_surplus(const shapes::Particle& p, const std::vector<double>& true_shares) {
  std::vector<double> out = shares_of(p);
  for (std::size_t m = 0; m < out.size(); ++m) out[m] -= true_shares.at(m);
  out.pop_back();  // minus the sum of the others
  return out;
}

double share_error(const std::vector<double>& shares, const std::vector<double>& true_shares,
                   const std::vector<CVec3>& m) {
  double absorbed = 0, surplus = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double one = small_absorption(m.at(i));
    absorbed += true_shares.at(i) * one;
    surplus += (shares[i] - true_shares[i]) * one;
  }
  return absorbed > 0 ? surplus / absorbed : 0;
}

void warn_of_shares(const Prepared& p, run::Journal& journal) {
  const shapes::Request& q = p.sim.shape;
  const bool analytic = q.shape != "read" && !q.granules && p.particle.materials > 1;
  if (!analytic || p.sim.accuracy > 0 || p.sim.one_of_grids || !p.has_materials()) return;
  constexpr double told = 0.05;
  const std::vector<double> wanted = true_shares(q, p.particle.box, enough_sites(p.particle));
  const std::vector<double> shares = shares_of(p.particle);
  std::size_t worst = 0;
  double most = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] == 0 || wanted[i] == 0) continue;  // said by itself, or too small to be known
    const double off = shares[i] / wanted[i] - 1;
    if (std::abs(off) > std::abs(most)) most = off, worst = i;
  }
  if (std::abs(most) < told) return;
  journal.warn(words_of(p.particle, worst, most, wanted[worst] * double(p.particle.dipoles()),
                        share_error(shares, wanted, p.sim.m)));
}

}  // namespace umov::dda
