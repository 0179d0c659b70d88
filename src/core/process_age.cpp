#include "core/process_age.hpp"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace umov {

double process_age() {
  std::ifstream file("/proc/self/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  // The second field is the program's name in brackets, which may hold anything; the start is the 22nd.
  const std::size_t end = text.rfind(')');
  if (end == std::string::npos) return 0;
  std::istringstream fields(text.substr(end + 1));
  std::string field;
  for (int number = 3; number <= 22 && fields >> field; ++number) {
  }
  timespec now{};
  char* rest = nullptr;
  const double ticks = std::strtod(field.c_str(), &rest), rate = double(sysconf(_SC_CLK_TCK));
  if (!fields || *rest != 0 || rate <= 0 || clock_gettime(CLOCK_BOOTTIME, &now) != 0) return 0;
  return std::max(0.0, double(now.tv_sec) + 1e-9 * double(now.tv_nsec) - ticks / rate);
}

}  // namespace umov
