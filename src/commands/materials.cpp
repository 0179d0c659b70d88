// Lists, poles, values at wavelengths and fits, as text.
#include "commands/materials.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/console.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "materials/fit.hpp"
#include "materials/library.hpp"

namespace umov::commands {

namespace {

using namespace materials;

struct MaterialRequest {
  std::string name, fit;
  std::vector<double> wavelengths;
  FitOptions options;
  std::optional<double> target;
};

std::string range_text(const Material& m) {
  return m.range_um ? fmt::format("{:.4g} to {:.4g} um", m.range_um->first, m.range_um->second)
                    : "any wavelength";
}

void list_all() {
  for (const auto& [material, aliases, note] : library())
    fmt::print("{:<17} {:<16} {:<18} {}\n", material.name, aliases.empty() ? "" : aliases[0],
               range_text(material), material.source);
  fmt::print("\n`umov materials NAME --wavelength UM` prints one of them.\n");
}

void print_poles(const Material& m) {
  if (m.perfect_conductor) return;
  fmt::print("  eps_inf {:.6g}\n", m.eps[0]);
  for (const auto& p : m.poles) {
    switch (p.kind) {
      case Pole::Kind::drude:
        fmt::print("  drude    wp {:.6g} rad/fs, gamma {:.6g} rad/fs\n", std::sqrt(p.strength), p.gamma);
        break;
      case Pole::Kind::lorentz:
        fmt::print("  lorentz  delta {:.6g}, w0 {:.6g} rad/fs, gamma {:.6g} rad/fs\n", p.strength, p.omega,
                   p.gamma);
        break;
      case Pole::Kind::debye:
        fmt::print("  debye    delta {:.6g}, tau {:.6g} fs\n", p.strength, p.tau);
        break;
    }
  }
}

void print_at(const Material& m, const std::vector<double>& wavelengths) {
  if (wavelengths.empty()) return;
  fmt::print("{:>12} {:>14} {:>14} {:>12} {:>12}\n", "wavelength", "Re eps", "Im eps", "n", "k");
  for (const double w : wavelengths) {
    if (!(w > 0) || !std::isfinite(w))
      throw BadInput(fmt::format("--wavelength {} (it must be positive); give it in um", w));
    const cplx eps = m.permittivity(angular_frequency(w)), index = refractive_index(m, w);
    fmt::print("{:>9.6g} um {:>14.6g} {:>14.6g} {:>12.6g} {:>12.6g}\n", w, eps.real(), eps.imag(),
               index.real(), index.imag());
    if (const auto outside = check_range(m, w, w); !outside.empty()) complain("umov: warning: " + outside);
  }
}

void print_one(const MaterialRequest& r) {
  const auto& [material, aliases, note] = find(r.name);
  fmt::print("{}{}\n  valid   {}\n  source  {}\n", material.name,
             aliases.empty() ? "" : fmt::format(" ({})", join(aliases, ", ")), range_text(material),
             material.source);
  if (!note.empty()) fmt::print("  note    {}\n", note);
  print_poles(material);
  print_at(material, r.wavelengths);
}

void print_fit(const MaterialRequest& r) {
  const NkTable table = read_nk(r.fit);
  for (const double w : r.wavelengths) (void)table.at(w);  // refused where the table knows nothing
  const PoleFit fit = fit_poles(table, r.options);
  fmt::print("{}: {} poles, rms error of n + ik {:.2g} %, worst {:.2g} % at {:.4g} um\n", r.fit,
             fit.material.poles.size(), 100 * fit.rms_error, 100 * fit.worst_error, fit.worst_wavelength_um);
  if (std::ranges::any_of(table.k, [](double k) { return k > 0; }))
    fmt::print(
        "  absorption (Im eps; k below {:g} counts as {:g}): rms error {:.2g} %, worst {:.2g} % at "
        "{:.4g} um\n",
        fit.least_k, fit.least_k, 100 * fit.loss_error, 100 * fit.worst_loss_error,
        fit.worst_loss_wavelength_um);
  if (fit.between_error > r.options.target)
    fmt::print("  between the rows it swings out by {:.2g} % at {:.4g} um: give more rows there\n",
               100 * fit.between_error, fit.between_wavelength_um);
  if (!fit.reached)
    fmt::print(
        "  above the target of {:.2g} %, or of {:.2g} % in absorption: more poles or a narrower table "
        "may help\n",
        100 * r.options.target, 100 * r.options.loss_target);
  print_poles(fit.material);
  print_at(fit.material, r.wavelengths);
}

}  // namespace

int materials_command(std::span<const std::string> args) {
  MaterialRequest r;
  CLI::App app("umov materials: named materials with their sources, or a fit to a table of n and k",
               "umov materials");
  app.add_option("name", r.name, "Print this one: its source, poles and range.");
  app.add_option("-w,--wavelength", r.wavelengths, "Also eps, n and k at these vacuum wavelengths (um).");
  app.add_option("--fit", r.fit, "Fit poles to this table of wavelength (um), n, k instead.");
  app.add_option("--max-poles", r.options.max_poles, "At most so many poles in a fit.")
      ->capture_default_str();
  app.add_option("--target", r.target,
                 "End a fit at this rms relative error (without it: 0.005, and less where one more pole "
                 "leaves a third of the error).");
  app.add_flag("!--one-sign", r.options.either_sign,
               "No poles of negative strength in a fit (they are better at absorption edges).");
  std::vector<std::string> reversed(args.rbegin(), args.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return 0;
  } catch (const CLI::ParseError& e) {
    throw BadInput(fmt::format("{}; see `umov materials --help`", e.what()));
  }
  if (r.target) r.options.target = r.options.fine_target = *r.target;
  if (!r.name.empty() && !r.fit.empty())
    throw BadInput("a name together with --fit (which material?); give one of them");
  if (!r.fit.empty()) {
    print_fit(r);
  } else if (!r.name.empty()) {
    print_one(r);
  } else if (!r.wavelengths.empty()) {
    throw BadInput("--wavelength without a material; give a name, as in `umov materials silver -w 0.5`");
  } else {
    list_all();
  }
  return 0;
}

}  // namespace umov::commands
