// From a case with lists to its variants.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cases/case_places.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "eqs/case/case.hpp"
#include "parameters/columns.hpp"

namespace umov::eqs {

namespace {

constexpr std::size_t most_variants = 100000;

Simulation with_numbers(const Case& c, const Origins& origins, const std::vector<BatchParameter>& varied,
                        const std::vector<double>& numbers) {
  Case one = c;
  one.vary.clear();
  one.in_place.clear();
  for (std::size_t p = 0; p < varied.size(); ++p)
    for (const auto& path : varied[p].paths) try {
        set_number(parameters(), &one, path, numbers[p]);
      } catch (const ValueError& e) {
        throw BadInput(fmt::format("'{}' {}", varied[p].name, e.what()));
      }
  return finish_case(one, origins);
}

class BatchMaker : cases::CasePlaces {
 public:
  BatchMaker(const Case& c, const Origins& origins)
      : cases::CasePlaces(origins), case_(c), origins_(origins), spec_(c.batch) {}

  Batch finish() {
    take_in_place();
    for (std::size_t i = 0; i < case_.vary.size(); ++i) take_vary(case_.vary[i], i);
    take_frequency();
    refuse_same();
    batch_.spec = spec_;
    combine();
    batch_.at = [c = case_, origins = origins_,
                 parameters = batch_.parameters](const std::vector<double>& numbers) {
      return with_numbers(c, origins, parameters, numbers);
    };
    for (std::size_t k = 0; k < batch_.variants.size(); ++k) batch_.cases.push_back(variant(k));
    batch_.every_gpu = !given("machine.device") && !case_.device_by_number;
    return std::move(batch_);
  }

 private:
  void take_in_place() {
    for (const Variation& v : case_.in_place) {
      const auto origin = origins_.find(v.path);
      // a flag has said one number
      if (origin != origins_.end() && origin->second.rfind("-", 0) == 0) continue;
      if (spec_.design == Design::table)
        throw BadInput(
            fmt::format("{}: a list stands where one number is wanted (the variants are those of the table "
                        "'{}'); write one "
                        "number, and a [[vary]] for the table's column",
                        v.place, spec_.table));
      try {
        const NumberPlace place = place_of(parameters(), &case_, v.path);
        batch_.parameters.push_back({place.label, place.unit, {place.path}, v.values.values, false});
      } catch (const ValueError&) {
        throw BadInput(
            v.place +
            ": the list is of an item that a flag has taken away (no such item is left); leave the flag "
            "or the list out");
      }
    }
  }

  /// A range of positive numbers with equal ratios instead of equal differences; both ends stay.
  static void spread_by_logarithm(std::vector<double>& x) {
    const double first = x.front(), ratio = x.back() / x.front();
    for (std::size_t i = 1; i + 1 < x.size(); ++i)
      x[i] = first * std::pow(ratio, double(i) / double(x.size() - 1));
  }

  void take_vary(const VaryCase& v, std::size_t i) {
    const std::string where = item("vary", i, v.name);
    if (v.parameters.empty())
      throw BadInput(
          where + " names no number (nothing varies); give parameter = \"layer.NAME.thickness\" or the like");
    BatchParameter p{v.name, "", {}, {}, v.logarithmic};
    for (const std::string& name : v.parameters) {
      try {
        const NumberPlace place = find_number(parameters(), &case_, name);
        Case probe = case_;  // is it a number, has the list such an element?
        if (v.values) set_number(parameters(), &probe, place.path, v.values->front());
        if (p.name.empty()) p.name = place.label;
        if (p.paths.empty()) p.unit = place.unit;
        p.paths.push_back(place.path);
      } catch (const ValueError& e) {
        throw BadInput(fmt::format("{}: '{}' {}", where, name, e.what()));
      }
    }
    if (spec_.design == Design::table) {
      if (v.values) throw BadInput(where + " has values and a table (which has them); leave the values out");
    } else if (!v.values) {
      throw BadInput(where +
                     " has no values (only a table's need none); give values = [...] or \"from:to:count\"");
    } else {
      p.values = v.values->values;
    }
    if (p.logarithmic)
      for (const double x : p.values)
        if (x <= 0)
          throw BadInput(
              fmt::format("{} is logarithmic and has the value {} (which has no logarithm); leave one out",
                          where, shortest(x)));
    if (p.logarithmic && v.values && !v.values->range.empty()) spread_by_logarithm(p.values);
    batch_.parameters.push_back(std::move(p));
  }

  /// A harmonic analysis is at the frequency of its electrodes: where that is varied, so is `time.frequency`,
  /// and the resolved case stands for the same variants.
  void take_frequency() {
    if (case_.simulation.analysis != Analysis::harmonic || given("time.frequency")) return;
    for (auto& p : batch_.parameters)
      for (const std::string& path : p.paths)
        if (path.starts_with("electrode[") && path.ends_with("].frequency"))
          return p.paths.push_back("time.frequency");
  }

  void refuse_same() const {
    if (batch_.parameters.empty())
      throw BadInput(
          "every list of the case is replaced by a flag (no number is left to vary); leave a flag out");
    std::set<std::string> names, paths;
    for (const auto& p : batch_.parameters) {
      for (const auto& path : p.paths)
        if (!paths.insert(path).second)
          throw BadInput(fmt::format(
              "'{}' is varied twice (by a list in its place or another [[vary]]); keep one", p.name));
      if (!names.insert(p.name).second)
        throw BadInput(
            fmt::format("two varied numbers are called '{}' (columns are called after them); give one "
                        "of the [[vary]] another name",
                        p.name));
    }
  }

  void combine() {
    switch (spec_.design) {
      case Design::all:
        return all();
      case Design::latin_hypercube:
        return spread();
      case Design::table:
        return read_table();
    }
  }

  /// The last parameter fastest.
  void all() {
    auto& variants = batch_.variants;
    variants = {{}};
    for (const auto& p : batch_.parameters) {
      if (variants.size() * p.values.size() > most_variants)
        throw BadInput(
            fmt::format("the lists have more than {} combinations (every value of one is computed with "
                        "every value of the others); shorten them, or take design = \"latin-hypercube\"",
                        most_variants));
      std::vector<std::vector<double>> more;
      for (const auto& v : variants)
        for (const double x : p.values) more.push_back(v), more.back().push_back(x);
      variants = std::move(more);
    }
  }

  void spread() {
    if (spec_.variants < 2)
      throw BadInput(fmt::format(
          "{} is {} (a Latin hypercube needs to know its number of points); give at least 2",
          given("batch.variants") ? place("batch.variants") : "'batch.variants'", spec_.variants));
    const auto points = latin_hypercube(spec_.variants, int(batch_.parameters.size()), spec_.seed);
    for (const auto& point : points) {
      std::vector<double> v;
      for (std::size_t d = 0; d < point.size(); ++d) {
        const auto& p = batch_.parameters[d];
        const auto [low, high] = std::minmax_element(p.values.begin(), p.values.end());
        if (*low == *high)
          throw BadInput(
              fmt::format("'{}' has one value, {} (a hypercube spreads between the smallest and the "
                          "largest); give two, or the number alone",
                          p.name, shortest(*low)));
        v.push_back(p.logarithmic ? *low * std::pow(*high / *low, point[d])
                                  : *low * (1 - point[d]) + *high * point[d]);
      }
      batch_.variants.push_back(std::move(v));
    }
  }

  void read_table() {
    if (spec_.table.empty())
      throw BadInput(
          "the design is a table but 'batch.table' is missing (its file); give table = \"variants.csv\"");
    check_file(given("batch.table") ? place("batch.table") : "batch.table", spec_.table,
               "the table of variants");
    const auto order = heading();
    ColumnFormat format;
    for (const std::size_t p : order)
      format.columns.push_back({batch_.parameters[p].name, batch_.parameters[p].unit, "", false});
    const Columns columns = read_columns(spec_.table, format, "the variants");
    if (columns.rows() > most_variants)
      throw BadInput(fmt::format("'{}' has {} rows (more than {}); shorten it", spec_.table, columns.rows(),
                                 most_variants));
    batch_.variants.assign(columns.rows(), std::vector<double>(order.size()));
    for (std::size_t c = 0; c < order.size(); ++c)
      for (std::size_t row = 0; row < columns.rows(); ++row) {
        const double x = columns.value[c][row];
        auto& p = batch_.parameters[order[c]];
        if (p.logarithmic && x <= 0)
          throw BadInput(fmt::format("'{}', line {}: {} of '{}', which is logarithmic; leave one out",
                                     spec_.table, columns.line[row], shortest(x), p.name));
        batch_.variants[row][order[c]] = x;
        if (std::find(p.values.begin(), p.values.end(), x) == p.values.end()) p.values.push_back(x);
      }
  }

  /// The parameter of each column, by the first line that is no comment.
  std::vector<std::size_t> heading() const {
    const std::string what = fmt::format("'{}'", spec_.table);
    std::vector<std::string> names;
    for (const auto& p : batch_.parameters) names.push_back(p.name);
    for (const std::string& line : read_lines(spec_.table, "the variants")) {
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
          throw BadInput(
              fmt::format("{}: its column '{}' is no [[vary]] of the case (they are: {}); name the columns "
                          "after them {}",
                          what, shortened(name), join(names, ", "), did_you_mean(name, names)));
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

  Simulation variant(std::size_t k) const {
    std::vector<std::string> words;
    for (std::size_t p = 0; p < batch_.parameters.size(); ++p)
      words.push_back(fmt::format("{} = {}", batch_.parameters[p].name, shortest(batch_.variants[k][p])));
    try {
      return batch_.at(batch_.variants[k]);
    } catch (const BadInput& e) {
      throw BadInput(fmt::format("variant {} ({}): {}", k + 1, join(words, ", "), e.what()));
    }
  }

  const Case& case_;
  const Origins& origins_;
  BatchSpec spec_;
  Batch batch_;
};

}  // namespace

Batch finish_batch(const Case& c, const Origins& origins) { return BatchMaker(c, origins).finish(); }

}  // namespace umov::eqs
