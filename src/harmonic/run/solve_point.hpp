// One row of a sweep: the problem on the grid, its fields, and what is taken of them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harmonic/engine.hpp"
#include "harmonic/run/run.hpp"
#include "layers/transfer_matrix.hpp"

namespace umov::harmonic {

/// Whether the case keeps fields of this wavelength.
bool wants_fields(const Simulation&, double wavelength);

/// What rows share: the engine, made by the first of them, room for fields, and who is told in a line what
/// became of the method.
struct Kept {
  std::unique_ptr<Engine>& engine;
  Fields& fields;
  std::function<void(const std::string&)> say;
};

/// Solves polarizations of one row one after the other; what is asked for is of the last.
class PointSolver {
 public:
  /// `request`: the plan's, with the device that the engine is made on.
  PointSolver(const Simulation&, const Plan&, const Media&, const Row&, const EngineRequest& request, Kept);

  /// `hook` as in SolveOptions; false: it stopped.
  bool solve(Polarization, const std::function<bool(long, double)>& hook);
  const SpectrumPoint& point() const { return point_; }
  /// It was begun in single precision and ended in double.
  bool fell_back() const { return fell_back_; }
  /// Why pseudo-time did not converge; empty: it did, or was not taken.
  const std::string& trouble() const { return trouble_; }
  /// Largest amplitude that absorbing ends send back of a wave; 0 where they are open.
  double sent_back() const { return sent_back_; }
  std::vector<FieldCut> cuts() const;
  SolvedFields fields(const Outcome& so_far) const;
  std::string device() const { return engine_->device_name(); }
  /// gmres had no room for more directions.
  bool room_full() const { return room_full_; }
  /// See Engine::iteration.
  std::string iteration() const { return engine_->iteration(); }

 private:
  double grid_error() const;
  layers::FlatResponse exact_powers(const LayeredCell& flat) const;
  double angle() const { return row_.incidence.angle * pi / 180; }
  double azimuth() const { return row_.incidence.azimuth * pi / 180; }
  std::array<double, 2> bloch() const {
    return bloch_vector(row_.wavelength, media_.front().real(), angle(), azimuth());
  }

  const Simulation& sim_;
  const Plan& plan_;
  Row row_;
  std::vector<cplx> media_;
  Problem problem_;
  Engine* engine_;
  Polarization polarization_ = Polarization::s;
  IncidentWave wave_;
  Fields& fields_;
  SpectrumPoint point_;
  bool fell_back_ = false;
  double sent_back_ = 0;
  std::string trouble_;
  bool room_full_ = false;
};

}  // namespace umov::harmonic
