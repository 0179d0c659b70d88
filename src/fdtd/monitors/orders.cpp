// Monitors of kind orders: diffraction orders through a plane across a periodic cell.
#include "fdtd/monitors/orders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "fdtd/monitors/kind.hpp"
#include "fdtd/monitors/names.hpp"
#include "fdtd/monitors/plot.hpp"
#include "fdtd/monitors/spectrum_errors.hpp"
#include "fdtd/monitors/tables.hpp"
#include "fdtd/observables/part.hpp"

namespace umov::fdtd {
namespace {

using results::Section;
using std::string;

/// The table has the columns that this dimension and these polarizations have.
void add_orders(results::Result& r, const Outcome& o, const OrdersResult& found, const string& name) {
  const bool space = dimensions(o.grid.mode) == 3, has_s = o.grid.mode != Mode::te,
             has_p = o.grid.mode != Mode::tm;
  const string unit = found.normalized ? "1" : fdtd_unit::flux(o.grid);
  const auto numbers = [](const std::vector<int>& list) {
    return std::vector<double>(list.begin(), list.end());
  };
  std::vector<string> comments;
  if (found.forward_errors.grid.empty()) comments.push_back(grid_error_unknown);
  Section s = with_table(r, "orders", name, comments);
  add_frequencies(s, found.frequency);
  s.add("m", "1", "order along the plane's first axis", numbers(found.m));
  s.add("n", "1", "order along the plane's second axis", numbers(found.n), {.column = space});
  s.add("angle", fdtd_unit::degree, "from the normal of the plane", found.angle);
  s.add("azimuth", fdtd_unit::degree, "of the order from the plane's first axis", found.azimuth,
        {.column = space});
  s.add("forward", unit, "efficiency of travel along the normal", found.forward);
  s.add("backward", unit, "efficiency of travel against the normal", found.backward);
  s.add("s_forward", "1", "amplitude with E across the plane of incidence; |.|^2 is power", found.s_forward,
        {.column = has_s});
  s.add("p_forward", "1", "amplitude with E in the plane of incidence", found.p_forward, {.column = has_p});
  s.add("s_backward", "1", "the same against the normal", found.s_backward, {.column = has_s});
  s.add("p_backward", "1", "the same against the normal", found.p_backward, {.column = has_p});
  add_errors(s, "forward", unit, found.forward_errors);
  add_errors(s, "backward", unit, found.backward_errors);
}

/// The strongest orders of one way at the first frequency.
string strongest(const OrdersResult& r, const std::vector<double>& values) {
  std::vector<std::size_t> index;
  for (std::size_t i = 0; i < r.size() && r.frequency[i] == r.frequency[0]; ++i) index.push_back(i);
  std::sort(index.begin(), index.end(), [&](auto a, auto b) { return values[a] > values[b]; });
  string text;
  const bool flat = std::all_of(r.n.begin(), r.n.end(), [](int n) { return n == 0; });
  for (std::size_t i = 0; i < std::min<std::size_t>(index.size(), 3); ++i)
    text += fmt::format(
        "{}{}: {:.4g}", i ? ", " : "",
        flat ? fmt::format("{}", r.m[index[i]]) : fmt::format("({}, {})", r.m[index[i]], r.n[index[i]]),
        values[index[i]]);
  return text;
}

string line_of(const OrdersResult& r) {
  if (r.size() == 0) return fmt::format("orders '{}': none propagates\n", r.name);
  SpectrumErrors errors = r.forward_errors;
  for (auto part : {&SpectrumErrors::record, &SpectrumErrors::layers, &SpectrumErrors::grid}) {
    const auto& more = r.backward_errors.*part;
    (errors.*part).insert((errors.*part).end(), more.begin(), more.end());
  }
  return fmt::format("orders '{}' at frequency {:.6g}: forward {}; backward {}{}\n", r.name, r.frequency[0],
                     strongest(r, r.forward), strongest(r, r.backward), errors_text(errors));
}

/// Efficiencies of the strongest orders; no curves for a single frequency.
Plot plot_of(const Outcome& o, const OrdersResult& r) {
  constexpr double faint = 1e-3;
  const bool space = dimensions(o.grid.mode) == 3;
  std::map<std::tuple<bool, int, int>, Curve> curves;
  double largest = 0;
  for (std::size_t i = 0; i < r.size(); ++i) {
    largest = std::max({largest, r.forward[i], r.backward[i]});
    for (const bool forward : {true, false}) {
      Curve& c = curves[{!forward, r.m[i], r.n[i]}];
      c.x.push_back(r.frequency[i]);
      c.y.push_back(forward ? r.forward[i] : r.backward[i]);
    }
  }
  std::erase_if(curves, [&](const auto& c) {
    return c.second.x.size() < 2 || *std::max_element(c.second.y.begin(), c.second.y.end()) < faint * largest;
  });
  Plot p{.file = "orders-" + r.name,
         .title = "Diffraction orders: " + r.name,
         .quantity = r.normalized ? "efficiency" : "flux spectrum (arbitrary)",
         .frequency = r.frequency,
         .from = 0,
         .says = Says::orders};
  for (const auto& [key, c] : curves) {
    if (p.curves.size() == most_curves) break;
    const auto& [backward, m, n] = key;
    p.add(fmt::format("{}{} {}", m, space ? fmt::format(", {}", n) : "", backward ? "backward" : "forward"),
          c.x, c.y, backward ? Curve::Line::dashed : Curve::Line::solid);
  }
  return p;
}

class OrdersKind : public MonitorKind {
 public:
  OrdersKind()
      : MonitorKind({.title = "diffraction orders",
                     .reads = {"center", "size", "direction", "reference", "frequencies", "interval"},
                     .spectrum = true,
                     .uncertainty = true,
                     .on_nodes = true,
                     .fields_at = FieldsAt::surface}) {}

  Part make(const MonitorSpec& m, const MonitorSite& at) const override {
    return make_orders(m, at.sim, at.scene, at.problem);
  }

  void add_results(results::Result& r, const Outcome& o) const override {
    UniqueNames unique;
    for (const auto& found : o.of<OrdersResult>()) add_orders(r, o, found, unique(found.name));
  }

  std::vector<Plot> plots(const Outcome& o) const override {
    std::vector<Plot> plots;
    for (const auto& r : o.of<OrdersResult>())
      if (Plot p = plot_of(o, r); !p.curves.empty()) plots.push_back(std::move(p));
    return plots;
  }

  string lines(const Outcome& o) const override {
    string out;
    for (const auto& r : o.of<OrdersResult>()) out += line_of(r);
    return out;
  }

  bool lacks_grid_error(const Outcome& o) const override {
    return std::ranges::any_of(o.of<OrdersResult>(),
                               [](const OrdersResult& r) { return r.forward_errors.grid.empty(); });
  }
};

}  // namespace

const MonitorKind& orders_monitor() {
  static const OrdersKind kind;
  return kind;
}

}  // namespace umov::fdtd
