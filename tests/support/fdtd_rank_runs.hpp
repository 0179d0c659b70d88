// Whole runs in time on several ranks, compared with one rank bit for bit.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "comm/in_process.hpp"
#include "core/error.hpp"
#include "fdtd/command/front.hpp"
#include "fdtd/output/results.hpp"
#include "fdtd/run/run.hpp"
#include "fdtd/run/state.hpp"
#include "support/machines.hpp"
#include "support/program.hpp"

namespace umov::fdtd::trial {

inline Simulation simulation(const std::string& text) {
  const umov::test::TemporaryFolder folder;
  folder.write("case.toml", text);
  Simulation s = parse(std::vector<std::string>{(folder / "case.toml").string()}).simulation;
  s.force = true;
  return s;
}

using Numbers = std::vector<std::pair<std::string, std::vector<std::uint64_t>>>;

/// All numbers of a result, by name; the same bits are the same text, of numbers that are none, too.
inline Numbers numbers(const Outcome& o) {
  std::vector<std::pair<std::string, std::vector<std::uint64_t>>> all;
  const results::Result result = to_result(o);
  for (const auto& a : result.arrays) {
    std::vector<std::uint64_t> bits;
    const auto put = [&](double v) { bits.push_back(std::bit_cast<std::uint64_t>(v == 0 ? 0.0 : v)); };
    if (const auto* d = std::get_if<std::vector<double>>(&a.data))
      for (const double v : *d) put(v);
    if (const auto* f = std::get_if<std::vector<float>>(&a.data))
      for (const float v : *f) put(v);
    if (const auto* z = std::get_if<std::vector<cplx>>(&a.data))
      for (const cplx& v : *z) put(v.real()), put(v.imag());
    all.emplace_back(a.name, std::move(bits));
  }
  for (const auto* list : {&o.snapshots, &o.frames})
    for (const Snapshot& s : *list) {
      all.emplace_back("picture " + s.name + " at " + std::to_string(s.step), std::vector<std::uint64_t>());
      for (const float v : s.values)
        all.back().second.push_back(std::bit_cast<std::uint32_t>(v == 0 ? 0.f : v));
    }
  for (const auto& [c, block] : o.final_fields) {
    all.emplace_back("final field " + std::to_string(int(c)), std::vector<std::uint64_t>());
    for (const auto* list : {&block.real, &block.imag})
      for (const double v : *list)
        all.back().second.push_back(std::bit_cast<std::uint64_t>(v == 0 ? 0.0 : v));
  }
  return all;
}

/// What depends on the clock, or is of the ranks themselves.
inline bool of_the_machine(const std::string& name) {
  return name.find("seconds") != std::string::npos || name.find("cells_per_second") != std::string::npos ||
         name.find("bytes") != std::string::npos;
}

inline void expect_same(const Numbers& found, const Numbers& right, const std::string& where) {
  ASSERT_EQ(found.size(), right.size()) << where;
  for (std::size_t i = 0; i < right.size(); ++i) {
    EXPECT_EQ(found[i].first, right[i].first) << where;
    if (of_the_machine(right[i].first)) continue;
    EXPECT_TRUE(found[i].second == right[i].second) << right[i].first << ", " << where;
  }
}

/// A run on several ranks. What those of a pair that took the reference run have is no result. Returns what
/// the log says of the ranks.
inline std::string expect_same_on(int ranks, const Simulation& s, const Numbers& right,
                                  const std::string& before = "",
                                  const Machine& machine = umov::test::one_thread) {
  std::string said;
  comm::run_in_process(ranks, [&](comm::Communicator& comm) {
    const Outcome out = run(s, machine, {}, comm);
    if (comm.first()) said = out.ranks;
    if (comm.first() || !out.final_fields.empty())
      expect_same(numbers(out), right,
                  before + "rank " + std::to_string(comm.rank()) + " of " + std::to_string(ranks));
  });
  return said;
}

/// Runs on `ranks` ranks until the observer of rank `asks` says stop, `when` being told stage and step.
inline void expect_interrupted(int ranks, const Simulation& s, int asks,
                               const std::function<bool(const std::string&, long)>& when,
                               const Machine& machine) {
  EXPECT_THROW(comm::run_in_process(ranks,
                                    [&](comm::Communicator& comm) {
                                      RunObserver observer;
                                      std::string stage;
                                      observer.stage = [&](const std::string& text) { stage = text; };
                                      observer.step = [&](const StepReport& r) {
                                        return comm.rank() != asks || !when(stage, r.step);
                                      };
                                      run(s, machine, observer, comm);
                                    }),
               run::Interrupted);
}

}  // namespace umov::fdtd::trial
