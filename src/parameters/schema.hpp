// What a parameter takes, as JSON Schema (draft 2020-12): parts that codecs are described by, as JSON text.
#pragma once

#include <string>
#include <vector>

namespace umov {
struct Range;
}

namespace umov::schema {

std::string number(const Range&);
std::string whole_number(const Range&);
std::string truth();
std::string text();
/// One of these.
std::string words(const std::vector<std::string>&);
/// A list of `least` to `most` items; a negative `most` is no limit.
std::string list(const std::string& item, int least = 0, int most = -1);
/// Whatever one of these takes; "", what is not described, among them makes it "".
std::string any_of(const std::vector<std::string>&);
/// What a parameter takes that has it once, or several: an item, or a list of at least one.
std::string one_or_list(const std::string& item);

}  // namespace umov::schema
