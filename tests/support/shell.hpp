// Runs a line of the shell, where redirections and pipes are the matter.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "support/places.hpp"
#include "support/program.hpp"

namespace umov::test {

/// `line` in `folder`, with $U for the program; what is not redirected there goes to Ended.
inline Ended shell(const TemporaryFolder& folder, const std::string& line) {
  const std::string place = folder.path().string(), out = place + ".out", err = place + ".err";
  folder.write("line.sh",
               "U='" + program_path() + "'\nexport OMP_NUM_THREADS=1\nset -o pipefail\n" + line + "\n");
  const int status =
      std::system(("cd '" + place + "' && bash line.sh >'" + out + "' 2>'" + err + "'").c_str());
  fs::remove(folder / "line.sh");
  Ended end{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_of(out), text_of(err)};
  std::error_code ignored;
  fs::remove(out, ignored);
  fs::remove(err, ignored);
  return end;
}

}  // namespace umov::test
