// The simple sweeps over the grid: curl equations, absorbing layers, ghosts.
#pragma once

#include "fdtd/kernels/curl.hpp"
#include "fdtd/kernels/ghosts.hpp"
#include "fdtd/kernels/pml.hpp"
#include "fdtd/state.hpp"

namespace umov::fdtd {

/// Curl of one component as kernels read it.
template <class Dev, class T, class F>
CurlView<F> curl_view(State<Dev, T, F>& s, int c) {
  CurlView<F> v{};
  const F* some = nullptr;
  for (int which = 0; which < 2; ++which) {
    const CurlTerm t = curl_term(s.grid, c, which);
    if (!t.exists) continue;
    some = s.field(t.of);
    const index_t shift = s.layout.stride(t.axis);
    const F* hi = is_electric(c) ? some : some + shift;
    const F* lo = is_electric(c) ? some - shift : some;
    (which == 0 ? v.a_hi : v.b_hi) = hi;
    (which == 0 ? v.a_lo : v.b_lo) = lo;
  }
  if (!v.a_hi) v.a_hi = v.a_lo = some;
  if (!v.b_hi) v.b_hi = v.b_lo = some;
  return v;
}

template <class Dev, class T, class F>
class Sweeps {
  using S = State<Dev, T, F>;

 public:
  Sweeps(S&, const Problem& p) {
    for (int c = 0; c < components; ++c)
      if (has_component(p.grid.mode, c)) {
        plan_ghosts(p, c);
        plan_seams(p, c);
      }
  }

  void curl(S& s, Field f) const {
    for (int c = 0; c < components; ++c) {
      if (field_of(c) != f || !has_component(s.grid.mode, c)) continue;
      s.visit_medium(c, [&](auto medium) {
        using Medium = decltype(medium);
        s.dev.for_each_box(s.box[c].lo, s.box[c].hi,
                           CurlUpdate<T, F, Medium>{s.field(c), curl_view(s, c), medium, T(curl_sign(f)),
                                                    s.layout.base, s.layout.pitch, s.layout.plane});
      });
    }
  }

  void layers(S& s, Field f) const {
    for (auto& slab : f == Field::E ? s.electric_slabs : s.magnetic_slabs) {
      const int c = slab.where.component;
      const CurlView<F> curl = curl_view(s, c);
      const bool first = curl_term(s.grid, c, 0).axis == slab.where.axis;
      const T sign = T((first ? 1 : -1) * curl_sign(f));
      s.visit_medium(c, [&](auto medium) {
        using Medium = decltype(medium);
        s.dev.for_each_box(slab.where.box.lo, slab.where.box.hi,
                           PmlCorrection<T, F, Medium>{s.field(c), first ? curl.a_hi : curl.b_hi,
                                                       first ? curl.a_lo : curl.b_lo, slab.view(), medium,
                                                       sign, s.layout.base, s.layout.pitch, s.layout.plane});
      });
    }
  }

  void ghosts(S& s, Field f) const {
    visit_ghosts(
        s, f, [&](const Box& box, const FillGhosts<F>& fill) { s.dev.for_each_box(box.lo, box.hi, fill); });
  }
  /// Calls visit(box, functor) for every face of ghosts of one field.
  template <class Visit>
  void visit_ghosts(S& s, Field f, const Visit& visit) const {
    for (const Face& face : faces_)
      if (field_of(face.component) == f) visit(face.box, filler(s, face));
  }
  /// Those of the walls of the other axes that lie in slab r of axis `slow`; plain loops, for steppers that
  /// go slab by slab.
  void ghosts_in_slab(S& s, Field f, int slow, int r) const {
    for (const Face& face : faces_) {
      if (field_of(face.component) != f || face.across == slow) continue;
      Box box = face.box;
      box.lo[slow] = r;
      box.hi[slow] = r + 1;
      fill_box(s, face, box);
    }
  }
  /// Those of the low (0) or the high (1) wall of an axis, in the same way.
  void ghosts_at_wall(S& s, Field f, int axis, int side) const {
    for (const Face& face : faces_)
      if (field_of(face.component) == f && face.across == axis && (face.box.lo[axis] < 0) == (side == 0))
        fill_box(s, face, face.box);
  }

 private:
  using Axis = typename FillGhosts<F>::Axis;
  struct Face {
    int component, across;  ///< the axis of the wall
    Box box;
    std::array<Axis, 3> axis;
  };
  static FillGhosts<F> filler(S& s, const Face& face) {
    return {s.field(face.component),
            {face.axis[0], face.axis[1], face.axis[2]},
            s.layout.base,
            s.layout.pitch,
            s.layout.plane};
  }

  static void fill_box(S& s, const Face& face, const Box& box) {
    const FillGhosts<F> fill = filler(s, face);
    for (int k = box.lo[2]; k < box.hi[2]; ++k)
      for (int j = box.lo[1]; j < box.hi[1]; ++j)
        for (int i = box.lo[0]; i < box.hi[0]; ++i) fill(i, j, k);
  }

  static F phase_factor(double phase) {
    if constexpr (std::is_same_v<F, T>)
      return F(1);
    else
      return F(T(std::cos(phase)), T(std::sin(phase)));
  }

  /// What lies beyond the two walls of an axis. Mirrors: tangential H is even at an electric wall, odd at a
  /// magnetic one; only the tensor terms look at it beyond an electric wall.
  static Axis beyond(const Problem& p, int c, int a) {
    const int n = p.grid.cells[a];
    Axis x{false, n, 0, n - 1, F(1), F(1)};
    if (!p.grid.active(a)) return x;
    if (p.walls[a][0] == Closure::periodic)
      return {true, n, n - 1, 0, phase_factor(-p.bloch_phase[a]), phase_factor(p.bloch_phase[a])};
    if (is_electric(c) || p.grid.offset(c, a) == 0) return x;
    x.filled = true;
    if (p.walls[a][0] == Closure::pmc) x.low_factor = F(-1);
    if (p.walls[a][1] == Closure::pmc) x.high_factor = F(-1);
    return x;
  }

  void plan_ghosts(const Problem& p, int c) {
    std::array<Axis, 3> axis;
    for (int a = 0; a < 3; ++a) axis[a] = beyond(p, c, a);
    const bool tensor = !p.tensor[0].empty() || !p.tensor[1].empty() || !p.tensor[2].empty();
    for (int a = 0; a < 3; ++a)
      for (int side = 0; side < 2; ++side) {
        if (!axis[a].filled || (p.walls[a][side] == Closure::pec && !tensor)) continue;
        Face face{c, a, {}, axis};
        for (int b = 0; b < 3; ++b)
          if (p.grid.active(b)) face.box.lo[b] = -1, face.box.hi[b] = p.grid.cells[b] + 1;
        face.box.lo[a] = side == 0 ? -1 : p.grid.cells[a];
        face.box.hi[a] = face.box.lo[a] + 1;
        faces_.push_back(face);
      }
  }

  /// The ghosts of both sides of Bloch walls inside a part; see FillGhosts. They come after those of the
  /// other walls, whose ghosts in these planes they replace; where seams across two axes meet, after both.
  void plan_seams(const Problem& p, int c) {
    for (const Seam& seam : p.seams)
      for (const int side : {0, 1}) faces_.push_back(face_of(p, c, seam, side));
    for (const Seam& a : p.seams)
      for (const Seam& b : p.seams) {
        if (a.axis >= b.axis) continue;
        for (const int side_a : {0, 1})
          for (const int side_b : {0, 1}) {
            Face edge = face_of(p, c, a, side_a);
            const Face other = face_of(p, c, b, side_b);
            edge.axis[b.axis] = other.axis[b.axis];
            edge.box.lo[b.axis] = other.box.lo[b.axis];
            edge.box.hi[b.axis] = other.box.hi[b.axis];
            faces_.push_back(edge);
          }
      }
  }
  static Face face_of(const Problem& p, int c, const Seam& seam, int side) {
    Face face{c, seam.axis, {}, {}};
    for (int a = 0; a < 3; ++a) face.axis[a] = beyond(p, c, a);
    const int at = seam.plane + side;
    face.axis[seam.axis] = side == 0 ? Axis{true, at, 0, at + 2, F(1), phase_factor(seam.phase)}
                                     : Axis{true, at, 0, at - 2, F(1), phase_factor(-seam.phase)};
    for (int b = 0; b < 3; ++b)
      if (p.grid.active(b)) face.box.lo[b] = -1, face.box.hi[b] = p.grid.cells[b] + 1;
    face.box.lo[seam.axis] = at;
    face.box.hi[seam.axis] = at + 1;
    return face;
  }

  std::vector<Face> faces_;
};

}  // namespace umov::fdtd
