// The boundary between host and device: a solver of one dipole problem on one backend in one precision.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "dda/choices.hpp"
#include "dda/scheme/interaction_table.hpp"
#include "dda/scheme/preconditioner.hpp"
#include "linalg/krylov/remedy.hpp"
#include "shapes/particle.hpp"

namespace umov::comm {
class Communicator;
}

namespace umov::dda {

struct MirrorFraction;
struct ParticleSlab;

/// The discretised problem, in units of micrometres, ready for a device.
struct Problem {
  const shapes::Particle* particle = nullptr;
  double wavenumber = 1;  ///< k = 2 pi / lambda (1/um)
  Interaction interaction = Interaction::point;
  std::vector<double> interaction_arguments;
  Int3 fft_grid{0, 0, 0};  ///< >= 2 box (1 where the box is 1)
  bool tensor_on_host = false;
  bool inner_float = false;    ///< solves will iterate in float: a double engine builds its twin
  InteractionTableView table;  ///< instead of `interaction`: its terms for all lags of the box
  /// Solve for the dipoles of this fraction of the particle, in the sector that it is at; set_polarizability
  /// is told of another sector.
  const MirrorFraction* fraction = nullptr;
  /// Solve for the dipoles of these planes of the particle, on a device of several ranks.
  const ParticleSlab* slab = nullptr;
  bool fields_only = false;  ///< no product: an engine for fields and sums of solutions found elsewhere
};

enum class SolveStatus { converged, iteration_limit, stagnated, broke_down, interrupted };

struct SolveReport {
  SolveStatus status = SolveStatus::converged;
  long iterations = 0;
  long products = 0;           ///< matrix-vector products, start included
  long preconditionings = 0;   ///< products with preconditioners
  std::string preconditioner;  ///< the last one used, in words; empty = none
  int sectors = 0;             ///< of mirror planes that were solved for one by one; 0 = the whole at once
  long refreshes = 0;          ///< residuals formed in double between iterations in float
  long blocks = 0;             ///< of right-hand sides that were solved for together; 0 = one by one
  int block = 0;               ///< right-hand sides of the largest block
  long block_iterations = 0;   ///< iterations of the blocks, each counted once for all of its columns
  std::vector<std::string> notes;  ///< which preconditioner or precision was given up, when and why
  double initial_residual = 1;     ///< relative, of the chosen start vector
  double residual = 1;             ///< relative, as the solver tracked it
  double true_residual = -1;       ///< recomputed; -1 when not asked for
  std::string start;               ///< "x_0 = 0", "x_0 = E_inc", ... as ADDA's log prints it
  std::vector<double> history;     ///< relative residual after start and each iteration
  krylov::Diagnosis diagnosis;     ///< what happened and what may help, when not converged
  std::string advice;              ///< the same in words; the run fills it
  double seconds = 0, seconds_products = 0;
  double seconds_preconditioning = 0;  ///< set-up and products
  double seconds_set_up = 0;           ///< of that: making preconditioners
  UMOV_FIELDS(status, iterations, products, preconditionings, preconditioner, sectors, refreshes, blocks,
              block, block_iterations, notes, initial_residual, residual, true_residual, start, history,
              diagnosis, advice, seconds, seconds_products, seconds_preconditioning, seconds_set_up)
};

/// Called after each iteration; return false to stop (the state is then checkpointed by the caller).
using IterationHook = std::function<bool(long iteration, double residual)>;

struct SolveOptions {
  std::string solver = SolverRequest{}.name;
  double epsilon = SolverRequest{}.epsilon;
  long max_iterations = SolverRequest{}.max_iterations;
  InitialField initial = InitialField::automatic;
  const std::vector<CVec3>* initial_field = nullptr;  ///< wkb, read: start polarization per dipole (um^3)
  bool recalculate_residual = false;
  /// Tried in this order: one that makes no progress gives way to the next. Empty = none.
  std::vector<Preconditioner> preconditioners;
  /// Iterate in float and form the residual in double now and then (a double engine only): the answer is that
  /// of double. Gives way to double where it makes no progress.
  bool inner_float = false;
  IterationHook hook;
  std::string checkpoint_file;     ///< empty = none
  double checkpoint_interval = 0;  ///< seconds between saves; 0 = only on demand
  bool resume = false;             ///< start from checkpoint_file
  bool checkpoint_at_end = false;
  bool stop_at_checkpoint = false;               ///< end as interrupted at the first save that is due
  std::uint64_t fingerprint = 0;                 ///< what else a checkpoint must agree with
  std::string part;                              ///< of the particle's fields, in words; empty = all
  std::function<void(const std::string&)> warn;  ///< a failing periodic save; null = silent
};

/// One incident field of a block: a plane wave, or any field where one is given.
struct RightSide {
  Vec3 propagation{0, 0, 1};
  CVec3 e0{};
  std::vector<CVec3> field;  ///< per dipole; empty = the plane wave
  double epsilon = 0;        ///< relative residual norm to reach; 0 = that of the options
};

struct MemoryUse {
  std::string name;
  std::size_t bytes;
};

/// Solves (I + S D S) x = S E_inc for the dipole polarizations P = S x, with S^2 the polarizability
/// (Yurkin and Hoekstra 2011, J. Quant. Spectrosc. Radiat. Transfer 112, 2234, sec. 3).
/// Dipoles are numbered x fastest, then y, then z over occupied sites. All sums are double or better.
class Engine {
 public:
  virtual ~Engine() = default;
  /// Uploads the particle and builds the transformed interaction tensor.
  virtual void load(const Problem&) = 0;
  /// Diagonal polarizability (um^3) per material; keeps no earlier solution.
  virtual void set_polarizability(std::span<const CVec3> alpha) = 0;
  /// E_inc = e0 exp(i k prop.r), r from the centre of the box.
  virtual void set_plane_wave(const Vec3& prop, const CVec3& e0) = 0;
  /// Any other incident field, one vector per dipole.
  virtual void set_incident(std::span<const CVec3> field) = 0;
  virtual SolveReport solve(const SolveOptions&) = 0;
  /// Solves for several incident fields of one polarizability together, one pass over the interaction tensor
  /// for all of a product; from zero, or from the checkpoint of the options. A column that the block does not
  /// solve for is solved for alone. One report a column; products and blocks are in the report of one of
  /// them, so that sums are right. Throws BadInput where an engine has no blocks.
  virtual std::vector<SolveReport> solve_block(std::span<const RightSide>, const SolveOptions&) {
    throw BadInput("this engine solves for one right-hand side at a time; leave solver.block out");
  }
  /// Takes columns that were solved for elsewhere for those of the last block: fields only.
  virtual void set_columns(std::span<const RightSide>,
                           std::span<const std::vector<CVec3>> /*polarizations*/) {
    throw BadInput("this engine holds the solution of one right-hand side; leave solver.block out");
  }
  /// Makes incident field and polarizations those of a column of the last block.
  virtual void select(int /*column*/) {}
  /// r = S E_inc - A S^-1 P of any polarizations P (um^3); an empty P is zero and costs no product.
  virtual void residual(std::span<const CVec3> p, std::span<CVec3> r) = 0;

  virtual void get_incident(std::span<CVec3> field) const = 0;
  virtual void get_polarization(std::span<CVec3> p) const = 0;
  /// The same of some dipoles, from number `first` of the particle on, which are this rank's own where ranks
  /// share it; not of all ranks.
  virtual void get_polarization_from(index_t first, std::span<CVec3> p) const = 0;
  virtual void set_polarization(std::span<const CVec3> p) = 0;
  /// Sum over dipoles of P . conj(E_inc).
  virtual cplx extinction_sum() const = 0;
  /// Per material, sum over its dipoles of |P_c|^2 for c = x, y, z.
  virtual std::vector<Vec3> polarization_norms() const = 0;
  /// sum_j P_j exp(-i k n.r_j) for each direction n (particle frame).
  virtual void far_field(std::span<const Vec3> n, std::span<CVec3> sums) const = 0;
  /// The same of columns of the last block, as [column][direction], in one pass over the dipoles for several:
  /// the bits are those of column by column.
  virtual void far_fields(std::span<const Vec3> /*n*/, std::span<const int> /*columns*/,
                          std::span<CVec3> /*sums*/) const {
    throw BadInput("this engine holds the solution of one right-hand side; leave solver.block out");
  }
  virtual std::vector<MemoryUse> memory() const = 0;
  virtual std::string backend_name() const = 0;
  virtual std::string device_name() const = 0;
  /// The library or code whose Fourier transforms the loaded problem's products run through.
  virtual std::string transforms() const = 0;
};

struct EngineRequest {
  std::string backend = "auto";
  int device = -1;
  int threads = 0;
  Precision precision = Precision::double_;
  bool blocking_sync = false;
  bool simple_kernels = false;  ///< cuda: the generic kernels instead of the tuned ones
  comm::Communicator* ranks =
      nullptr;  ///< that solve together, each with its slab of the particle; null: one
};

/// Throws BadInput for an unknown backend, MachineFailure when it is not usable here.
std::unique_ptr<Engine> make_engine(const EngineRequest&);

/// Names of the Krylov solvers with one line of help each.
struct SolverHelp {
  std::string name, text;
};
const std::vector<SolverHelp>& solver_list();

}  // namespace umov::dda
