#include "dda/ranks/product_choice.hpp"

#include <string>

#include "core/environment.hpp"

namespace umov::dda {

RankProduct asked_rank_product() {
  static constexpr const char* words[] = {"simple", "tuned"};
  const std::string word = environment_word("UMOV_RANK_PRODUCT", "no product of ranks", words);
  return word.empty() ? RankProduct::by_default : word == "simple" ? RankProduct::simple : RankProduct::tuned;
}

}  // namespace umov::dda
