// Arrays in memory, reduced when they are asked for.
#include "view/stored.hpp"

#include "core/contract.hpp"
#include "view/reduce.hpp"

namespace umov::view {

Maker stored_field(std::shared_ptr<const std::vector<float>> values, const Int3& cells, bool squares) {
  UMOV_EXPECT(values->size() == std::size_t(cells[0]) * cells[1] * cells[2],
              "a stored field has another number of values than cells");
  return [values, cells, squares](const Request& r) {
    const auto value = [&](int i, int j, int k) {
      return double((*values)[std::size_t(i) + std::size_t(cells[0]) * (j + std::size_t(cells[1]) * k)]);
    };
    return reduced(r, value, r.lo, r.hi, squares);
  };
}

Maker stored_curve(std::vector<std::vector<double>> columns) {
  const std::size_t rows = columns.empty() ? 0 : columns.front().size();
  std::vector<double> table;
  for (const auto& column : columns) {
    UMOV_EXPECT(column.size() == rows, "columns of a curve differ in length");
    table.insert(table.end(), column.begin(), column.end());
  }
  return [table = std::move(table), rows, count = columns.size()](const Request& r) {
    auto thin = thin_rows(table, rows, count, std::size_t(r.size[0]));
    Data d;
    const auto left = count ? thin.size() / count : 0;
    d.parts.push_back({{std::uint32_t(left), std::uint32_t(count), 1}, std::move(thin)});
    return d;
  };
}

Maker stored_text(std::string text) {
  return [text = std::move(text)](const Request&) {
    Data d;
    d.text = text;
    return d;
  };
}

int Shelf::add(ArrayInfo info, Maker maker) {
  info.id = int(catalogue.arrays.size());
  if (maker) makers[info.id] = std::move(maker);
  catalogue.arrays.push_back(std::move(info));
  return int(catalogue.arrays.size()) - 1;
}

int Shelf::add_curve(ArrayInfo info, std::vector<std::vector<double>> columns) {
  info.shape = {columns.empty() ? 0 : (long long)columns.front().size(), (long long)columns.size()};
  return add(std::move(info), stored_curve(std::move(columns)));
}

}  // namespace umov::view
