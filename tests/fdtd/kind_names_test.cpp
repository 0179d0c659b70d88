// What the kinds of the time domain are called.
#include "fdtd/kind_names.hpp"

#include <gtest/gtest.h>

namespace umov::fdtd {
namespace {

template <class Kind, std::size_t n>
void expect_one_word_each(const KindName<Kind> (&list)[n]) {
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(std::size_t(list[i].kind), i) << list[i].word;
    EXPECT_STREQ(word(list[i].kind), list[i].word);
    for (std::size_t k = 0; k < i; ++k) EXPECT_STRNE(list[k].word, list[i].word);
  }
}

TEST(KindNames, EveryKindHasAWordOfItsOwn) {
  expect_one_word_each(source_kinds);
  expect_one_word_each(monitor_kinds);
  expect_one_word_each(waveform_kinds);
  expect_one_word_each(component_names);
  EXPECT_EQ(std::size(component_names), std::size_t(components));
  EXPECT_THROW(word(MonitorSpec::Kind(1000)), std::logic_error);
}

}  // namespace
}  // namespace umov::fdtd
