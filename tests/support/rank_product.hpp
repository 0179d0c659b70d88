// Which product ranks run, for the length of a test.
#pragma once

#include <cstdlib>
#include <string>

namespace umov::test {

/// UMOV_RANK_PRODUCT while it lives.
class RankProductIs {
 public:
  explicit RankProductIs(const std::string& word) { setenv("UMOV_RANK_PRODUCT", word.c_str(), 1); }
  ~RankProductIs() { unsetenv("UMOV_RANK_PRODUCT"); }
  RankProductIs(const RankProductIs&) = delete;
  RankProductIs& operator=(const RankProductIs&) = delete;
};

}  // namespace umov::test
