// All parts of a step as one kernel argument, for launches that take many steps.
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
  using Transforms = TransformPass<backend::Cuda, T, T>;
  struct Face {
    int lo[3], size[3];
    FillGhosts<T> fill;
  };

  SweepView<T> view;
  const Segment* segments;
  index_t segment_count;
  int n[2];  ///< cells along x and y
  int media;
  DriveFields<T> sources[2];  ///< [magnetic, electric], with the values of the first step
  index_t targets[2], source_columns;
  Face faces[2][most_faces];
  int face_count[2];
  AddOffDiagonal<T, T> tensor[3];
  Polarize<T, T> poles[most_groups];
  index_t edges[most_groups];
  int pole_component[most_groups];
  int groups;
  SubtractFlows<T, T> subtract_flows;
  PolarizeNode<T, T> polarize_node;
  index_t cut_edges, cut_nodes;
  typename Samples::RecorderKernels recorders[most_batches];
  typename Transforms::Kernel transforms[most_transforms];
  int recorder_count, transform_count;
  bool samples_magnetic;  ///< some of them sample H
};

}  // namespace umov::fdtd::tuned
