#include "command/plan_warnings.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "core/console.hpp"
#include "core/wording.hpp"

namespace umov::command {

void print_plan_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& text : warnings) {
    fmt::print("# warning: {}\n", worded(text));
    if (isatty(STDOUT_FILENO) == 0) warn(text);
  }
}

}  // namespace umov::command
