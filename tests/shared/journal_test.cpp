// What a run says: to the observer at once, and kept for the outcome.
#include "run/journal.hpp"

#include <gtest/gtest.h>

namespace umov::run {
namespace {

using Texts = std::vector<std::string>;

TEST(Journal, SaysAWarningOnceAndKeepsIt) {
  Texts heard;
  Observer observer;
  observer.warning = [&](const std::string& text) { heard.push_back(text); };
  Journal journal(observer);
  journal.warn("coarse");
  journal.warn(Texts{"narrow", "coarse"});
  EXPECT_EQ(heard, (Texts{"coarse", "narrow"}));
  EXPECT_EQ(journal.warnings(), heard);
}

TEST(Journal, SaysEveryStageAndKeepsNone) {
  Texts heard;
  Observer observer;
  observer.stage = [&](const std::string& text) { heard.push_back(text); };
  const Journal journal(observer);
  for (const char* text : {"solve", "", "solve"}) journal.stage(text);
  EXPECT_EQ(heard, (Texts{"solve", "", "solve"}));
}

TEST(Journal, KeepsNotesWithoutSayingThem) {
  Texts heard;
  Observer observer;
  observer.stage = observer.warning = [&](const std::string& text) { heard.push_back(text); };
  Journal journal(observer);
  journal.note("20 cells per wavelength");
  EXPECT_EQ(journal.notes(), Texts{"20 cells per wavelength"});
  EXPECT_TRUE(heard.empty());
  EXPECT_TRUE(journal.warnings().empty());
}

TEST(Journal, NeedsNoObserver) {
  Journal journal({});
  journal.stage("solve");
  journal.warn("coarse");
  EXPECT_EQ(journal.warnings(), Texts{"coarse"});
}

}  // namespace
}  // namespace umov::run
