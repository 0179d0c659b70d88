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

#include "core/bytes.hpp"
#include "core/error.hpp"
#include "core/signals.hpp"

namespace umov::mesh {

namespace {

/// Anonymous memory that both processes hold, as a file.
class SharedFile final : public ByteWriter {
 public:
  SharedFile() : fd_(memfd_create("umov mesh", MFD_CLOEXEC)) {
    if (fd_ < 0)
      throw MachineFailure(fmt::format("no memory for a mesh ({}); free some", std::strerror(errno)));
  }
  ~SharedFile() override { close(fd_); }
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  int descriptor() const { return fd_; }
  void bytes(const void* from, std::size_t n) override {
    for (const char* p = static_cast<const char*>(from); n > 0;) {
      const ssize_t done = ::pwrite(fd_, p, n, off_t(at_));
      if (done <= 0) throw MachineFailure("no memory to hand over a mesh; make mesh_size larger");
      p += done, at_ += std::size_t(done), n -= std::size_t(done);
    }
  }

 private:
  int fd_;
  std::size_t at_ = 0;  // of this process
};

/// What the other process wrote.
class SharedReader final : public ByteReader {
 public:
  explicit SharedReader(const SharedFile& file)
      : ByteReader(std::size_t(std::max<off_t>(lseek(file.descriptor(), 0, SEEK_END), 0))),
        fd_(file.descriptor()) {}
  [[noreturn]] void damaged() const override {
    throw MachineFailure("a mesh was not handed over whole; run the case again");
  }

 private:
  bool take(void* to, std::size_t n) override {
    for (char* p = static_cast<char*>(to); n > 0;) {
      const ssize_t done = ::pread(fd_, p, n, off_t(at_));
      if (done <= 0) return false;
      p += done, at_ += std::size_t(done), n -= std::size_t(done);
    }
    return true;
  }
  int fd_;
  std::size_t at_ = 0;
};

/// All of a mesh, for both ways.
template <class Archive>
void hand_over(Archive&& a, int& code, std::string& message, TetMesh& mesh) {
  a(code);
  a(message);
  a(mesh.nodes);
  a(mesh.tets);
  a(mesh.tet_group);
  a(mesh.triangles);
  a(mesh.triangle_group);
  a.each(mesh.warnings, [&](auto& w) { a(w); });
  for (auto* groups : {&mesh.volumes, &mesh.surfaces})
    a.each(*groups, [&](auto& g) {
      a(g.name);
      a(g.tag);
    });
}

[[noreturn]] void mesh_and_exit(const GmshModule& module, const Geometry& g, SharedFile& file, pid_t parent) {
  // not to outlive the program; the second look is for one that died before the first line
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  try {
    TetMesh mesh;
    std::string message;
    int code = module.build(g, interrupted, mesh, message);
    hand_over(file, code, message, mesh);
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
  hand_over(SharedReader(shared), code, message, mesh);
  return code;
}

}  // namespace umov::mesh
