// A problem with everything on: random materials, layers, poles, tensor terms, sources, recorders,
// transforms.
#pragma once

#include "fdtd/transform_products.hpp"
#include "support/fdtd_problems.hpp"
#include "support/fdtd_words.hpp"

namespace umov::fdtd::trial {

inline constexpr Closure pec = Closure::pec, pmc = Closure::pmc, periodic = Closure::periodic;

struct Everything {
  Mode mode;
  Int3 cells;
  Precision precision = Precision::double_;
  std::array<Closure, 3> closure{Closure::pec, Closure::pec, Closure::pec};
  bool pml = true;  ///< where the closure is pec and the axis is long enough
  bool complex = false;
  int materials = 7;  ///< more than 256: two bytes an id
};
inline void PrintTo(const Everything& e, std::ostream* os) {
  *os << words(e.mode, e.cells) << " " << word(e.precision);
  for (const Closure c : e.closure) *os << " " << word(c);
  *os << (e.pml ? " pml" : "") << (e.complex ? " complex" : "") << " " << e.materials << " materials";
}

inline double draw(std::mt19937& random, double lo, double hi) {
  return std::uniform_real_distribution<double>(lo, hi)(random);
}

inline std::vector<index_t> some_cells(const Problem& p, int component, std::mt19937& random, double share) {
  std::vector<index_t> cells;
  for_each_cell(update_box(p, component), [&](const Int3& at) {
    if (draw(random, 0, 1) < share) cells.push_back(Layout(p.grid).at(at));
  });
  return cells;
}

inline void add_media(Problem& p, std::mt19937& random, int materials) {
  for (int m = 1; m < materials; ++m)
    p.coefficients.push_back({draw(random, 0.9, 1), p.grid.dt * draw(random, 0.2, 1)});
  // Hy stays uniform, as it mostly is
  for (int c = 0; c < components; ++c) {
    if (!has_component(p.grid.mode, c) || c == Hy) continue;
    p.material[c].resize(Layout(p.grid).size);
    for (auto& id : p.material[c]) id = std::uint16_t(random() % materials);
  }
}

/// Tensor terms and poles on some edges, weak enough to stay stable for the steps of a test.
inline void add_lists(Problem& p, std::mt19937& random) {
  for (int c = Ex; c <= Ez; ++c) {
    if (!has_component(p.grid.mode, c)) continue;
    for (const index_t e : some_cells(p, c, random, 0.1)) {
      TensorTerm t;
      t.cell = e;
      for (auto& ends : t.w)
        for (double& w : ends) w = draw(random, -0.02, 0.02);
      p.tensor[c].push_back(t);
    }
    DispersiveGroup g;
    g.component = Component(c);
    g.cells = some_cells(p, c, random, 0.2);
    g.poles = {
        {false, 0.98, 0.05, 0.01, 0.5 * p.grid.dt}, {true, 0.9, 0.02, 0, 0.1}, {false, 0.9, 0.1, 0, 0.02}};
    p.dispersive.push_back(g);
  }
}

inline void add_sources_of_all_kinds(Problem& p, std::mt19937& random) {
  p.tables = {{3,
               [](long first, long steps, double* to) {
                 for (long s = 0; s < steps; ++s)
                   for (int c = 0; c < 3; ++c)
                     to[3 * s + c] = std::sin(0.1 * double(first + s + 1) * (c + 1));
               }},
              signal_table([](long n) { return std::cos(0.2 * double(n)); }),
              signal_table([](long n) { return std::sin(0.3 * double(n)); })};
  for (int c = 0; c < components; ++c) {
    if (!has_component(p.grid.mode, c)) continue;
    SourceGroup spread{Component(c), false, 0, 2, some_cells(p, c, random, 0.05), {}, {}, {}, -1};
    for (std::size_t n = 0; n < spread.cells.size(); ++n) {
      spread.columns.push_back(int(n % 2));
      for (int tap = 0; tap < 2; ++tap) spread.weights.push_back(draw(random, -1, 1));
    }
    p.sources.push_back(spread);
    SourceGroup hard = point_source(p, Component(c), update_box(p, c).lo, 1);
    hard.hard = true;
    if (p.complex_fields) hard.table_imag = 2, hard.weights_imag = {0.5};
    p.sources.push_back(hard);
  }
}

inline void add_monitors_of_all_kinds(Problem& p, std::mt19937& random) {
  for (int c = 0; c < components; ++c) {
    if (!has_component(p.grid.mode, c)) continue;
    Recorder r;
    r.component = Component(c);
    r.interval = 1 + c % 3;
    r.squares = c == Ez;
    r.cells = some_cells(p, c, random, 0.6);
    for (std::size_t n = 0; n < r.cells.size(); ++n) r.weights.push_back(draw(random, 0, 1));
    r.first = {0, index_t(r.cells.size() / 3), index_t(r.cells.size())};
    p.recorders.push_back(r);
    p.fouriers.push_back({Component(c), 2 + c % 2, some_cells(p, c, random, 0.3), {0.01, 0.05, 0.11}});
  }
}

inline Problem everything(const Everything& e) {
  std::mt19937 random(7);
  Problem p = vacuum(e.mode, e.cells, e.precision);
  p.complex_fields = e.complex;
  for (int a = 0; a < dimensions(e.mode); ++a) {
    p.walls[a] = {e.closure[a], e.closure[a]};
    if (e.closure[a] == Closure::pec && e.pml && e.cells[a] > 12) add_pml(p, a, 5);
    if (e.closure[a] == Closure::periodic && e.complex) p.bloch_phase[a] = 0.7 + a;
  }
  add_media(p, random, e.materials);
  add_lists(p, random);
  add_sources_of_all_kinds(p, random);
  add_monitors_of_all_kinds(p, random);
  return p;
}

/// Products of transforms that follow each other, of points anywhere; in several tiles of SumProducts.
inline std::vector<TransformProduct> some_products(const Problem& p) {
  std::mt19937 random(11);
  std::vector<TransformProduct> products;
  for (int a = 0; a + 1 < int(p.fouriers.size()); ++a) {
    TransformProduct product{a, a + 1, {}};
    const std::size_t first = p.fouriers[a].cells.size(), second = p.fouriers[a + 1].cells.size();
    for (int n = 0; n < 2500 && first > 0 && second > 0; ++n)
      product.terms.push_back({index_t(random() % first),
                               index_t(random() % second),
                               {draw(random, -1, 1), draw(random, -1, 1)}});
    products.push_back(product);
  }
  return products;
}
inline std::vector<double> product(const Engine& e, const TransformProduct& q) {
  const auto alone = std::make_shared<const std::vector<TransformProduct>>(1, q);
  return dynamic_cast<const TransformProducts&>(e).product_sum(alone);
}

/// Sums over rectangles of points anywhere, two at each place, of all transforms: real and imaginary parts in
/// turn.
inline std::vector<double> lateral_sums(const Engine& e, const Problem& p) {
  std::mt19937 random(13);
  const auto waves = [&](std::size_t n) {
    std::vector<Complex<double>> list;
    for (std::size_t i = 0; i < n; ++i) list.emplace_back(draw(random, -1, 1), draw(random, -1, 1));
    return list;
  };
  std::vector<LateralSum> list;
  for (std::size_t a = 0; a < p.fouriers.size(); ++a) {
    LateralSum s;
    s.a = int(a), s.frequencies = int(p.fouriers[a].frequencies.size());
    s.count = {5, 7}, s.waves = {3, 2};
    for (int n = 0; n < 70 && !p.fouriers[a].cells.empty(); ++n)
      s.points.push_back({index_t(random() % p.fouriers[a].cells.size()), waves(1)[0]});
    s.first = waves(std::size_t(s.frequencies) * 15), s.second = waves(std::size_t(s.frequencies) * 14);
    list.push_back(std::move(s));
  }
  const auto kept = std::make_shared<const std::vector<LateralSum>>(std::move(list));
  std::vector<double> values;
  for (const auto& sum : dynamic_cast<const TransformProducts&>(e).lateral_sums(kept))
    for (const cplx& z : sum) values.push_back(z.real()), values.push_back(z.imag());
  return values;
}

/// Largest difference of all that two engines answer, relative to the largest value of each kind.
struct Difference {
  double fields = 0, samples = 0, transforms = 0, products = 0;
};
inline void compare(const std::vector<double>& a, const std::vector<double>& b, double& worst) {
  ASSERT_EQ(a.size(), b.size());
  double largest = 0, apart = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_TRUE(std::isfinite(a[i]) && std::isfinite(b[i]));
    largest = std::max(largest, std::abs(a[i]));
    apart = std::max(apart, std::abs(a[i] - b[i]));
  }
  if (largest > 0) worst = std::max(worst, apart / largest);
}
inline Difference difference(const Problem& p, Engine& a, Engine& b) {
  Difference d;
  for (int c = 0; c < components; ++c) {
    if (!has_component(p.grid.mode, c)) continue;
    const FieldBlock x = values(a, p, Component(c)), y = values(b, p, Component(c));
    compare(x.real, y.real, d.fields);
    compare(x.imag, y.imag, d.fields);
  }
  for (std::size_t r = 0; r < p.recorders.size(); ++r) compare(a.drain(int(r)), b.drain(int(r)), d.samples);
  for (std::size_t f = 0; f < p.fouriers.size(); ++f) {
    const auto x = a.fourier(int(f)), y = b.fourier(int(f));
    std::vector<double> u, v;
    for (const cplx& z : x) u.push_back(z.real()), u.push_back(z.imag());
    for (const cplx& z : y) v.push_back(z.real()), v.push_back(z.imag());
    compare(u, v, d.transforms);
  }
  for (const auto& q : some_products(p)) compare(product(a, q), product(b, q), d.products);
  compare(lateral_sums(a, p), lateral_sums(b, p), d.products);
  return d;
}

}  // namespace umov::fdtd::trial
