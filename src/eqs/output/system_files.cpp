// Names, sizes and rows of the files of linear systems.
#include "eqs/output/system_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "linalg/sparse/matrix_market.hpp"

namespace umov::eqs {

namespace fs = std::filesystem;

namespace {

constexpr const char* heading =
    "system,matrix,right_side,start,solution,time,steps_done,of,stage,unknowns,nonzeros,iterations,tolerance,"
    "residual,converged\n";

/// What one system takes at most: the digits of a double, places, ends of lines.
double bytes_of(const LinearSystem& s) {
  const double parts = s.imaginary.empty() ? 1 : 2;
  const double entries = (double(s.a.column.size()) + s.a.rows) / 2;
  const double places = 2 * (std::to_string(s.a.rows).size() + 1.0);
  return entries * (places + 23 * parts) + (s.start.empty() ? 2 : 3) * 23.0 * double(s.b.size());
}

void write_vector(const std::string& path, const LinearSystem& s, const std::vector<double>& v) {
  if (s.imaginary.empty())
    sparse::write_vector(path, v);
  else
    sparse::write_complex_vector(path, v);
}

}  // namespace

SystemFiles::SystemFiles(const SystemsSpec& spec, Say say)
    : spec_(spec), say_(std::move(say)), table_(heading) {
  std::error_code none;
  if (!fs::exists(spec.folder, none)) return;
  if (!fs::is_directory(spec.folder, none))
    throw BadInput(spec.folder + " is a file (linear systems are written to a folder); give another name");
  if (!fs::is_empty(spec.folder, none))
    throw BadInput(spec.folder +
                   " is not empty (its files might be taken for systems of this run); give a new folder, or "
                   "empty it");
}

bool SystemFiles::wants() { return solved_++ % spec_.every == 0 && written_ < spec_.most; }

long SystemFiles::take(const LinearSystem& s) {
  if (written_ == 0) announce(s);
  try {
    write(s);
  } catch (...) {
    std::error_code ignored;
    for (const char* kind : {"A", "b", "start", "x"}) fs::remove(file(kind, solved_), ignored);
    if (written_ == 0) fs::remove(spec_.folder, ignored);
    throw;
  }
  return solved_;
}

std::string SystemFiles::file(const char* kind, long number) const {
  return (fs::path(spec_.folder) / fmt::format("{}_{:06}.mtx", kind, number)).string();
}

void SystemFiles::announce(const LinearSystem& s) {
  make_folder(spec_.folder);
  const double one = bytes_of(s);
  std::error_code failed;
  const auto space = fs::space(spec_.folder, failed);
  if (!failed && one > double(space.available)) {
    fs::remove(spec_.folder, failed);
    throw MachineFailure(
        fmt::format("{}: a linear system takes up to {} and the disk has {} left; write them elsewhere, or "
                    "take a smaller "
                    "model",
                    spec_.folder, format_bytes(one), format_bytes(double(space.available))));
  }
  const double free = double(space.available);
  say_(fmt::format("linear systems of up to {} each are written to {}, {} at most", format_bytes(one),
                   spec_.folder, spec_.most),
       false);
  if (!failed && one * spec_.most > free)
    say_(fmt::format("the disk of {} has {} left, which {:.0f} linear systems may fill; lower "
                     "output.systems_most",
                     spec_.folder, format_bytes(free), std::floor(free / one)),
         true);
}

void SystemFiles::write(const LinearSystem& s) {
  if (s.matrix == 0) {
    sparse::write_symmetric(file("A", solved_), s.a, s.imaginary);
    entries_[solved_] = long(s.a.column.size());
  }
  write_vector(file("b", solved_), s, s.b);
  if (!s.start.empty()) write_vector(file("start", solved_), s, s.start);
  write_vector(file("x", solved_), s, s.x);
  const std::string more = table_ + row(s);
  write_file((fs::path(spec_.folder) / "systems.csv").string(), more);
  table_ = more;
  ++written_;
}

std::string SystemFiles::row(const LinearSystem& s) const {
  const long matrix = s.matrix ? s.matrix : solved_;
  const bool nothing = std::ranges::all_of(s.b, [](double v) { return v == 0; });
  const auto name = [&](const char* kind, long number) {
    return fs::path(file(kind, number)).filename().string();
  };
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", solved_, name("A", matrix),
                     name("b", solved_), s.start.empty() ? "" : name("start", solved_), name("x", solved_),
                     time_, steps_, of_, stage_, s.imaginary.empty() ? s.b.size() : s.b.size() / 2,
                     entries_.at(matrix), s.iterations, s.tolerance, nothing ? 0 : s.residual,
                     int(s.converged));
}

}  // namespace umov::eqs
