// Areas lent by neighbours to faces that are too small for the time step.
#include "fdtd/model/face_areas.hpp"

#include <algorithm>
#include <cmath>

#include "core/interruption.hpp"

namespace umov::fdtd {
namespace {

/// Of the leapfrog's limit 4 for dt^2 M: room for rounding in single precision.
constexpr double limit = 4 * 0.998;
constexpr double negligible_area = 1e-12;
constexpr int rounds = 4;

using FaceKey = std::pair<int, index_t>;

class Lending {
 public:
  Lending(const CutGrid& grid, FaceAreas& areas) : grid_(grid), areas_(areas) {}

  /// One round; false when nothing is lacking any more.
  bool round() {
    requests_.clear();
    asked_.clear();
    for (int c = Hx; c <= Hz; ++c)
      for (const auto& [cell, area] : areas_.list(c)) {
        stop_if_interrupted("while conductors were painted");
        if (const double lack = needed({c, cell}) - area; lack > negligible_area) request({c, cell}, lack);
      }
    for (const auto& r : requests_) {
      const double granted = r.amount * std::min(1.0, room(r.lender) / asked_[r.lender]);
      changes_[r.borrower] += granted;
      changes_[r.lender] -= granted;
    }
    for (const auto& [face, change] : changes_) areas_.set(face.first, face.second, area(face) + change);
    changes_.clear();
    return !requests_.empty();
  }

  /// Gives what is still lacking.
  void fill() {
    for (int c = Hx; c <= Hz; ++c)
      for (const auto& [cell, area] : areas_.list(c)) areas_.set(c, cell, std::max(area, needed({c, cell})));
  }

 private:
  struct Request {
    FaceKey borrower, lender;
    double amount;
  };
  double area(const FaceKey& f) const { return areas_.at(f.first, f.second); }
  double needed(const FaceKey& f) const { return least_area(grid_, f.first, grid_.place(f.second)); }
  double room(const FaceKey& f) const { return std::max(0.0, area(f) - needed(f)); }

  /// Asks the faces beyond the free edges, each by what it has to give.
  void request(const FaceKey& face, double lack) {
    std::vector<Request> to;
    double sum = 0;
    const Int3 at = grid_.place(face.second);
    for (const FaceSide& side : grid_.sides(face.first, at)) {
      Int3 beyond = at;
      beyond[side.axis] += side.step;
      const auto there = grid_.wrapped(face.first, beyond);
      if (!there || *there == at) continue;
      const FaceKey lender{face.first, grid_.cell(*there)};
      const double weight = grid_.length(side.component, side.at) * room(lender);
      if (weight > 0) to.push_back({face, lender, weight}), sum += weight;
    }
    for (Request& r : to) {
      r.amount *= lack / sum;
      asked_[r.lender] += r.amount;
      requests_.push_back(r);
    }
  }

  const CutGrid& grid_;
  FaceAreas& areas_;
  std::vector<Request> requests_;
  std::map<FaceKey, double> asked_, changes_;
};

}  // namespace

double least_area(const CutGrid& grid, int face, const Int3& at) {
  double sum = 0;
  for (const FaceSide& side : grid.sides(face, at))
    sum += grid.stiffness(side.component, side.at) * grid.faces_around(side.component);
  return sum * grid.inverse_mu(face, at) / limit;
}

void stable_areas(const CutGrid& grid, FaceAreas& areas, ConductorReport& report) {
  Lending lending(grid, areas);
  for (int n = 0; n < rounds && lending.round(); ++n) {
  }
  const FaceAreas lent = areas;
  lending.fill();
  for (int c = Hx; c <= Hz; ++c)
    for (const auto& [cell, area] : areas.list(c))
      if (const double excess = area - lent.at(c, cell); excess > negligible_area) {
        ++report.enlarged;
        report.enlarged_by = std::max(report.enlarged_by, excess);
      }
}

}  // namespace umov::fdtd
