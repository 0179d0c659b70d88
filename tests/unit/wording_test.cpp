// Marks of parameters in texts: what is one, and what flags and ADDA's options they become.
#include "core/wording.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "command/spelling.hpp"
#include "dda/adda/options.hpp"
#include "dda/adda/spelling.hpp"
#include "dda/case/case.hpp"

namespace umov {
namespace {

std::string dda_words(const std::string& text) { return worded(text, command::by_flags(dda::parameters())); }

std::string adda_words(const std::string& text) { return worded(text, dda::adda::spelling()); }

TEST(Wording, SpellsWhatIsInBackquotes) {
  const Spelling seen = [](const std::string& name, const std::string& value) {
    return "<" + name + "|" + value + ">";
  };
  EXPECT_EQ(worded("use `a.b_c`, or `d = 'x y'`.", seen), "use <a.b_c|>, or <d|x y>.");
  EXPECT_EQ(worded("`a = [1, 1.5, 2]` `b = false`", seen), "<a|1,1.5,2> <b|false>");
  EXPECT_EQ(worded("", seen), "");
}

TEST(Wording, LeavesOtherBackquotesAlone) {
  const Spelling one = [](const std::string& name, const std::string&) {
    return std::string(name == "a.b" ? "--b" : "");
  };
  for (const std::string text :
       {"see `umov dda --help`", "a lone ` here", "`", "``", "`c.d` and `e`", "`A.b`"})
    EXPECT_EQ(worded(text, one), text);
  EXPECT_EQ(worded("`c.d` and `a.b`: a lone ` and `a.b`", one), "`c.d` and --b: a lone ` and --b");
  EXPECT_EQ(worded("use `a.b`", Spelling()), "use `a.b`");
}

TEST(Wording, OfATableIsItsFlags) {
  EXPECT_EQ(dda_words("leave `solver.block` out"), "leave --block out");
  EXPECT_EQ(dda_words("`accuracy = '1%'`"), "--accuracy 1%");
  EXPECT_EQ(dda_words("`solver.name` qmr"), "--iter qmr") << "the first of two flags";
  EXPECT_EQ(dda_words("`output.mueller` `output.mueller = true` `output.mueller = false`"),
            "--mueller-matrix --mueller-matrix --no-mueller-matrix");
  EXPECT_EQ(dda_words("`output.csca = false`"), "--csca=false");
}

TEST(Wording, OfATableIsAFlagThatHasNoKey) {
  EXPECT_EQ(dda_words("`machine.backend = 'cpu'` `machine.backend = 'serial'`"), "--cpu --backend serial");
  EXPECT_EQ(dda_words("`machine.device = 3`"), "--device 3");
  EXPECT_EQ(dda_words("`shape.file`"), "--shape-file");
  EXPECT_EQ(dda_words("`resume = 'out/1'`"), "--resume out/1");
}

TEST(Wording, OfAFileIsItsKeyUnlessAFlagGaveIt) {
  const auto words = [](const std::vector<std::string>& flags, const std::string& text) {
    dda::Case given;
    command::FlagsOverFile over;
    over.none = dda::parameters().write_toml(given);
    dda::parameters().read_flags(flags, given, over.origins);
    over.flags = dda::parameters().write_toml(given);
    return worded(text, command::by_flags(dda::parameters(), over));
  };
  const std::string text = "`solver.block` `machine.backend = 'cpu'` `shape.file` `resume = 'out'`";
  EXPECT_EQ(words({}, text), "`solver.block` `machine.backend = 'cpu'` `shape.file` --resume out");
  EXPECT_EQ(words({"--block", "4"}, text), "--block `machine.backend = 'cpu'` `shape.file` --resume out");
  EXPECT_EQ(words({"--gpu"}, text), "`solver.block` --cpu `shape.file` --resume out")
      << "a flag without a key that has set it";
}

TEST(Wording, OfACommandWithoutATableIsItsOptions) {
  const Spelling options = command::by_names({"--cpu", "--layout", "--force"});
  EXPECT_EQ(worded("`machine.backend = 'cpu'`, `layout = 'thesis'`, `force`, `machine.gpus`", options),
            "--cpu, --layout thesis, --force, `machine.gpus`");
}

TEST(Wording, OfAddaIsItsOptions) {
  EXPECT_EQ(adda_words("fewer digits of `solver.epsilon`, `solver.initial = 'zero'`"),
            "fewer digits of -eps, -init_field zero");
  EXPECT_EQ(adda_words("`method.symmetry = 'none'` `shape.rectangular = [1, 1, 2]`"),
            "-sym no -rect_dip 1 1 2");
  EXPECT_EQ(adda_words("`solver.block` `accuracy = '1%'` `machine.precision = 'double'`"),
            "--block --accuracy 1% --ftype double")
      << "umov's own";
  EXPECT_EQ(adda_words("`output.alldir_file` `resume = 'chpoint'`"),
            "-alldir_inp -chp_load -chp_dir chpoint");
  EXPECT_EQ(adda_words("`solver.neighbours`"), "`solver.neighbours`") << "there is none";
}

/// Each option that marks become is one of ADDA's table.
TEST(Wording, EveryOptionOfAddaIsThere) {
  for (const auto& info : dda::parameters().parameters()) {
    if (info.key.empty()) continue;
    const std::string option = dda::adda::spelling()(info.name(), "");
    if (option.empty()) continue;
    const auto& all = dda::adda::options();
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const auto& o) { return "-" + o.name == option; }))
        << option;
  }
}

}  // namespace
}  // namespace umov
