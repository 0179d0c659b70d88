// What the workers of a sweep say of their rows, on its way to whoever keeps them.
#pragma once

#include <string>

#include "core/packed.hpp"
#include "harmonic/run/visit_row.hpp"

namespace umov::harmonic {

/// What came of a row beside its numbers.
struct RowReport {
  std::string trouble;   ///< of its first solve in pseudo-time that did not converge
  double sent_back = 0;  ///< largest amplitude that an end of the cell sends back
  std::string device;    ///< its name
  double computing = 0;  ///< s
};

struct FoundRow {
  FinishedRow row;
  RowReport report;
};

constexpr auto visit_found = [](auto& f, auto& r) {
  visit_finished(f, r.row);
  f(r.report.trouble);
  f(r.report.sent_back);
  f(r.report.device);
  f(r.report.computing);
};

struct RowNews {
  enum class Kind {
    begun,     ///< a polarization, whose text opens notes about it, by an `iteration` of this name
    iterated,  ///< it
    note
  } kind = Kind::begun;
  std::string text, iteration;
  char polarization = 's';
  long iterations = 0;
  double residual = 0;
};

constexpr auto visit_news = [](auto& f, auto& n) {
  f(n.kind);
  f(n.text);
  f(n.iteration);
  f(n.polarization);
  f(n.iterations);
  f(n.residual);
};

}  // namespace umov::harmonic
