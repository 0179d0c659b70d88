#include "commands/particles/list.hpp"

#include "commands/particles/mie.hpp"
#include "dda/command/adda_command.hpp"
#include "dda/command/command.hpp"

namespace umov::commands {

std::vector<program::Command> particles() {
  return {
      {"dda", "scattering by a particle: discrete dipole approximation", dda::command, "--help",
       "use a coarser grid, or --ftype float", true},
      {"adda", "the same, with ADDA's own command line", dda::adda_command, "-h",
       "use fewer dipoles (-grid, -dpl), or --ftype float", true},
      {"mie", "scattering by a sphere: Mie theory", mie_command},
  };
}

}  // namespace umov::commands
