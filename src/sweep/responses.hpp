// Response surfaces of a sweep: columns of its table over its axes.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "linalg/response_surface.hpp"
#include "results/result.hpp"
#include "sweep/row.hpp"
#include "sweep/sweep.hpp"

namespace umov::sweep {

/// Axes to coordinates from -1 to 1 over the cases, and back.
class Box {
 public:
  explicit Box(const Sweep&);
  std::vector<double> to_unit(const std::vector<double>& point) const;
  std::vector<double> from_unit(const std::vector<double>& x) const;
  double low(std::size_t axis) const { return low_[axis]; }
  double high(std::size_t axis) const { return high_[axis]; }
  /// Whether an axis has several numbers.
  bool varies(std::size_t axis) const { return high_[axis] > low_[axis]; }

 private:
  std::vector<double> low_, high_;
  std::vector<bool> logarithmic_;
};

/// 0 in place of what is rounding beside `scale`.
inline double above_rounding(double value, double scale) {
  return std::abs(value) < 1e-12 * scale ? 0 : value;
}

struct Response {
  Scalar column;
  std::unique_ptr<linalg::ResponseSurface> surface;
  std::string why_not;             ///< there is no surface
  linalg::SurfacePoints points;    ///< of the cases that it was fitted to
  std::vector<std::size_t> cases;  ///< their numbers, from 0
  std::vector<double> values;
  double scale = 0;                ///< largest size of these
  std::size_t best = 0;            ///< the best case, whatever the surface says
  std::vector<double> optimum;     ///< on each axis
  double predicted = 0;            ///< there
  std::vector<double> importance;  ///< per axis, in the response's unit; 0: what solves leave, or less

  /// Whether the optimum says something of this axis.
  bool is_at(const Box&, const Axis&, std::size_t axis) const;
};

/// Parts of a response that say nothing.
struct Noise {
  double solves = 0;  ///< what solves leave
  double steps = 0;   ///< what controlled steps hold it to, at most
};

/// The names of `wanted` among those of a table. Throws BadInput for one that is not there.
void require_columns(const std::vector<std::string>& wanted, const std::vector<Scalar>& columns,
                     const std::string& table);

/// Surfaces of these columns as the design asks for them, without cases that are not done.
std::vector<Response> fit_responses(const Sweep&, const Rows&, const std::vector<Scalar>& columns,
                                    const Noise& = {});

/// A unit as it stands behind a number; nothing for "1".
std::string behind(const std::string& unit);

/// Of a response in a line: kind and worth of its surface, where it is best. `noun`: "variant"; `remark`
/// follows.
std::string response_text(const Sweep&, const Response&, const std::string& noun,
                          const std::string& remark = "");

/// Arrays and tables surfaces, effects (main effects) and coefficients; `comments` open their files.
void add_responses(results::Result&, const Sweep&, const std::vector<Response>&, const std::string& noun,
                   const std::vector<std::string>& comments);

/// A picture for each surface, into the folder: the response over the two most important axes (contours, the
/// others at the optimum) or over the one that there is, and the main effects of all. Throws MachineFailure.
void draw_responses(const Sweep&, const std::vector<Response>&, const std::string& noun,
                    const std::string& folder);

}  // namespace umov::sweep
