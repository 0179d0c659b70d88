// Parameters that texts name, as the user of this process writes them.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace umov {

/// What a user writes for a parameter ("solver.block"), or to give it a value ("auto", without quotes; a list
/// as "1,1,2"; "": none is named). "": the text stays as it is.
using Spelling = std::function<std::string(const std::string& name, const std::string& value)>;

/// The text with its marks spelled. A mark is a parameter in backquotes, as a case has it: `solver.block`,
/// `machine.backend = 'cpu'`, `shape.rectangular = [1, 1, 2]`; `resume` for what only a flag says.
std::string worded(std::string_view text, const Spelling&);

/// From now on worded(text) spells so. Only commands call it: marks stay where a library is used.
void speak(Spelling);

/// The text in the words of the command that this process runs.
std::string worded(std::string_view text);

}  // namespace umov
