// The end of what cannot be saved half done, once a signal has asked for it.
#pragma once

#include <string>

#include "core/error.hpp"
#include "core/signals.hpp"

namespace umov {

/// Throws Error(Exit::interrupted) once a signal has arrived; `doing` says during what: "while ...".
inline void stop_if_interrupted(const char* doing) {
  if (interrupted())
    throw Error(Exit::interrupted, std::string("interrupted ") + doing + "; nothing is kept of it");
}

}  // namespace umov
