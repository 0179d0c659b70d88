// Checkpoints that are whole, but made by hand: lists of other lengths once led beyond their ends.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "eqs/command/front.hpp"
#include "eqs/run/checkpoint.hpp"
#include "eqs/run/run.hpp"
#include "fdtd/command/front.hpp"
#include "fdtd/run/run.hpp"
#include "fdtd/run/state.hpp"
#include "support/eqs_runs.hpp"
#include "support/machines.hpp"
#include "support/program.hpp"

namespace umov {
namespace {

using test::TemporaryFolder;

std::string refusal_of_crafted_checkpoint(const std::function<void()>& f) {
  try {
    f();
  } catch (const BadInput& e) {
    return e.what();
  }
  return "accepted";
}

template <class Parse>
auto simulation(const TemporaryFolder& folder, const Parse& parse, const std::string& toml) {
  folder.write("case.toml", toml);
  const std::vector<std::string> args{(folder / "case.toml").string()};
  return parse(args).simulation;
}

eqs::RunObserver stop_at_once() {
  eqs::RunObserver o;
  o.time = [](const eqs::TimeReport& r) { return r.steps < 2; };
  return o;
}

TEST(CraftedCheckpoint, EqsRefusesListsOfOtherLengths) {
  const TemporaryFolder folder;
  const auto sim = simulation(
      folder, eqs::parse,
      test::two_layers("\n[time]\nend = 0.005\nstep = 1e-4\n[[line]]\npoints = [[0.5e-3, 0.5e-3, "
                       "0], [0.5e-3, 0.5e-3, 4e-3]]\nsamples = 4\n[[surface]]\ngroup = \"bottom\"\n"));
  run::Machine machine = test::in({}, folder.path().string());
  EXPECT_THROW(eqs::run(sim, machine, stop_at_once()), run::Interrupted);
  machine.checkpoint.resume = true;
  const std::string file = eqs::checkpoint_file(machine.output_dir);
  const auto print = case_fingerprint(sim);
  const auto whole = eqs::load_checkpoint(file, print);
  const std::function<void(eqs::Outcome&)> changes[] = {
      [](auto& f) { f.lines.at(0).magnitude.pop_back(); },      [](auto& f) { f.lines.clear(); },
      [](auto& f) { f.surfaces.at(0).normal[1].push_back(0); }, [](auto& f) { f.cuts_at_peak.resize(9); },
      [](auto& f) { f.cuts_at_end.at(0).field.clear(); },       [](auto& f) { f.saved_times.resize(9999); }};
  for (const auto& change : changes) {
    auto crafted = whole;
    change(crafted.found);
    save_checkpoint(crafted, print, file);
    const std::string said = refusal_of_crafted_checkpoint([&] { eqs::run(sim, machine); });
    EXPECT_NE(said.find("has other lines, surfaces or cuts"), said.npos) << &change - changes << ": " << said;
  }
  save_checkpoint(whole, print, file);
  EXPECT_EQ(refusal_of_crafted_checkpoint([&] { eqs::run(sim, machine); }), "accepted");
  // the version before the case's identity was of its concerns: said before the case is compared
  save_checkpoint(whole, print + 1, file);
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(6).write("11", 2);
  EXPECT_NE(refusal_of_crafted_checkpoint([&] { eqs::run(sim, machine); }).find("another version of umov"),
            std::string::npos);
}

TEST(CraftedCheckpoint, FdtdRefusesPicturesAndTransformsOfOtherSizes) {
  const TemporaryFolder folder;
  const auto sim = simulation(
      folder, fdtd::parse,
      "[domain]\nsize = [4]\nresolution = 10\n[[source]]\nkind = \"point\"\ncomponent = \"Ez\"\n"
      "waveform = \"gaussian\"\nfrequency = 1\nwidth = 0.5\n[[monitor]]\nkind = \"flux\"\ncenter = [0.5]\n"
      "frequencies = [1]\n[run]\nnormalize = true\n[stop]\nsteps = 400\n[output]\nanimation = true\n");
  // The reference run's first report is of no step; the run itself is stopped after its first piece.
  int passes = 0;
  fdtd::RunObserver stop;
  stop.step = [&](const fdtd::StepReport& r) { return (passes += r.step == 0) < 2 || r.step == 0; };
  fdtd::Machine machine = test::in({}, folder.path().string());
  EXPECT_THROW(fdtd::run(sim, machine, stop), run::Interrupted);
  machine.checkpoint.resume = true;
  const std::string file = fdtd::checkpoint_file(machine.output_dir);
  const auto print = case_fingerprint(sim);
  const auto whole = fdtd::load_checkpoint(file, print);
  ASSERT_EQ(whole.marches.size(), 1u);
  ASSERT_EQ(whole.marches[0].phase, fdtd::Phase::run);
  const std::function<void(fdtd::RunState&)> changes[] = {
      [](auto& c) { c.marches[0].snapshots.frame_interval = 0; },
      [](auto& c) { c.marches[0].snapshots.frames.at(0).values.pop_back(); },
      [](auto& c) {
        c.marches[0].snapshots.frames.at(0).size = {-1, -1, 40};
      },
      [](auto& c) { c.marches[0].snapshots.frames.at(0).component = fdtd::Component(7); },
      [](auto& c) { c.reference.fourier.at(0).pop_back(); },
      [](auto& c) { c.reference.records.pop_back(); },
      [](auto& c) { c.reference.fourier.emplace_back(); }};
  for (const auto& change : changes) {
    auto crafted = whole;
    change(crafted);
    save_checkpoint(crafted, file);
    const std::string said = refusal_of_crafted_checkpoint([&] { fdtd::run(sim, machine); });
    EXPECT_NE(said.find("not of this case (damaged?)"), said.npos) << &change - changes << ": " << said;
  }
  save_checkpoint(whole, file);
  EXPECT_EQ(refusal_of_crafted_checkpoint([&] { fdtd::run(sim, machine); }), "accepted");
}

}  // namespace
}  // namespace umov
