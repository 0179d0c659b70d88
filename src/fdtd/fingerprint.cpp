// Digest of a problem, and the comparison of headers.
#include "fdtd/fingerprint.hpp"

#include <cstring>
#include <string>
#include <type_traits>

#include "core/digest.hpp"
#include "core/error.hpp"

namespace umov::fdtd {

namespace {

struct ProblemDigest : Digest {
  template <class V>
  void put(const V& v) {
    static_assert(std::is_arithmetic_v<V> || std::is_enum_v<V>);  // no padding
    add(&v, sizeof v);
  }
  template <class V>
  void list(const std::vector<V>& v) {
    put(v.size());
    add(v.data(), v.size() * sizeof(V));
  }
  void list(const PmlSide::Terms& t) {
    list(t.kappa_inverse);
    list(t.b);
    list(t.c);
  }
};

void put_grid(ProblemDigest& d, const Problem& p) {
  d.put(p.grid.mode);
  for (int a = 0; a < 3; ++a) {
    d.put(p.grid.cells[a]);
    d.put(p.bloch_phase[a]);
    for (int side = 0; side < 2; ++side) {
      d.put(p.walls[a][side]);
      d.list(p.pml[a][side].node);
      d.list(p.pml[a][side].half);
    }
  }
  d.put(p.grid.dx);
  for (const auto& lines : p.grid.lines)
    if (!lines.empty()) d.list(lines);
  d.put(p.grid.dt);
  d.put(p.complex_fields);
}

void put_media(ProblemDigest& d, const Problem& p) {
  for (const Coefficients& k : p.coefficients) d.put(k.decay), d.put(k.drive);
  for (int c = 0; c < components; ++c) d.list(p.material[c]), d.put(p.uniform[c]);
  for (const auto& list : p.tensor)
    for (const TensorTerm& t : list) {
      d.put(t.cell);
      for (const auto& ends : t.w)
        for (const double w : ends) d.put(w);
    }
  for (const DispersiveGroup& g : p.dispersive) {
    d.put(g.component);
    d.list(g.cells);
    for (const PoleTerm& t : g.poles) d.put(t.debye), d.put(t.a), d.put(t.b), d.put(t.c), d.put(t.gain);
  }
}

void put_cut(ProblemDigest& d, const CutMedia& m) {
  for (const auto& poles : m.media)
    for (const PoleTerm& t : poles) d.put(t.debye), d.put(t.a), d.put(t.b), d.put(t.c);
  for (const auto& h : m.halves) d.put(h.component), d.put(h.cell), d.put(h.coupling);
  for (const auto& s : m.sites) d.put(s.half), d.put(s.medium), d.put(s.weight), d.put(s.jump);
  for (const auto& n : m.nodes) d.put(n.first_half), d.put(n.first_site), d.put(n.compliance);
  for (const auto& t : m.taps) d.put(t.half), d.put(t.weight);
  for (const auto& e : m.edges) d.put(e.component), d.put(e.cell), d.put(e.first_tap);
}

void put_lists(ProblemDigest& d, const Problem& p) {
  for (const SourceTable& t : p.tables) d.put(t.columns);
  for (const SourceGroup& g : p.sources) {
    d.put(g.component), d.put(g.hard), d.put(g.table), d.put(g.taps), d.put(g.table_imag);
    d.list(g.cells), d.list(g.columns), d.list(g.weights), d.list(g.weights_imag);
  }
  for (const Recorder& r : p.recorders) {
    d.put(r.component), d.put(r.interval), d.put(r.squares);
    d.list(r.cells), d.list(r.weights), d.list(r.first);
  }
  for (const FourierAccumulator& a : p.fouriers) {
    d.put(a.component), d.put(a.interval);
    d.list(a.cells), d.list(a.frequencies);
  }
}

}  // namespace

std::uint64_t digest(const Problem& p) {
  ProblemDigest d;
  put_grid(d, p);
  put_media(d, p);
  put_cut(d, p.cut_media);
  put_lists(d, p);
  return d.value();
}

Header::Header(const Problem& p, const char* name, std::size_t bytes)
    : value_bytes(bytes), problem(digest(p)) {
  std::strncpy(backend, name, sizeof backend - 1);
}

void Header::check(const Header& found) const {
  if (std::memcmp(found.magic, magic, sizeof magic) != 0)
    throw BadInput("not a saved state of umov fdtd; resume from a file that a run of fdtd wrote");
  if (found.problem != problem)
    throw BadInput(
        "the saved state belongs to another problem (grid, materials, sources or monitors differ); "
        "resume with the case that wrote it");
  if (std::memcmp(found.backend, backend, sizeof backend) != 0)
    throw BadInput("the saved state was written by backend '" +
                   std::string(found.backend, strnlen(found.backend, sizeof found.backend)) + "', not '" +
                   backend + "'; a run continues bit for bit only on its own backend: choose that one");
  if (found.value_bytes != value_bytes)
    throw BadInput("the saved state was written in another precision; resume in the same");
}

}  // namespace umov::fdtd
