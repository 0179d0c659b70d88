// The structures of a library as a hierarchy: which are at its top, what they hold, and their shapes
// flattened within a window.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "layout/library.hpp"

namespace umov::layout {

/// In database units, of the structure at the top.
using Place = std::array<double, 2>;

struct Box {
  Place low{1e300, 1e300}, high{-1e300, -1e300};
  bool empty() const { return !(low[0] <= high[0]); }
  void add(const Place& p) {
    for (int a = 0; a < 2; ++a) low[a] = std::min(low[a], p[a]), high[a] = std::max(high[a], p[a]);
  }
  Box grown(double by) const { return {{low[0] - by, low[1] - by}, {high[0] + by, high[1] + by}}; }
  bool meets(const Box& o) const {
    return low[0] <= o.high[0] && o.low[0] <= high[0] && low[1] <= o.high[1] && o.low[1] <= high[1];
  }
};

/// How a structure lies in the one at the top: p -> (a x + b y + at[0], c x + d y + at[1]).
struct Transform {
  double a = 1, b = 0, c = 0, d = 1;
  Place at{0, 0};
  double magnification = 1, angle = 0;  ///< in all
  Place operator()(double x, double y) const { return {a * x + b * y + at[0], c * x + d * y + at[1]}; }
};

/// What of a layer there is under a structure, each placement counted.
struct LayerCount {
  double polygons = 0, paths = 0, boxes = 0, nodes = 0, texts = 0;
};

/// A text where it is in the structure at the top.
struct PlacedText {
  LayerId on;
  Place at;
  std::string words;
};

/// A path of two points, which tools draw across the end of a guide from inside it to outside.
struct Pin {
  Place from, to;
  double width = 0;
};

class Hierarchy {
 public:
  /// Throws BadInput: references to structures that the file lacks, and circles of them, by name.
  explicit Hierarchy(const Library&);

  /// The structure of a name, or without one the only one that no other refers to. Throws BadInput listing
  /// those that there are.
  std::uint32_t top(const std::string& name) const;
  std::map<LayerId, LayerCount> counts(std::uint32_t top) const;

  /// A closed polygon or, of a path, a piece of it (pieces overlap): its corners.
  using Visitor = std::function<void(const LayerId&, std::span<const Place>)>;
  /// Hands over the shapes of some layers that may come into a window (all of them without one). Throws
  /// BadInput beyond `most` visits of structures and shapes, or where an absolute magnification or angle
  /// makes a difference.
  void flatten(std::uint32_t top, const std::set<LayerId>&, const std::optional<Box>& window, const Visitor&,
               double most = 5e7) const;
  /// In the order of the file. Throws BadInput beyond `most`.
  std::vector<PlacedText> texts(std::uint32_t top, double most = 1e6) const;
  /// Paths of two points on a layer, likewise.
  std::vector<Pin> pins(std::uint32_t top, const LayerId&, double most = 1e6) const;

 private:
  struct Walk;
  struct Reach {
    Box box;
    double absolute = 0;  ///< how far paths of absolute width go beyond it
  };
  std::vector<Reach> reaches(const std::set<LayerId>&) const;
  void require_shallow(std::uint32_t structure, std::vector<int>& levels) const;
  void everywhere(std::uint32_t top, const std::function<std::size_t(const Structure&)>& has, double most,
                  const std::function<void(const Structure&, const Transform&)>& take) const;

  const Library& library_;
  std::vector<std::uint32_t> order_;  ///< structures after all that they refer to
};

/// The pieces whose union is a path: its segments, what fills the corners between them, its ends. Corners are
/// mitred up to 90 degrees; at sharper ones both outer sides go on for half the width and are joined, as
/// KLayout and gdspy do. Round ends are polygons within `sagitta` of the circle. `closed`: the last point is
/// followed by the first.
void stroke(std::span<const Place> points, double width, PathStyle::Ends, double begin, double end,
            double sagitta, bool closed, const std::function<void(std::span<const Place>)>& piece);

}  // namespace umov::layout
