#include "sweep/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cases/read_by.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "parameters/columns.hpp"

namespace umov::sweep {

using cases::Design;
using cases::DesignSpec;

namespace {

using Points = std::vector<std::vector<double>>;

const ParameterTable<DesignSpec>& table() {
  static const ParameterTable<DesignSpec> made = [] {
    ParameterTable<DesignSpec> t;
    cases::add_design_parameters(
        t, [](auto& spec) -> auto& { return spec; },
        "Columns of the table to which a response surface is fitted.");
    using cases::unless;
    t.idle({"batch.variants", "batch.seed"}, [](const DesignSpec& d) {
      return unless(d.design == Design::latin_hypercube, "`batch.design = 'latin-hypercube'` reads it");
    });
    t.idle({"batch.table"}, [](const DesignSpec& d) {
      return unless(d.design == Design::table, "`batch.design = 'table'` reads it");
    });
    t.idle({"batch.goal", "batch.surface"}, [](const DesignSpec& d) {
      return unless(!d.response.empty(), "no `batch.response` is asked for");
    });
    return t;
  }();
  return made;
}

void refuse_words(const Axis& axis, const char* design) {
  if (axis.together)
    throw BadInput(
        fmt::format("{}: '{}' goes together with others ({} has values of its own for each); leave "
                    "`together` out",
                    axis.place, axis.name, design));
  if (!axis.numbers())
    throw BadInput(
        fmt::format("{}: '{}' has values that are no numbers ({} is of numbers); cross them, or "
                    "run a batch for each",
                    axis.place, axis.name, design));
}

Points spread(const DesignSpec& spec, const std::vector<Axis>& axes) {
  if (spec.variants < 2)
    throw BadInput(fmt::format(
        "'batch.variants' is {} (a Latin hypercube needs to know its number of points); give at least 2",
        spec.variants));
  Points points = latin_hypercube(spec.variants, int(axes.size()), spec.seed);
  for (std::size_t d = 0; d < axes.size(); ++d) {
    refuse_words(axes[d], "a Latin hypercube");
    const auto [low, high] = axes[d].ends();
    if (low == high)
      throw BadInput(
          fmt::format("'{}' has one value, {} (a hypercube spreads between the smallest and the "
                      "largest); give two, or the number alone",
                      axes[d].name, shortest(low)));
    for (auto& point : points)
      point[d] =
          axes[d].logarithmic ? low * std::pow(high / low, point[d]) : low * (1 - point[d]) + high * point[d];
  }
  return points;
}

/// The axis of each column, by the first line that is no comment.
std::vector<std::size_t> heading(const std::string& file, const std::vector<Axis>& axes) {
  const std::string what = fmt::format("'{}'", file);
  std::vector<std::string> names;
  for (const Axis& axis : axes) names.push_back(axis.name);
  for (const std::string& line : read_lines(file, "the variants")) {
    const std::string text(trim(line));
    if (text.empty() || text[0] == '#' || text[0] == '%') continue;
    std::vector<std::size_t> order;
    for (const std::string& field : split(text, text.find(';') != text.npos ? ';' : ',')) {
      std::string name(trim(field));
      name = std::string(trim(name.substr(0, name.find_first_of("(["))));
      // an element's own brackets belong to its name
      const auto found = std::find_if(names.begin(), names.end(), [&](const std::string& n) {
        return n == name || std::string(trim(field)).rfind(n, 0) == 0;
      });
      if (found == names.end())
        throw BadInput(fmt::format(
            "{}: its column '{}' is no [[vary]] of the case (they are: {}); {}", what, shortened(name),
            join(names, ", "),
            did_you_mean(name, names).empty() ? "name the columns after them" : did_you_mean(name, names)));
      const std::size_t p = std::size_t(found - names.begin());
      if (std::count(order.begin(), order.end(), p))
        throw BadInput(fmt::format("{} has two columns '{}'; leave one out", what, names[p]));
      order.push_back(p);
    }
    for (std::size_t p = 0; p < names.size(); ++p)
      if (!std::count(order.begin(), order.end(), p))
        throw BadInput(fmt::format("{} has no column '{}' (of a [[vary]]); add it", what, names[p]));
    return order;
  }
  throw BadInput(
      fmt::format("{} is empty (it should have a heading and a row for each variant); fill it", what));
}

void refuse_values(const Axis& axis, const std::string& file) {
  if (!axis.values.empty())
    throw BadInput(
        fmt::format("{}: '{}' has values of its own (the variants are those of the table '{}'); leave them "
                    "out, or write one number and a [[vary]] for the table's column",
                    axis.place, axis.name, file));
}

Points read_table(const DesignSpec& spec, std::vector<Axis>& axes) {
  if (spec.table.empty())
    throw BadInput(
        "the design is a table but 'batch.table' is missing (its file); give table = \"variants.csv\"");
  for (const Axis& axis : axes) refuse_values(axis, spec.table);
  const auto order = heading(spec.table, axes);
  ColumnFormat format;
  for (const std::size_t p : order) format.columns.push_back({axes[p].name, axes[p].unit, "", false});
  const Columns columns = read_columns(spec.table, format, "the variants");
  if (columns.rows() > most_cases)
    throw BadInput(
        fmt::format("'{}' has {} rows (more than {}); shorten it", spec.table, columns.rows(), most_cases));
  Points points(columns.rows(), std::vector<double>(order.size()));
  for (std::size_t c = 0; c < order.size(); ++c) {
    Axis& axis = axes[order[c]];
    for (std::size_t row = 0; row < columns.rows(); ++row) {
      const double x = points[row][order[c]] = columns.value[c][row];
      if (axis.logarithmic && x <= 0)
        throw BadInput(fmt::format("'{}', line {}: {} of '{}', which is logarithmic; leave one out",
                                   spec.table, columns.line[row], shortest(x), axis.name));
      axis.values.push_back(written(x));
    }
  }
  std::map<std::vector<double>, int> lines;
  for (std::size_t row = 0; row < points.size(); ++row)
    if (const auto [same, is_new] = lines.try_emplace(points[row], columns.line[row]); !is_new)
      throw BadInput(
          fmt::format("'{}', line {} has the values of line {} again (each case is computed once); leave one "
                      "out",
                      spec.table, columns.line[row], same->second));
  return points;
}

}  // namespace

DesignSpec take_design(Tree& base, const std::string& folder, Origins& places) {
  DesignSpec spec;
  auto* top = std::get_if<Tree::Table>(&base.data);
  const auto found = top ? top->find("batch") : Tree::Table::iterator{};
  if (!top || found == top->end() || !found->second.table()) return spec;
  auto& entries = std::get<Tree::Table>(found->second.data);
  Tree own;
  for (const auto& info : table().parameters())
    if (const auto entry = entries.find(info.key); entry != entries.end()) {
      own.set("batch." + info.key, entry->second);
      entries.erase(entry);
    }
  if (entries.empty()) top->erase(found);
  table().read(own, spec, places, folder);
  return spec;
}

std::string design_schema() { return table().schema(); }

void refuse_idle(const DesignSpec& spec, const Origins& places, const DesignSpec& file) {
  table().refuse_idle(&spec, places, &file);
}

void put_design(Tree& base, const DesignSpec& spec) {
  const std::string text = table().write_toml(spec);
  if (text != table().write_toml({})) base.set("batch", *tree_of_toml(text, "").find("batch"));
}

Points points_of(const DesignSpec& spec, std::vector<Axis>& axes) {
  if (spec.design != Design::table) require_values(axes);
  switch (spec.design) {
    case Design::latin_hypercube:
      return spread(spec, axes);
    case Design::table:
      return read_table(spec, axes);
    case Design::all:
      break;
  }
  return {};
}

}  // namespace umov::sweep
