#include "eqs/ranks/share_bytes.hpp"

#include "core/bytes.hpp"
#include "eqs/problem.hpp"

namespace umov::eqs {

namespace {

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
  visit_fields(f, part<Settings>(p));
  visit_fields(f, part<Replicated>(p));
  f(p.mesh.nodes);
  f(p.mesh.tets);
  f(p.edges.of_tet);
  f(p.nodes);
  f(p.unknown);
  f(p.unknowns);
  f(p.base);
  f(p.island);
  f(p.material);
  f(p.node_electrode);
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
