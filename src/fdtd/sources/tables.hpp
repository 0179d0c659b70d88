// Tables of source values: one complex function of time becomes the real table and, for complex fields, a
// second.
#pragma once

#include <functional>
#include <vector>

#include "fdtd/problem.hpp"

namespace umov::fdtd {

/// Indices into Problem::tables; imag is -1 for real fields.
struct TablePair {
  int real = 0, imag = -1;
};

using ComplexFill = std::function<void(long first, long steps, cplx* values)>;

/// Adds the real part of `fill` as a table and, for complex fields, the imaginary part as another.
inline TablePair add_tables(Problem& p, int columns, ComplexFill fill) {
  const auto part = [&](double (*take)(const cplx&)) {
    SourceTable table;
    table.columns = columns;
    table.fill = [fill, take, columns](long first, long steps, double* values) {
      std::vector<cplx> z(std::size_t(steps) * columns);
      fill(first, steps, z.data());
      for (std::size_t i = 0; i < z.size(); ++i) values[i] = take(z[i]);
    };
    p.tables.push_back(std::move(table));
    return int(p.tables.size()) - 1;
  };
  TablePair pair;
  pair.real = part([](const cplx& z) { return z.real(); });
  if (p.complex_fields) pair.imag = part([](const cplx& z) { return z.imag(); });
  return pair;
}

}  // namespace umov::fdtd
