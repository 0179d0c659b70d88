// The only file that is compiled anew when the version changes.
#include "front/version.hpp"

namespace umov::front {

const char* version() { return UMOV_VERSION; }

}  // namespace umov::front
