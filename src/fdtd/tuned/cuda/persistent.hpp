// Many steps in one launch, for grids that a few multiprocessors hold: the parts of a step and what they
// need.
#pragma once

#include "fdtd/tuned/cuda/on_chip.hpp"

namespace umov::fdtd::tuned {

/// How many blocks suit `segments`, and where they meet; none where the kernel does not fit the GPU.
template <class T>
Gathering plan_steps(Mode, std::size_t segments, const Limits&);

/// `arrived` is zero before a launch of blocks that form no cluster.
template <class T>
void launch_steps(Mode, const StepWork<T>&, const Gathering&, unsigned* arrived, long first, long steps,
                  cudaStream_t);

/// For grids of which a step takes less than two launches. What fits stays in the shared memory of a cluster.
template <class T>
class PersistentStepper {
  using Dev = backend::Cuda;
  using S = State<Dev, T, T>;
  using P = Passes<Dev, T, T>;
  using Work = StepWork<T>;

 public:
  /// Above this, passes of several steps and single kernels are faster.
  static constexpr std::size_t most_cells = 1 << 20;
  static bool fits(const Problem& p, const Limits& l) {
    return !p.complex_fields && p.grid.cell_count() <= most_cells &&
           p.dispersive.size() <= Work::most_groups && p.recorders.size() <= Work::most_batches &&
           p.fouriers.size() <= Work::most_transforms &&
           (plan_on_chip<T>(p, l).blocks > 0 ||
            plan_steps<T>(p.grid.mode, segments_of(p.grid).size(), l).blocks > 0);
  }

  PersistentStepper(S& s, const Problem& p, const Limits& l) : on_chip_(plan_on_chip<T>(p, l)) {
    for (const Recorder& r : p.recorders) samples_magnetic_ |= !is_electric(r.component);
    for (const FourierAccumulator& f : p.fouriers) samples_magnetic_ |= !is_electric(f.component);
    const std::vector<Segment> segments = segments_of(p.grid);
    segments_ = s.copy_of(segments);
    arrived_ = s.template zeros<unsigned>(1);
    gathering_ = plan_steps<T>(p.grid.mode, segments.size(), l);
  }

  /// Prepared steps first .. first + steps - 1, as many a launch as transforms have room for.
  void advance(S& s, P& p, long first, long steps) {
    for (long few; steps > 0; first += few, steps -= few)
      launch(s, p, first, few = std::min(steps, p.samples.transforms.longest()));
  }
  std::size_t bytes() const { return segments_.bytes() + arrived_.bytes(); }
  std::string variant() const {
    if (on_chip_.blocks > 0)
      return "steps in the shared memory of " + std::to_string(on_chip_.blocks) + " block(s)";
    return "steps by " + std::to_string(gathering_.blocks) + " block(s) in one launch";
  }

 private:
  void launch(S& s, P& p, long first, long steps) {
    const Work w = work(s, p, first, steps);
    if (on_chip_.blocks > 0) {
      launch_on_chip(s.grid.mode, w, on_chip_, first, steps, s.dev.stream());
    } else {
      s.dev.fill_zero(arrived_.data(), 1);
      launch_steps(s.grid.mode, w, gathering_, arrived_.data(), first, steps, s.dev.stream());
    }
    p.samples.transforms.took(first, steps);
  }

  static std::vector<Segment> segments_of(const Grid& grid) {
    CellSet all(grid);
    all.add_box({0, 0, 0}, {1 << 30, 1 << 30, 1 << 30});
    return all.segments();
  }

  Work work(S& s, P& p, long first, long steps) {
    Work w{};
    w.view = sweep_view(s);
    w.segments = segments_.data();
    w.segment_count = index_t(segments_.size());
    for (int a = 0; a < 2; ++a) w.n[a] = s.grid.cells[a];
    w.samples_magnetic = samples_magnetic_;
    w.media = int(s.coefficients.size());
    w.source_columns = p.sources.values(first + 1) - p.sources.values(first);
    for (const Field f : {Field::H, Field::E}) {
      const int electric = int(f);
      w.sources[electric] = p.sources.kernel(s, f, first);
      w.targets[electric] = p.sources.silent(f) ? 0 : index_t(p.sources.host(f).cell.size());
      p.sweeps.visit_ghosts(s, f, [&](const Box& box, const FillGhosts<T>& fill) {
        auto& face = w.faces[electric][w.face_count[electric]++];
        for (int a = 0; a < 3; ++a) face.lo[a] = box.lo[a], face.size[a] = box.hi[a] - box.lo[a];
        face.fill = fill;
      });
    }
    for (int c = 0; c < 3; ++c)
      if (!p.tensor.empty() && has_component(s.grid.mode, c)) w.tensor[c] = p.tensor.kernel(s, c);
    w.groups = p.poles.groups();
    for (int g = 0; g < w.groups; ++g) add_poles(w, s, p, g);
    w.cut_edges = p.poles.cut.edges();
    w.cut_nodes = p.poles.cut.nodes();
    if (w.cut_nodes) w.subtract_flows = p.poles.cut.subtract(s), w.polarize_node = p.poles.cut.polarize(s);
    for (const auto& r : p.samples.recorder_kernels(s, first)) w.recorders[w.recorder_count++] = r;
    for (const auto& t : p.samples.transforms.kernels(s, first, steps)) w.transforms[w.transform_count++] = t;
    return w;
  }

  static void add_poles(Work& w, S& s, P& p, int g) {
    w.poles[g] = p.poles.kernel(s, g);
    w.edges[g] = w.poles[g].edges;
    for (int c = 0; c < components; ++c)
      if (w.poles[g].f == s.field(c)) w.pole_component[g] = c;
  }

  OnChipPlan on_chip_;
  bool samples_magnetic_ = false;
  backend::CudaArray<Segment> segments_;
  backend::CudaArray<unsigned> arrived_;
  Gathering gathering_;
};

}  // namespace umov::fdtd::tuned
