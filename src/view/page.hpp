// The page that a view shows, from bytes inside the program.
#pragma once

#include <string_view>

namespace umov::view {

/// One file of HTML that needs nothing else.
std::string_view page();

/// The Content-Security-Policy that goes with it.
std::string_view page_policy();

}  // namespace umov::view
