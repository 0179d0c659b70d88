// The processor's stepper: H and E of a slab in one visit, so that each field travels from memory once a
// step.
#pragma once

#include <omp.h>

#include <vector>

#include "backend/cpu/cpu.hpp"
#include "fdtd/passes.hpp"
#include "fdtd/tuned/cpu/box_rows.hpp"
#include "fdtd/tuned/cpu/material_runs.hpp"
#include "fdtd/tuned/cpu/rows.hpp"

namespace umov::fdtd {

/// Twin of SimpleStepper for real fields in two and three dimensions. A slab is a row (2D) or a plane (3D). A
/// thread owns a band of slabs and goes through it once: H of slab r, then E of slab r, which needs H of r -
/// 1 and r only. E of a band's first slab waits until the neighbour has its H: two barriers a step. So does
/// what walls across the slabs have beyond them. Bytes per cell and step in 3D float: 24 read, 24 written,
/// against 72 for separate sweeps.
template <class Dev, class T, class F>
class FusedStepper {
  static_assert(std::is_same_v<Dev, backend::Cpu> && std::is_same_v<T, F>, "real fields in host memory");
  using S = State<Dev, T, T>;
  using P = Passes<Dev, T, T>;

 public:
  /// Smaller grids stay on one thread: a step is then shorter than waking the others.
  static constexpr std::size_t worth_sharing = 1 << 16;

  static bool fits(const Problem& p) { return !p.complex_fields && dimensions(p.grid.mode) > 1; }

  FusedStepper(S& s, P& passes, const Problem& p)
      : slow_(dimensions(p.grid.mode) - 1), slabs_(p.grid.cells[slow_]) {
    for (int c = 0; c < components; ++c)
      if (has_component(p.grid.mode, c)) plan(s, p, c);
    const SourceList& driven = passes.sources.host(Field::H);
    targets_.resize(slabs_ + 1);
    for (std::size_t t = 0; t < driven.cell.size(); ++t)
      targets_[slab_of(s, driven.cell[t])].push_back(index_t(t));
    threads_ = p.grid.cell_count() < worth_sharing ? 1 : std::min(s.dev.threads(), slabs_);
  }

  void advance(S& s, P& p, long first, long steps) {
    for (long n = first; n < first + steps; ++n) {
      sweep(s, p, n);
      if (!p.tensor.empty()) {
        p.sweeps.ghosts(s, Field::H);
        p.tensor.apply(s);
      }
      p.sources.apply(s, Field::E, n);
      p.poles.apply(s);
      p.sweeps.ghosts(s, Field::E);
      p.samples.take(s, n);
    }
  }
  void flush(S&) {}
  void reload(S&) {}
  /// Twin of BoxMean over all its boxes; its arrays are the host's.
  void box_means(const BoxMean<T>& mean, const Int3& size) const {
    const BoxRows<T> boxes(mean, size);
#pragma omp parallel for num_threads(threads_) schedule(static) if (threads_ > 1)
    for (int row = 0; row < boxes.rows(); ++row) boxes(row);
  }
  std::string variant() const { return ""; }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const Plan& plan : plans_) sum += plan.runs.bytes();
    return sum;
  }

 private:
  using Slab = typename S::Slab;
  struct Layer {
    Slab* slab;
    bool first_term;
  };
  struct Plan {
    int component;
    Box box;
    rows::Terms terms;
    CurlView<T> curl;
    MaterialRuns runs;
    std::vector<Layer> along, layers;  ///< absorbing layers along x, in its order; all others
  };

  void plan(S& s, const Problem& p, int c) {
    const bool a = curl_term(p.grid, c, 0).exists, b = curl_term(p.grid, c, 1).exists;
    Plan plan{c,
              s.box[c],
              a && b ? rows::Terms::both
              : a    ? rows::Terms::first
                     : rows::Terms::second,
              curl_view(s, c),
              MaterialRuns(s.box[c], s.layout, p.material[c], p.uniform[c]),
              {},
              {}};
    for (Slab& slab : is_electric(c) ? s.electric_slabs : s.magnetic_slabs) {
      const PmlSlab& where = slab.where;
      if (where.component == c)
        (where.axis == 0 && where.size ? plan.along : plan.layers)
            .push_back({&slab, curl_term(p.grid, c, 0).axis == where.axis});
    }
    plans_.push_back(std::move(plan));
  }

  int slab_of(const S& s, index_t cell) const {
    const index_t ghosts = slow_ == 1 ? 1 : 1 + s.layout.pitch;  // places before cell 0 of the faster axes
    return int((cell - s.layout.base + ghosts) / s.layout.stride(slow_));
  }

  void sweep(S& s, P& p, long n) const {
    const bool driven = !p.sources.silent(Field::H);
    const auto drive = [&](int slab) {
      if (!driven) return;
      const auto kernel = p.sources.kernel(s, Field::H, n);
      for (const index_t t : targets_[slab]) kernel(t);
    };
#pragma omp parallel num_threads(threads_) if (threads_ > 1)
    {
      const int team = omp_get_num_threads(), me = omp_get_thread_num();
      const int begin = int(index_t(slabs_) * me / team), end = int(index_t(slabs_) * (me + 1) / team);
      const auto magnetic = [&](int r) {
        update_slab(s, Field::H, r);
        drive(r);
        p.sweeps.ghosts_in_slab(s, Field::H, slow_, r);
      };
      for (int r = begin; r < end; ++r) {
        magnetic(r);
        if (r > begin) update_slab(s, Field::E, r);
      }
      if (end == slabs_) magnetic(slabs_);  // nodes of a magnetic wall
#pragma omp barrier
      if (begin == 0) p.sweeps.ghosts_at_wall(s, Field::H, slow_, 0);
      if (end == slabs_) p.sweeps.ghosts_at_wall(s, Field::H, slow_, 1);
      update_slab(s, Field::E, begin);
      if (end == slabs_) update_slab(s, Field::E, slabs_);
    }
  }

  void update_slab(S& s, Field f, int r) const {
    for (int j = slow_ == 1 ? r : 0, last = slow_ == 1 ? r : s.grid.cells[1]; j <= last; ++j)
      for (const Plan& plan : plans_)
        if (field_of(plan.component) == f) update_row(s, plan, j, slow_ == 1 ? 0 : r);
  }

  void update_row(S& s, const Plan& plan, int j, int k) const {
    const Box& box = plan.box;
    if (j < box.lo[1] || j >= box.hi[1] || k < box.lo[2] || k >= box.hi[2]) return;
    const CurlView<T>& curl = plan.curl;
    switch (plan.terms) {
      case rows::Terms::both:
        sweep_row<rows::Terms::both>(s, plan, curl, j, k);
        break;
      case rows::Terms::first:
        sweep_row<rows::Terms::first>(s, plan, curl, j, k);
        break;
      case rows::Terms::second:
        sweep_row<rows::Terms::second>(s, plan, curl, j, k);
        break;
    }
    for (const Layer& layer : plan.layers) absorb(s, plan, layer, curl, j, k);
  }

  template <rows::Terms terms>
  void sweep_row(S& s, const Plan& plan, const CurlView<T>& curl, int j, int k) const {
    plan.runs.visit(j, k, [&](int begin, int end, int material) {
      for (const Layer& layer : plan.along) {
        const Box& box = layer.slab->where.box;
        const int from = std::max(begin, box.lo[0]), to = std::min(end, box.hi[0]);
        if (from >= to) continue;
        sweep_cells<terms>(s, plan, curl, j, k, begin, from, material);
        if (layer.first_term)
          sweep_layer<terms, true>(s, plan, layer, curl, j, k, from, to, material);
        else
          sweep_layer<terms, false>(s, plan, layer, curl, j, k, from, to, material);
        begin = to;
      }
      sweep_cells<terms>(s, plan, curl, j, k, begin, end, material);
    });
  }

  template <rows::Terms terms>
  void sweep_cells(S& s, const Plan& plan, const CurlView<T>& curl, int j, int k, int begin, int end,
                   int material) const {
    if (begin >= end) return;
    const int c = plan.component;
    const T sign = T(curl_sign(field_of(c)));
    const index_t row = s.layout.at(0, j, k);
    if (material >= 0)
      rows::update<terms>(s.field(c), curl, T(s.coefficients[material].decay),
                          sign * T(s.coefficients[material].drive), row + begin, row + end);
    else
      with_ids(s, c, [&](const auto* id) {
        rows::update_mixed<terms>(s.field(c), curl, id, s.decay_table(), s.drive_table(), sign, row + begin,
                                  row + end);
      });
  }

  /// Cells within an absorbing layer along x.
  template <rows::Terms terms, bool first>
  void sweep_layer(S& s, const Plan& plan, const Layer& layer, const CurlView<T>& curl, int j, int k,
                   int begin, int end, int material) const {
    const int c = plan.component;
    const T sign = T(curl_sign(field_of(c)));
    const auto view = layer.slab->view();
    const index_t row = s.layout.at(0, j, k);
    const int q = begin - view.first;
    T* const psi = view.psi + (view.offset + view.pitch * j + view.plane * k) + begin;
    const auto run = [&](auto decay, auto drive) {
      rows::update_along<terms, first>(s.field(c), curl, psi, view.b + q, view.c + q, view.stretch + q, decay,
                                       drive, row + begin, end - begin);
    };
    if (material >= 0) {
      const T decay = T(s.coefficients[material].decay), drive = sign * T(s.coefficients[material].drive);
      if (decay == T(1))
        run([](int) { return T(1); }, [drive](int) { return drive; });
      else
        run([decay](int) { return decay; }, [drive](int) { return drive; });
    } else {
      with_ids(s, c, [&](const auto* id) {
        const auto* const mine = id + row + begin;
        const T *const decay = s.decay_table(), *const drive = s.drive_table();
        run([=](int i) { return decay[mine[i]]; }, [=](int i) { return sign * drive[mine[i]]; });
      });
    }
  }

  /// One row's share of one slab of the other absorbing layers, or of cells of another edge.
  void absorb(S& s, const Plan& plan, const Layer& layer, const CurlView<T>& curl, int j, int k) const {
    const PmlSlab& where = layer.slab->where;
    const Box& box = where.box;
    if (j < box.lo[1] || j >= box.hi[1] || k < box.lo[2] || k >= box.hi[2]) return;
    const int c = plan.component;
    const T sign = T((layer.first_term ? 1 : -1) * curl_sign(field_of(c)));
    const T* const hi = layer.first_term ? curl.a_hi : curl.b_hi;
    const T* const lo = layer.first_term ? curl.a_lo : curl.b_lo;
    const auto view = layer.slab->view();
    const index_t row = s.layout.at(0, j, k), psi = view.offset + view.pitch * j + view.plane * k;
    plan.runs.visit(j, k, [&](int begin, int end, int material) {
      begin = std::max(begin, box.lo[0]);
      end = std::min(end, box.hi[0]);
      if (begin >= end) return;
      const auto run = [&](auto drive) {
        const index_t e = row + begin;
        if (!view.psi) {
          const T* const table = view.stretch + ((where.axis == 0   ? begin
                                                  : where.axis == 1 ? j
                                                                    : k) -
                                                 view.first);
          if (where.axis == 0)
            rows::stretched(
                s.field(c) + e, hi + e, lo + e, [table](int i) { return table[i]; }, drive, end - begin);
          else
            rows::stretched(
                s.field(c) + e, hi + e, lo + e, [r = *table](int) { return r; }, drive, end - begin);
        } else {
          const int q = (where.axis == 1 ? j : k) - view.first;
          rows::absorb_across(s.field(c) + e, hi + e, lo + e, view.psi + psi + begin, view.b[q], view.c[q],
                              view.stretch[q], drive, end - begin);
        }
      };
      if (material >= 0) {
        const T drive = sign * T(s.coefficients[material].drive);
        run([drive](int) { return drive; });
      } else {
        with_ids(s, c, [&](const auto* id) {
          const auto* const mine = id + row + begin;
          const T* const drive = s.drive_table();
          run([=](int i) { return sign * drive[mine[i]]; });
        });
      }
    });
  }

  template <class Visit>
  static void with_ids(const S& s, int c, const Visit& f) {
    if (s.narrow_ids(c))
      f(s.narrow_ids(c));
    else
      f(s.wide_ids(c));
  }

  int slow_, slabs_, threads_ = 1;
  std::vector<Plan> plans_;
  std::vector<std::vector<index_t>> targets_;  ///< H sources by slab
};

}  // namespace umov::fdtd
