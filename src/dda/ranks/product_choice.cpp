#include "dda/ranks/product_choice.hpp"

#include <cstdlib>
#include <string>

#include "core/error.hpp"

namespace umov::dda {

RankProduct asked_rank_product() {
  const char* const given = std::getenv("UMOV_RANK_PRODUCT");
  const std::string word = given ? given : "";
  if (word.empty()) return RankProduct::by_default;
  if (word == "simple") return RankProduct::simple;
  if (word == "tuned") return RankProduct::tuned;
  throw BadInput("UMOV_RANK_PRODUCT=" + word +
                 " is no product of ranks; set it to simple or tuned, or not at all");
}

}  // namespace umov::dda
