// Axes from flags and from tables, and the cases that they make.
#include "sweep/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "core/error.hpp"
#include "core/text.hpp"
#include "parameters/value_list.hpp"

namespace umov::sweep {

namespace {

bool is_number(const Value& v) {
  return std::holds_alternative<long long>(v.data) || std::holds_alternative<double>(v.data);
}

double number_of(const Value& v) { return read_number(v, {}); }

void refuse_without_logarithm(const std::vector<Value>& values) {
  for (const Value& v : values)
    if (!is_number(v) || number_of(v) <= 0)
      throw ValueError(
          fmt::format("is logarithmic and has the value {} (which has no logarithm); leave it "
                      "out",
                      text_of(v)));
}

/// Equal ratios instead of equal differences; both ends stay.
void spread_by_logarithm(std::vector<Value>& values) {
  const double first = number_of(values.front()), last = number_of(values.back());
  for (std::size_t i = 1; i + 1 < values.size(); ++i)
    values[i] = written(of_fifteen_digits(
        first * std::pow(10, std::log10(last / first) * double(i) / double(values.size() - 1))));  // 10 is 10
}

std::vector<Value> values_in(const NumberList& list) {
  std::vector<Value> out;
  for (const double x : list.values) out.push_back(written(x));
  return out;
}

std::vector<Value> range_of(const std::string& text) { return values_in(number_list().read(Value{text})); }

bool is_range(const std::string& text) {
  const auto colons = std::count(text.begin(), text.end(), ':');
  return (colons == 2 || colons == 3) && text.find_first_of(",[(/\\") == text.npos;
}

/// "true" and "false" are no words behind a flag.
Value with_booleans(Value v) {
  if (auto* list = std::get_if<std::vector<Value>>(&v.data))
    for (Value& item : *list) item = with_booleans(item);
  const auto* word = std::get_if<std::string>(&v.data);
  if (word && (*word == "true" || *word == "false")) return Value{*word == "true"};
  return v;
}

std::vector<Value> values_of(std::string text, bool& logarithmic) {
  if (is_range(text)) {
    logarithmic = text.ends_with(":log");
    if (logarithmic) text.resize(text.size() - 4);
    auto out = range_of(text);
    if (!logarithmic) return out;
    refuse_without_logarithm(out);
    spread_by_logarithm(out);
    return out;
  }
  auto out = parse_items(text);
  for (Value& v : out) v = with_booleans(std::move(v));
  return out;
}

void refuse_twice(const std::vector<Value>& values) {
  std::set<std::string> words;
  for (const Value& v : values)
    if (const auto [word, fresh] = words.insert(text_of(v)); !fresh)
      throw ValueError(fmt::format("has {} twice (each value is computed once); leave one out", *word));
}

/// What [[vary]] says in `values`: a list, or a text that is a range.
std::vector<Value> values_in(const Tree& tree, bool logarithmic) {
  const Value v = tree.as_value();
  const auto* text = std::get_if<std::string>(&v.data);
  std::vector<Value> out = text && is_range(*text) ? range_of(*text) : read_list(v);
  for (Value& item : out)
    if (is_number(item)) item = written(number_of(item));
  if (out.empty()) throw ValueError("is an empty list (nothing varies); give a value at least");
  if (logarithmic) refuse_without_logarithm(out);
  if (text && logarithmic) spread_by_logarithm(out);
  return out;
}

bool is_true(const Tree& item, const char* key) {
  const Tree* found = item.find(key);
  return found && boolean().read(found->as_value());
}

Axis axis_of(const Tree& item) {
  Axis axis;
  axis.place = item.place;
  static const std::vector<std::string> keys{"parameter", "values", "name", "logarithmic", "together"};
  for (const auto& [key, value] : *item.table())
    if (!std::count(keys.begin(), keys.end(), key))
      throw BadInput(fmt::format(
          "{}: unknown key '{}' in [[vary]]; {}", value.place, shortened(key),
          nearest(key, keys).empty() ? "known here: " + join(keys, ", ") : did_you_mean(key, keys)));
  const char* key = "parameter";
  try {
    const Tree* parameter = item.find(key);
    if (!parameter) throw ValueError("is missing (nothing varies); give the path of one, \"body.1.radius\"");
    axis.paths = list_of(text()).read(parameter->as_value());
    if (axis.paths.empty()) throw ValueError("is empty (nothing varies); give a path");
    key = "name";
    const Tree* name = item.find(key);
    axis.name = name ? text().read(name->as_value()) : axis.paths.front();
    axis.named = name;
    key = "logarithmic";
    axis.logarithmic = is_true(item, key);
    key = "together";
    axis.together = is_true(item, key);
    key = "values";
    const Tree* values = item.find(key);
    if (values) axis.values = values_in(*values, axis.logarithmic);
    if (!axis.together) refuse_twice(axis.values);
  } catch (const ValueError& e) {
    throw BadInput(fmt::format("{}: '{}' of [[vary]] {}", item.place, key, e.what()));
  }
  return axis;
}

}  // namespace

bool Axis::numbers() const { return std::all_of(values.begin(), values.end(), is_number); }

std::pair<double, double> Axis::ends() const {
  double low = number_of(values.front()), high = low;
  for (const Value& v : values) low = std::min(low, number_of(v)), high = std::max(high, number_of(v));
  return {low, high};
}

Axis parse_axis(const std::string& text, const std::string& flag, bool together) {
  const auto equals = text.find('=');
  const std::string path(trim(text.substr(0, std::min(equals, text.size()))));
  if (equals == text.npos || path.empty())
    throw BadInput(
        fmt::format("{} {}: no PATH=VALUES (which parameter gets which values); write {} "
                    "body.1.radius=0.4:0.6:9",
                    flag, shortened(text), flag));
  Axis axis{path, {path}, {}};
  axis.place = flag + " " + path;
  const std::string values(trim(text.substr(equals + 1)));
  if (values.empty())
    throw BadInput(
        fmt::format("{} has no values (nothing is behind '='); write {}=0.4:0.6:9, or values "
                    "between commas",
                    axis.place, path));
  try {
    axis.together = together;
    axis.values = values_of(values, axis.logarithmic);
    if (!together) refuse_twice(axis.values);
  } catch (const ValueError& e) {
    throw BadInput(fmt::format("{} {}", axis.place, e.what()));
  }
  return axis;
}

std::vector<Axis> take_axes(Tree& base) {
  auto* table = std::get_if<Tree::Table>(&base.data);
  if (!table || !table->count("vary")) return {};
  const Tree vary = (*table)["vary"];
  table->erase("vary");
  std::vector<Axis> axes;
  for (const Tree& item : vary.items()) {
    if (!item.table()) throw BadInput(vary.place + ": 'vary' wants tables: [[vary]]");
    axes.push_back(axis_of(item));
  }
  return axes;
}

std::string axes_schema() {
  return R"({"type": "array", "description": "What `umov sweep` varies; of `umov eqs`, of a batch.", "items": {
    "type": "object", "required": ["parameter"], "additionalProperties": false, "properties": {
      "parameter": {"description": "Path of a parameter, as \"body.disk.radius\", or of several that get the same values.",
        "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]},
      "values": {"description": "A list, or a range \"from:to:count\"; none where a table has them.",
        "anyOf": [{"type": "array", "minItems": 1}, {"type": ["string", "number", "boolean"]}]},
      "name": {"type": "string", "description": "Of its column."},
      "logarithmic": {"type": "boolean", "description": "Spread by the logarithm."},
      "together": {"type": "boolean", "description": "Goes with the other axes of this kind, value by value."}}}})";
}

Axis axis_in_place(const Variation& v) {
  Axis axis{v.path, {v.path}, values_in(v.values)};
  axis.place = v.place;
  return axis;
}

void put_axes(Tree& base, const std::vector<Axis>& axes) {
  for (const Axis& axis : axes) {
    Tree item;
    item.set("parameter", Tree(axis.paths));
    item.set("name", axis.name);
    if (!axis.values.empty()) item.set("values", Value{axis.values});
    if (axis.logarithmic) item.set("logarithmic", true);
    if (axis.together) item.set("together", true);
    base.push_back("vary", std::move(item));
  }
}

void require_values(const std::vector<Axis>& axes) {
  for (const Axis& axis : axes)
    if (axis.values.empty())
      throw BadInput(
          fmt::format("{}: '{}' has no values (only a table's need none); give values = [...] or "
                      "\"from:to:count\"",
                      axis.place, axis.name));
}

std::size_t count_cases(const std::vector<Axis>& axes) {
  require_values(axes);
  std::size_t n = 1;
  const Axis* first = nullptr;
  for (const Axis& axis : axes) {
    if (axis.together && first) {
      if (axis.values.size() != first->values.size())
        throw BadInput(
            fmt::format("{} has {} values and {} has {} (they go together, value by value); give "
                        "both as many",
                        first->place, first->values.size(), axis.place, axis.values.size()));
      continue;
    }
    if (axis.together) first = &axis;
    if (n > most_cases / axis.values.size())
      throw BadInput(
          fmt::format("the axes make more than {} cases (every value of one with every value of "
                      "the others); give fewer values, or let axes go together",
                      most_cases));
    n *= axis.values.size();
  }
  return n;
}

std::vector<std::size_t> places_of_case(const std::vector<Axis>& axes, std::size_t k) {
  std::vector<std::size_t> out(axes.size(), 0);
  const auto lead = std::find_if(axes.begin(), axes.end(), [](const Axis& a) { return a.together; });
  std::size_t joined = 0;
  for (std::size_t i = axes.size(); i-- > 0;) {
    if (axes[i].together && axes.begin() + std::ptrdiff_t(i) != lead) continue;
    out[i] = k % axes[i].values.size();
    k /= axes[i].values.size();
    if (axes[i].together) joined = out[i];
  }
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].together) out[i] = joined;
  return out;
}

std::string text_of(const Value& v) {
  if (const auto* b = std::get_if<bool>(&v.data)) return *b ? "true" : "false";
  if (const auto* n = std::get_if<long long>(&v.data)) return std::to_string(*n);
  if (const auto* x = std::get_if<double>(&v.data)) return shortest(*x);
  if (const auto* text = std::get_if<std::string>(&v.data)) return *text;
  std::vector<std::string> words;
  for (const Value& item : std::get<std::vector<Value>>(v.data)) words.push_back(text_of(item));
  return "[" + join(words, ", ") + "]";
}

Value written(double x) {
  return std::floor(x) == x && std::abs(x) < 1e15 ? Value{static_cast<long long>(x)} : Value{x};
}

}  // namespace umov::sweep
