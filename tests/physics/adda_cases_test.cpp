// Every published ADDA test command, run by umov and compared with ADDA's 17-digit results.
//
// Backends come from the environment: UMOV_TEST_BACKENDS=serial,cpu,cuda (default serial,cpu).
#include "support/adda_cases.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>

#include "core/error.hpp"
#include "dda/adda/front.hpp"
#include "dda/run/run.hpp"
#include "support/adda_inputs.hpp"

using namespace umov;
namespace fs = std::filesystem;

namespace {

/// A temporary working directory with the input files; the old one comes back at the end.
class WorkFolder {
 public:
  WorkFolder() : before_(fs::current_path()) {
    std::string name = (fs::temp_directory_path() / "umov_cases_XXXXXX").string();
    path_ = ::mkdtemp(name.data());
    test::write_adda_inputs(path_);
    fs::current_path(path_);
  }
  ~WorkFolder() {
    fs::current_path(before_);
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

 private:
  fs::path before_, path_;
};

/// Collects what differs by more than is allowed.
class Comparison {
 public:
  void number(const std::string& name, double expected, double actual, double allowed) {
    const double difference = std::abs(expected - actual);
    if (!(difference <= allowed)) {
      add(fmt::format("{}: ADDA {:.12g}, umov {:.12g}, difference {:.2g} exceeds {:.2g}", name, expected,
                      actual, difference, allowed));
    }
  }
  void add(const std::string& text) {
    if (++count_ <= 2) text_ += "\n    " + text;
  }
  const std::string& text() const { return text_; }

 private:
  int count_ = 0;
  std::string text_;
};

double magnitude(const test::Row& v) {
  double sum = 0;
  for (double x : v) sum += x * x;
  return std::sqrt(sum);
}

void compare_vector(Comparison& c, const std::string& name, const test::Row& expected,
                    const std::optional<Vec3>& actual, double tolerance) {
  if (!actual) return c.add(name + " is missing");
  for (int i = 0; i < 3; ++i) {
    c.number(fmt::format("{}[{}]", name, i), expected[i], (*actual)[i], tolerance * magnitude(expected));
  }
}

/// Relative 1e-8: the same formulas, evaluated in double and solved to 1e-12. A case with a coarser stop of
/// its own agrees to ten times that stop.
void compare_cross(Comparison& c, const std::string& label, const std::map<std::string, test::Row>& expected,
                   const dda::CrossSections& actual, double tolerance) {
  const auto find = [&](const char* name) {
    const auto it = expected.find(name);
    return it == expected.end() ? nullptr : &it->second;
  };
  const double cext = expected.at("Cext")[0], cabs = expected.at("Cabs")[0];
  c.number(label + " Cext", cext, actual.cext, tolerance * std::abs(cext));
  // Without absorption Cabs is the rounding of zero, so Cext sets the scale.
  const double scale = std::abs(cabs) < 1e-6 * std::abs(cext) ? std::abs(cext) : std::abs(cabs);
  c.number(label + " Cabs", cabs, actual.cabs, tolerance * scale);
  if (const auto* csca = find("Csca")) {
    if (actual.csca)
      c.number(label + " Csca", (*csca)[0], *actual.csca, tolerance * (*csca)[0]);
    else
      c.add(label + " Csca is missing");
  }
  const auto* cpr = find("Cpr");
  if (cpr) compare_vector(c, label + " Cpr", *cpr, actual.cpr, tolerance);
  if (const auto* g = find("Csca.g")) {
    compare_vector(c, label + " Csca.g", *g, cpr ? actual.csca_g_force : actual.csca_g, tolerance);
  }
}

/// Tables by angle; the largest element sets the scale.
template <class Numbers>
void compare_table(Comparison& c, const std::string& name, const std::vector<test::Row>& expected,
                   const std::vector<dda::ScatteringRow>& actual, double tolerance, Numbers numbers) {
  double largest = 0;
  for (const auto& row : expected) {
    for (std::size_t i = 1; i < row.size(); ++i) largest = std::max(largest, std::abs(row[i]));
  }
  for (const auto& row : expected) {
    const auto found = std::find_if(actual.begin(), actual.end(),
                                    [&](const auto& r) { return std::abs(r.theta - row[0]) < 0.006; });
    if (found == actual.end()) return c.add(fmt::format("{} has no row at theta {}", name, row[0]));
    const auto values = numbers(*found);
    for (std::size_t i = 1; i < row.size(); ++i) {
      c.number(fmt::format("{} column {} at theta {}", name, i, row[0]), row[i], values[i - 1],
               tolerance * largest);
    }
  }
}

void compare(Comparison& c, const test::AddaCase& expected, const dda::Outcome& actual) {
  const auto& sim = actual.simulation;
  double stop = 10 * sim.solver.epsilon;
  // Told to integrate the tensor coarsely (igt 3 0.01), ADDA does; umov integrates finely. Measured: 8e-8.
  if (sim.interaction == dda::Interaction::igt && sim.interaction_arguments.at(1) > 1e-6)
    stop = std::max(stop, 1e-6);
  c.number("dipoles", double(expected.dipoles), double(actual.particle.dipoles()), 0);
  for (const auto& [label, cross] : expected.cross) {
    const auto found = std::find_if(actual.polarizations.begin(), actual.polarizations.end(),
                                    [&, l = label[0]](const auto& p) { return p.label == l; });
    if (found == actual.polarizations.end()) {
      c.add("polarization " + label + " is missing");
      continue;
    }
    compare_cross(c, label, cross, found->cross, std::max(1e-8, stop));
  }
  const double matrix_tolerance = std::max(1e-7, stop);
  compare_table(c, "mueller", expected.mueller, actual.plane, matrix_tolerance,
                [](const dda::ScatteringRow& row) { return row.mueller; });
  compare_table(c, "ampl", expected.amplitude, actual.plane, matrix_tolerance,
                [](const dda::ScatteringRow& row) {
                  std::array<double, 8> values;
                  for (int k = 0; k < 4; ++k) {
                    values[2 * k] = row.amplitude[k].real();
                    values[2 * k + 1] = row.amplitude[k].imag();
                  }
                  return values;
                });
}

std::vector<std::string> backends() {
  const char* asked = std::getenv("UMOV_TEST_BACKENDS");
  std::string list = asked && *asked ? asked : "serial,cpu";
  std::replace(list.begin(), list.end(), ',', ' ');
  return test::words(list);
}

/// "-surf" from "adda: option -surf is not built in umov yet; ...", empty for other messages.
std::string not_built(const std::string& message) {
  const auto end = message.find(" is not built");
  const auto begin = message.find("option ");
  return end == message.npos || begin == message.npos ? "" : message.substr(begin + 7, end - begin - 7);
}

dda::Outcome run_command(const std::string& command, const std::string& backend) {
  auto parsed = dda::adda::parse_adda_command(test::words(command));
  parsed.machine.backend = backend;
  return dda::run(parsed.simulation, parsed.machine);
}

/// The command that saved the checkpoint which the case with -chp_load continued from.
constexpr const char* saves_checkpoint =
    "-chp_dir chp_tmp -chp_type always -eps 3 -m 1.1 0.1 -grid 8 -ntheta 5";

/// A backend, and options that change the way to the solution but not the solution.
struct Way {
  std::string backend, name, options;
};
void PrintTo(const Way& w, std::ostream* out) { *out << w.backend << w.name; }

class AddaCases : public testing::TestWithParam<Way> {};

/// What a preconditioner is refused for: a solver without a form for it, and an interaction without a medium.
bool has_none(const std::string& message) {
  return message.find("takes no preconditioner") != message.npos ||
         message.find("has no infinite medium") != message.npos;
}

std::vector<Way> ways(const std::vector<std::pair<std::string, std::string>>& options) {
  std::vector<Way> all;
  for (const auto& backend : backends())
    for (const auto& [name, text] : options) all.push_back({backend, name, text});
  return all;
}

}  // namespace

TEST_P(AddaCases, CrossSectionsAndMatricesAgreeWithAdda) {
  const auto& [backend, name, options] = GetParam();
  const auto cases = test::adda_cases();
  const WorkFolder folder;
  int ran = 0, agreed = 0, without = 0;
  std::set<std::string> absent;
  for (const auto& one : cases) {
    Comparison comparison;
    try {
      if (one.command.find("-chp_load") != std::string::npos)
        run_command(saves_checkpoint + options, backend);
      const auto outcome = run_command(one.command + options, backend);
      ++ran;
      compare(comparison, one, outcome);
    } catch (const BadInput& error) {
      if (const std::string option = not_built(error.what()); !option.empty()) {
        absent.insert(option);
        continue;
      }
      if (!options.empty() && has_none(error.what())) {
        ++without;
        continue;
      }
      comparison.add(error.what());
    } catch (const std::exception& error) {
      comparison.add(error.what());
    }
    if (comparison.text().empty())
      ++agreed;
    else
      ADD_FAILURE() << one.id << ": " << one.command << options << comparison.text();
  }
  RecordProperty(
      "cases", fmt::format("{} of {} ran, {} agree with ADDA, {} have no such preconditioner; not built: {}",
                           ran, cases.size(), agreed, without,
                           absent.empty() ? "nothing" : fmt::format("{}", fmt::join(absent, ", "))));
  EXPECT_EQ(cases.size(), 139u);
  EXPECT_GE(ran, 80);
  EXPECT_EQ(agreed, ran);
}

INSTANTIATE_TEST_SUITE_P(Backends, AddaCases, testing::ValuesIn(ways({{"", ""}})),
                         [](const auto& info) { return info.param.backend; });
// The same solutions, solved to ADDA's 1e-12, by the medium's inverse, in double and by iterations in float.
INSTANTIATE_TEST_SUITE_P(Validate, AddaCases,
                         testing::ValuesIn(ways({{"Medium", " --preconditioner medium"},
                                                 {"MediumInFloat",
                                                  " --preconditioner medium --inner float"}})),
                         [](const auto& info) { return info.param.backend + info.param.name; });
