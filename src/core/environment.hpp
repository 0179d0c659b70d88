// Words that variables of the environment may hold: choices for comparing and testing, which no case has.
#pragma once

#include <span>
#include <string>

namespace umov {

/// The word in a variable, "" where it is unset or empty. Throws BadInput for one that is not among `words`;
/// `what`: what it is not, "no product of ranks".
std::string environment_word(const char* name, const char* what, std::span<const char* const> words);

}  // namespace umov
