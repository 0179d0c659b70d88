// Structs by their members: one walk that copies, writes, reads or digests all of them.
#pragma once

#include <type_traits>
#include <vector>

/// In a struct, with the names of its members in their order: one that is left out does not compile where the
/// struct is walked over, as a structured binding names all members. Members of bases cannot be among them.
#define UMOV_FIELDS(...)                                 \
  template <class Self, class Visit>                     \
  static void with_fields(Self& self, const Visit& go) { \
    auto& [__VA_ARGS__] = self;                          \
    go(__VA_ARGS__);                                     \
  }

namespace umov {

template <class T>
concept HasFields = requires(T& t) {
  std::remove_const_t<T>::with_fields(t, [](auto&...) {});
};

template <class T>
inline constexpr bool is_list_of_structs = false;
template <class Item>
inline constexpr bool is_list_of_structs<std::vector<Item>> =
    HasFields<Item> || !std::is_trivially_copyable_v<Item>;

/// Hands `value` to `file`, a ByteWriter or ByteReader (core/bytes.hpp): a struct with fields by these, lists
/// of such structs or of texts item by item, everything else as the file takes it.
template <class File, class T>
void visit_fields(File& file, T& value) {
  if constexpr (HasFields<T>)
    std::remove_const_t<T>::with_fields(value, [&](auto&... field) { (visit_fields(file, field), ...); });
  else if constexpr (is_list_of_structs<std::remove_const_t<T>>)
    file.each(value, [&](auto& item) { visit_fields(file, item); });
  else
    file(value);
}

/// A base of `whole`, const where that is: its fields are a walk of their own.
template <class Base, class T>
auto& part(T& whole) {
  return static_cast<std::conditional_t<std::is_const_v<T>, const Base, Base>&>(whole);
}

}  // namespace umov
