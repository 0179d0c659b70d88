// Which product ranks that share a particle run.
#pragma once

namespace umov::dda {

enum class RankProduct { by_default, simple, tuned };

/// What the environment's UMOV_RANK_PRODUCT asks for: "simple" (the referee), "tuned", or unset: the default
/// of the backend. Throws BadInput for other words.
RankProduct asked_rank_product();

}  // namespace umov::dda
