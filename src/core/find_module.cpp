#include "core/find_module.hpp"

#include <dlfcn.h>
#include <link.h>

namespace umov {

namespace {

namespace fs = std::filesystem;

/// The folder of the program or shared library that has this function. The dynamic linker knows the names of
/// libraries; the program's is empty there.
fs::path own_folder() {
  Dl_info info{};
  void* found = nullptr;
  std::error_code ignored;
  if (dladdr1(reinterpret_cast<void*>(&own_folder), &info, &found, RTLD_DL_LINKMAP) && found)
    if (const char* name = static_cast<const link_map*>(found)->l_name; name && *name)
      return fs::canonical(name, ignored).parent_path();
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

}  // namespace

fs::path find_module(const std::string& file) {
  std::error_code ignored;
  const fs::path here = own_folder();
  for (const auto& folder : {here, here / "umov", here.parent_path() / "lib" / "umov"})
    if (fs::exists(folder / file, ignored)) return folder / file;
  return {};
}

}  // namespace umov
