// Where the fields of a run go while it goes on, one saved time after the other.
#pragma once

#include <cstddef>
#include <vector>

#include "eqs/problem.hpp"

namespace umov::eqs {

class FrameSink {
 public:
  virtual ~FrameSink() = default;
  /// The model, and the times of the frames to come (s; harmonic: fractions of the period). `done` of them
  /// were written before the run was interrupted. Throws BadInput when they are not there any more.
  virtual void begin(const Problem&, const std::vector<double>& times, std::size_t done) = 0;
  /// Potentials per space node, V; fields in the middle of each element [element][x, y, z], V/m.
  virtual void frame(std::size_t index, const double* potential, const std::vector<float>& field) = 0;
};

/// Several of them, in turn.
class FrameSinks : public FrameSink {
 public:
  void add(FrameSink* sink) { sinks_.push_back(sink); }
  void begin(const Problem& p, const std::vector<double>& times, std::size_t done) override {
    for (FrameSink* s : sinks_) s->begin(p, times, done);
  }
  void frame(std::size_t index, const double* potential, const std::vector<float>& field) override {
    for (FrameSink* s : sinks_) s->frame(index, potential, field);
  }

 private:
  std::vector<FrameSink*> sinks_;
};

}  // namespace umov::eqs
