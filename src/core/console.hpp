// The standard streams to the user: messages, printable text, closed streams.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace umov {

/// The text as a terminal may be given it: control characters and bytes that are no UTF-8 appear as \xNN, so
/// that what a message quotes from a file or a command line can neither move the cursor nor hide a line.
/// Line feeds and tabs stay.
std::string printable(std::string_view text);

/// Whether every byte belongs to a character of UTF-8.
bool is_utf8(std::string_view text);

/// A line on standard error, printable; a stream that takes none is no reason to stop.
void complain(std::string_view line);

/// The program's warning to its user: "umov: warning: TEXT" on standard error.
void warn(const std::string& text);

/// Opens the null device for standard streams that were closed, lest a file of results take their number.
/// Writing to standard output then fails, as it should; standard error is silent.
void fill_closed_streams();

}  // namespace umov
