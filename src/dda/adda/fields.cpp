// One line per dipole: IncBeam, IntField, DipPol (complex vectors) and RadForce (real vectors).
//
// Ten numbers a line is some 130 bytes; converting them to text is the cost, so lines are made by several
// threads in blocks and positions are converted once per plane of the lattice.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <iterator>
#include <thread>

#include "core/atomic_file.hpp"
#include "dda/adda/writers.hpp"

namespace umov::dda::adda {

namespace {

using Text = fmt::memory_buffer;
constexpr std::size_t block = 8192;  // dipoles; a megabyte of text

/// Texts of the coordinates along the three axes, and the sites that are occupied.
class Positions {
 public:
  explicit Positions(const shapes::Particle& p) : box_(p.box) {
    for (int axis = 0; axis < 3; ++axis) {
      for (int i = 0; i < p.box[axis]; ++i) {
        text_[axis].push_back(fmt::format("{:.10g} ", (i - 0.5 * (p.box[axis] - 1)) * p.spacing[axis]));
      }
    }
    for (std::size_t site = 0; site < p.material.size(); ++site) {
      if (p.material[site]) sites_.push_back(site);
    }
  }

  std::size_t size() const { return sites_.size(); }

  void append(Text& out, std::size_t dipole) const {
    const std::size_t site = sites_[dipole], nx = std::size_t(box_[0]), ny = std::size_t(box_[1]);
    for (const std::string& t : {std::cref(text_[0][site % nx]), std::cref(text_[1][site / nx % ny]),
                                 std::cref(text_[2][site / nx / ny])}) {
      out.append(t);
    }
  }

 private:
  Int3 box_;
  std::array<std::vector<std::string>, 3> text_;
  std::vector<std::size_t> sites_;
};

/// As "%.10g " prints it; to_chars takes half the time of a format string.
void append(Text& out, double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 10).ptr;
  *end = ' ';
  out.append(text, end + 1);
}

void append(Text& out, const CVec3& v) {
  append(out, std::norm(v[0]) + std::norm(v[1]) + std::norm(v[2]));
  for (const cplx& c : v) {
    append(out, c.real());
    append(out, c.imag());
  }
  out[out.size() - 1] = '\n';
}

void append(Text& out, const Vec3& v) {
  append(out, dot(v, v));
  for (double c : v) append(out, c);
  out[out.size() - 1] = '\n';
}

template <class Vector>
void write_lines(AtomicFile& file, const Positions& positions, const std::vector<Vector>& field) {
  const std::size_t n = std::min(field.size(), positions.size());
  const std::size_t workers = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 16);
  std::vector<Text> texts(workers);
  for (std::size_t first = 0; first < n; first += workers * block) {
    const auto work = [&](std::size_t w) {
      texts[w].clear();
      const std::size_t begin = first + w * block, end = std::min(begin + block, n);
      for (std::size_t i = begin; i < end; ++i) {
        positions.append(texts[w], i);
        append(texts[w], field[i]);
      }
    };
    std::vector<std::jthread> threads;
    for (std::size_t w = 1; w < workers && first + w * block < n; ++w) threads.emplace_back(work, w);
    work(0);
    const std::size_t used = threads.size() + 1;
    threads.clear();  // joins
    for (std::size_t w = 0; w < used; ++w) file.write({texts[w].data(), texts[w].size()});
  }
}

template <class Vector>
void write_field(const std::string& path, const std::string& header, const Positions& positions,
                 const std::vector<Vector>& field) {
  if (field.empty()) return;
  AtomicFile file(path);
  file.write(header);
  write_lines(file, positions, field);
  file.commit();
}

std::string complex_header(const char* symbol) {
  return fmt::format("x y z |{0}|^2 {0}x.r {0}x.i {0}y.r {0}y.i {0}z.r {0}z.i\n", symbol);
}

}  // namespace

void write_fields(const Outcome& outcome, const std::string& dir) {
  const auto& out = outcome.simulation.outputs;
  if (!out.store_beam && !out.store_int_field && !out.store_dip_pol && !out.store_force) return;
  const Positions positions(outcome.particle);
  for (const auto& result : outcome.polarizations) {
    const std::string end = fmt::format("-{}", result.label);
    if (out.store_beam)
      write_field(dir + "/IncBeam" + end, complex_header("Einc"), positions, result.incident);
    if (out.store_int_field)
      write_field(dir + "/IntField" + end, complex_header("E"), positions, result.internal_field);
    if (out.store_dip_pol)
      write_field(dir + "/DipPol" + end, complex_header("P"), positions, result.polarization);
    if (out.store_force)
      write_field(dir + "/RadForce" + end, "x y z |F|^2 Fx Fy Fz\n", positions, result.force);
  }
}

}  // namespace umov::dda::adda
