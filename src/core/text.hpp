// Small text tools shared by all fronts: strict numbers, lists, and suggestions for misspelt words.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace umov {

/// In small letters, as far as it is ASCII.
std::string lower(std::string_view text);

/// Number of single-character edits between two words; exchanging two neighbours counts as one
/// (optimal string alignment distance), because that is how keys get misspelt.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate that `word` was probably meant to be, or "" when none is near enough. Case is ignored.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// "did you mean 'NEAREST'?", or "" when there is none.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

/// The whole text as one finite number; nothing for NaN, infinity, an empty text or trailing junk.
std::optional<double> parse_number(std::string_view text);

/// The whole text as one decimal integer; nothing for anything else, overflow included.
std::optional<long long> parse_integer(std::string_view text);

/// Takes a number off the front, after white space. False if there is none; a whole number saturates at
/// +-9e18, so that a huge one is still seen as out of range.
bool take(std::string_view& text, long long& number);
bool take(std::string_view& text, double& number);
/// Drops a word off the front, after white space. False if there is none.
bool skip_word(std::string_view& text);

std::string_view trim(std::string_view text);
std::vector<std::string> split(std::string_view text, char separator);
std::string join(std::span<const std::string> words, std::string_view separator);

/// The text, or its first 60 bytes and three dots: for messages that quote what may be of any length.
std::string shortened(std::string_view text);

/// The nearest number of 15 digits: of a value between the ends of a range the one that a user would write.
double of_fifteen_digits(double value);
/// The shortest text that reads back to the same double.
std::string shortest(double value);

/// "1.5 GB" and the like, in powers of 1000 as ADDA and memory vendors print them.
std::string format_bytes(double bytes);

/// "12.5 ms" and the like: a physical time (s) with a prefix.
std::string format_time(double seconds);

/// "1:02:03" or "2:03" for a duration in seconds.
std::string format_duration(double seconds);

}  // namespace umov
