// The line of a run of many cases.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/progress_line.hpp"
#include "core/text.hpp"
#include "run/ledger.hpp"

namespace umov::command {

/// "sweep [####....] 12 of 64 cases, 2 under way, 1:20 left".
class CaseLine final : public ProgressLine {
 public:
  CaseLine(std::string label, std::string cases, bool quiet)
      : ProgressLine(stderr, {}, {}, quiet), label_(std::move(label)), cases_(std::move(cases)) {}
  ~CaseLine() override { finish(); }
  void update(const run::CaseProgress& p) {
    if (closed()) return;
    if (!started()) first_ = p.finished, start();
    now_ = p;
    show_when_due();
  }

 private:
  std::string line(double elapsed) const override {
    const double done = double(now_.finished) / double(std::max<std::size_t>(now_.cases, 1));
    std::string out = fmt::format("{} {} {} of {} {}, {} under way", label_, bar(done), now_.finished,
                                  now_.cases, cases_, now_.running);
    if (now_.failed > 0) out += fmt::format(", {} failed", now_.failed);
    const std::size_t here = now_.finished - first_;
    if (finished()) return out + ", in " + format_duration(elapsed);
    if (here > 0)
      out += ", " + format_duration(elapsed / double(here) * double(now_.cases - now_.finished)) + " left";
    return out;
  }

  std::string label_, cases_;
  run::CaseProgress now_;
  std::size_t first_ = 0;
};

}  // namespace umov::command
