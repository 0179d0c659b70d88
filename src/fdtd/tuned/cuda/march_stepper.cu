// Passes of several steps, from a problem.
#include <algorithm>
#include <limits>

#include "fdtd/tuned/cuda/march_stepper.hpp"

namespace umov::fdtd::tuned {
namespace {

/// H of passes is the same everywhere and without loss; E has at most 255 media, as one id means `frozen`.
bool media_fit(const Problem& p) {
  if (p.coefficients.size() > std::size_t(frozen)) return false;
  const Coefficients* magnetic = nullptr;
  for (int c = Hx; c <= Hz; ++c) {
    if (!has_component(p.grid.mode, c)) continue;
    const Coefficients& k = p.coefficients[p.uniform[c]];
    if (!p.material[c].empty() || k.decay != 1) return false;
    if (magnetic && magnetic->drive != k.drive) return false;
    magnetic = &k;
  }
  return true;
}

/// Along x no vector of four cells may touch the layers at both walls.
bool layers_fit(const Problem& p) {
  if (p.grid.mode != Mode::full) return true;
  for (int a = 0; a < 3; ++a) {
    const int low = p.pml[a][0].layers, high = p.pml[a][1].layers;
    if (low && high && (low + 3) / 4 * 4 > p.grid.cells[a] - high) return false;
  }
  return true;
}

/// Time of a step against the simple one: passes that take all cells, patches that take some again.
double relative_cost(const Problem& p, int steps, double pass) {
  CellSet cells = special_cells(p, p.grid.mode != Mode::full, steps - 1);
  cells.grow(2 * steps);
  return pass + double(cells.count()) / double(p.grid.cell_count());
}

std::vector<float2> media_table(const Problem& p) {
  std::vector<float2> table(256, float2{1, 0});
  for (std::size_t m = 0; m < p.coefficients.size(); ++m)
    table[m] = {float(p.coefficients[m].decay), float(p.coefficients[m].drive)};
  return table;
}

}  // namespace

int MarchStepper::steps_for(const Problem& p, const Limits& limits) {
  if (p.complex_fields || p.precision != Precision::single_ || p.grid.mode == Mode::one || !media_fit(p) ||
      !layers_fit(p))
    return 0;
  int best = 0;
  double least = 1;
  const auto consider = [&](int steps, double pass) {
    const double cost = relative_cost(p, steps, pass);
    if (cost < least) least = cost, best = steps;
  };
  if (p.grid.mode == Mode::full) {
    const int rows = rows_of_columns(limits);
    if (rows > 0) consider(volume_steps, column_cost(rows));
  } else {
    if (can_march(p.grid.mode, 8, limits)) consider(8, 0.2);
    if (can_march(p.grid.mode, 4, limits)) consider(4, 0.3);
  }
  return best;
}

bool MarchStepper::has_room(const Problem& p) {
  const Layout layout(p.grid);
  std::size_t a_cell = 0, free = 0, total = 0;
  for (int c = 0; c < components; ++c)
    if (has_component(p.grid.mode, c)) a_cell += 2 * sizeof(float) + (p.material[c].empty() ? 0 : 1);
  UMOV_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  // a tenth for layers, lists and patches
  return double(a_cell) * double(layout.size) < 0.9 * double(free);
}

MarchStepper::MarchStepper(S& s, const Problem& p, int steps, const Limits& limits)
    : steps_(steps),
      limits_(limits),
      grid_(p.grid),
      layers_inside_(p.grid.mode == Mode::full),
      medium_(s.copy_of(media_table(p))),
      patches_(s, p, steps, !layers_inside_) {
  for (int c = 0; c < components; ++c) {
    if (!has_component(grid_.mode, c)) continue;
    twin_[c] = s.zeros<float>(s.layout.size);
    if (is_electric(c)) uniform_id_[c] = 0x01010101u * p.uniform[c];
    if (!is_electric(c)) magnetic_drive_ = float(p.coefficients[p.uniform[c]].drive);
  }
  for (int a = 0; a < 3; ++a) {
    low_end_[a] = p.pml[a][0].layers;
    for (const int field : {0, 1})
      high_begin_[field][a] =
          p.pml[a][1].layers ? grid_.cells[a] - p.pml[a][1].layers + field : std::numeric_limits<int>::max();
  }
  if (!layers_inside_) return;
  make_layers(s);
  const auto [plan, order] = cut_whole(plan_columns(extent(), limits_), extent(), limits_.processors);
  plan_ = plan;
  order_ = s.copy_of(order.order);
}

MarchExtent MarchStepper::extent() const {
  return {grid_.cells, low_end_, high_begin_[0], 0, grid_.cells[2]};
}

void MarchStepper::join(S& s, const Border& border) {
  joined_.reset();
  if (grid_.mode != Mode::full || border.overlap == Overlap::never || border.steps != steps_) return;
  MarchExtent own = extent();
  own.begin = border.own_begin, own.end = border.own_end;
  const MarchPlan columns = plan_columns(own, limits_);
  const std::vector<char> sent = sent_planes(border, grid_);
  const auto places = [&](bool busy) { return EarlyPlaces(columns, own, sent, patches_.stepped(s, busy)); };
  const auto [plan, quiet] = cut_part(columns, own, places(false), border.overlap, limits_.processors);
  const bool split = quiet.early < int(quiet.order.size());
  const BlockOrder busy =
      split ? order_blocks(work_of_blocks(plan, own), places(true).blocks(plan), limits_.processors, 0)
            : quiet;
  joined_ = Joined{plan, {{{s.copy_of(quiet.order), quiet.early}, {s.copy_of(busy.order), busy.early}}}};
}

void MarchStepper::make_layers(S& s) {
  profile_length_ = (*std::max_element(grid_.cells.begin(), grid_.cells.end()) + 8) / 4 * 4;
  std::vector<float> profile(6 * 3 * profile_length_);
  for (auto* slabs : {&s.electric_slabs, &s.magnetic_slabs})
    for (auto& slab : *slabs) {
      const PmlSlab& w = slab.where;
      psi_twin_.push_back(s.zeros<float>(slab.psi.size()));
      layer_pitch_[w.axis] = w.pitch, layer_plane_[w.axis] = w.plane;
      float* const to =
          profile.data() + (3 * is_electric(w.component) + w.axis) * 3 * profile_length_ + w.first;
      for (int l = 0; l < w.layers; ++l) {
        to[l] = float(w.b[l]);
        to[l + profile_length_] = float(w.c[l]);
        to[l + 2 * profile_length_] = float(w.stretch[l]);
      }
    }
  profile_ = s.copy_of(profile);
}

SweepView<float> MarchStepper::twin_view(S& s) {
  SweepView<float> v = sweep_view(s);
  for (int c = 0; c < components; ++c) v.f[c] = twin_[c].data();
  if (!layers_inside_) return v;
  std::size_t n = 0;
  for (auto* slabs : {&s.electric_slabs, &s.magnetic_slabs})
    for (auto& slab : *slabs) {
      const PmlSlab& w = slab.where;
      v.layer[w.component][term_along(w.component, w.axis)][w.side].psi = psi_twin_[n++].data();
    }
  return v;
}

void MarchStepper::exchange(S& s) {
  for (int c = 0; c < components; ++c) std::swap(s.field_array(c), twin_[c]);
  if (!layers_inside_) return;
  std::size_t n = 0;
  for (auto* slabs : {&s.electric_slabs, &s.magnetic_slabs})
    for (auto& slab : *slabs) std::swap(slab.psi, psi_twin_[n++]);
}

MarchPlane MarchStepper::plane(const SweepView<float>& from, const SweepView<float>& to) const {
  const bool tm = grid_.mode == Mode::tm;
  const int slot[3] = {tm ? Ez : Hz, tm ? Hx : Ex, tm ? Hy : Ey};
  const int medium[2] = {tm ? Ez : Ex, tm ? Ez : Ey};
  MarchPlane m{};
  for (int n = 0; n < 3; ++n) m.in[n] = from.f[slot[n]], m.out[n] = to.f[slot[n]];
  for (int n = 0; n < 2; ++n) m.id[n] = from.narrow[medium[n]], m.uniform_id[n] = uniform_id_[medium[n]];
  m.medium = medium_.data();
  m.magnetic_drive = magnetic_drive_;
  m.base = from.base, m.pitch = from.pitch;
  m.nx = grid_.cells[0], m.ny = grid_.cells[1];
  return m;
}

MarchVolume MarchStepper::volume(const SweepView<float>& from, const SweepView<float>& to,
                                 const MarchPlan& plan) const {
  MarchVolume m{};
  for (int c = 0; c < components; ++c) {
    m.in[c] = from.f[c], m.out[c] = to.f[c];
    for (int w = 0; w < 2; ++w)
      for (int side = 0; side < 2; ++side) {
        const LayerView<float>& l = from.layer[c][w][side];
        if (l.psi) m.layer[c][w][side] = {l.psi + l.offset, to.layer[c][w][side].psi + l.offset};
      }
  }
  for (int c = 0; c < 3; ++c) m.id[c] = from.narrow[c], m.uniform_id[c] = uniform_id_[c];
  m.medium = medium_.data();
  m.magnetic_drive = magnetic_drive_;
  m.base = from.base, m.pitch = from.pitch, m.plane = from.plane;
  for (int a = 0; a < 3; ++a) {
    m.n[a] = grid_.cells[a];
    m.layer_pitch[a] = layer_pitch_[a], m.layer_plane[a] = layer_plane_[a];
    m.low_end[a] = low_end_[a];
    for (const int field : {0, 1}) {
      m.high_begin[field][a] = high_begin_[field][a];
      m.profile[field][a] = profile_.data() + (3 * field + a) * 3 * profile_length_;
    }
  }
  m.profile_length = profile_length_;
  m.tiles_x = plan.tiles_x, m.tiles = plan.tiles();
  m.begin = plan.begin, m.end = plan.end, m.planes = plan.planes;
  return m;
}

void MarchStepper::pass(S& s, P& p, long first) {
  const SweepView<float> from = sweep_view(s), to = twin_view(s);
  if (grid_.mode == Mode::full) {
    MarchVolume all = volume(from, to, plan_);
    all.order = order_.data();
    launch(all, plan_, int(order_.size()), s.dev.stream());
  } else {
    launch(grid_.mode, steps_, plane(from, to), limits_, s.dev.stream());
  }
  patches_.step(s, p, first, from, to);
  exchange(s);
  p.sweeps.ghosts(s, Field::H);
  p.sweeps.ghosts(s, Field::E);
  p.samples.take(s, first + steps_ - 1);
}

void MarchStepper::pass(S& s, P& p, long first, const BorderCalls& border) {
  const auto& [blocks, early] = joined_->order[patches_.busy(p, first)];
  const SweepView<float> from = sweep_view(s), to = twin_view(s);
  MarchVolume volume_of = volume(from, to, joined_->plan);
  volume_of.order = blocks.data();
  launch(volume_of, joined_->plan, early, s.dev.stream());
  patches_.step(s, p, first, from, to);
  exchange(s);
  p.sweeps.ghosts(s, Field::H);
  p.sweeps.ghosts(s, Field::E);
  border.start();
  volume_of.order += early;
  launch(volume_of, joined_->plan, int(blocks.size()) - early, s.dev.stream());
  border.finish();
  // those of planes that were stepped last
  p.sweeps.ghosts(s, Field::H);
  p.sweeps.ghosts(s, Field::E);
  p.samples.take(s, first + steps_ - 1);
}

std::string MarchStepper::variant() const {
  std::string text = "passes of " + std::to_string(steps_) + " steps";
  if (layers_inside_) text += " in columns of 64 x " + std::to_string(plan_.rows) + " cells";
  if (joined_) {
    const auto& [blocks, early] = joined_->order[0];
    if (const std::size_t rest = blocks.size() - std::size_t(early); rest > 0)
      text += ", " + std::to_string(100 * rest / blocks.size()) + " % of them while copies travel";
  }
  return text;
}

std::size_t MarchStepper::bytes() const {
  std::size_t sum = medium_.bytes() + patches_.bytes();
  for (const Array& a : twin_) sum += a.bytes();
  for (const Array& a : psi_twin_) sum += a.bytes();
  return sum;
}

}  // namespace umov::fdtd::tuned
