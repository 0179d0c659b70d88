// Processes that another one talks for.
#pragma once

#include <string_view>

namespace umov {

/// From now on: nothing of this process on standard output, and no complaints but urgent ones.
void be_silent();

/// From now on: not a word of a signal that ends this process outside of runs. Of several ranks mpirun says
/// why it ends them.
void be_silent_at_signals();

/// A line on standard error, as complain() writes it, from a silent process too.
void complain_urgently(std::string_view line);

}  // namespace umov
