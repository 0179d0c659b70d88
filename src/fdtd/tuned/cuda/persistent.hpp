// Many steps in one launch, for grids that a few multiprocessors hold: the parts of a step and what they
// need.
#pragma once

#include "backend/cuda/cuda.hpp"
#include "fdtd/passes.hpp"
#include "fdtd/tuned/cuda/cell_view.hpp"

namespace umov::fdtd::tuned {

/// All functors of a step, as one kernel argument. Counts of zero leave a part out.
template <class T>
struct StepWork {
  static constexpr int most_groups = 12, most_faces = 24, most_batches = 4, most_transforms = 12;
  using Samples = SamplePass<backend::Cuda, T, T>;
  struct Face {
    int lo[3], size[3];
    FillGhosts<T> fill;
  };

  SweepView<T> view;
  const Segment* segments;
  index_t segment_count;
  DriveFields<T> sources[2];  ///< [magnetic, electric], with the values of the first step
  index_t targets[2], source_columns;
  Face faces[2][most_faces];
  int face_count[2];
  AddOffDiagonal<T, T> tensor[3];
  Polarize<T, T> poles[most_groups];
  index_t edges[most_groups];
  int groups;
  typename Samples::RecorderKernels recorders[most_batches];
  typename Samples::TransformKernel transforms[most_transforms];
  int recorder_count, transform_count;
};

/// Where a launch runs. Up to eight blocks form a cluster, which has a barrier of its own; more meet in
/// memory.
struct Gathering {
  int blocks = 1;
  unsigned* arrived = nullptr;  ///< zero before a launch of more than `most_in_cluster` blocks
};
inline constexpr int most_in_cluster = 8;

template <class T>
void launch_steps(Mode, const StepWork<T>&, const Gathering&, long first, long steps, cudaStream_t);

/// Stays on the chip: two launches cost more than a step of such a grid.
template <class T>
class PersistentStepper {
  using Dev = backend::Cuda;
  using S = State<Dev, T, T>;
  using P = Passes<Dev, T, T>;
  using Work = StepWork<T>;

 public:
  /// Above this, passes of several steps and single kernels are faster.
  static constexpr std::size_t most_cells = 1 << 20;
  static bool fits(const Problem& p) {
    return !p.complex_fields && p.grid.cell_count() <= most_cells &&
           p.dispersive.size() <= Work::most_groups && p.recorders.size() <= Work::most_batches &&
           p.fouriers.size() <= Work::most_transforms;
  }

  PersistentStepper(S& s, const Problem& p) {
    CellSet all(p.grid);
    all.add_box({0, 0, 0}, {1 << 30, 1 << 30, 1 << 30});
    const std::vector<Segment> segments = all.segments();
    segments_ = s.copy_of(segments);
    arrived_ = s.template zeros<unsigned>(1);
    int device = 0, multiprocessors = 0;
    UMOV_CUDA_CHECK(cudaGetDevice(&device));
    UMOV_CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    // a warp a segment as far as there are multiprocessors
    const int wanted = int((segments.size() + 15) / 16);
    gathering_.blocks = std::min(wanted, wanted <= 2 * most_in_cluster ? most_in_cluster : multiprocessors);
    gathering_.arrived = arrived_.data();
  }

  /// Prepared steps first .. first + steps - 1.
  void advance(S& s, P& p, long first, long steps) {
    if (steps == 0) return;
    s.dev.fill_zero(arrived_.data(), 1);
    launch_steps(s.grid.mode, work(s, p, first), gathering_, first, steps, s.dev.stream());
  }
  std::size_t bytes() const { return segments_.bytes() + arrived_.bytes(); }

 private:
  Work work(S& s, P& p, long first) {
    Work w{};
    w.view = sweep_view(s);
    w.segments = segments_.data();
    w.segment_count = index_t(segments_.size());
    w.source_columns = p.sources.values(first + 1) - p.sources.values(first);
    for (const int electric : {0, 1}) {
      w.sources[electric] = p.sources.kernel(s, electric, first);
      w.targets[electric] = p.sources.silent(electric) ? 0 : index_t(p.sources.host(electric).cell.size());
      p.sweeps.visit_ghosts(s, electric, [&](const Box& box, const FillGhosts<T>& fill) {
        auto& face = w.faces[electric][w.face_count[electric]++];
        for (int a = 0; a < 3; ++a) face.lo[a] = box.lo[a], face.size[a] = box.hi[a] - box.lo[a];
        face.fill = fill;
      });
    }
    for (int c = 0; c < 3; ++c)
      if (!p.tensor.empty() && has_component(s.grid.mode, c)) w.tensor[c] = p.tensor.kernel(s, c);
    w.groups = p.poles.groups();
    for (int g = 0; g < w.groups; ++g) w.poles[g] = p.poles.kernel(s, g), w.edges[g] = w.poles[g].edges;
    for (const auto& r : p.samples.recorder_kernels(s)) w.recorders[w.recorder_count++] = r;
    for (const auto& t : p.samples.transform_kernels(s)) w.transforms[w.transform_count++] = t;
    return w;
  }

  backend::CudaArray<Segment> segments_;
  backend::CudaArray<unsigned> arrived_;
  Gathering gathering_;
};

}  // namespace umov::fdtd::tuned
