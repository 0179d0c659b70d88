// Command line of `umov mie`: options in, table and CSV out.
#include "commands/particles/mie.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <optional>

#include "core/console.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "mie/mie.hpp"
#include "results/csv.hpp"

namespace umov::commands {
namespace {

constexpr const char* usage_hint = "; see `umov mie --help`";

struct MieRequest {
  std::optional<double> x, radius, wavelength, core_x, core_radius;
  std::string m = "1.5", core_m;
  int angles = 0;
  std::string csv;
};

double positive(double value, const char* option) {
  if (!std::isfinite(value) || value <= 0)
    throw BadInput(fmt::format("{} = {} is not a positive number; give a positive one", option, value));
  return value;
}

/// The two ways to say how large the sphere is, and its core likewise.
mie::Sphere to_sphere(const MieRequest& r) {
  mie::Sphere s;
  double wavenumber = 0;
  if (r.x && (r.radius || r.wavelength))
    throw BadInput(
        "--x together with --radius or --lambda (they say the same twice); give --x alone, or "
        "--radius and --lambda");
  if (r.x) {
    s.x = positive(*r.x, "--x");
  } else {
    if (!r.radius || !r.wavelength)
      throw BadInput(
          fmt::format("no size given (a sphere needs --x, or --radius and --lambda){}", usage_hint));
    wavenumber = 2 * pi / positive(*r.wavelength, "--lambda");
    s.x = wavenumber * positive(*r.radius, "--radius");
    if (const double area = pi * *r.radius * *r.radius; !std::isfinite(area) || area == 0)
      throw BadInput(
          fmt::format("--radius {:g} has no area in double precision; give the size as --x", *r.radius));
  }
  s.m = parse_complex(r.m, "--m");
  if (r.core_x && r.core_radius) throw BadInput("--core-x together with --core-radius; give one of them");
  if (r.core_radius) {
    if (r.x)
      throw BadInput("--core-radius with --x (a length beside a size parameter); give --core-x instead");
    s.core_x = wavenumber * positive(*r.core_radius, "--core-radius");
  }
  if (r.core_x) s.core_x = positive(*r.core_x, "--core-x");
  if ((s.core_x > 0) != !r.core_m.empty())
    throw BadInput(
        "half a core (a coated sphere needs its size and its index); give --core-radius or "
        "--core-x together with --core-m");
  if (s.core_x > 0) s.core_m = parse_complex(r.core_m, "--core-m");
  if (r.angles < 0)
    throw BadInput(
        fmt::format("--angles {} is negative; give the number of intervals over 180 degrees", r.angles));
  constexpr int most_angles = 10'000'000;
  if (r.angles > most_angles)
    throw BadInput(fmt::format("--angles {} is more than {}; give fewer", r.angles, most_angles));
  mie::validate(s);
  return s;
}

std::string show(cplx m) { return fmt::format("{:.10g} {:+.10g}i", m.real(), m.imag()); }

void print_sphere(const MieRequest& r, const mie::Sphere& s) {
  fmt::print("Mie theory, {} sphere\n", s.core_x > 0 ? "coated" : "homogeneous");
  if (r.radius)
    fmt::print("  {:<28} {:.10g} um\n  {:<28} {:.10g} um\n", "radius", *r.radius, "wavelength",
               *r.wavelength);
  fmt::print("  {:<28} {:.10g}\n", "size parameter x", s.x);
  fmt::print("  {:<28} {}\n", "refractive index m", show(s.m));
  if (s.core_x > 0) {
    if (r.core_radius) fmt::print("  {:<28} {:.10g} um\n", "core radius", *r.core_radius);
    fmt::print("  {:<28} {:.10g}\n", "core size parameter", s.core_x);
    fmt::print("  {:<28} {}\n", "core refractive index", show(s.core_m));
  }
}

void print_efficiencies(const MieRequest& r, const mie::Efficiencies& e) {
  const struct {
    const char *name, *section;
    double value;
  } rows[] = {{"extinction", "ext", e.qext},
              {"scattering", "sca", e.qsca},
              {"absorption", "abs", e.qabs},
              {"radiation pressure", "pr", e.qpr},
              {"radar backscattering", "back", e.qback}};
  const double area = r.radius ? pi * *r.radius * *r.radius : 0;
  fmt::print("\n  {:<22} {:>18}{}\n", "", "efficiency Q",
             r.radius ? fmt::format("{:>26}", "cross section C (um^2)") : "");
  for (const auto& row : rows) {
    fmt::print("  {:<22} {:>18.10g}", row.name, row.value);
    if (r.radius) fmt::print("{:>26.10g}", row.value * area);
    fmt::print("\n");
  }
  fmt::print("  {:<22} {:>18.10g}\n", "asymmetry <cos theta>", e.g);
}

/// Columns theta, S11, S12, S33, S34 and the amplitudes, over [0, 180] degrees.
std::vector<results::CsvColumn> angular_table(const mie::Coefficients& c, int intervals) {
  std::vector<results::CsvColumn> columns{{"theta", "degree", {}}, {"S11", "", {}},   {"S12", "", {}},
                                          {"S33", "", {}},         {"S34", "", {}},   {"S1_re", "", {}},
                                          {"S1_im", "", {}},       {"S2_re", "", {}}, {"S2_im", "", {}}};
  for (int i = 0; i <= intervals; ++i) {
    const double theta = 180.0 * i / intervals;
    const auto s = mie::amplitudes(c, std::cos(theta * pi / 180));
    const auto m = mie::mueller(s);
    const double row[] = {theta,       m[0],        m[1],        m[10],      m[11],
                          s.s1.real(), s.s1.imag(), s.s2.real(), s.s2.imag()};
    for (std::size_t k = 0; k < columns.size(); ++k) columns[k].values.push_back(row[k]);
  }
  return columns;
}

void print_angles(const std::vector<results::CsvColumn>& table) {
  fmt::print("\n  {:>12} {:>16} {:>16} {:>16} {:>16}\n", "theta (deg)", "S11", "S12", "S33", "S34");
  for (std::size_t i = 0; i < table[0].values.size(); ++i)
    fmt::print("  {:>12.4f} {:>16.8e} {:>16.8e} {:>16.8e} {:>16.8e}\n", table[0].values[i],
               table[1].values[i], table[2].values[i], table[3].values[i], table[4].values[i]);
}

void solve(const MieRequest& r) {
  const mie::Sphere sphere = to_sphere(r);
  const auto coefficients = mie::coefficients(sphere);
  const auto efficiencies = mie::efficiencies(sphere);
  const int intervals = r.angles > 0 ? r.angles : 180;
  if (!r.csv.empty()) {
    const std::string about = fmt::format("Mie theory: x = {:.17g}, m = {}", sphere.x, show(sphere.m));
    results::write_csv(
        r.csv, angular_table(coefficients, intervals),
        {about, fmt::format("Qext = {:.17g}, Qsca = {:.17g}, Qabs = {:.17g}, g = {:.17g}", efficiencies.qext,
                            efficiencies.qsca, efficiencies.qabs, efficiencies.g)});
  }
  print_sphere(r, sphere);
  print_efficiencies(r, efficiencies);
  if (r.angles > 0) print_angles(angular_table(coefficients, intervals));
  if (!r.csv.empty()) fmt::print("\nwritten: {}\n", r.csv);
}

void declare(CLI::App& app, MieRequest& r) {
  app.add_option("--x", r.x, "size parameter 2 pi radius / lambda");
  app.add_option("--radius", r.radius, "radius of the sphere (um), with --lambda");
  app.add_option("--lambda", r.wavelength, "wavelength in the medium around the sphere (um)");
  app.add_option("--m", r.m, "refractive index relative to the medium: re or re,im (im > 0 absorbs)")
      ->capture_default_str();
  app.add_option("--core-radius", r.core_radius, "radius of a concentric core (um); --m is then the shell's");
  app.add_option("--core-x", r.core_x, "size parameter of the core, with --x");
  app.add_option("--core-m", r.core_m, "refractive index of the core");
  app.add_option("--angles", r.angles,
                 "print the Mueller matrix at this many intervals over [0, 180] degrees");
  app.add_option("--csv", r.csv, "write Mueller matrix and amplitudes over the angle to this file");
}

}  // namespace

cplx parse_complex(const std::string& text, const std::string& option) {
  std::string body;
  for (const char c : text)
    if (c != ' ' && c != '\t') body += c;
  const auto refuse = [&]() -> BadInput {
    return BadInput(
        fmt::format("{} '{}' is not a complex number; write 1.5 or 1.5,0.1 or (1.5,0.1)", option, text));
  };
  if (body.size() >= 2 && body.front() == '(' && body.back() == ')') body = body.substr(1, body.size() - 2);
  const auto number = [&](std::string_view part) {
    const auto value = parse_number(part);
    if (!value) throw refuse();
    return *value;
  };
  const std::string_view view = body;
  const auto comma = view.find(',');
  if (comma == std::string_view::npos) return {number(view), 0};
  return {number(view.substr(0, comma)), number(view.substr(comma + 1))};
}

int mie_command(std::span<const std::string> args) {
  CLI::App app("Light scattering by a homogeneous or coated sphere (Lorenz-Mie theory)", "umov mie");
  app.footer("Example: umov mie --radius 0.525 --lambda 0.6328 --m 1.55 --angles 20");
  MieRequest request;
  declare(app, request);
  try {
    // CLI11 takes a vector as a stack: last argument first.
    app.parse(std::vector<std::string>(args.rbegin(), args.rend()));
    solve(request);
    return int(Exit::done);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return int(Exit::done);
  } catch (const CLI::ParseError& e) {
    complain(fmt::format("umov mie: {}{}", e.what(), usage_hint));
    return int(Exit::bad_input);
  } catch (const Error& e) {
    complain(fmt::format("umov mie: {}", e.what()));
    return int(e.code());
  }
}

}  // namespace umov::commands
