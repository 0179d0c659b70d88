// DDSCAT's files of dielectric functions.
#include "dda/ddscat/dielectric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.hpp"
#include "core/file_kind.hpp"
#include "dda/ddscat/record.hpp"

namespace umov::dda::ddscat {

namespace {

using List = std::vector<double>;
constexpr double ev_um = 1.23984;  // wavelength (um) times energy (eV), as DDSCAT has it

double between(const List& x, const List& y, double at) {
  const std::size_t n = x.size();
  if (n == 1) return y[0];
  const auto above = std::upper_bound(x.begin(), x.end(), at);
  const std::size_t i = std::clamp<std::size_t>(std::size_t(above - x.begin()), 1, n - 1) - 1;
  const auto chord = [&](double t) { return y[i] + (t - x[i]) * (y[i + 1] - y[i]) / (x[i + 1] - x[i]); };
  double curved = 0, weight = 0;
  for (const long k : {long(i) - 1, long(i) + 2}) {
    if (k < 0 || k >= long(n)) continue;
    const double u = (x[k] - x[i]) * (x[k] - x[i + 1]);
    curved += u * (y[k] - chord(x[k]));
    weight += u * u;
  }
  return chord(at) + (weight > 0 ? curved / weight * (at - x[i]) * (at - x[i + 1]) : 0);
}

Dielectric of_records(const std::string& path) {
  Records file(path);
  Dielectric d;
  d.path = path;
  file.skip_line("its description");
  Record columns = file.next("the numbers of its columns");
  std::array<long, 5> column;
  static constexpr const char* names[] = {"the column of the wavelength", "the column of n",
                                          "the column of k", "the column of eps1", "the column of eps2"};
  for (int i = 0; i < 5; ++i) column[i] = columns.whole(names[i], -20, 20);
  d.epsilon = column[3] != 0;
  const long re = d.epsilon ? column[3] : column[1], im = d.epsilon ? column[4] : column[2];
  if (column[0] == 0) columns.refuse("there is no column of the wavelength; give its number");
  if (re == 0 || im == 0)
    columns.refuse("there are columns neither of n and k nor of eps1 and eps2; give their numbers");
  file.skip_line("the heading of its columns");
  const long most = std::max({std::abs(column[0]), std::abs(re), std::abs(im)});
  while (!file.at_end()) {
    Record r = file.next("a row");
    List row;
    for (long i = 1; i <= most; ++i) row.push_back(r.number(fmt::format("column {}", i)));
    const double x = row[std::abs(column[0]) - 1];
    if (!(x > 0)) r.refuse("the wavelength or energy is not positive");
    d.wavelength.push_back(column[0] > 0 ? x : ev_um / x);
    d.first.push_back(row[std::abs(re) - 1] + (re < 0 ? 1 : 0));
    d.second.push_back(row[std::abs(im) - 1]);
  }
  if (d.wavelength.empty()) throw BadInput(path + ": no row of wavelengths; give some");
  std::vector<std::size_t> order(d.wavelength.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return d.wavelength[a] < d.wavelength[b]; });
  for (List* list : {&d.first, &d.second, &d.wavelength}) {
    List sorted;
    for (const std::size_t i : order) sorted.push_back((*list)[i]);
    *list = std::move(sorted);
  }
  for (std::size_t i = 1; i < d.wavelength.size(); ++i)
    if (!(d.wavelength[i] > d.wavelength[i - 1]))
      throw BadInput(fmt::format("{}: two rows for {} um; remove one of them", path, d.wavelength[i]));
  return d;
}

}  // namespace

Dielectric read_dielectric(const std::string& path) {
  return read_as(FileFormat::ddscat_index, path, "a table of a refractive index is read here",
                 [&] { return of_records(path); });
}

cplx index_at(const Dielectric& d, double wavelength) {
  if (wavelength < d.wavelength.front() || wavelength > d.wavelength.back())
    throw BadInput(
        fmt::format("{}: the wavelength {} um is outside of its rows, {} to {} um (DDSCAT would go on along "
                    "the last parabola); give more rows",
                    d.path, wavelength, d.wavelength.front(), d.wavelength.back()));
  const cplx value(between(d.wavelength, d.first, wavelength), between(d.wavelength, d.second, wavelength));
  return d.epsilon ? std::sqrt(value) : value;
}

}  // namespace umov::dda::ddscat
