// Response surfaces of a batch: columns of its table over its parameters.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "eqs/variants/batch_outcome.hpp"
#include "linalg/response_surface.hpp"

namespace umov::eqs {

/// Parameters to coordinates from -1 to 1 over the variants, and back.
class BatchBox {
 public:
  explicit BatchBox(const Batch&);
  std::vector<double> to_unit(const std::vector<double>& variant) const;
  std::vector<double> from_unit(const std::vector<double>& x) const;
  double low(std::size_t p) const { return low_[p]; }
  double high(std::size_t p) const { return high_[p]; }
  /// Whether a parameter has several values.
  bool varies(std::size_t p) const { return high_[p] > low_[p]; }

 private:
  std::vector<double> low_, high_;
  std::vector<bool> logarithmic_;
};

/// 0 in place of what is rounding beside `scale`.
inline double above_rounding(double value, double scale) {
  return std::abs(value) < 1e-12 * scale ? 0 : value;
}

struct Response {
  std::size_t column = 0;  ///< of the table of variants
  std::unique_ptr<linalg::ResponseSurface> surface;
  std::string why_not;               ///< there is no surface
  linalg::SurfacePoints points;      ///< of the variants that it was fitted to
  std::vector<std::size_t> variant;  ///< their numbers
  std::vector<double> values;
  double scale = 0;                ///< largest size of these
  std::size_t best = 0;            ///< the best variant, whatever the surface says
  std::vector<double> optimum;     ///< parameters
  double predicted = 0;            ///< there
  std::vector<double> importance;  ///< per parameter, in the response's unit; 0: what solves leave, or less
};

/// Columns called `name` in the table; names of the materials' peaks where none are given. Throws BadInput
/// for a name that there is no column of.
std::vector<std::size_t> response_columns(const BatchOutcome&);

/// Whether a column of the table of variants is one of these.
bool is_response(const BatchSpec&, const std::string& column);

/// The surfaces that the batch asks for, without variants that did not converge.
std::vector<Response> fit_responses(const BatchOutcome&);

}  // namespace umov::eqs
