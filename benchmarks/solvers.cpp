// Products and time of every Krylov solver on hard cases: writes a table for the documents and the numbers.
//
// usage: benchmark_solvers [backend [results.json [table.md]]]   (defaults: cpu, and no files)
// UMOV_BENCHMARK_CASES and UMOV_BENCHMARK_SOLVERS, lists with commas, choose some of each.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "dda/adda/front.hpp"
#include "dda/engine.hpp"
#include "dda/run/run.hpp"
#include "run/version.hpp"

using namespace umov;

namespace {

struct Case {
  const char *name, *text, *options;
};

// All solve one polarization to 1e-5 from the better of the start vectors 0 and E_inc.
constexpr Case cases[] = {
    {"glass48", "sphere, m = 1.5, 15 dpl, n = 48", "-grid 48 -dpl 15 -no_vol_cor -m 1.5 0"},
    {"glass64", "sphere, m = 1.5, 15 dpl, n = 64", "-grid 64 -dpl 15 -no_vol_cor -m 1.5 0"},
    {"two24", "sphere, m = 2, 20 dpl, n = 24", "-grid 24 -dpl 20 -no_vol_cor -m 2 0"},
    {"two32", "sphere, m = 2, 20 dpl, n = 32", "-grid 32 -dpl 20 -no_vol_cor -m 2 0"},
    {"ice64", "sphere, m = 1.313, 10 dpl, n = 64", "-grid 64 -dpl 10 -no_vol_cor -m 1.313 0"},
    {"gold24", "sphere, m = 0.5 + 3i, 40 dpl, n = 24", "-grid 24 -dpl 40 -no_vol_cor -m 0.5 3"},
    {"oblique24", "spherebox 0.7, m = 2 and 1.5 + 0.05i, 16 dpl, n = 24, oblique",
     "-shape spherebox 0.7 -grid 24 -dpl 16 -no_vol_cor -m 2 0 1.5 0.05 -prop 1 2 3 -orient 10 20 30"},
};
constexpr long most_products = 6000;

struct Row {
  const Case* which;
  std::string solver, status;
  std::size_t dipoles;
  long iterations, products;
  double residual, seconds;
};

std::vector<std::string> chosen(const char* variable) {
  std::vector<std::string> list;
  const char* text = std::getenv(variable);
  std::istringstream in(text ? text : "");
  for (std::string word; std::getline(in, word, ',');) list.push_back(word);
  return list;
}
bool wanted(const std::vector<std::string>& list, const std::string& name) {
  return list.empty() || std::find(list.begin(), list.end(), name) != list.end();
}

const char* status_text(dda::SolveStatus status) {
  switch (status) {
    case dda::SolveStatus::converged:
      return "converged";
    case dda::SolveStatus::iteration_limit:
      return "limit";
    case dda::SolveStatus::stagnated:
      return "stagnated";
    case dda::SolveStatus::broke_down:
      return "broke down";
    case dda::SolveStatus::interrupted:
      return "interrupted";
  }
  return "";
}

int products_per_iteration(const std::string& solver) {
  if (solver == "bcgs2") return 4;
  return solver == "bicgstab" || solver == "gpbicg" || solver == "tfqmr" || solver == "cgs" ||
                 solver == "cgnr"
             ? 2
             : 1;
}

/// The figures are those of the first polarization; the second, where a case has no symmetry, is as hard.
Row measure(const Case& one, const std::string& solver, const std::string& backend) {
  std::istringstream in(one.options);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  dda::Machine machine;
  machine.backend = backend;
  auto sim = dda::adda::parse_adda(words);
  sim.outputs = {};
  sim.outputs.mueller = sim.outputs.hdf5 = sim.outputs.pictures = false;
  sim.solver.name = solver;
  sim.solver.max_iterations = most_products / products_per_iteration(solver);
  const auto outcome = dda::run(sim, machine);
  const auto& solve = outcome.polarizations[0].solve;
  return {&one,
          solver,
          status_text(solve.status),
          outcome.particle.dipoles(),
          solve.iterations,
          solve.products,
          solve.residual,
          solve.seconds};
}

nlohmann::json to_json(const Row& r) {
  return {
      {"case", r.which->name},  {"options", r.which->options},
      {"solver", r.solver},     {"status", r.status},
      {"dipoles", r.dipoles},   {"iterations", r.iterations},
      {"products", r.products}, {"residual", r.residual},
      {"seconds", r.seconds},   {"ms_per_product", r.products ? 1e3 * r.seconds / double(r.products) : 0}};
}

/// One table per quantity: cases across, solvers down, the least of a case in bold.
std::string table(const std::vector<Row>& rows, const std::vector<std::string>& solvers, bool time) {
  std::string text = "| solver |", line = "|---|";
  std::vector<const Case*> columns;
  for (const Case& one : cases) {
    if (std::none_of(rows.begin(), rows.end(), [&](const Row& r) { return r.which == &one; })) continue;
    columns.push_back(&one);
    text += fmt::format(" {} |", one.name);
    line += "---:|";
  }
  text += "\n" + line + "\n";
  const auto value = [&](const Row& r) { return time ? r.seconds : double(r.products); };
  for (const auto& solver : solvers) {
    text += "| " + solver + " |";
    for (const Case* column : columns) {
      const Row* mine = nullptr;
      double least = 1e300;
      for (const Row& r : rows) {
        if (r.which != column) continue;
        if (r.status == "converged") least = std::min(least, value(r));
        if (r.solver == solver) mine = &r;
      }
      if (!mine)
        text += " |";
      else if (mine->status != "converged")
        text += fmt::format(" {} ({:.0e}) |", mine->status, mine->residual);
      else {
        const std::string number =
            time ? fmt::format("{:.2f}", mine->seconds) : fmt::format("{}", mine->products);
        text += value(*mine) == least ? " **" + number + "** |" : " " + number + " |";
      }
    }
    text += "\n";
  }
  return text;
}

void write_results(const std::vector<Row>& rows, const std::vector<std::string>& solvers,
                   const std::string& backend, const char* json_file, const char* table_file) {
  if (json_file) {
    nlohmann::json out{{"backend", backend},
                       {"precision", "double"},
                       {"epsilon", 1e-5},
                       {"version", umov::run::version()},
                       {"threads", std::thread::hardware_concurrency()},
                       {"rows", nlohmann::json::array()}};
    for (const Row& r : rows) out["rows"].push_back(to_json(r));
    std::ofstream(json_file) << out.dump(1) << "\n";
  }
  if (!table_file) return;
  std::ofstream out(table_file);
  out << "# Krylov solvers on hard cases\n\nWritten by `benchmark_solvers`: double precision, relative "
         "residual "
         "1e-5, one polarization, LDR and point dipoles.\nA solver is stopped after "
      << most_products
      << " products; the residual it had is then in brackets.\n\n| case | particle |\n|---|---|\n";
  for (const Case& one : cases) out << "| " << one.name << " | " << one.text << " |\n";
  out << "\nProducts with the matrix (those of start included; cgnr's adjoint products count too):\n\n"
      << table(rows, solvers, false) << "\nSeconds of the solve, " << backend << " backend, "
      << std::thread::hardware_concurrency() << " threads:\n\n"
      << table(rows, solvers, true);
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string backend = argc > 1 ? argv[1] : "cpu";
  const auto some_cases = chosen("UMOV_BENCHMARK_CASES"), some_solvers = chosen("UMOV_BENCHMARK_SOLVERS");
  std::vector<std::string> solvers;
  for (const auto& help : dda::solver_list()) {
    if (wanted(some_solvers, help.name)) solvers.push_back(help.name);
  }
  std::vector<Row> rows;
  for (const Case& one : cases) {
    if (!wanted(some_cases, one.name)) continue;
    for (const auto& solver : solvers) {
      rows.push_back(measure(one, solver, backend));
      const Row& r = rows.back();
      fmt::print("{:<10} {:<9} {:<10} {:>6} products {:>8.2f} s  {:.1e}\n", one.name, solver, r.status,
                 r.products, r.seconds, r.residual);
      std::fflush(stdout);
      write_results(rows, solvers, backend, argc > 2 ? argv[2] : nullptr, argc > 3 ? argv[3] : nullptr);
    }
  }
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
