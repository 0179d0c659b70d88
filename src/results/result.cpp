// Adding to and looking into a Result.
#include "results/result.hpp"

#include <numeric>

#include "core/contract.hpp"

namespace umov::results {
namespace {

template <class T>
Array make_array(std::string&& name, std::string&& unit, std::string&& description, std::vector<T>&& values,
                 std::vector<std::size_t>&& shape) {
  if (shape.empty()) shape = {values.size()};
  UMOV_EXPECT(
      std::accumulate(shape.begin(), shape.end(), std::size_t(1), std::multiplies<>()) == values.size(),
      "an array has another number of values than its shape says");
  return {std::move(name), std::move(unit), std::move(description), std::move(shape), std::move(values)};
}

}  // namespace

std::size_t Array::size() const {
  return std::visit([](const auto& values) { return values.size(); }, data);
}

const Array* Result::find(const std::string& name) const {
  for (const auto& array : arrays)
    if (array.name == name) return &array;
  return nullptr;
}

void Result::add(std::string name, std::string unit, std::string description, double value) {
  arrays.push_back(
      {std::move(name), std::move(unit), std::move(description), {}, std::vector<double>{value}});
}

void Result::add(std::string name, std::string unit, std::string description, std::vector<double> values,
                 std::vector<std::size_t> shape) {
  arrays.push_back(make_array(std::move(name), std::move(unit), std::move(description), std::move(values),
                              std::move(shape)));
}

void Result::add(std::string name, std::string unit, std::string description, std::vector<cplx> values,
                 std::vector<std::size_t> shape) {
  arrays.push_back(make_array(std::move(name), std::move(unit), std::move(description), std::move(values),
                              std::move(shape)));
}

void Result::add(std::string name, std::string unit, std::string description, std::vector<float> values,
                 std::vector<std::size_t> shape) {
  arrays.push_back(make_array(std::move(name), std::move(unit), std::move(description), std::move(values),
                              std::move(shape)));
}

std::string lines_of(const std::vector<std::string>& texts) {
  std::string all;
  for (const auto& text : texts) all += text + "\n";
  return all;
}

}  // namespace umov::results
