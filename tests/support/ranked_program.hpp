// The program on several ranks: behind mpirun, while it runs, and its tables as numbers.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/places.hpp"
#include "support/program.hpp"

namespace umov::test {

/// Exit code (128 + signal when killed) and all that was printed.
struct RankedEnd {
  int code = -1;
  std::string text;
  int count(const std::string& part) const {
    int n = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
  }
  /// Words of umov that say why it ends.
  int messages() const { return count("umov: ") - count("umov: warning: "); }
};

inline int exit_code(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

/// A line of the shell, from start to end.
inline RankedEnd shell_line(const std::string& line) {
  RankedEnd ended;
  std::FILE* pipe = popen(("{ " + line + " ; } 2>&1 < /dev/null").c_str(), "r");
  char part[512];
  while (std::fgets(part, sizeof part, pipe)) ended.text += part;
  ended.code = exit_code(pclose(pipe));
  return ended;
}

/// `umov WORDS` in a folder, behind what starts it.
inline RankedEnd umov_in(const fs::path& folder, const std::string& words, const std::string& before = "") {
  return shell_line("cd '" + folder.string() + "' && OMP_NUM_THREADS=1 timeout 100 " + before + " '" +
                    program_path() + "' " + words);
}

/// What starts `ranks` processes by "openmpi" or "mpich"; "" where it, or umov's module for it, is not here.
inline std::string mpirun(const std::string& mpi, int ranks) {
  if (!fs::exists(fs::path(program_path()).parent_path() / ("libumov_" + mpi + ".so"))) return "";
  const std::string version = mpi == "openmpi" ? "Open MPI" : "HYDRA";
  // some ranks share a core here: the others wait in vain while one of them spins
  const std::string options = mpi == "openmpi"
                                  ? "env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                                    "OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 "
                                  : "";
  for (const std::string& name : {"mpirun." + mpi, std::string("mpirun")})  // Debian's name, and everybody's
    if (std::system((name + " --version 2>/dev/null | grep -q '" + version + "'").c_str()) == 0)
      return options + name + " -n " + std::to_string(ranks);
  return "";
}

/// Not so a process that has ended and that nobody has asked about.
inline bool runs(pid_t process) {
  const std::string stat = text_of("/proc/" + std::to_string(process) + "/stat");
  const auto name = stat.rfind(')');
  return name != std::string::npos && stat.size() > name + 2 && stat[name + 2] != 'Z';
}

/// A run on several ranks that is under way.
class RankedRun {
 public:
  /// `umov WORDS` in a folder, behind what starts it. Files that grow too large fail (EFBIG) instead of
  /// ending the process.
  RankedRun(const TemporaryFolder& folder, const std::string& words, const std::string& before = "")
      : folder_(fs::canonical(folder.path())) {
    const std::string line =
        "cd '" + folder_.string() + "' && trap '' XFSZ && OMP_NUM_THREADS=1 exec " +
        (before.empty() ? "" : before + " sh -c \"trap '' XFSZ; exec \\\"\\$0\\\" \\\"\\$@\\\"\" ") + "'" +
        program_path() + "' " + words + " > said 2>&1 < /dev/null";
    child_ = ::fork();
    if (child_ != 0) return;
    ::setsid();
    ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
    ::_exit(98);
  }
  ~RankedRun() {
    for (const auto& [rank, process] : processes()) ::kill(process, SIGKILL);
    if (child_ > 0) ::kill(child_, SIGKILL), ::waitpid(child_, nullptr, 0);
  }
  RankedRun(const RankedRun&) = delete;
  RankedRun& operator=(const RankedRun&) = delete;

  /// The processes of umov that are there, by rank: 0 for one that holds all of them.
  std::map<int, pid_t> processes() const {
    std::map<int, pid_t> found;
    std::error_code gone;
    for (const auto& entry : fs::directory_iterator("/proc", gone)) {
      const int process = std::atoi(entry.path().filename().c_str());
      if (process < 2 || !runs(process)) continue;
      if (fs::read_symlink(entry.path() / "cwd", gone) != folder_ || gone) continue;
      if (fs::read_symlink(entry.path() / "exe", gone) != fs::canonical(program_path()) || gone) continue;
      const std::string variables = '\0' + text_of(entry.path() / "environ");
      int rank = 0;
      for (const char* name : {"OMPI_COMM_WORLD_RANK=", "PMI_RANK="})
        if (const auto at = variables.find('\0' + std::string(name)); at != variables.npos)
          rank = std::atoi(variables.c_str() + at + 1 + std::string(name).size());
      found[rank] = process;
    }
    return found;
  }
  void send_to_rank(int rank, int signal) const {
    const auto all = processes();
    if (const auto at = all.find(rank); at != all.end()) ::kill(at->second, signal);
  }
  /// To mpirun, or to umov where nothing started it.
  void send_to_launcher(int signal) const { ::kill(child_, signal); }

  /// Its end, within some 100 s; the code is -1 where it does not come.
  RankedEnd wait() {
    int status = 0;
    for (int i = 0; i < 10000 && child_ > 0; ++i) {
      if (::waitpid(child_, &status, WNOHANG) == child_) child_ = -1;
      if (child_ > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return {child_ > 0 ? -1 : exit_code(status), text_of(folder_ / "said")};
  }
  /// Whether all processes have gone, or go within some seconds.
  bool leaves_no_orphan() const {
    for (int i = 0; i < 500; ++i) {
      if (processes().empty()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

 private:
  fs::path folder_;
  pid_t child_ = -1;
};

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
