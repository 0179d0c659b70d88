// Draining, thinning and saving of recorded samples.
#include "fdtd/observables/samples.hpp"

#include "core/error.hpp"

namespace umov::fdtd {

Samples::Samples(Problem& p, Component c, int interval, WeightedCells cells, bool squares)
    : recorder_(int(p.recorders.size())), complex_(p.complex_fields), step_(interval * p.grid.dt) {
  // After step n the electric field is known at (n + 1) dt, the magnetic one half a step before.
  first_time_ = step_ - (is_electric(c) ? 0 : p.grid.dt / 2);
  Recorder r;
  r.component = c;
  r.interval = interval;
  r.first = {0, index_t(cells.cells.size())};
  r.cells = std::move(cells.cells);
  r.weights = std::move(cells.weights);
  r.squares = squares;
  p.recorders.push_back(std::move(r));
}

void Samples::append(double re, double im) {
  if (seen_++ % stride_ != 0) return;
  if (value_.size() == limit) halve();  // an even number, so this sample stays one of those kept
  value_.push_back(re);
  if (complex_) imag_.push_back(im);
}

void Samples::halve() {
  stride_ *= 2;
  for (auto* list : {&value_, &imag_}) {
    for (std::size_t i = 0; 2 * i < list->size(); ++i) (*list)[i] = (*list)[2 * i];
    list->resize((list->size() + 1) / 2);
  }
}

void Samples::drain(Engine& engine) {
  const std::vector<double> fresh = engine.drain(recorder_);
  const std::size_t width = complex_ ? 2 : 1;
  for (std::size_t i = 0; i + width <= fresh.size(); i += width)
    append(fresh[i], complex_ ? fresh[i + 1] : 0);
}

void Samples::save(ByteWriter& out) const {
  const long header[3] = {seen_, stride_, long(value_.size())};
  out(header);
  for (const auto* list : {&value_, &imag_}) out.bytes(list->data(), list->size() * sizeof(double));
}

void Samples::restore(ByteReader& in) {
  long header[3];
  in(header);
  if (header[0] < 0 || header[1] < 1 || header[2] < 0 || std::size_t(header[2]) > limit)
    throw BadInput("the checkpoint's samples make no sense (damaged, or of another case); start anew");
  seen_ = header[0];
  stride_ = header[1];
  value_.resize(std::size_t(header[2]));
  imag_.resize(complex_ ? value_.size() : 0);
  for (auto* list : {&value_, &imag_}) in.bytes(list->data(), list->size() * sizeof(double));
}

}  // namespace umov::fdtd
