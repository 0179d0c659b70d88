#include "dda/run/shared_solutions.hpp"

#include <algorithm>
#include <optional>

#include "comm/collect.hpp"
#include "comm/parts.hpp"
#include "core/bytes.hpp"
#include "core/fields.hpp"
#include "core/large_memory.hpp"
#include "dda/run/checkpoints.hpp"

namespace umov::dda {

namespace {

/// The report of rank `root`, on all ranks.
void broadcast(comm::Communicator& all, SolveReport& report, int root) {
  MemoryWriter to;
  if (all.rank() == root) visit_fields(to, report);
  auto bytes = to.take();
  comm::broadcast(all, bytes, root);
  if (all.rank() == root) return;
  MemoryReader from(bytes);
  visit_fields(from, report);
  from.finish();
}

/// Far fields of an engine that every group has alike: a stretch of the directions each.
FarFieldSums shared_by_groups(const RankUse& ranks, const Engine& engine) {
  return [&ranks, &engine](std::span<const Vec3> n, std::span<CVec3> sums) {
    const auto borders = comm::even_parts(index_t(n.size()), ranks.groups);
    const auto first = [&](int g) { return std::size_t(borders[std::size_t(g)]); };
    const auto count = [&](int g) { return first(g + 1) - first(g); };
    const auto own = sums.subspan(first(ranks.mine), count(ranks.mine));
    if (!own.empty()) engine.far_field(n.subspan(first(ranks.mine), count(ranks.mine)), own);
    const int me = ranks.all->rank();
    std::vector<comm::Out> outs;
    std::vector<comm::In> ins;
    for (int r = 0; r < ranks.ranks; ++r)
      if (me == ranks.leader(ranks.mine) && ranks.group_of(r) != ranks.mine)
        outs.push_back(comm::out(r, own.data(), own.size()));
    for (int g = 0; g < ranks.groups; ++g)
      if (g != ranks.mine) ins.push_back(comm::in(ranks.leader(g), sums.data() + first(g), count(g)));
    ranks.all->exchange(outs, ins);
  };
}

/// What group g has found, to the ranks of the others, which get it in `room`; returns where it lies here.
std::span<const CVec3> pass_on(const RankUse& ranks, int g, const std::vector<CVec3>& found,
                               std::vector<CVec3>& room, std::size_t dipoles) {
  std::vector<comm::Out> outs;
  std::vector<comm::In> ins;
  if (g != ranks.mine) {
    if (room.empty()) resize_large(room, dipoles);
    ins.push_back(comm::in(ranks.leader(g), room.data(), room.size()));
  }
  for (int r = 0; r < ranks.ranks && ranks.all->rank() == ranks.leader(g); ++r)
    if (ranks.group_of(r) != g) outs.push_back(comm::out(r, found.data(), found.size()));
  ranks.all->exchange(outs, ins);
  return g == ranks.mine ? found : room;
}

}  // namespace

void solve_in_groups(const Prepared& p, std::span<const Incident> waves, Engine& engine,
                     const GroupSolves& act, const std::function<void(std::size_t, const Solution&)>& use) {
  const RankUse& ranks = p.ranks;
  const std::size_t n = p.particle.dipoles();
  std::vector<CVec3> found, room;  // lasting: new pages of memory take longer than what is done with them
  for (std::size_t base = 0; base < waves.size(); base += std::size_t(ranks.groups)) {
    const std::size_t mine = base + std::size_t(ranks.mine);
    std::optional<OwnSolve> own;
    if (mine < waves.size()) {
      own = act.solve(mine);
      if (found.empty()) resize_large(found, n);
      engine.get_polarization(found);
    }
    const bool stopped = own && own->report.status == SolveStatus::interrupted;
    if (p.any_rank(stopped)) {
      SolveOptions saved;  // every wave's state has its file
      saved.checkpoint_file = p.machine.checkpoint_dir;
      throw_interrupted(p, saved, p.any_rank(own && own->stopped));
    }
    for (int g = 0; g < ranks.groups && base + std::size_t(g) < waves.size(); ++g) {
      const std::size_t i = base + std::size_t(g);
      SolveReport report;
      if (g == ranks.mine) report = own->report;
      broadcast(*ranks.all, report, ranks.leader(g));
      engine.set_polarizability(waves[i].alpha);
      act.set_incident(waves[i]);
      act.settle(report);
      engine.set_polarization(pass_on(ranks, g, found, room, n));
      use(i, {engine, waves[i], std::move(report), shared_by_groups(ranks, engine)});
    }
  }
}

}  // namespace umov::dda
