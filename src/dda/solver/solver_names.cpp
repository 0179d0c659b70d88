// The list of solvers with an order.
#include "dda/solver/solver_names.hpp"

#include "linalg/krylov/solvers.hpp"

namespace umov::dda {

static_assert(most_order == krylov::most_order);

const std::vector<std::string>& ordered_solvers() {
  static const std::vector<std::string> list = [] {
    std::vector<std::string> names;
    krylov::for_each_solver([&](auto tag, const char*) {
      if (krylov::has_order(tag)) names.push_back(krylov::name_of(tag));
    });
    return names;
  }();
  return list;
}

}  // namespace umov::dda
