// Warnings of many cases, which differ in numbers.
#pragma once

#include <cctype>
#include <set>
#include <string>

namespace umov::run {

/// What is the same in texts that differ in their numbers alone.
inline std::string without_numbers(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isdigit(c) || c == '.' || c == '-' || c == '+'; });
  return text;
}

class SaidOnce {
 public:
  /// Whether a text, but for its numbers, is said for the first time.
  bool operator()(const std::string& text) { return said_.insert(without_numbers(text)).second; }

 private:
  std::set<std::string> said_;
};

}  // namespace umov::run
