// Responses by Fourier sums: pieces of the signal, their bands, and the windows in which they arrive.
#include "fdtd/sources/response.hpp"

#include <algorithm>
#include <bit>
#include <unsupported/Eigen/FFT>

#include "fdtd/sources/smooth_step.hpp"

namespace umov::fdtd {
namespace {

constexpr long guard = 32;            ///< steps before the first arrival
constexpr double negligible = 1e-12;  ///< of the largest spectral line

double fade(long n, long length) { return length <= 0 ? double(n >= 0) : smooth_step(double(n) / length)[0]; }

/// One frequency of a transform of n points, from -n/2 to n/2.
double line(long k, long n, double dt) { return 2 * pi * double(k < n / 2 ? k : k - n) / (double(n) * dt); }

struct Line {
  long index;
  double w;
  cplx amplitude;
  Propagation propagation;
};

/// Lines of sum_j x_j exp(+i w j dt) over n points that are launched and not negligible.
std::vector<Line> band(const std::vector<cplx>& x, long n, double dt,
                       const std::function<Propagation(double)>& propagation) {
  Eigen::FFT<double> fft;
  std::vector<cplx> conjugate(n, 0), spectrum;
  for (std::size_t j = 0; j < x.size(); ++j) conjugate[j] = std::conj(x[j]);
  fft.fwd(spectrum, conjugate);
  double peak = 0;
  for (const cplx& s : spectrum) peak = std::max(peak, std::abs(s));
  std::vector<Line> lines;
  for (long k = 0; k < n; ++k) {
    if (std::abs(spectrum[k]) <= negligible * peak) continue;
    const double w = line(k, n, dt);
    Propagation p = propagation(w);
    if (std::abs(spectrum[k]) * p.gain > negligible * peak)
      lines.push_back({k, w, std::conj(spectrum[k]) * p.gain, std::move(p)});
  }
  return lines;
}

}  // namespace

/// A part of the signal, and where needed its response.
struct ResponseTable::Piece {
  explicit Piece(const Signal& s) : signal(s) {}

  Signal signal;
  double shift = 0, sign = 1;
  long first = 0, length = 0;      ///< steps in which it acts
  long fade_in = 0, fade_out = 0;  ///< of those, steps of fading at the ends
  long steady = 0;                 ///< > 0: endless; samples of the window after which it is steady
  long count = 0;                  ///< samples of the window, once computed
  std::vector<double> real, imag;  ///< [column][sample]
  Propagation carrier;             ///< of an endless piece

  std::vector<cplx> samples(double dt) const {
    std::vector<cplx> x(length);
    for (long j = 0; j < length; ++j)
      x[j] = sign * fade(j, fade_in) * fade(length - j, fade_out) * signal(double(first + j) * dt - shift);
    return x;
  }
};

ResponseTable::~ResponseTable() = default;

ResponseTable::ResponseTable(const Signal& signal, Setup setup) : setup_(std::move(setup)) {
  nearest_ = farthest_ = setup_.columns.front().place;
  for (const Column& c : setup_.columns) {
    nearest_ = std::min(nearest_, c.place);
    farthest_ = std::max(farthest_, c.place);
  }
  const double fall = signal.end() - signal.steady_from();
  if (signal.endless()) {
    add_endless(signal, 0, 1);
  } else if (signal.continuous() && signal.end() > 2 * setup_.block * setup_.dt) {
    add_endless(signal.rising(0), 0, 1);
    add_endless(signal.rising(fall), fall, -1);
  } else {
    cut_finite(signal);
  }
}

void ResponseTable::cut_finite(const Signal& signal) {
  const long steps = long(std::ceil(signal.end() / setup_.dt)) + 1;
  const auto [block, overlap] = std::pair{setup_.block, setup_.overlap};
  const long blocks = std::max(1L, (steps - overlap) / block);
  for (long b = 0; b < blocks; ++b) {
    Piece p(signal);
    p.first = b * block;
    p.length = b + 1 < blocks ? block + overlap : steps - p.first;
    p.fade_in = b > 0 ? overlap : 0;
    p.fade_out = b + 1 < blocks ? overlap : 0;
    pieces_.push_back(std::move(p));
  }
}

void ResponseTable::add_endless(const Signal& signal, double shift, double sign) {
  const double period = 2 * pi / signal.carrier();
  const long rise = std::max(1L, long(std::ceil(signal.steady_from() / setup_.dt)));
  Piece p(signal);
  p.shift = shift;
  p.sign = sign;
  p.first = long(std::floor(shift / setup_.dt));
  p.fade_out = std::max(rise, long(std::ceil(3 * period / setup_.dt)));
  p.length = rise + 1 + p.fade_out;
  p.steady = rise + spread(p.samples(setup_.dt)) + 2 * (guard + setup_.lead);
  p.length = p.steady + p.fade_out;
  p.carrier = setup_.propagation(signal.carrier());
  pieces_.push_back(std::move(p));
}

/// Steps by which the slowest part of a signal that is not negligible falls behind the first at the far end.
long ResponseTable::spread(const std::vector<cplx>& x) const {
  const long n = long(std::bit_ceil(2 * x.size()));
  double slow = setup_.slowness;
  for (const Line& l : band(x, n, setup_.dt, setup_.propagation)) slow = std::max(slow, l.propagation.rate);
  return long(std::ceil((slow - setup_.slowness) * std::max(farthest_, 0.0) / setup_.dt));
}

long ResponseTable::start(const Column& c, const Piece& p) const {
  return p.first + long(std::floor(setup_.slowness * c.place / setup_.dt)) - guard;
}

/// Whether everything of a finite piece has gone by before a step.
bool ResponseTable::past(const Piece& p, long step) const {
  if (p.steady > 0) return false;
  const double longest = setup_.slowest * std::max(farthest_, 0.0) / setup_.dt;
  return double(step) > double(p.first + p.length + 4 * guard + 4 * setup_.lead) + longest;
}

void ResponseTable::respond(Piece& p) const {
  const auto x = p.samples(setup_.dt);
  const long reach = long(x.size()) + spread(x) + 2 * (guard + setup_.lead);
  const long n = long(std::bit_ceil(std::size_t(reach)));
  const auto lines = band(x, n, setup_.dt, setup_.propagation);
  p.count = p.steady > 0 ? p.steady : std::min(n, reach);
  const std::size_t columns = setup_.columns.size();
  p.real.resize(columns * p.count);
  if (!setup_.real) p.imag.resize(columns * p.count);
  Eigen::FFT<double> fft;
  std::vector<cplx> spectrum(n), series;
  for (std::size_t c = 0; c < columns; ++c) {
    const Column& column = setup_.columns[c];
    const double offset = double(start(column, p) - p.first - setup_.lead) * setup_.dt;
    std::fill(spectrum.begin(), spectrum.end(), 0.0);
    for (const Line& l : lines)
      spectrum[l.index] = l.amplitude * l.propagation.factor[column.kind] *
                          std::polar(1.0 / double(n), l.propagation.kappa * column.place - l.w * offset);
    fft.fwd(series, spectrum);
    for (long j = 0; j < p.count; ++j) p.real[c * p.count + j] = series[j].real();
    for (long j = 0; j < p.count && !setup_.real; ++j) p.imag[c * p.count + j] = series[j].imag();
  }
}

void ResponseTable::add_series(const Piece& p, long first, long steps, cplx* values) const {
  const std::size_t columns = setup_.columns.size();
  // A few columns at a time, so that the rows they write to stay in the cache.
  constexpr std::size_t few = 32;
  std::array<long, few> begin{};
  for (std::size_t some = 0; some < columns; some += few) {
    const std::size_t end = std::min(columns, some + few);
    for (std::size_t c = some; c < end; ++c) begin[c - some] = start(setup_.columns[c], p);
    for (long n = first; n < first + steps; ++n)
      for (std::size_t c = some; c < end; ++c) {
        const long sample = n - begin[c - some];
        if (sample < 0 || sample >= p.count) continue;
        const std::size_t at = c * p.count + std::size_t(sample);
        values[(n - first) * columns + c] += cplx(p.real[at], setup_.real ? 0.0 : p.imag[at]);
      }
  }
}

void ResponseTable::add_steady(const Piece& p, long first, long steps, cplx* values) const {
  if (p.carrier.gain == 0) return;
  const std::size_t columns = setup_.columns.size();
  std::vector<cplx> there(columns);
  std::vector<long> from(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    const Column& column = setup_.columns[c];
    there[c] = p.sign * p.carrier.gain * p.carrier.factor[column.kind] *
               std::polar(1.0, p.carrier.kappa * column.place);
    from[c] = start(column, p) + p.steady;
  }
  for (long n = first; n < first + steps; ++n) {
    const cplx now = p.signal.steady(double(n - setup_.lead) * setup_.dt - p.shift);
    for (std::size_t c = 0; c < columns; ++c)
      if (n >= from[c]) values[(n - first) * columns + c] += there[c] * now;
  }
}

void ResponseTable::fill(long first, long steps, cplx* values) {
  std::fill(values, values + std::size_t(steps) * setup_.columns.size(), 0.0);
  for (Piece& p : pieces_) {
    const Column front{nearest_, 0}, back{farthest_, 0};
    if (first + steps <= start(front, p)) continue;
    const bool gone = p.steady > 0 ? first >= start(back, p) + p.steady : past(p, first);
    if (gone) {
      p.real = p.imag = {};
    } else {
      if (p.real.empty()) respond(p);
      add_series(p, first, steps, values);
    }
    if (p.steady > 0) add_steady(p, first, steps, values);
  }
}

}  // namespace umov::fdtd
