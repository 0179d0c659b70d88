// The order of the elements, from a number to a type.
#pragma once

#include <type_traits>

namespace umov::eqs {

/// f(std::integral_constant<int, order>)
template <class F>
void with_order(int order, const F& f) {
  if (order == 1)
    f(std::integral_constant<int, 1>());
  else
    f(std::integral_constant<int, 2>());
}

}  // namespace umov::eqs
