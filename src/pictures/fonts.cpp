#include "pictures/fonts.hpp"

#include <cstdlib>
#include <filesystem>

#include "core/find_module.hpp"

namespace umov::pictures {

void find_fonts() {
  static const bool once = [] {
    std::error_code ignored;
    const auto own = find_module("../share/umov/fonts/fonts.conf");  // beside bin, lib
    if (!own.empty() && !std::filesystem::exists("/etc/fonts/fonts.conf", ignored))
      setenv("FONTCONFIG_FILE", own.c_str(), 0);  // what the user has set stays
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace umov::pictures
