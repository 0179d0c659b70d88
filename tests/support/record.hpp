// What a test measured, kept with its result (--gtest_output=xml or json) instead of printed.
#pragma once

#include <gtest/gtest.h>

#include <cstdarg>
#include <cstdio>
#include <string>

namespace umov::test {

/// As printf; the n-th call of a test is its property "measured_n".
[[gnu::format(printf, 1, 2)]] inline void record(const char* format, ...) {
  char text[512];
  va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const int number = test ? test->result()->test_property_count() + 1 : 1;
  testing::Test::RecordProperty("measured_" + std::to_string(number), text);
}

}  // namespace umov::test
