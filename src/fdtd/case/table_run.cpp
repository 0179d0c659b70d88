// Parameters of `umov fdtd`: results, checkpoints, the machine and this call of the program.
#include "cases/call_parameters.hpp"
#include "cases/checkpoint_parameter.hpp"
#include "cases/device_parameter.hpp"
#include "cases/format_parameters.hpp"
#include "cases/rank_parameters.hpp"
#include "fdtd/case/case.hpp"

namespace umov::fdtd {

using cases::declare;

namespace {

using Table = ParameterTable<Case>;

void add_run(Table& t) {
  const char* s = "run";
  t.add(declare(s, "normalize", {"--normalize", "--no-normalize"}, "",
                "Run first without the bodies (but those with in_reference), to normalise fluxes and "
                "drawn monitors: reflection and transmission."),
        boolean(), UMOV_SIM(normalize));
  t.add(cases::of_machine(
            declare(s, "force", {"--force"}, "", "Go on in spite of what the validation would stop at.")),
        boolean(), UMOV_SIM(force));
}

void add_output(Table& t) {
  const char* s = "output";
  cases::add_folder_parameter(t);
  cases::add_format_parameters(
      t, "Pictures of the fields over the outline of the bodies, and plots of spectra.");
  t.add(
      declare(s, "animation", {"--animation", "--no-animation"}, "", "The fields over time as an animation."),
      boolean(), UMOV_SIM(outputs.animation));
  t.add(declare(s, "frames", {"--frames"}, "",
                "Most pictures of the animation; as many where time or steps fix the end."),
        integer<int>(Range::between(2, 10000)), UMOV_SIM(outputs.frames));
  t.add(declare(s, "fields", {"--fields"}, "",
                "Fields to keep at the end; none is Ez (tm, one dimension), Hz (te), all E in space."),
        list_of(field_component()), UMOV_SIM(outputs.fields));
  t.add_action(
      declare(s, "field_csv", {"--field-csv", "--no-field-csv"}, "",
              "Final fields and snapshots as CSV files, too: a row per point, with its place; in space the "
              "planes through the middle."),
      boolean(), [](Case& c, bool on) { c.call.field_csv = on; });
  cases::add_view_parameters(t);
  t.add_action(declare(s, "view_interval", {"--view-interval"}, "steps",
                       "Steps between updates of the view; 0: as often as the viewers take them."),
               integer<long>(Range::between(0, 1e9)),
               [](Case& c, long steps) { c.call.view_interval = steps; });
}

void add_machine(Table& t) {
  const char* s = "machine";
  cases::add_device_parameters(t);
  cases::add_rank_parameters(t);
  t.add(cases::of_machine(declare(
            s, "split", {"--split"}, "",
            "What several ranks do with a normalised pair: share the grid of one run after the other, or "
            "take both runs side by side (runs); auto does what takes less time, where both fit.")),
        choice<RankSplit>(
            {{"auto", RankSplit::automatic}, {"grid", RankSplit::grid}, {"runs", RankSplit::runs}}),
        UMOV_MACHINE(split));
  t.add(
      cases::of_machine(declare(
          s, "cut", {"--cut"}, "",
          "How several ranks share a grid: in slabs across its last axis or, in space, in blocks across "
          "the last two; auto takes blocks where the fullest rank has less to do.")),
      choice<RankCut>({{"auto", RankCut::automatic}, {"slabs", RankCut::slabs}, {"blocks", RankCut::blocks}}),
      UMOV_MACHINE(cut));
  t.add(declare(s, "precision", {"--ftype", "--precision"}, "",
                "Floating-point type; float is also called single."),
        choice<Precision>(
            {{"float", Precision::single_}, {"single", Precision::single_}, {"double", Precision::double_}}),
        UMOV_SIM(precision));
  cases::add_shortcut(t, "--single", "Compute in float.", UMOV_SIM(precision), Precision::single_);
  cases::add_shortcut(t, "--double", "Compute in double.", UMOV_SIM(precision), Precision::double_);
  t.add(declare(s, "tuned", {}, "", "Use the tuned kernels; false takes the simple ones that check them."),
        boolean(), UMOV_SIM(tuned));
  cases::add_shortcut(t, "--simple-kernels", "Use the simple kernels (tuned = false).", UMOV_SIM(tuned),
                      false);
}

}  // namespace

void add_call_parameters(Table& t) { cases::add_call_parameters(t, ", grid, steps and a memory estimate"); }

void add_run_parameters(Table& t) {
  add_run(t);
  add_output(t);
  cases::add_checkpoint_parameters(t);
  add_machine(t);
}

}  // namespace umov::fdtd
