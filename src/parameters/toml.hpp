// toml++ with its assertions as exceptions: some files break them, and a file is no reason to abort.
// Everything that reads TOML includes this in place of the library's own header.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace umov {

/// The library's parser met what it took for impossible.
struct TomlFault : std::logic_error {
  using std::logic_error::logic_error;
};

[[noreturn]] inline void toml_fault(const char* expectation) { throw TomlFault(expectation); }

}  // namespace umov

#ifdef TOMLPLUSPLUS_H
#error "include parameters/toml.hpp in place of toml++/toml.h"
#endif
// Without NDEBUG the library checks its assumptions; with it, a broken one would be undefined behaviour.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expectation) ((expectation) ? static_cast<void>(0) : ::umov::toml_fault(#expectation))
#define TOML_MAX_NESTED_VALUES 32
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace umov {

/// The tables of a text; `path` is for messages. Throws BadInput with file and line for whatever is no TOML,
/// and for what no case needs: keys of more than 64 parts, values nested more than 32 deep.
toml::table parse_toml(const std::string& text, const std::string& path);

/// The same from a file of at most 8 MB.
toml::table read_toml_file(const std::string& path);

}  // namespace umov
