#include "commands/all.hpp"

#include "commands/devices.hpp"
#include "commands/fdtd.hpp"
#include "commands/materials.hpp"
#include "commands/particles/list.hpp"
#include "commands/schema.hpp"
#include "commands/solve.hpp"
#include "commands/sweep.hpp"
#include "commands/view.hpp"
#include "dda/translated/ddscat_command.hpp"
#include "dda/translated/opendda_command.hpp"
#include "eqs/command/command.hpp"
#include "harmonic/command/command.hpp"
#include "modes/command/command.hpp"
#include "pmaxwell/command/command.hpp"

namespace umov::commands {

/// TO ADD A COMMAND: one line here.
std::vector<program::Command> all() {
  auto list = particles();
  list.insert(list.end() - 1,  // before mie
              {{"opendda", "the same, from OpenDDA's control file", dda::opendda_command, "--help",
                "use fewer dipoles (Array_dimensions)", true},
               {"ddscat", "the same, from DDSCAT's ddscat.par", dda::ddscat_command, "--help",
                "use fewer dipoles (SHPAR)", true}});
  list.insert(
      list.end(),
      {
          {"fdtd", "waves in time, from a picture or a case: finite differences", fdtd_command, "--help",
           "use a coarser grid (resolution), a smaller domain, or --ftype float", true},
          {"modes", "guided modes of a cross-section: indices, dispersion, losses, fields", modes::command,
           "--help", "use a coarser grid (resolution), a smaller plane, or --extrapolate 1"},
          {"harmonic", "light in layered cells at single wavelengths, in the frequency domain",
           harmonic::command, "--help",
           "use larger cells (cell), fewer rows at once (--rows-at-once), or --ftype float", true},
          {"pmaxwell", "one wavelength from a directory of VTK files: pseudo-time, split fields",
           pmaxwell::command, "--help", "use a smaller grid"},
          {"eqs", "high voltage: electroquasistatic fields, finite elements", eqs::command, "--help",
           "use a coarser mesh, or elements of first order (--order 1)", true},
          {"sweep", "a case of any family with parameters varied: one table", sweep_command, "--help",
           "take fewer cases at a time (--jobs), or smaller ones", true},
          {"solve", "a linear system from Matrix Market files: multigrid", solve_command, "--help",
           "use fewer unknowns, or more ranks", true},
          {"view", "results in the browser: one run, or all runs in a folder", view_command},
          {"devices", "what can compute here, and why something cannot", devices_command},
          {"schema", "JSON Schema of a family's cases, for editors", schema_command},
          {"materials", "named materials: sources, ranges, eps, n and k", materials_command},
      });
  return list;
}

}  // namespace umov::commands
