// The only file that is compiled anew when the version changes.
#include "run/version.hpp"

namespace umov::run {

const char* version() { return UMOV_VERSION; }

}  // namespace umov::run
