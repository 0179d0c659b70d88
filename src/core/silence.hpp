// Processes that another one talks for.
#pragma once

#include <string_view>

namespace umov {

/// From now on: nothing of this process on standard output, and no complaints but urgent ones.
void be_silent();

/// A line on standard error, as complain() writes it, from a silent process too.
void complain_urgently(std::string_view line);

}  // namespace umov
