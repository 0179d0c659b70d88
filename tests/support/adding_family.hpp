// A family that adds numbers, for tests of sweeps, and short ways to say what is refused.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "run/observer.hpp"
#include "sweep/run.hpp"
#include "sweep/state.hpp"

namespace umov::sweep {

inline std::vector<std::string> texts(const Axis& axis) {
  std::vector<std::string> out;
  for (const Value& v : axis.values) out.push_back(text_of(v));
  return out;
}

inline std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const BadInput& e) {
    return e.what();
  }
  return "";
}

using Words = std::vector<std::string>;

struct Numbers {
  double a = 0, b = 0, threads = 0, plot = 0;
  std::vector<double> cuts;
  std::string precision;
};

inline const ParameterTable<Numbers>& numbers_table() {
  static const ParameterTable<Numbers> table = [] {
    ParameterTable<Numbers> t;
    ParameterInfo a, b, threads, precision, plot, place;
    a.key = "a", b.key = "b", b.unit = "um";
    threads.section = precision.section = "machine", threads.key = "threads", precision.key = "precision";
    threads.concern = Concern::machine;
    plot.section = "output", plot.key = "plot", place.key = "place", place.concern = Concern::output;
    t.add(
        plot, number(), [](auto& n) -> auto& { return n.plot; });
    ParameterTable<double> cut;
    cut.add(
        place, number(), [](auto& n) -> auto& { return n; });
    t.add_list(
        "cut", "", cut, [](auto& n) -> auto& { return n.cuts; });
    t.add(
        a, number(), [](auto& n) -> auto& { return n.a; });
    t.add(
        b, number(), [](auto& n) -> auto& { return n.b; });
    t.add(
        threads, number(), [](auto& n) -> auto& { return n.threads; });
    t.add(
        precision, text(), [](auto& n) -> auto& { return n.precision; });
    return t;
  }();
  return table;
}

inline Numbers numbers_of(const Tree& tree) {
  Numbers n;
  Origins origins;
  numbers_table().read(tree, n, origins);
  return n;
}

/// A family that adds two numbers, fails where the second is 3, and does not converge where it is 4.
class Adding : public Family, public Series {
 public:
  std::string name() const override { return "adding"; }
  const ParameterList& parameters() const override { return numbers_table(); }
  void check(const Tree& tree) const override { numbers_of(tree); }
  Plan plan(const Tree&, const Machine&) const override { return {}; }
  results::Result run(const Tree& tree, const Machine&, const Observer& observer) const override {
    const auto n = numbers_of(tree);
    if (n.b == 3) throw BadInput("three is too many");
    if (observer.progress && !observer.progress(0, "adding")) throw run::Interrupted("stopped");
    results::Result r;
    r.add("sum", "1", "of both", n.a + n.b);
    r.add("both", "1", "the numbers", std::vector<double>{n.a, n.b});
    r.add("some", "1", "of another length each", std::vector<double>(std::size_t(n.b) + 2, n.a));
    r.add("run/seconds", "s", "is no result", 1.0);
    r.attributes = {{"converged", n.b == 4 ? "no: four is on the way" : "yes"}};
    return r;
  }
  results::Result run(const Tree& tree, const Observer& observer) override { return run(tree, {}, observer); }
  std::vector<std::unique_ptr<Series>> series(const std::vector<Machine>& seats) const override {
    std::vector<std::unique_ptr<Series>> all;
    for (std::size_t i = 0; i < seats.size(); ++i) all.push_back(std::make_unique<Adding>());
    return all;
  }
};

inline const Adding adding;

inline Sweep adding_sweep() {
  return make_sweep("adding", numbers_table(), tree_of_toml("a = 1", "case.toml"),
                    {parse_axis("a=1,2", "--set"), parse_axis("b=1:3:3", "--set")});
}

inline Rows computed(const Sweep& s, std::size_t workers, const Settings& settings = {true, 100}) {
  Rows rows(s.cases);
  run(*comm::one_rank(), s, adding, std::vector<Machine>(workers), Shard{}.cases(s.cases), rows, settings,
      {});
  return rows;
}

}  // namespace umov::sweep
