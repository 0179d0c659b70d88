// Every number of the runs on several grids, fitted over y = k d |m|.
#include "dda/run/extrapolated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "dda/observables/extrapolation_fit.hpp"

namespace umov::dda {

namespace {

using Number = std::function<double(const CrossSections&)>;

double largest_index(const Simulation& sim) {
  double most = 0;
  for (const CVec3& m : sim.m)
    for (const cplx& one : m) most = std::max(most, std::abs(one));
  return most;
}

bool absorbs(const Simulation& sim) {
  for (const CVec3& m : sim.m)
    for (const cplx& one : m)
      if (one.imag() != 0) return true;
  return false;
}

bool not_negative(double x) { return x >= 0; }

/// That of the polarization; the mean over both for label ' ', where the second may be the first by symmetry.
double number_of(const CaseRow& row, char label, const Number& number) {
  double sum = 0;
  for (const PolarizationRow& p : row.polarizations) {
    if (p.label == label) return number(p.cross);
    sum += number(p.cross) / double(row.polarizations.size());
  }
  return sum;
}

class Extrapolator {
 public:
  Extrapolator(const std::vector<GridRun>& runs, const std::vector<int>& fitted, const Outcome& finest)
      : runs_(runs), sim_(finest.simulation) {
    const double k = sim_.wavenumber(), index = largest_index(sim_);
    for (const GridRun& run : runs) {
      ExtrapolationGrid g;
      g.box = run.box;
      g.spacing = *std::max_element(run.row.spacing.begin(), run.row.spacing.end());
      g.y = k * g.spacing * index;
      g.dipoles = run.row.dipoles;
      for (const PolarizationRow& p : run.row.polarizations) {
        g.iterations += p.iterations;
        g.seconds += p.seconds;
      }
      g.fitted = run.absent.empty() && std::find(fitted.begin(), fitted.end(), run.n) != fitted.end();
      if (g.fitted) {
        finest_ = e_.grids.size();
        y_.push_back(g.y);
        surplus_.resize(run.surplus.size());
        for (std::size_t m = 0; m < run.surplus.size(); ++m) surplus_[m].push_back(run.surplus[m]);
      }
      e_.grids.push_back(g);
    }
  }

  Extrapolation take(bool cubical, double accuracy, const Outcome& finest) {
    e_.cubical = cubical;
    e_.accuracy = accuracy;
    if (y_.size() < 2) return std::move(e_);
    for (const PolarizationRow& p : runs_.back().row.polarizations)
      light(p.label, "_" + std::string(p.label == average_label ? "average" : std::string(1, p.label)));
    if (runs_.back().row.polarizations.size() > 1) light(' ', "");
    matrices(finest);
    return std::move(e_);
  }

 private:
  Extrapolated fit(const std::vector<double>& values) const {
    std::vector<double> used;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (e_.grids[i].fitted) used.push_back(values[i]);
    return extrapolate(y_, used, e_.cubical, surplus_);
  }

  /// `scale` gives from the value the size that its error is judged by; none: not judged. A value that is not
  /// `possible` where the finest grid's is, is not believed. A component that is nothing but rounding beside
  /// the size of its vector, `whole`, is 0: of a symmetric particle, across the light.
  void add(const std::string& name, const char* unit, const std::string& text,
           const std::function<double(const CaseRow&)>& value,
           const std::function<double(double)>& scale = {}, const std::function<bool(double)>& possible = {},
           const std::function<double(const CaseRow&)>& whole = {}) {
    ExtrapolatedQuantity q;
    q.name = name;
    q.unit = unit;
    q.text = text;
    for (const GridRun& run : runs_) q.values.push_back(value(run.row));
    q.limit = fit(q.values);
    if (const double own = q.values[finest_]; possible && !possible(q.limit.value) && possible(own))
      q.limit = not_believed(q.limit, own);
    double most = 0;
    bool rounding = bool(whole);
    for (std::size_t i = 0; rounding && i < runs_.size(); ++i) {
      most = std::max(most, std::abs(q.values[i]));
      rounding = std::abs(q.values[i]) <= 1e-9 * whole(runs_[i].row);
    }
    if (rounding) q.limit = {0, most};
    if (scale) q.allowed = e_.accuracy * scale(q.limit.value);
    e_.quantities.push_back(std::move(q));
  }

  void section(const std::string& what, char label, const std::string& suffix, const std::string& text,
               const Number& number, bool judged) {
    const auto size = [](double x) { return std::abs(x); };
    const auto c = [=](const CaseRow& row) { return number_of(row, label, number); };
    add("C" + what + suffix, "um^2", text + " cross section", c,
        judged ? std::function<double(double)>(size) : nullptr, not_negative);
    add(
        "Q" + what + suffix, "1", text + " efficiency",
        [=](const CaseRow& row) { return c(row) / (pi * row.eq_radius * row.eq_radius); }, {}, not_negative);
  }

  void vector(const std::string& name, const char* unit, char label, const std::string& text,
              const std::function<Vec3(const CrossSections&)>& of,
              const std::function<double(double)>& scale) {
    for (int c = 0; c < 3; ++c)
      add(
          fmt::format("{}_{}", name, "xyz"[c]), unit, text,
          [=](const CaseRow& row) {
            return number_of(row, label, [&](const CrossSections& x) { return of(x)[c]; });
          },
          scale, {},
          [=](const CaseRow& row) {
            return number_of(row, label, [&](const CrossSections& x) { return norm(of(x)); });
          });
  }

  void light(char label, const std::string& suffix) {
    using X = CrossSections;
    const X& has = runs_.back().row.polarizations.front().cross;
    section(
        "ext", label, suffix, "extinction", [](const X& x) { return x.cext; }, true);
    section(
        "abs", label, suffix, "absorption", [](const X& x) { return x.cabs; }, absorbs(sim_));
    section(
        "sca_difference", label, suffix, "scattering (extinction less absorption)",
        [](const X& x) { return x.csca_difference(); }, true);
    if (has.csca)
      section(
          "sca", label, suffix, "scattering (integrated)", [](const X& x) { return x.csca.value_or(nan); },
          true);
    const auto csca = [=](const CaseRow& row) {
      return number_of(row, label, [](const X& x) { return x.csca.value_or(nan); });
    };
    const Vec3 none{nan, nan, nan};
    if (has.csca_g)
      vector("Csca_g" + suffix, "um^2", label, "asymmetry vector times the scattering cross section",
             [=](const X& x) { return x.csca_g.value_or(none); }, {});
    if (has.csca && has.csca_g)
      for (int c = 0; c < 3; ++c)
        add(
            fmt::format("g{}_{}", suffix, "xyz"[c]), "1", "asymmetry vector",
            [=](const CaseRow& row) {
              return number_of(row, label, [&](const X& x) { return x.csca_g.value_or(none)[c]; }) /
                     csca(row);
            },
            [](double) { return 1.0; },  // a mean cosine: its error counts against 1
            [](double g) { return std::abs(g) <= 1; },
            [=](const CaseRow& row) {
              return number_of(row, label,
                               [&](const CrossSections& x) { return norm(x.csca_g.value_or(none)); }) /
                     csca(row);
            });
    if (has.cpr) {
      const double pressure = norm(has.cpr.value_or(none));
      vector(
          "Cpr" + suffix, "um^2", label, "radiation pressure cross section",
          [=](const X& x) { return x.cpr.value_or(none); }, [=](double) { return pressure; });
    }
    if (has.decay) decay(label, suffix);
  }

  void decay(char label, const std::string& suffix) {
    const auto part = [&](const char* name, const char* text, double DecayRates::*rate) {
      add(
          name + suffix, "1", text,
          [=](const CaseRow& row) {
            return number_of(row, label,
                             [&](const CrossSections& x) { return x.decay ? *x.decay.*rate : nan; });
          },
          [](double x) { return std::abs(x); }, not_negative);
    };
    part("decay_total", "decay rate of the dipole over that in free space", &DecayRates::total);
    part("decay_radiative", "its radiative part", &DecayRates::radiative);
    if (absorbs(sim_)) part("decay_nonradiative", "its nonradiative part", &DecayRates::nonradiative);
  }

  void matrices(const Outcome& finest) {
    std::size_t at = 0;
    const auto table = [&](const std::string& name, std::size_t rows) -> ExtrapolatedMatrices* {
      if (rows == 0) return nullptr;
      ExtrapolatedMatrices m;
      m.table = name;
      for (std::size_t r = 0; r < rows; ++r) {
        auto& value = m.value.emplace_back();
        auto& error = m.error.emplace_back();
        for (std::size_t k = 0; k < 16; ++k, ++at) {
          std::vector<double> values;
          for (const GridRun& run : runs_) values.push_back(run.row.extra.at(at));
          Extrapolated x = fit(values);
          if (k == 0 && x.value < 0) x = not_believed(x, values[finest_]);  // an intensity
          value[k] = x.value, error[k] = x.error;
        }
      }
      return &e_.matrices.emplace_back(std::move(m));
    };
    for (const auto& [name, rows] :
         {std::pair{"scattering_plane", &finest.plane}, {"scattering_grid", &finest.grid}})
      if (ExtrapolatedMatrices* m = table(name, rows->size()))
        for (const ScatteringRow& row : *rows) {
          m->theta.push_back(row.theta);
          m->phi.push_back(row.phi);
        }
    for (const PhiIntegral& integral : finest.phi_integrals)
      if (ExtrapolatedMatrices* m = table(integral.file, integral.theta.size())) m->theta = integral.theta;
  }

  const std::vector<GridRun>& runs_;
  const Simulation& sim_;
  std::vector<double> y_;                     ///< of the grids in the fit
  std::size_t finest_ = 0;                    ///< of them
  std::vector<std::vector<double>> surplus_;  ///< of each material on them
  Extrapolation e_;
};

}  // namespace

std::vector<double> mueller_of(const Outcome& o) {
  std::vector<double> out;
  const auto add = [&](const Mueller& m) { out.insert(out.end(), m.begin(), m.end()); };
  for (const ScatteringRow& row : o.plane) add(row.mueller);
  for (const ScatteringRow& row : o.grid) add(row.mueller);
  for (const PhiIntegral& integral : o.phi_integrals)
    for (const Mueller& m : integral.mueller) add(m);
  return out;
}

Extrapolation extrapolation_of(const std::vector<GridRun>& runs, const std::vector<int>& fitted, bool cubical,
                               const Outcome& finest) {
  return Extrapolator(runs, fitted, finest).take(cubical, finest.simulation.accuracy, finest);
}

double excess_of(const Extrapolation& e) {
  double most = 0;
  for (const ExtrapolatedQuantity& q : e.quantities)
    if (q.allowed > 0) most = std::max(most, q.limit.error / q.allowed);
  return most;
}

}  // namespace umov::dda
