#include "fdtd/observables/accepted_lines.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace umov::fdtd::inversion {

std::vector<Line> lines_of(const std::vector<AcceptedLine>& list) {
  std::vector<Line> lines;
  for (const AcceptedLine& b : list) lines.push_back(b.line);
  return lines;
}

double nearest(const Line& line, const std::vector<Line>& lines) {
  double best = std::numeric_limits<double>::infinity();
  for (const Line& other : lines) best = std::min(best, std::norm(other.angular - line.angular));
  return best;
}

std::vector<Line> cluster_of(const AcceptedLine& b, const std::vector<AcceptedLine>& list,
                             std::size_t samples) {
  std::vector<Line> cluster;
  for (const AcceptedLine& other : list)
    if (std::abs(other.line.angular - b.line.angular) < 2 * pi / double(samples))
      cluster.push_back(other.line);
  return cluster;
}

void drop_unresolved(std::vector<AcceptedLine>& list) {
  std::vector<AcceptedLine> kept;
  for (std::size_t i = 0; i < list.size(); ++i) {
    bool alone = true;
    for (std::size_t j = 0; j < list.size(); ++j)
      alone = alone && (i == j || std::abs(list[i].line.angular - list[j].line.angular) >
                                      3 * std::max(list[i].deviation, list[j].deviation));
    if (alone) kept.push_back(list[i]);
  }
  list = std::move(kept);
}

bool is_known(const std::vector<AcceptedLine>& list, const AcceptedLine& c, bool narrow) {
  return std::ranges::any_of(list, [&](const AcceptedLine& b) {
    const cplx apart = b.line.angular - c.line.angular;
    const double reach = std::max(b.reach, c.reach);
    return narrow ? std::abs(apart.real()) < reach : std::abs(apart) < 0.5 * reach;
  });
}

}  // namespace umov::fdtd::inversion
