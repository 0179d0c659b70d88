// The program behind mpirun, and its tables as numbers, for tests that hold ranks against one.
#pragma once

#include <sys/wait.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "support/program.hpp"

namespace umov::test {

struct RankedEnd {
  int code = -1;
  std::string text;
  int count(const std::string& part) const {
    int n = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
  }
};

/// `umov WORDS` in a folder, behind what starts it.
inline RankedEnd umov_in(const fs::path& folder, const std::string& words, const std::string& before = "") {
  const std::string line = "cd '" + folder.string() + "' && OMP_NUM_THREADS=1 timeout 100 " + before +
                           " '" UMOV_BINARY "' " + words + " 2>&1";
  RankedEnd ended;
  std::FILE* pipe = popen(line.c_str(), "r");
  char part[512];
  while (std::fgets(part, sizeof part, pipe)) ended.text += part;
  const int status = pclose(pipe);
  ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ended;
}

/// What starts `ranks` processes by that MPI; "" where it, or umov's module for it, is not here.
inline std::string mpirun(const std::string& mpi, int ranks) {
  if (!fs::exists(fs::path(UMOV_BINARY).parent_path() / ("libumov_" + mpi + ".so"))) return "";
  if (std::system(("mpirun." + mpi + " --version > /dev/null 2>&1").c_str()) != 0) return "";
  const std::string options = mpi == "openmpi"
                                  ? "env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                                    "OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 "
                                  : "";
  return options + "mpirun." + mpi + " -n " + std::to_string(ranks);
}

/// Numbers of a text, and what is between them.
inline std::pair<std::vector<double>, std::string> parted(const std::string& text) {
  std::pair<std::vector<double>, std::string> out;
  for (const char* at = text.c_str(); *at;) {
    char* end = nullptr;
    const bool begins =
        std::isdigit(*at) || ((*at == '-' || *at == '+' || *at == '.') && std::isdigit(at[1]));
    const double v = begins ? std::strtod(at, &end) : 0;
    if (begins && end != at) {
      out.first.push_back(v);
      at = end;
    } else {
      out.second += *at++;
    }
  }
  return out;
}

}  // namespace umov::test
