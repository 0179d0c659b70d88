#include "comm/shared_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <utility>

#include "comm/collect.hpp"
#include "core/atomic_file.hpp"

namespace umov::comm {

std::unique_ptr<SharedFile> SharedFile::open(Communicator& comm, std::string path, std::string named) {
  broadcast(comm, path);
  broadcast(comm, named);
  Descriptor file(::open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
  if (any(comm, !file)) return nullptr;
  return std::unique_ptr<SharedFile>(new SharedFile(std::move(file), std::move(named)));
}

void SharedFile::together(Communicator& comm, const std::function<void()>& act) {
  std::exception_ptr failed;
  try {
    act();
  } catch (...) {
    failed = std::current_exception();
  }
  if (!any(comm, failed != nullptr)) return;
  if (failed) std::rethrow_exception(failed);
  throw OtherRankFailed(Exit::machine, named_ + ": another rank cannot write it");
}

void SharedFile::write(Communicator& comm, const std::function<void()>& put_own) {
  together(comm, [&] {
    put_own();
    flush();
  });
}

void SharedFile::begin(Communicator& comm, const std::function<void()>& put_own) { together(comm, put_own); }

void SharedFile::finish(Communicator& comm) {
  together(comm, [&] { flush(); });
}

void SharedFile::put(std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(file_.get(), bytes.data(), bytes.size(), off_t(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) refuse_path(named_, n < 0 ? errno : ENOSPC);
    bytes = bytes.subspan(std::size_t(n));
    offset += std::uint64_t(n);
  }
}

void SharedFile::hasten(std::uint64_t offset, std::uint64_t bytes) {
#ifdef SYNC_FILE_RANGE_WRITE
  // a hint: what it cannot do, or fails at, flush() does or says
  (void)::sync_file_range(file_.get(), off64_t(offset), off64_t(bytes), SYNC_FILE_RANGE_WRITE);
#else
  (void)offset, (void)bytes;
#endif
}

void SharedFile::flush() {
  if (::fsync(file_.get()) != 0 && errno != EINVAL && errno != EROFS) refuse_path(named_, errno);
}

}  // namespace umov::comm
