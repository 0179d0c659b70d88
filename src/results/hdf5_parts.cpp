#include "results/hdf5_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "core/error.hpp"

namespace umov::results::hdf5 {
namespace {

herr_t keep_description(unsigned, const H5E_error2_t* error, void* text) {
  auto& description = *static_cast<std::string*>(text);
  if (description.empty() && error->desc) description = error->desc;  // the deepest comes first
  return 0;
}

}  // namespace

namespace {

/// What the error stack says, of the system's errors only what the system calls them.
std::string stated_reason() {
  std::string why;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_description, &why);
  const std::string words = "error message = '";
  if (const auto at = why.find(words); at != std::string::npos) {
    const auto first = at + words.size();
    if (const auto last = why.find('\'', first); last != std::string::npos)
      return why.substr(first, last - first);
  }
  return why.empty() ? "HDF5 gives no reason" : why;
}

thread_local std::string failed_close;  // why; empty: none

}  // namespace

void fail() { throw Hdf5Error{stated_reason()}; }

void note_failed_close() {
  if (failed_close.empty()) failed_close = stated_reason();
}

Id create_file(const std::string& path) {
  Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG));
  // Attributes of more than 64 kB (a long list of settings) need the dense storage of this format.
  check(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V110));
  Id creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  check(H5Pset_obj_track_times(creation, false));
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose};
}

Id space_of(const std::vector<hsize_t>& shape) {
  if (shape.empty()) return {H5Screate(H5S_SCALAR), H5Sclose};
  return {H5Screate_simple(int(shape.size()), shape.data(), nullptr), H5Sclose};
}

Id complex_type() {
  Id type(H5Tcreate(H5T_COMPOUND, sizeof(cplx)), H5Tclose);
  check(H5Tinsert(type, "r", 0, H5T_NATIVE_DOUBLE));
  check(H5Tinsert(type, "i", sizeof(double), H5T_NATIVE_DOUBLE));
  return type;
}

void write_text(hid_t where, const std::string& name, const std::string& text) {
  Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_size(type, std::max<std::size_t>(1, text.size())));
  check(H5Tset_strpad(type, H5T_STR_NULLPAD));
  const bool ascii = std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 128; });
  check(H5Tset_cset(type, ascii ? H5T_CSET_ASCII : H5T_CSET_UTF8));
  Id space(H5Screate(H5S_SCALAR), H5Sclose);
  Id attribute(H5Acreate2(where, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check(H5Awrite(attribute, type, text.c_str()));
}

void write_attribute(hid_t where, const char* name, const std::vector<double>& values) {
  Id space = space_of({values.size()});
  Id attribute(H5Acreate2(where, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check(H5Awrite(attribute, H5T_NATIVE_DOUBLE, values.data()));
}

void write_attribute(hid_t where, const char* name, const std::vector<std::int64_t>& values) {
  Id space = space_of({values.size()});
  Id attribute(H5Acreate2(where, name, H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check(H5Awrite(attribute, H5T_NATIVE_INT64, values.data()));
}

void guarded(const std::string& path, const std::function<void()>& write) {
  // A file that could not be flushed leaves the library in a state in which its clean-up at exit may crash;
  // nothing of ours is left for it to close, so it is not asked to.
  [[maybe_unused]] static const herr_t no_cleanup = H5dont_atexit();
  errno = 0;
  failed_close.clear();
  try {
    const QuietErrors quiet;
    write();
    if (!failed_close.empty()) throw Hdf5Error{failed_close};
  } catch (const Hdf5Error& e) {
    throw MachineFailure(
        fmt::format("cannot write {} ({}); check the folder and the free space", path, e.why));
  }
}

}  // namespace umov::results::hdf5
