// Samples of all components, and what is made of them when somebody asks.
#include "fdtd/command/kept_fields.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "view/reduce.hpp"

namespace umov::fdtd {

namespace {

constexpr double most_bytes = 512.0 * 1024 * 1024;

using Values = std::shared_ptr<const std::vector<float>>;

struct Kept {
  Int3 size, cells;  ///< values along each axis, and the cells that they stand for
  double step, time;
  std::vector<Values> parts;
  bool squares, root;  ///< of the sum of the squares of the parts, and of its mean
};

view::Maker maker_of(Kept kept) {
  return [kept = std::move(kept)](const view::Request& r) {
    const auto at = [&](int i, int a) { return std::size_t(std::int64_t(i) * kept.size[a] / kept.cells[a]); };
    const auto value = [&](int i, int j, int k) {
      const auto n = at(i, 0) + std::size_t(kept.size[0]) * (at(j, 1) + std::size_t(kept.size[1]) * at(k, 2));
      double sum = kept.squares ? 0 : double((*kept.parts.front())[n]);
      if (kept.squares)
        for (const Values& part : kept.parts) sum += double((*part)[n]) * double((*part)[n]);
      return kept.root ? std::sqrt(sum) : sum;
    };
    view::Data d = view::reduced(r, value, r.lo, r.hi, kept.root);
    d.step = kept.step;
    d.time = kept.time;
    return d;
  };
}

}  // namespace

std::vector<view::Maker> kept_fields(const Prepared& p, const March& m, const Engine& engine,
                                     const std::vector<LiveField>& fields) {
  using Kind = LiveField::Kind;
  const Int3 cells = p.grid.cells;
  const auto bytes = [&](std::size_t arrays) { return 4.0 * double(arrays) * double(p.grid.cell_count()); };
  const auto singles = std::size_t(std::count_if(
      fields.begin(), fields.end(), [](const LiveField& f) { return f.kind == Kind::component; }));
  // Squares of components are those of the whole only where they are real and every cell has its own value.
  const bool made = !m.problem.complex_fields && bytes(singles) <= most_bytes;
  int n = 1;
  while (!made && bytes(fields.size()) / (double(n) * n * n) > most_bytes) ++n;
  Int3 size;
  for (int a = 0; a < 3; ++a) size[a] = std::max(1, cells[a] / n);

  std::map<std::pair<unsigned, bool>, Values> sampled;
  const auto sample = [&](unsigned components, bool squares) {
    Values& v = sampled[{components, squares}];
    if (!v)
      v = std::make_shared<const std::vector<float>>(
          engine.sample({components, squares, {0, 0, 0}, cells, size}));
    return v;
  };
  const double step = double(engine.step());
  std::vector<view::Maker> makers;
  for (const LiveField& f : fields) {
    if (f.kind == Kind::rms) {
      makers.emplace_back();
      continue;
    }
    Kept kept{size, cells, step, step * p.grid.dt, {}, false, f.kind == Kind::magnitude};
    if (f.kind == Kind::component || !made) {
      kept.parts = {sample(f.components, f.kind != Kind::component)};
    } else {
      kept.squares = true;
      for (int c = 0; c < components; ++c)
        if (f.components >> c & 1u) kept.parts.push_back(sample(1u << c, false));
    }
    makers.push_back(maker_of(std::move(kept)));
  }
  return makers;
}

}  // namespace umov::fdtd
