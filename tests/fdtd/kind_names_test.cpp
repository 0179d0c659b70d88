// What the kinds of the time domain are called.
#include "fdtd/kind_names.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "fdtd/case/case.hpp"

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

template <class Value, class Kind>
void expect_found(std::span<const Kind* const> kinds) {
  std::set<std::string> words;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    EXPECT_EQ(&kind_of(Value(i)), kinds[i]);
    EXPECT_TRUE(words.insert(kinds[i]->name()).second) << kinds[i]->name();
  }
  EXPECT_THROW(kind_of(Value(kinds.size())), std::logic_error);
}

/// What a kind says that it reads has to be a parameter: under another name it would be refused.
template <class Table, class Kind>
void expect_parameters(const Table& t, std::span<const Kind* const> kinds) {
  for (const Kind* kind : kinds)
    for (const auto key : kind->traits().reads)
      EXPECT_TRUE(std::ranges::any_of(t.parameters(), [&](const auto& p) { return p.key == key; }))
          << kind->name() << " reads " << key;
}

/// What two kinds declare as their own would be read by the first alone.
template <class Table>
void expect_each_once(const Table& t) {
  std::set<std::string> keys;
  for (const auto& p : t.parameters()) EXPECT_TRUE(keys.insert(p.key).second) << p.key;
}

TEST(KindNames, AParameterIsDeclaredOnce) {
  expect_each_once(source_parameters());
  expect_each_once(monitor_parameters());
}

TEST(KindNames, WhatAKindReadsIsAParameter) {
  expect_parameters(source_parameters(), source_kinds());
  expect_parameters(monitor_parameters(), monitor_kinds());
}

TEST(KindNames, EveryKindIsFoundByItsValueAndHasAWordOfItsOwn) {
  expect_found<SourceSpec::Kind>(source_kinds());
  expect_found<MonitorSpec::Kind>(monitor_kinds());
  EXPECT_STREQ(word(SourceSpec::Kind::plane_wave), "plane_wave");
  EXPECT_STREQ(word(MonitorSpec::Kind::near_to_far), "near_to_far");
}

TEST(KindNames, EveryKindHasAWordOfItsOwn) {
  expect_one_word_each(waveform_kinds);
  expect_one_word_each(component_names);
  EXPECT_EQ(std::size(component_names), std::size_t(components));
  EXPECT_THROW(word(MonitorSpec::Kind(1000)), std::logic_error);
}

}  // namespace
}  // namespace umov::fdtd
