// The field along a polyline, as of a creepage path.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eqs/observables/sampler.hpp"
#include "eqs/outcome.hpp"

namespace umov::eqs {

/// One line's samples, located once and evaluated at every saved time.
class Path {
 public:
  /// Throws BadInput when no sample lies in the mesh.
  Path(const LineSpec&, const Problem&, const mesh::Locator&);

  /// Appends the values at one time to `result`. `imaginary` is the other part of a complex field, or
  /// nullptr; then the potential is the real part, and field strengths are peak values.
  void sample(const Sampler&, const double* u, const double* imaginary, LineResult& result) const;
  /// What to say of a line that begins or ends outside the mesh; "": it does not. Samples between others are
  /// those in a conductor that the line passes.
  std::string outside() const;
  /// Places of the samples, without values.
  LineResult frame() const { return frame_; }

 private:
  LineResult frame_;
  std::vector<std::optional<mesh::Place>> places_;
};

}  // namespace umov::eqs
