// How large a field is, in the whole model and in every material, and an error beside it.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace umov::eqs {

struct FieldSize {
  double energy = 0;             ///< root of the integral of eps |E|^2
  std::vector<double> material;  ///< of every material, root of the integral of |E|^2

  /// The larger one of both, each by itself.
  void grow_to(const FieldSize& other) {
    energy = std::max(energy, other.energy);
    material.resize(other.material.size(), 0.0);
    for (std::size_t m = 0; m < material.size(); ++m) material[m] = std::max(material[m], other.material[m]);
  }
  /// To or from an archive (core/bytes.hpp).
  template <class Archive>
  void state(Archive& archive) {
    archive(energy);
    archive(material);
  }
};

/// A material whose root mean square of |E| is less than this share of the largest one of a material is
/// measured by the share: what is hardly there, as in a good conductor, takes no steps.
inline constexpr double least_share = 0.03;

/// The largest ratio of `error` to the largest field so far: of the whole by energy, and in every material. A
/// thin layer of low permittivity holds so little of the energy that the whole does not see it.
inline double relative_error(const FieldSize& error, const FieldSize& largest,
                             const std::vector<double>& volume) {
  double most = 0, field = 0;
  for (std::size_t m = 0; m < volume.size(); ++m)
    if (volume[m] > 0) field = std::max(field, largest.material[m] / std::sqrt(volume[m]));
  const auto look = [&](double e, double scale) {
    if (!(e <= 0)) most = std::max(most, scale > 0 && std::isfinite(e) ? e / scale : double(INFINITY));
  };
  look(error.energy, largest.energy);
  for (std::size_t m = 0; m < volume.size(); ++m)
    look(error.material[m], std::max(largest.material[m], least_share * field * std::sqrt(volume[m])));
  return most;
}

/// Each root mean square of |E|, V/m, grows to that of `size`.
inline void grow_to_means(std::vector<double>& means, const FieldSize& size,
                          const std::vector<double>& volume) {
  means.resize(volume.size(), 0.0);
  for (std::size_t m = 0; m < volume.size(); ++m)
    if (volume[m] > 0) means[m] = std::max(means[m], size.material[m] / std::sqrt(volume[m]));
}

}  // namespace umov::eqs
