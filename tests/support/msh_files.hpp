// Small .msh files for tests: text as it stands, binary put together number by number.
#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>

#include "mesh/tet_mesh.hpp"

namespace umov::test {

inline std::string saved(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

/// Bytes in this machine's order or the other one.
class Bytes {
 public:
  explicit Bytes(bool swapped = false) : swapped_(swapped) {}
  Bytes& text(const std::string& t) {
    all += t;
    return *this;
  }
  template <class T>
  Bytes& put(std::initializer_list<T> list) {
    for (const T& x : list) {
      std::string b(reinterpret_cast<const char*>(&x), sizeof x);
      if (swapped_) std::reverse(b.begin(), b.end());
      all += b;
    }
    return *this;
  }
  Bytes& ints(std::initializer_list<std::int32_t> list) { return put(list); }
  Bytes& sizes(std::initializer_list<std::uint64_t> list) { return put(list); }
  Bytes& reals(std::initializer_list<double> list) { return put(list); }

  std::string all;

 private:
  bool swapped_;
};

inline const char* const pair_names =
    "$PhysicalNames\n3\n2 9 \"plate\"\n3 4 \"air\"\n3 7 \"oil gap\"\n$EndPhysicalNames\n";

/// Two elements, air and "oil gap", and a triangle of "plate", in every form of the file.
inline std::string pair_2_text() {
  return std::string("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n") + pair_names +
         "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n$EndNodes\n"
         "$Elements\n4\n1 15 2 0 1 1\n2 2 2 9 3 1 2 3\n3 4 2 4 1 1 2 3 4\n4 4 2 7 2 2 3 4 5\n$EndElements\n";
}

inline std::string pair_2_binary(bool swapped = false) {
  Bytes b(swapped);
  b.text("$MeshFormat\n2.2 1 8\n").ints({1}).text("\n$EndMeshFormat\n").text(pair_names).text("$Nodes\n5\n");
  const Vec3 x[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  for (int n = 0; n < 5; ++n) b.ints({n + 1}).reals({x[n][0], x[n][1], x[n][2]});
  b.text("\n$EndNodes\n$Elements\n4\n");
  b.ints({15, 1, 2}).ints({1, 0, 1, 1});
  b.ints({2, 1, 2}).ints({2, 9, 3, 1, 2, 3});
  b.ints({4, 2, 2}).ints({3, 4, 1, 1, 2, 3, 4}).ints({4, 7, 2, 2, 3, 4, 5});
  b.text("\n$EndElements\n");
  return b.all;
}

inline std::string pair_4_text() {
  return std::string("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n") + pair_names +
         "$Entities\n1 0 1 2\n1 0 0 0 0\n3 0 0 0 1 1 0 1 9 0\n1 0 0 0 1 1 1 1 4 1 3\n2 0 0 0 1 1 1 1 7 1 -3\n"
         "$EndEntities\n"
         "$Nodes\n2 5 1 5\n2 3 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n3 1 0 2\n4\n5\n0 0 1\n1 1 1\n$EndNodes\n"
         "$Elements\n4 4 1 4\n0 1 15 1\n1 1\n2 3 2 1\n2 1 2 3\n3 1 4 1\n3 1 2 3 4\n3 2 4 1\n4 2 3 4 "
         "5\n$EndElements\n";
}

inline std::string pair_4_binary(bool swapped = false) {
  Bytes b(swapped);
  b.text("$MeshFormat\n4.1 1 8\n").ints({1}).text("\n$EndMeshFormat\n").text(pair_names).text("$Entities\n");
  b.sizes({1, 0, 1, 2});
  b.ints({1}).reals({0, 0, 0}).sizes({0});
  b.ints({3}).reals({0, 0, 0, 1, 1, 0}).sizes({1}).ints({9}).sizes({0});
  b.ints({1}).reals({0, 0, 0, 1, 1, 1}).sizes({1}).ints({4}).sizes({1}).ints({3});
  b.ints({2}).reals({0, 0, 0, 1, 1, 1}).sizes({1}).ints({7}).sizes({1}).ints({-3});
  b.text("\n$EndEntities\n$Nodes\n").sizes({2, 5, 1, 5});
  b.ints({2, 3, 0}).sizes({3, 1, 2, 3}).reals({0, 0, 0, 1, 0, 0, 0, 1, 0});
  b.ints({3, 1, 0}).sizes({2, 4, 5}).reals({0, 0, 1, 1, 1, 1});
  b.text("\n$EndNodes\n$Elements\n").sizes({4, 4, 1, 4});
  b.ints({0, 1, 15}).sizes({1, 1, 1});
  b.ints({2, 3, 2}).sizes({1, 2, 1, 2, 3});
  b.ints({3, 1, 4}).sizes({1, 3, 1, 2, 3, 4});
  b.ints({3, 2, 4}).sizes({1, 4, 2, 3, 4, 5});
  b.text("\n$EndElements\n");
  return b.all;
}

/// A text with one piece replaced; the piece must be there.
inline std::string with(std::string text, const std::string& old, const std::string& fresh) {
  const std::size_t at = text.find(old);
  if (at == std::string::npos) throw std::logic_error("not in the file: " + old);
  return text.replace(at, old.size(), fresh);
}

}  // namespace umov::test
