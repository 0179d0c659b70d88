// `umov eqs --write-systems`: the files, and that other solvers find the same solutions with them.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <set>
#include <sstream>

#include "core/error.hpp"
#include "eqs/output/system_files.hpp"
#include "linalg/sparse/matrix_market.hpp"
#include "support/eqs_runs.hpp"
#include "support/program.hpp"
#include "support/sparse_cases.hpp"

namespace umov {
namespace {

namespace fs = std::filesystem;
using Row = std::map<std::string, std::string>;

class EqsSystems : public testing::Test {
 protected:
  test::Ended eqs(const std::string& more, const std::string& flags, bool linear = false) {
    std::string text = test::two_layers(more);
    const std::string curve = "\"microvaristor\"";
    if (linear) text.replace(text.find(curve), curve.size(), "1e-8");
    folder.write("case.toml", text);
    return test::run(folder,
                     "eqs case.toml --cpu --threads 1 --no-pictures --no-vtk --output-dir out " + flags);
  }
  std::vector<Row> rows() const {
    std::istringstream in(test::text_of(folder / "sys/systems.csv"));
    const auto cells = [](const std::string& line) {
      std::vector<std::string> out;
      std::istringstream parts(line);
      for (std::string cell; std::getline(parts, cell, ',');) out.push_back(cell);
      return out;
    };
    std::string line;
    std::getline(in, line);
    const auto names = cells(line);
    std::vector<Row> out;
    while (std::getline(in, line)) {
      const auto values = cells(line);
      EXPECT_EQ(values.size(), names.size()) << line;
      Row& row = out.emplace_back();
      for (std::size_t k = 0; k < names.size(); ++k) row[names[k]] = values[k];
    }
    return out;
  }
  std::string file(const Row& row, const char* kind) const {
    return (folder / ("sys/" + row.at(kind))).string();
  }
  /// |b - A x| / |b| of the files.
  double residual(const Row& row) const {
    const auto b = sparse::read_vector(file(row, "right_side"));
    const auto ax =
        test::times(sparse::read_matrix(file(row, "matrix")), sparse::read_vector(file(row, "solution")));
    double left = 0, all = 0;
    for (std::size_t i = 0; i < b.size(); ++i) left += (b[i] - ax[i]) * (b[i] - ax[i]), all += b[i] * b[i];
    return std::sqrt(left / all);
  }
  /// What `umov solve` finds is what the run found: the residuals of both times the condition of these small
  /// matrices (below 1e4; scaled by their diagonals).
  void expect_solved_alike(const Row& row) {
    const auto ended = test::run(folder, "solve sys/" + row.at("matrix") + " sys/" + row.at("right_side") +
                                             " --cpu --threads 1 -o again.mtx");
    ASSERT_EQ(ended.code, 0) << ended.out << ended.err;
    const auto x = sparse::read_vector(file(row, "solution")),
               again = sparse::read_vector(folder / "again.mtx");
    ASSERT_EQ(x.size(), again.size());
    double most = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      most = std::max(most, std::abs(x[i] - again[i])), size = std::max(size, std::abs(x[i]));
    EXPECT_LT(most, 1e4 * (std::stod(row.at("tolerance")) + 1e-12) * size) << row.at("system");
  }

  test::TemporaryFolder folder;
};

const std::string electrostatic = "[run]\nanalysis = \"electrostatic\"\n";
const std::string in_time = "[time]\nend = 2e-3\nstep = 5e-4\n";

TEST_F(EqsSystems, OfAStaticRunIsSolvedAlikeBySolve) {
  const auto end = eqs(electrostatic, "--write-systems sys", true);
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_NE(end.err.find("linear systems of up to"), end.err.npos) << end.err;  // the size, before
  EXPECT_NE(end.out.find("systems: 1 of 1"), end.out.npos) << end.out;
  EXPECT_EQ(folder.names("sys"),
            (std::vector<std::string>{"A_000001.mtx", "b_000001.mtx", "systems.csv", "x_000001.mtx"}));
  const auto all = rows();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].at("of"), "solution");
  EXPECT_EQ(all[0].at("start"), "");
  EXPECT_EQ(all[0].at("converged"), "1");
  const auto a = sparse::read_matrix(file(all[0], "matrix"));
  EXPECT_EQ(std::to_string(a.rows), all[0].at("unknowns"));
  EXPECT_EQ(std::to_string(a.value.size()), all[0].at("nonzeros"));
  expect_solved_alike(all[0]);
}

TEST_F(EqsSystems, OfImplicitStepsAreNewtonsWithTheirPlaceInTime) {
  ASSERT_EQ(eqs(in_time, "--write-systems sys").code, 0);
  const auto all = rows();
  std::set<std::string> of, stages;
  for (const Row& row : all) {
    of.insert(row.at("of")), stages.insert(row.at("stage"));
    if (row.at("of") == "start") continue;  // of voltages that are 0 still
    // the residual that the solver itself saw, and the rounding of its recurrence
    EXPECT_LT(residual(row), 1.01 * std::stod(row.at("tolerance")) + 1e-14) << row.at("system");
    EXPECT_GE(std::stod(row.at("time")), 0);
    EXPECT_LE(std::stod(row.at("time")), 2e-3 * (1 + 1e-12));
    EXPECT_LT(std::stoi(row.at("steps_done")), 4);
  }
  EXPECT_EQ(of, (std::set<std::string>{"electrode", "start", "stage", "error"}));
  EXPECT_EQ(stages, (std::set<std::string>{"0", "1", "2", "3", "4"}));
  // the varistor's matrix is another one in every iteration of Newton's method
  std::vector<const Row*> tight;  // systems that say something of their solutions
  for (const Row& row : all)
    if (row.at("of") == "stage" && std::stod(row.at("tolerance")) < 1e-8) tight.push_back(&row);
  ASSERT_GE(tight.size(), 2u);
  ASSERT_NE(tight.front()->at("matrix"), tight.back()->at("matrix"));
  expect_solved_alike(*tight.front());
  expect_solved_alike(*tight.back());
}

TEST_F(EqsSystems, OfExplicitStepsShareOneMatrixAndStartFromEarlierSolutions) {
  ASSERT_EQ(eqs(in_time + "scheme = \"rkc\"\n", "--write-systems sys").code, 0);
  std::set<std::string> matrices;
  bool started = false;
  for (const Row& row : rows()) {
    if (row.at("of") != "stage") continue;
    matrices.insert(row.at("matrix"));
    if (row.at("start").empty()) continue;
    started = true;
    EXPECT_EQ(sparse::read_vector(file(row, "start")).size(), std::stoul(row.at("unknowns")));
  }
  EXPECT_EQ(matrices.size(), 1u);
  EXPECT_TRUE(started);
}

TEST_F(EqsSystems, AreEveryNthAndNoMoreThanAskedFor) {
  ASSERT_EQ(eqs(in_time, "--write-systems sys --systems-every 5 --systems-most 3").code, 0);
  std::vector<std::string> numbers;
  for (const Row& row : rows()) numbers.push_back(row.at("system"));
  EXPECT_EQ(numbers, (std::vector<std::string>{"1", "6", "11"}));
}

/// Complex numbers by lines: of a file without its heading.
std::vector<std::vector<double>> numbers_of(const fs::path& path) {
  std::istringstream in(test::text_of(path));
  std::string line;
  std::getline(in, line);
  EXPECT_NE(line.find("complex"), line.npos) << line;
  std::getline(in, line);
  std::vector<std::vector<double>> out;
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    std::vector<double>& row = out.emplace_back();
    for (double v; cells >> v;) row.push_back(v);
  }
  return out;
}

TEST_F(EqsSystems, OfAHarmonicRunAreComplexAndRefusedBySolve) {
  folder.write("case.toml", R"([run]
analysis = "harmonic"
[geometry]
kind = "layers"
width = 0.001
elements_across = 1
[[layer]]
region = "lossy"
thickness = 0.002
elements = 3
[[layer]]
region = "dielectric"
thickness = 0.002
elements = 3
[[material]]
name = "lossy"
permittivity = 12
conductivity = 3e-8
[[material]]
name = "dielectric"
permittivity = 4
[[electrode]]
name = "bottom"
rms = 10e3
phase = 30
[[electrode]]
name = "top"
kind = "ground"
)");
  const auto end =
      test::run(folder, "eqs case.toml --cpu --no-pictures --no-vtk --output-dir out --write-systems sys");
  ASSERT_EQ(end.code, 0) << end.err;
  const auto all = rows();
  ASSERT_EQ(all.size(), 1u);
  using Z = std::complex<double>;
  std::vector<Z> b, x;
  for (const auto& v : numbers_of(file(all[0], "right_side"))) b.emplace_back(v[0], v[1]);
  for (const auto& v : numbers_of(file(all[0], "solution"))) x.emplace_back(v[0], v[1]);
  std::vector<Z> left = b;
  for (const auto& v : numbers_of(file(all[0], "matrix"))) {
    const auto i = std::size_t(v[0]) - 1, j = std::size_t(v[1]) - 1;
    left[i] -= Z(v[2], v[3]) * x[j];
    if (i != j) left[j] -= Z(v[2], v[3]) * x[i];
  }
  double square = 0, all_of_b = 0;
  for (std::size_t i = 0; i < b.size(); ++i) square += std::norm(left[i]), all_of_b += std::norm(b[i]);
  // solver.tolerance, and the rounding of the products
  EXPECT_LT(std::sqrt(square / all_of_b), 1.01e-12);
  const auto solved = test::run(folder, "solve sys/" + all[0].at("matrix"));
  EXPECT_EQ(solved.code, 2);
  EXPECT_NE(solved.err.find("complex"), solved.err.npos) << solved.err;
}

TEST_F(EqsSystems, OfSecondOrderAreAssembled) {
  ASSERT_EQ(eqs(electrostatic, "--order 2 --write-systems sys", true).code, 0);
  const auto all = rows();
  ASSERT_EQ(all.size(), 1u);
  expect_solved_alike(all[0]);
}

TEST_F(EqsSystems, RefusalsSayWhatToDo) {
  fs::create_directory(folder / "full");
  folder.write("full/A_000001.mtx", "mine");
  folder.write("file", "");
  const std::pair<const char*, const char*> cases[] = {
      {"--write-systems full", "give a new folder, or empty it"},
      {"--write-systems file", "give another name"},
      {"--write-systems sys --operator matrix-free --order 2", "take \"assembled\", or leave one out"},
      {"--write-systems sys --ranks 2", "leave out --ranks"},
      {"--write-systems sys --compare", "run a single case"},
      {"--write-systems sys --systems-every 0", "systems-every"},
      {"--systems-most 7", "no linear systems are written"}};
  for (const auto& [flags, part] : cases) {
    const auto end = eqs(in_time, flags);
    EXPECT_EQ(end.code, 2) << flags << end.err;
    EXPECT_NE(end.err.find(part), end.err.npos) << flags << "\n" << end.err;
    EXPECT_FALSE(fs::exists(folder / "sys")) << flags;
  }
  EXPECT_EQ(test::text_of(folder / "full/A_000001.mtx"), "mine");
}

TEST_F(EqsSystems, WhatCannotBeWrittenLeavesNoPart) {
  eqs::SystemsSpec spec;
  spec.folder = (folder / "sys").string();
  eqs::SystemFiles files(spec, [](const std::string&, bool) {});
  eqs::LinearSystem system;
  system.a = test::poisson(3);
  system.b = system.x = std::vector<double>(27, 1.0);
  ASSERT_TRUE(files.wants());
  EXPECT_EQ(files.take(system), 1);
  // a folder with something in it stands where the solution of the next one would go
  fs::create_directories(folder / "sys/x_000002.mtx/inside");
  ASSERT_TRUE(files.wants());
  EXPECT_THROW(files.take(system), BadInput);
  EXPECT_EQ(folder.names("sys"), (std::vector<std::string>{"A_000001.mtx", "b_000001.mtx", "systems.csv",
                                                           "x_000001.mtx", "x_000002.mtx"}));
  EXPECT_EQ(rows().size(), 1u);
}

}  // namespace
}  // namespace umov
