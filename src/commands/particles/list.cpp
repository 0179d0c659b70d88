#include "commands/particles/list.hpp"

#include "commands/particles/mie.hpp"
#include "dda/command/adda_command.hpp"
#include "dda/command/command.hpp"
#include "dda/command/ddscat_command.hpp"
#include "dda/command/opendda_command.hpp"

namespace umov::commands {

std::vector<program::Command> particles() {
  return {
      {"dda", "scattering by a particle: discrete dipole approximation", dda::command},
      {"adda", "the same, with ADDA's own command line", dda::adda_command, "-h"},
      {"opendda", "the same, from OpenDDA's control file", dda::opendda_command},
      {"ddscat", "the same, from DDSCAT's ddscat.par", dda::ddscat_command},
      {"mie", "scattering by a sphere: Mie theory", mie_command},
  };
}

}  // namespace umov::commands
