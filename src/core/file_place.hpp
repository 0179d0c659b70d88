// Where the bytes of a file that is to be written go: links followed, what is no regular file kept as it is.
#pragma once

#include <sys/types.h>

#include <string>

namespace umov {

/// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();
  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  /// errno of close; 0 when it went well.
  int close();

 private:
  int number_;
};

/// What lies at a path that is to be written.
struct FilePlace {
  std::string target;     ///< behind all links; need not exist
  bool in_place = false;  ///< a device, a pipe, a standard stream: written as it is, never replaced
  bool replaces = false;  ///< a regular file lies there, with these properties
  mode_t mode = 0;
  uid_t owner = 0;
  gid_t group = 0;
};

/// Follows links, of which the last may dangle. Throws as AtomicFile does: also for a folder, for a regular
/// file that may not be written, and for a name that is too long.
FilePlace find_place(const std::string& path);

/// The device, pipe or standard stream of a place that is written as it is.
Descriptor open_in_place(const std::string& path);

/// An empty new file in the folder of `target`, under a name that nobody can guess and no link can hold; the
/// name is left in `aside`. `path` is for messages.
Descriptor create_beside(const std::string& target, std::string& aside, const std::string& path);

/// The same under a name of its own: what lay there is removed, a link not followed.
Descriptor create_anew(const std::string& aside, const std::string& path);

/// Gives a new file mode, owner and group of the one it replaces, as far as that is allowed.
void take_over(int file, const FilePlace&);

/// Writes all bytes; returns errno, 0 when it went well.
int write_all(int file, const char* bytes, std::size_t count);

}  // namespace umov
