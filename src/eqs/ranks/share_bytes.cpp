#include "eqs/ranks/share_bytes.hpp"

#include "core/bytes.hpp"
#include "eqs/problem.hpp"

namespace umov::eqs {

namespace {

template <class File, class Curve>
void visit_curve(File& f, Curve& c) {
  f(c.kind);
  f(c.value);
  f(c.field);
  f(c.values);
  f(c.file);
  f(c.formula);
  f(c.named);
  f(c.parameters);
}

template <class File, class Waveform>
void visit_waveform(File& f, Waveform& w) {
  f(w.kind);
  f(w.amplitude);
  f(w.frequency);
  f(w.phase);
  f(w.ramp);
  f(w.ramp_time);
  f(w.rise);
  f(w.front);
  f(w.tail);
  f(w.file);
  f(w.time);
  f(w.values);
}

template <class File, class Rows>
void visit_rows(File& f, Rows& m) {
  f(m.rows.rows);
  f(m.rows.columns);
  f(m.rows.start);
  f(m.rows.column);
  f(m.rows.value);
  f(m.own_columns);
  f(m.ghosts);
}

template <class File, class P, class S>
void visit(File& f, P& p, S& s) {
  f(p.analysis);
  f(p.order);
  f(p.mesh.nodes);
  f(p.mesh.tets);
  f(p.edges.of_tet);
  f(p.nodes);
  f(p.unknown);
  f(p.unknowns);
  f(p.base);
  f(p.good);
  f(p.island);
  f(p.island_size);
  f(p.contrast);
  f(p.rate);
  f(p.material);
  f.each(p.materials, [&](auto& m) {
    f(m.name);
    visit_curve(f, m.permittivity);
    visit_curve(f, m.conductivity);
  });
  f.each(p.electrodes, [&](auto& e) {
    f(e.name);
    f(e.kind);
    visit_waveform(f, e.waveform);
    f(e.charge);
    f(e.unknown);
  });
  f(p.node_electrode);
  f(p.symmetry_factor);
  f(p.newton);
  auto& l = p.linear;
  f(l.tolerance);
  f(l.max_iterations);
  f(l.preconditioner);
  f(l.form);
  f(l.start_vector);
  f(l.amg);
  f(l.reuse);
  f(l.reuse_growth);
  f(p.scheme);
  f(p.spectral_radius);
  f(p.power_steps);
  f(p.max_stages);
  f(p.time_tolerance);
  f(s.rank);
  f(s.ranks);
  f(s.unknowns);
  f(s.vertex_unknowns);
  f(s.elements);
  f(s.ghosts);
  f(s.own_node);
  f.each(s.nested, [&](auto& m) { visit_rows(f, m); });
  f(s.bodies);
  f(s.over);
}

}  // namespace

std::vector<std::byte> bytes_of(const Problem& p) {
  ByteCount count;
  visit(count, p, *p.share);
  MemoryWriter out(count.count());
  visit(out, p, *p.share);
  return out.take();
}

Problem problem_of(const std::vector<std::byte>& bytes, RankShare& share) {
  MemoryReader in(bytes);
  Problem p;
  visit(in, p, share);
  in.finish();
  return p;
}

}  // namespace umov::eqs
