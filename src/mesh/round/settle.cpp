// The springs around moved nodes, their balance, and elements that hold it back.
#include "mesh/round/settle.hpp"

#include <algorithm>
#include <cmath>

namespace umov::mesh {

namespace {

constexpr double keeps = 0.2;  // of its quality, an element at least
constexpr std::size_t worth_threads = 10000;

/// Volume over the cube of the root of its squared edges: 0.0036 at most.
double quality(const Vec3& o, const Vec3& p, const Vec3& q, const Vec3& r) {
  const Vec3 a = p - o, b = q - o, c = r - o;
  const double squares =
      dot(a, a) + dot(b, b) + dot(c, c) + dot(b - a, b - a) + dot(c - b, c - b) + dot(a - c, a - c);
  return dot(a, cross(b, c)) / (squares * std::sqrt(squares));
}

class Springs {
 public:
  Springs(int coarse, const std::vector<Edge>& middles, std::vector<SkinNode> skin, TetMesh& fine)
      : coarse_(coarse), middles_(middles), fine_(fine), skin_(skin.size()), nodes_(std::move(skin)) {
    slot_.assign(middles.size(), -1);
    for (std::size_t i = 0; i < nodes_.size(); ++i) slot_[nodes_[i].node - coarse] = int(i);
    in_.assign(fine.tets.size() / 8, 0);
  }

  std::vector<double> run() {
    for (int round = 0; round < 12 && widen(); ++round) balance();
    factor_.assign(nodes_.size(), 1);
    hold_back();
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      fine_.nodes[nodes_[i].node] = fine_.nodes[nodes_[i].node] + factor_[i] * nodes_[i].move;
    factor_.resize(skin_);
    return factor_;
  }

 private:
  /// The new nodes of a coarse element: those of its eight.
  std::array<int, 6> middles_of(std::size_t element) const {
    std::array<int, 6> out{};
    int n = 0;
    for (int c = 0; c < 4; ++c)
      for (const int k : fine_.tets[8 * element + c])
        if (k >= coarse_ && std::find(out.begin(), out.begin() + n, k) == out.begin() + n) out[n++] = k;
    return out;
  }
  int slot(int node) const { return slot_[node - coarse_]; }
  const Vec3& place(int node) const { return fine_.nodes[node]; }

  /// Takes in elements that nodes beside them push by more than a tenth of their height; false when there are
  /// no more.
  bool widen() {
    std::vector<std::size_t> more;
    for (std::size_t i = 0; i < in_.size(); ++i) {
      if (in_[i]) continue;
      double most = 0;
      for (const int k : middles_of(i))
        if (slot(k) >= 0) most = std::max(most, norm(nodes_[slot(k)].move));
      if (most > 0 && most > 0.1 * height(i)) more.push_back(i);
    }
    for (const std::size_t i : more) {
      in_[i] = 1;
      elements_.push_back(i);
      for (const int k : middles_of(i))
        if (slot(k) < 0) {
          slot_[k - coarse_] = int(nodes_.size());
          nodes_.push_back({k, {0, 0, 0}, false, 0, {}});
        }
    }
    return !more.empty();
  }
  /// The least height of a coarse element's children, some.
  double height(std::size_t element) const {
    double least = INFINITY;
    for (int c = 0; c < 8; ++c) {
      const Tet& t = fine_.tets[8 * element + c];
      const Vec3 a = place(t[1]) - place(t[0]), b = place(t[2]) - place(t[0]), d = place(t[3]) - place(t[0]);
      const double most =
          std::max({norm(cross(a, b)), norm(cross(b, d)), norm(cross(d, a)), norm(cross(b - a, d - a))});
      least = std::min(least, std::abs(dot(d, cross(a, b))) / most);
    }
    return least;
  }

  /// Jacobi's iteration: what is far from moved nodes stays, so that few sweeps will do.
  void balance() {
    connect();
    std::vector<Vec3> next(nodes_.size());
    for (int sweep = 0; sweep < 60; ++sweep) {
#pragma omp parallel for schedule(static) if (nodes_.size() > worth_threads)
      for (std::size_t i = 0; i < nodes_.size(); ++i) next[i] = pulled(i);
      for (std::size_t i = 0; i < nodes_.size(); ++i) nodes_[i].move = next[i];
    }
  }
  Vec3 pulled(std::size_t i) const {
    const SkinNode& n = nodes_[i];
    if (n.placed || weight_[i] == 0) return n.move;
    Vec3 sum{0, 0, 0};
    for (std::size_t s = start_[i]; s < start_[i + 1]; ++s) sum = sum + stiff_[s] * nodes_[other_[s]].move;
    sum = (1 / weight_[i]) * sum;
    for (int k = 0; k < n.planes; ++k) sum = sum - dot(sum, n.normal[k]) * n.normal[k];
    return sum;
  }
  void connect() {
    start_.assign(nodes_.size() + 1, 0);
    weight_.assign(nodes_.size(), 0);
    const auto for_pairs = [&](const auto& take) {
      for (const std::size_t e : elements_) {
        const auto k = middles_of(e);
        for (int a = 0; a < 6; ++a)
          for (int b = 0; b < 6; ++b)
            if (a != b && !nodes_[slot(k[a])].placed) take(slot(k[a]), k[a], k[b]);
      }
    };
    for_pairs([&](int own, int, int) { ++start_[own + 1]; });
    for (std::size_t i = 0; i < nodes_.size(); ++i) start_[i + 1] += start_[i];
    other_.resize(start_.back()), stiff_.resize(start_.back());
    auto at = start_;
    for_pairs([&](int own, int node, int other) {
      const Vec3 d = place(other) - place(node);
      const std::size_t s = at[own]++;
      other_[s] = slot(other), stiff_[s] = 1 / dot(d, d);
      weight_[own] += stiff_[s];
    });
    for (const std::size_t e : elements_)  // and to the ends of its edge, which stay
      for (const int k : middles_of(e)) {
        const Edge& ends = middles_[k - coarse_];
        const Vec3 d = place(ends[1]) - place(ends[0]);
        weight_[slot(k)] += 2 * 4 / dot(d, d);
      }
  }

  bool touched(const std::array<int, 6>& nodes) const {
    for (const int k : nodes)
      if (slot(k) >= 0 && factor_[slot(k)] > 0 && norm(nodes_[slot(k)].move) > 0) return true;
    return false;
  }
  Vec3 moved(int node) const {
    if (node < coarse_ || slot(node) < 0) return place(node);
    return place(node) + factor_[slot(node)] * nodes_[slot(node)].move;
  }
  bool good(std::size_t element) const {
    for (int c = 0; c < 8; ++c) {
      const auto& [a, b, d, e] = fine_.tets[8 * element + c];
      if (!(quality(moved(a), moved(b), moved(d), moved(e)) >=
            keeps * quality(place(a), place(b), place(d), place(e))))
        return false;
    }
    return true;
  }
  void hold_back() {
    std::vector<int> tries(nodes_.size(), 0);
    for (bool again = true; again;) {
      std::vector<char> bad(in_.size(), 0);
#pragma omp parallel for schedule(static) if (in_.size() > worth_threads)
      for (std::size_t i = 0; i < in_.size(); ++i) bad[i] = touched(middles_of(i)) && !good(i);
      again = false;
      std::vector<char> halved(nodes_.size(), 0);
      for (std::size_t i = 0; i < in_.size(); ++i) {
        if (!bad[i]) continue;
        again = true;
        for (const int k : middles_of(i))
          if (slot(k) >= 0) halved[slot(k)] = 1;
      }
      for (std::size_t n = 0; n < nodes_.size(); ++n)
        if (halved[n]) factor_[n] = ++tries[n] < 6 ? factor_[n] / 2 : 0;
    }
  }

  int coarse_;
  const std::vector<Edge>& middles_;
  TetMesh& fine_;
  std::size_t skin_;
  std::vector<SkinNode> nodes_;  ///< of the skin, then those that follow
  std::vector<int> slot_;        ///< of each new node in nodes_, or -1
  std::vector<char> in_;         ///< per coarse element: its nodes follow
  std::vector<std::size_t> elements_, start_;
  std::vector<int> other_;
  std::vector<double> stiff_, weight_, factor_;
};

}  // namespace

std::vector<double> settle(int coarse_nodes, const std::vector<Edge>& middles, std::vector<SkinNode> skin,
                           TetMesh& fine) {
  return Springs(coarse_nodes, middles, std::move(skin), fine).run();
}

}  // namespace umov::mesh
