// Set-up and solve of the rod's systems on processors, beside the floor of the bytes they move.
//
//   bench_eqs_solver rod.eqm [--threads N] [--repeat K] [--cases first,first-refined,second,second-refined]
//                    [--degree N] [--theta T] [--double] [--json FILE] [--commit ID]
//
// Set-up counts everything behind the numbering of unknowns: the first-order matrix (assembled), the
// elements' six numbers and patches of the matrix-free operators, their diagonal, the hierarchy.
#include <fmt/format.h>
#include <time.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "backend/cpu/cpu.hpp"
#include "core/atomic_file.hpp"
#include "core/timer.hpp"
#include "eqs/tuned/cpu/quadratic_operator.hpp"
#include "eqs_system.hpp"
#include "linalg/p_multigrid.hpp"
#include "linalg/pcg.hpp"

namespace umov::bench {
namespace {

using backend::Cpu;

struct Options {
  std::string mesh, json, commit, cases = "first,first-refined,second";
  int threads = 0, repeat = 3;
  amg::Options amg;
};

struct Clock {  // seconds on the wall, and of processor time
  double wall, processor;
  static Clock now() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return {std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(),
            double(t.tv_sec) + 1e-9 * double(t.tv_nsec)};
  }
  Clock since(const Clock& begin) const { return {wall - begin.wall, processor - begin.processor}; }
};

/// GB/s of a[i] = b[i] + s c[i] on arrays far larger than the caches, best of five.
double bandwidth(Cpu& dev) {
  const index_t n = 24 << 20;
  auto a = dev.allocate<double>(n), b = dev.allocate<double>(n), c = dev.allocate<double>(n);
  dev.for_each(n, [&](index_t i) { a.data()[i] = 0, b.data()[i] = double(i), c.data()[i] = 1; });
  double best = 1e9;
  for (int k = 0; k < 5; ++k) {
    const Clock begin = Clock::now();
#pragma omp parallel for simd num_threads(dev.threads())
    for (index_t i = 0; i < n; ++i) a.data()[i] = b.data()[i] + 3 * c.data()[i];
    best = std::min(best, Clock::now().since(begin).wall);
  }
  return 24.0 * double(n) / best / 1e9;
}

struct Measured {
  Clock setup{1e9, 1e9}, solve{1e9, 1e9};
  amg::SolveInfo info;
  std::vector<int> levels;
  double complexity = 0, bytes = 0;  ///< memory
  double moved = 0;                  ///< bytes of one iteration
};

std::vector<double> first_order_right_side(const RodSystem& s) {
  std::vector<double> b(s.unknowns, 0.0);
  for (std::size_t t = 0; t < s.mesh.tets.size(); ++t) {
    const auto& n = s.mesh.tets[t];
    double u[4];
    bool any = false;
    for (int k = 0; k < 4; ++k) u[k] = s.unknown[n[k]] < 0 ? s.fixed[n[k]] : 0, any |= u[k] != 0;
    if (!any) continue;
    const auto g = gram(s, t);
    const double d1 = u[1] - u[0], d2 = u[2] - u[0], d3 = u[3] - u[0];
    const double y1 = g[0] * d1 + g[3] * d2 + g[4] * d3, y2 = g[3] * d1 + g[1] * d2 + g[5] * d3,
                 y3 = g[4] * d1 + g[5] * d2 + g[2] * d3;
    const double y[4] = {-(y1 + y2 + y3), y1, y2, y3};
    for (int k = 0; k < 4; ++k)
      if (s.unknown[n[k]] >= 0) b[s.unknown[n[k]]] -= y[k];
  }
  return b;
}

std::array<double, 6> scaled_gram(const RodSystem& s, std::size_t tet) {
  auto g = gram(s, tet);
  for (double& v : g) v /= 20;
  return g;
}

std::vector<double> second_order_right_side(const RodSystem& s) {
  std::vector<double> b(s.unknowns, 0.0);
  for (std::size_t t = 0; t < s.mesh.tets.size(); ++t) {
    double u[10], y[10];
    bool any = false;
    for (int k = 0; k < 10; ++k) {
      const int node = k < 4 ? s.mesh.tets[t][k] : int(s.mesh.nodes.size()) + s.edges.of_tet[t][k - 4];
      u[k] = s.unknown[node] < 0 ? s.fixed[node] : 0;
      any |= u[k] != 0;
    }
    if (!any) continue;
    const auto g = scaled_gram(s, t);
    eqs::quadratic_stiffness(g.data(), u, y);
    for (int k = 0; k < 10; ++k)
      if (const int i = s.dofs[t * 10 + k]; i >= 0) b[i] -= y[k];
  }
  return b;
}

template <class T>
void note_levels(Measured& m, const amg::Hierarchy<Cpu, T>& h) {
  m.levels.clear();
  for (const auto& l : h.info().levels) m.levels.push_back(l.unknowns);
  m.complexity = h.info().operator_complexity;
}

/// Bytes of one V-cycle below the matrix's own level and on it: 2 degree products (values and columns), and
/// their vectors (six streams a step).
template <class T>
double cycle_bytes(const amg::Hierarchy<Cpu, T>& h, int degree) {
  double bytes = 0;
  for (const auto& l : h.info().levels)
    bytes += 2 * degree * (double(l.entries) * (sizeof(T) + 4) + double(l.unknowns) * (6 * sizeof(T) + 4));
  return bytes;
}
/// The iteration's own passes: 84 bytes in pcg.hpp, and q = A p with p . q.
constexpr double iteration_bytes = 84 + 16;

template <class T>
void solve_first(Cpu& dev, const RodSystem& s, const Options& o, const std::vector<double>& b, Measured& m) {
  const Clock begin = Clock::now();
  const auto a = assemble_first(s);
  amg::Hierarchy<Cpu, T> hierarchy(dev, o.amg);
  hierarchy.setup(a.view());
  linalg::Pcg<Cpu, T> pcg(dev, s.unknowns);
  const Clock ready = Clock::now();
  sparse::RowsOperator<Cpu, double> op(dev, a.view());
  std::vector<double> x(s.unknowns);
  linalg::PcgSettings settings;
  settings.from_zero = true;
  m.info = pcg.solve(op, hierarchy, b.data(), x.data(), settings);
  const Clock done = Clock::now();
  if (ready.since(begin).wall + done.since(ready).wall < m.setup.wall + m.solve.wall)
    m.setup = ready.since(begin), m.solve = done.since(ready);
  note_levels(m, hierarchy);
  m.bytes =
      double(hierarchy.info().bytes + pcg.bytes() + a.value.size() * 12 + a.start.size() * 4 + x.size() * 16);
  m.moved = cycle_bytes(hierarchy, o.amg.degree) + double(a.value.size()) * 12 +
            double(s.unknowns) * iteration_bytes;
}

template <class T>
void solve_second(Cpu& dev, const RodSystem& s, const Options& o, const std::vector<double>& b, Measured& m) {
  using Operator = eqs::cpu::QuadraticOperator<T>;
  const Clock begin = Clock::now();
  const auto a = assemble_first(s);
  const auto gram_of = [&](int t) { return scaled_gram(s, std::size_t(t)); };
  const auto patches = eqs::cpu::make_patches(s.dofs.data(), int(s.mesh.tets.size()), s.unknowns,
                                              eqs::cpu::Lanes<float>::count, 2048);
  Operator coarse_op(dev, patches, gram_of);
  eqs::cpu::QuadraticOperator<double> op(dev, patches, gram_of);
  auto inverse = dev.allocate<T>(s.unknowns);
  coarse_op.diagonal_then([to = inverse.data()](index_t i, T v) { to[i] = T(1) / v; });
  amg::Hierarchy<Cpu, T> hierarchy(dev, o.amg);
  hierarchy.setup(a.view());
  linalg::PMultigrid<Cpu, T, Operator> cycle(dev, o.amg);
  cycle.setup(coarse_op, inverse.data(), s.vertices, s.parents.data(), hierarchy);
  linalg::Pcg<Cpu, T> pcg(dev, s.unknowns);
  const Clock ready = Clock::now();
  std::vector<double> x(s.unknowns);
  linalg::PcgSettings settings;
  settings.from_zero = true;
  m.info = pcg.solve(op, cycle, b.data(), x.data(), settings);
  const Clock done = Clock::now();
  if (ready.since(begin).wall + done.since(ready).wall < m.setup.wall + m.solve.wall)
    m.setup = ready.since(begin), m.solve = done.since(ready);
  note_levels(m, hierarchy);
  m.levels.insert(m.levels.begin(), s.unknowns);
  m.bytes =
      double(hierarchy.info().bytes + pcg.bytes() + cycle.bytes() + patches.bytes() + coarse_op.bytes() +
             op.bytes() + inverse.bytes() + a.value.size() * 12 + a.start.size() * 4 + x.size() * 16);
  const double elements = double(s.mesh.tets.size()), locals = double(patches.unknown.size()),
               parts = double(patches.part_count), n = double(s.unknowns);
  // one product: six numbers and ten places per element; a patch's list and its x; sums of shared unknowns
  const auto product = [&](double t) {
    return elements * (6 * t + 20) + locals * (4 + t) + parts * (2 * t + 4);
  };
  m.moved = 2 * o.amg.degree * (product(sizeof(T)) + n * 5 * sizeof(T)) + n * 4 * sizeof(T) + product(8) +
            cycle_bytes(hierarchy, o.amg.degree) + n * iteration_bytes;
}

nlohmann::json report(const std::string& name, const RodSystem& s, const Measured& m, double speed) {
  const double floor = m.moved * m.info.iterations / (speed * 1e9);
  fmt::print(
      "{:<15} {:>9} unknowns: set-up {:.3f} s ({:.3f} s of processor), solve {:.3f} s ({:.3f}), {} "
      "iterations, "
      "residual {:.2e}{}, {:.2f} GB\n",
      name, s.unknowns, m.setup.wall, m.setup.processor, m.solve.wall, m.solve.processor, m.info.iterations,
      m.info.residual, m.info.converged ? "" : " NOT CONVERGED: " + m.info.why_not, m.bytes / 1e9);
  fmt::print(
      "                floor of the solve {:.3f} s ({:.0f} MB an iteration at {:.1f} GB/s), measured / floor "
      "{:.2f}; "
      "levels",
      floor, m.moved / 1e6, speed, m.solve.wall / floor);
  for (const int l : m.levels) fmt::print(" {}", l);
  fmt::print("\n");
  return {{"case", name},
          {"unknowns", s.unknowns},
          {"setup_s", m.setup.wall},
          {"solve_s", m.solve.wall},
          {"setup_processor_s", m.setup.processor},
          {"solve_processor_s", m.solve.processor},
          {"iterations", m.info.iterations},
          {"residual", m.info.residual},
          {"converged", m.info.converged},
          {"bytes", m.bytes},
          {"levels", m.levels},
          {"operator_complexity", m.complexity},
          {"bytes_per_iteration", m.moved},
          {"floor_s", floor},
          {"measured_over_floor", m.solve.wall / floor}};
}

Options parse(int count, char** words) {
  Options o;
  for (int n = 1; n < count; ++n) {
    const std::string word = words[n];
    const auto value = [&] {
      if (n + 1 >= count) throw std::runtime_error(word + " needs a value");
      return std::string(words[++n]);
    };
    if (word == "--threads")
      o.threads = std::stoi(value());
    else if (word == "--repeat")
      o.repeat = std::stoi(value());
    else if (word == "--cases")
      o.cases = value();
    else if (word == "--degree")
      o.amg.degree = std::stoi(value());
    else if (word == "--theta")
      o.amg.strength = std::stod(value());
    else if (word == "--double")
      o.amg.single_precision = false;
    else if (word == "--json")
      o.json = value();
    else if (word == "--commit")
      o.commit = value();
    else if (o.mesh.empty() && word[0] != '-')
      o.mesh = word;
    else
      throw std::runtime_error("unknown word " + word);
  }
  if (o.mesh.empty()) throw std::runtime_error("give the mesh, an unpacked .eqm file");
  return o;
}

void run(const Options& o) {
  Cpu dev(o.threads);
  const double speed = bandwidth(dev);
  fmt::print("{}, triad {:.1f} GB/s\n", dev.device_name(), speed);
  nlohmann::json all = {{"commit", o.commit},
                        {"device", "cpu, " + dev.device_name()},
                        {"triad_gb_per_s", speed},
                        {"degree", o.amg.degree},
                        {"theta", o.amg.strength},
                        {"preconditioner", o.amg.single_precision ? "single" : "double"},
                        {"results", nlohmann::json::array()}};
  std::stringstream cases(o.cases);
  for (std::string name; std::getline(cases, name, ',');) {
    auto mesh = mesh::read_eqm(o.mesh);
    mesh::sort_by_place(mesh);
    if (name.ends_with("-refined")) mesh = mesh::refine(mesh), mesh::sort_by_place(mesh);
    const bool second = name.starts_with("second");
    const RodSystem s = number_rod(std::move(mesh), second ? 2 : 1);
    const auto b = second ? second_order_right_side(s) : first_order_right_side(s);
    Measured m;
    for (int k = 0; k < o.repeat; ++k) {
      if (second)
        o.amg.single_precision ? solve_second<float>(dev, s, o, b, m) : solve_second<double>(dev, s, o, b, m);
      else
        o.amg.single_precision ? solve_first<float>(dev, s, o, b, m) : solve_first<double>(dev, s, o, b, m);
    }
    all["results"].push_back(report(name, s, m, speed));
    std::fflush(stdout);
  }
  if (!o.json.empty()) write_file(o.json, all.dump(1) + "\n");
}

}  // namespace
}  // namespace umov::bench

int main(int count, char** words) {
  try {
    umov::bench::run(umov::bench::parse(count, words));
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "bench_eqs_solver: {}\n", e.what());
    return 2;
  }
}
