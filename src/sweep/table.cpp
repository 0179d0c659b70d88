#include "sweep/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/text.hpp"
#include "results/section.hpp"
#include "run/version.hpp"

namespace umov::sweep {

namespace {

using results::Array;
using results::Section;

constexpr const char* without = "; nan of a case without it";

const Row empty_row;

const Row& row_at(const Rows& rows, std::size_t k) { return rows[k] ? *rows[k] : empty_row; }

void add_axes(Section& s, const Sweep& sweep, const std::vector<std::size_t>& cases) {
  for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
    const Axis& axis = sweep.axes[i];
    std::vector<double> numbers;
    std::vector<std::string> words, all;
    for (const std::size_t k : cases) {
      words.push_back(text_of(sweep.value(i, k)));
      numbers.push_back(sweep.number(i, k));
    }
    const std::string name = "axes/" + array_name(axis.name);
    if (axis.numbers()) {
      s.add(name, axis.unit.empty() ? "1" : axis.unit, "varied parameter", numbers, {.heading = axis.name});
      continue;
    }
    for (std::size_t v = 0; v < axis.values.size(); ++v)
      all.push_back(fmt::format("{}: {}", v + 1, text_of(axis.values[v])));
    s.add(name, "1", fmt::format("varied parameter, by the number of its value: {}", join(all, ", ")),
          numbers, {.column = false});
    s.texts(axis.name, words);
  }
}

void add_scalars(Section& s, const Sweep& sweep, const Rows& rows, const std::vector<std::size_t>& cases) {
  for (const Scalar& c : columns_of(sweep, rows, cases))
    s.add("scalars/" + c.name, c.unit, c.text + without, column(rows, cases, c.name), {.heading = c.name});
}

void add_status(results::Result& r, Section& s, const Rows& rows, const std::vector<std::size_t>& cases) {
  std::vector<double> numbers;
  std::vector<std::string> words, messages, told;
  for (const std::size_t k : cases) {
    const Row& row = row_at(rows, k);
    numbers.push_back(double(row.status));
    words.push_back(word(row.status));
    messages.push_back(row.message);
    if (row.status != Status::done)
      told.push_back(fmt::format("case {}: {}{}{}", k + 1, word(row.status), row.message.empty() ? "" : ": ",
                                 row.message));
  }
  s.add("status", "1", "0: done, 1: not converged, 2: failed, 3: missing", numbers, {.column = false});
  s.texts("status", words);
  s.texts("message", messages);
  r.attributes.emplace_back("not_done", results::lines_of(told));
}

/// Of one name: the array of each case, nullptr where it has none.
using Stack = std::vector<const Array*>;

bool fits(const Stack& stack) {
  const Array* first = nullptr;
  for (const Array* a : stack) {
    if (a && first && (a->shape != first->shape || a->data.index() != first->data.index())) return false;
    if (a && !first) first = a;
  }
  return true;
}

void add_stacked(results::Result& r, const Stack& stack) {
  const Array& first = **std::find_if(stack.begin(), stack.end(), [](const Array* a) { return a; });
  std::vector<std::size_t> shape{stack.size()};
  shape.insert(shape.end(), first.shape.begin(), first.shape.end());
  std::visit(
      [&](const auto& like) {
        std::remove_cvref_t<decltype(like)> all;
        all.reserve(like.size() * stack.size());
        for (const Array* a : stack) {
          const auto* values = a ? &std::get<std::remove_cvref_t<decltype(like)>>(a->data) : nullptr;
          if (values)
            all.insert(all.end(), values->begin(), values->end());
          else
            all.insert(all.end(), like.size(), std::remove_cvref_t<decltype(like[0])>(nan));
        }
        r.add("arrays/" + first.name, first.unit, first.description + "; cases first" + without,
              std::move(all), shape);
      },
      first.data);
}

void add_arrays(results::Result& r, const Rows& rows, const std::vector<std::size_t>& cases) {
  std::vector<std::string> names;
  std::map<std::string, Stack> stacks;
  for (std::size_t i = 0; i < cases.size(); ++i)
    for (const Array& a : row_at(rows, cases[i]).arrays) {
      auto& stack = stacks[a.name];
      if (stack.empty()) names.push_back(a.name), stack.resize(cases.size());
      stack[i] = &a;
    }
  for (const std::string& name : names) {
    const Stack& stack = stacks[name];
    if (fits(stack)) {
      add_stacked(r, stack);
      continue;
    }
    for (std::size_t i = 0; i < stack.size(); ++i)
      if (stack[i]) {
        r.arrays.push_back(*stack[i]);
        r.arrays.back().name = fmt::format("cases/{}/{}", cases[i] + 1, name);
      }
  }
}

std::vector<std::string> names_of(const std::vector<Axis>& axes) {
  std::vector<std::string> out;
  for (const Axis& axis : axes)
    if (axis.numbers()) out.push_back(axis.name);
  return out;
}

}  // namespace

std::string array_name(std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

std::vector<Scalar> columns_of(const Sweep& sweep, const Rows& rows, const std::vector<std::size_t>& cases) {
  std::set<std::string> known;
  for (const Axis& axis : sweep.axes)
    if (axis.numbers() && axis.paths.front() == axis.name) known.insert(axis.name);
  std::vector<Scalar> columns;
  for (const std::size_t k : cases)
    for (const Scalar& x : row_at(rows, k).scalars)
      if (known.insert(x.name).second) columns.push_back(x);
  return columns;
}

std::vector<double> column(const Rows& rows, const std::vector<std::size_t>& cases, const std::string& name) {
  std::vector<double> values;
  for (const std::size_t k : cases) {
    const auto& all = row_at(rows, k).scalars;
    const auto found = std::ranges::find(all, name, &Scalar::name);
    values.push_back(found == all.end() ? nan : found->value);
  }
  return values;
}

results::Result to_result(const Sweep& sweep, const Rows& rows, const std::vector<std::size_t>& cases) {
  results::Result r;
  r.for_paraview = false;
  r.attributes = {{"program", "umov sweep"},
                  {"family", sweep.family},
                  {"version", run::version()},
                  {"case", resolved_toml(sweep)},
                  {"parameters", results::lines_of(names_of(sweep.axes))},
                  {"counts", "case\n"}};
  Section s(r, "", results::add_table(r, {"sweep", {fmt::format("umov sweep {}", run::version())}}));
  std::vector<double> numbers;
  for (const std::size_t k : cases) numbers.push_back(double(k + 1));
  s.add("case", "1", "number of the case, from 1", numbers);
  add_axes(s, sweep, cases);
  add_scalars(s, sweep, rows, cases);
  add_status(r, s, rows, cases);
  add_arrays(r, rows, cases);
  return r;
}

std::size_t count_done(const Rows& rows, const std::vector<std::size_t>& cases) {
  return std::size_t(std::count_if(
      cases.begin(), cases.end(), [&](std::size_t k) { return rows[k] && rows[k]->status == Status::done; }));
}

}  // namespace umov::sweep
