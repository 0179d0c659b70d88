// The process, the file in memory through which its mesh comes, and words for how it ended.
#include "mesh/meshing_process.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <type_traits>

#include "core/error.hpp"
#include "core/signals.hpp"

namespace umov::mesh {

namespace {

/// Anonymous memory that both processes hold, as a file.
class SharedFile {
 public:
  SharedFile() : fd_(memfd_create("umov mesh", MFD_CLOEXEC)) {
    if (fd_ < 0)
      throw MachineFailure(fmt::format("no memory for a mesh ({}); free some", std::strerror(errno)));
  }
  ~SharedFile() { close(fd_); }
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  void write(const void* from, std::size_t bytes) {
    for (const char* p = static_cast<const char*>(from); bytes > 0;) {
      const ssize_t n = ::pwrite(fd_, p, bytes, off_t(at_));
      if (n <= 0) throw MachineFailure("no memory to hand over a mesh; make mesh_size larger");
      p += n, at_ += std::size_t(n), bytes -= std::size_t(n);
    }
  }
  void read(void* to, std::size_t bytes) {
    for (char* p = static_cast<char*>(to); bytes > 0;) {
      const ssize_t n = ::pread(fd_, p, bytes, off_t(at_));
      if (n <= 0) throw MachineFailure("a mesh was not handed over whole; run the case again");
      p += n, at_ += std::size_t(n), bytes -= std::size_t(n);
    }
  }

 private:
  int fd_;
  std::size_t at_ = 0;  // of this process
};

/// One list of what a mesh consists of, for both ways.
class Writer {
 public:
  explicit Writer(SharedFile& file) : file_(file) {}
  template <class T>
  void list(std::vector<T>& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::uint64_t n = v.size();
    file_.write(&n, sizeof n);
    file_.write(v.data(), n * sizeof(T));
  }
  void number(int& v) { file_.write(&v, sizeof v); }

 private:
  SharedFile& file_;
};
class Reader {
 public:
  explicit Reader(SharedFile& file) : file_(file) {}
  template <class T>
  void list(std::vector<T>& v) {
    std::uint64_t n = 0;
    file_.read(&n, sizeof n);
    v.resize(n);
    file_.read(v.data(), n * sizeof(T));
  }
  void number(int& v) { file_.read(&v, sizeof v); }

 private:
  SharedFile& file_;
};

template <class Archive>
void text(Archive& a, std::string& s) {
  std::vector<char> letters(s.begin(), s.end());
  a.list(letters);
  s.assign(letters.begin(), letters.end());
}

template <class Archive>
void groups(Archive& a, std::vector<Group>& list) {
  int n = int(list.size());
  a.number(n);
  list.resize(std::size_t(n));
  for (Group& g : list) {
    text(a, g.name);
    a.number(g.tag);
  }
}

template <class Archive>
void hand_over(Archive&& a, int& code, std::string& message, TetMesh& mesh) {
  a.number(code);
  text(a, message);
  a.list(mesh.nodes);
  a.list(mesh.tets);
  a.list(mesh.tet_group);
  a.list(mesh.triangles);
  a.list(mesh.triangle_group);
  groups(a, mesh.volumes);
  groups(a, mesh.surfaces);
}

[[noreturn]] void mesh_and_exit(const GmshModule& module, const Geometry& g, SharedFile& file, pid_t parent) {
  // not to outlive the program; the second look is for one that died before the first line
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  try {
    TetMesh mesh;
    std::string message;
    int code = module.build(g, interrupted, mesh, message);
    hand_over(Writer(file), code, message, mesh);
  } catch (...) {
    _exit(1);
  }
  _exit(0);  // no destructors, no buffers of the parent's
}

/// Waits for the child; false when a signal asked to stop, and the child is gone then too.
bool wait_for(pid_t child, int& status) {
  timespec pause{0, 1000000};
  for (;;) {
    const pid_t got = waitpid(child, &status, WNOHANG);
    if (got == child) return true;
    if (got < 0 && errno != EINTR)
      throw MachineFailure("the process that meshes is lost; run the case again");
    if (interrupted()) {
      kill(child, SIGKILL);
      while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
      }
      return false;
    }
    nanosleep(&pause, nullptr);
    pause.tv_nsec = std::min(2 * pause.tv_nsec, 20000000L);
  }
}

}  // namespace

int build_apart(const GmshModule& module, const Geometry& g, TetMesh& mesh, std::string& message) {
  SharedFile shared;
  const pid_t parent = getpid(), child = fork();
  if (child < 0)
    throw MachineFailure(
        fmt::format("no process for meshing ({}); free memory or end others", std::strerror(errno)));
  if (child == 0) mesh_and_exit(module, g, shared, parent);
  int status = 0;
  if (!wait_for(child, status)) {
    message = "interrupted while meshing; nothing is kept of it";
    return 128 + received_signal();
  }
  if (WIFSIGNALED(status))
    throw MachineFailure(fmt::format("Gmsh ended by signal {} ({}) on geometry '{}'; {}", WTERMSIG(status),
                                     strsignal(WTERMSIG(status)), g.name,
                                     WTERMSIG(status) == SIGKILL
                                         ? "make mesh_size larger if the memory was short"
                                         : "check that its parts do not nearly touch"));
  if (WEXITSTATUS(status) != 0)
    throw MachineFailure("the mesh could not be handed over (memory?); make mesh_size larger");
  int code = 0;
  hand_over(Reader(shared), code, message, mesh);
  return code;
}

}  // namespace umov::mesh
