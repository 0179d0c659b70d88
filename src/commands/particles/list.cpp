#include "commands/particles/list.hpp"

#include "commands/particles/mie.hpp"
#include "dda/command/adda_command.hpp"
#include "dda/command/command.hpp"
#include "dda/command/ddscat_command.hpp"
#include "dda/command/opendda_command.hpp"

namespace umov::commands {

std::vector<program::Command> particles() {
  return {
      {"dda", "scattering by a particle: discrete dipole approximation", dda::command, "--help",
       "use a coarser grid, or --ftype float", true},
      {"adda", "the same, with ADDA's own command line", dda::adda_command, "-h",
       "use fewer dipoles (-grid, -dpl), or --ftype float", true},
      {"opendda", "the same, from OpenDDA's control file", dda::opendda_command, "--help",
       "use fewer dipoles (Array_dimensions)", true},
      {"ddscat", "the same, from DDSCAT's ddscat.par", dda::ddscat_command, "--help",
       "use fewer dipoles (SHPAR)", true},
      {"mie", "scattering by a sphere: Mie theory", mie_command},
  };
}

}  // namespace umov::commands
