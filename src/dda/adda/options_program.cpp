// Options about the program itself, and umov's own, written with two dashes.
#include <fmt/format.h>

#include <limits>

#include "cases/device_parameter.hpp"
#include "cases/rank_parameters.hpp"
#include "dda/adda/options.hpp"
#include "run/version.hpp"

namespace umov::dda::adda {

namespace {

constexpr int int_max = std::numeric_limits<int>::max();

}  // namespace

std::vector<Option> program_options() {
  return {
      {"gpu", "<index>", "GPU to use, from 0", 1, 1,
       [](State& s, const Arguments& a) { s.machine().device = a.integer(0, 0, int_max); }},
      {"h", "[<option> [<choice>]]", "Help", 0, 2,
       [](State& s, const Arguments& a) {
         std::string topic;
         for (std::size_t i = 0; i < a.size(); ++i) topic += (i ? " " : "") + a[i];
         s.command.answer = adda_help(topic);
       }},
      {"prognosis", "", "Only say how much memory the run would take; implies -test", 0, 0,
       [](State& s, const Arguments&) { s.machine().dry_run = s.command.test_folder = true; }},
      {"so_buf", "no|line|full", "Accepted; umov writes its progress line by line", 1, 1,
       [](State&, const Arguments& a) {
         a.choice<int>(0, {{"no", 0}, {"line", 1}, {"full", 2}});
       }},
      {"test", "", "Begin the folder's name with 'test' rather than 'run'", 0, 0,
       [](State& s, const Arguments&) { s.command.test_folder = true; }},
      {"V", "", "Version", 0, 0,
       [](State& s, const Arguments&) {
         s.command.answer =
             fmt::format("umov {} (command line of ADDA 1.5; BSD-3-Clause licence)", run::version());
       }},
      {"-backend", "auto|serial|cpu|cuda", "Where to compute (default auto)", 1, 1,
       [](State& s, const Arguments& a) {
         s.machine().backend = a.choice<std::string>(
             0, {{"auto", "auto"}, {"serial", "serial"}, {"cpu", "cpu"}, {"cuda", "cuda"}});
       }},
      {"-device", "<index>", "GPU to use, from 0 (as -gpu)", 1, 1,
       [](State& s, const Arguments& a) { s.machine().device = a.integer(0, 0, int_max); }},
      {"-preconditioner", "auto|medium|circulant|none",
       "Approximate inverse for the solver (default none, which is ADDA's iteration)", 1, 1,
       [](State& s, const Arguments& a) {
         s.sim().solver.preconditioner =
             a.choice<PreconditionerChoice>(0, {{"auto", PreconditionerChoice::automatic},
                                                {"medium", PreconditionerChoice::medium},
                                                {"circulant", PreconditionerChoice::circulant},
                                                {"none", PreconditionerChoice::none}});
       }},
      {"-accuracy", "<fraction>",
       "Relative error wanted of cross sections, as 1% or 0.01: extrapolation from several grids", 1, 1,
       [](State& s, const Arguments& a) { s.sim().accuracy = a.fraction(0, most_accuracy); }},
      {"-accuracy-time", "<seconds>", "Time after which no finer grid is begun (default 0: any)", 1, 1,
       [](State& s, const Arguments& a) { s.sim().accuracy_time = a.nonnegative(0); }},
      {"-inner", "auto|double|float",
       "Precision of the iterations of a run in double (default double, which is ADDA's iteration)", 1, 1,
       [](State& s, const Arguments& a) {
         s.sim().solver.inner = a.choice<InnerPrecision>(0, {{"auto", InnerPrecision::automatic},
                                                             {"double", InnerPrecision::double_},
                                                             {"float", InnerPrecision::single}});
       }},
      {"-sectors", "auto|on|off",
       "Even and odd parts of a particle with mirror planes one by one (default off, which is ADDA's "
       "iteration)",
       1, 1,
       [](State& s, const Arguments& a) {
         s.sim().solver.sectors = a.choice<SectorUse>(
             0, {{"auto", SectorUse::automatic}, {"on", SectorUse::on}, {"off", SectorUse::off}});
       }},
      {"-block", "auto|<n>",
       "Right-hand sides of one polarizability solved for together, at most (default 1: ADDA's iteration, "
       "one "
       "by one)",
       1, 1,
       [](State& s, const Arguments& a) {
         s.sim().solver.block = a[0] == "auto" ? 0 : a.integer(0, 1, most_block);
       }},
      {"-ranks", "<n>",
       "Parts of this process that compute the case together, as those of mpirun would (default 0: one)", 1,
       1, [](State& s, const Arguments& a) { s.machine().ranks.ranks = a.integer(0, 0, cases::most_ranks); }},
      {"-gpus", "<n>|all", "GPUs of this machine that compute the case together (default 0: one device)", 1,
       1,
       [](State& s, const Arguments& a) {
         s.machine().ranks.gpus = a[0] == "all" ? comm::Asked::all : a.integer(0, 0, cases::most_ranks);
       }},
      {"-split", "auto|particle|solves",
       "What several ranks do: share the particle, or solve for waves of their own (default auto)", 1, 1,
       [](State& s, const Arguments& a) {
         s.machine().split = a.choice<RankSplit>(0, {{"auto", RankSplit::automatic},
                                                     {"particle", RankSplit::particle},
                                                     {"solves", RankSplit::solves}});
       }},
      {"-to-toml", "<file>", "Write the same case for umov dda and stop", 1, 1,
       [](State& s, const Arguments& a) { s.command.toml = a[0]; }},
      {"-threads", "<n>", "Threads of the cpu backend (default 0: all)", 1, 1,
       [](State& s, const Arguments& a) { s.machine().threads = a.integer(0, 0, cases::most_threads); }},
      {"-view", "", "Show the run in the browser while it goes on: prints the address to open", 0, 0,
       [](State& s, const Arguments&) { s.command.view.on = true; }},
      {"-view-paused", "", "As --view, and wait until a viewer lets the run go on", 0, 0,
       [](State& s, const Arguments&) { s.command.view.on = s.command.view.paused = true; }},
      {"-view-address", "<IP>", "Address of the interface to serve the view on (default 127.0.0.1)", 1, 1,
       [](State& s, const Arguments& a) { s.command.view.address = a[0]; }},
      {"-view-port", "<n>", "Port of the view (default 0: the first free one from 8642 on)", 1, 1,
       [](State& s, const Arguments& a) { s.command.view.port = a.integer(0, 0, 65535); }},
      {"-ftype", "float|double|ldouble", "Precision (default double)", 1, 1,
       [](State& s, const Arguments& a) {
         s.sim().precision = a.choice<Precision>(0, {{"float", Precision::single},
                                                     {"double", Precision::double_},
                                                     {"ldouble", Precision::long_double}});
       }},
      {"-no-hdf5", "", "Do not write umov's own result file", 0, 0,
       [](State& s, const Arguments&) { s.sim().outputs.hdf5 = false; }},
      {"-no-pictures", "", "Do not draw pictures", 0, 0,
       [](State& s, const Arguments&) { s.sim().outputs.pictures = false; }},
  };
}

}  // namespace umov::dda::adda
