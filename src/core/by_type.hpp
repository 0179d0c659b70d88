// One value of each of any types, for a holder that need not know them.
#pragma once

#include <any>
#include <map>
#include <typeindex>

namespace umov {

/// Copies copy the values. A type is copyable and made without arguments.
class ByType {
 public:
  /// The value of this type, made when it is first asked for.
  template <class T>
  T& of() {
    std::any& value = values_[typeid(T)];
    if (!value.has_value()) value.emplace<T>();
    return *std::any_cast<T>(&value);
  }
  template <class T>
  const T& of() const {
    static const T none{};
    const auto found = values_.find(typeid(T));
    return found == values_.end() ? none : *std::any_cast<T>(&found->second);
  }

 private:
  std::map<std::type_index, std::any> values_;
};

}  // namespace umov
