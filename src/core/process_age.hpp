// How long this process has been running, its loading included.
#pragma once

namespace umov {

/// Seconds since the kernel made this process, to the hundredth that the kernel keeps; 0 where it does not
/// say.
double process_age();

}  // namespace umov
