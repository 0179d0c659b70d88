// One problem on several ranks: every rank steps its slab or block, and all give the same answers.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "fdtd/engine.hpp"
#include "fdtd/ranks/cut.hpp"
#include "fdtd/ranks/stretch.hpp"

namespace umov::fdtd::ranks {

struct PartOptions {
  /// Whether parts on GPUs take the tuned kernels: 1.87 ms a step beside 6.24 on two H200
  /// (docs/decisions/0058).
  bool tuned_on_gpus = true;
  int steps_between_exchanges = 0;  ///< 0: those that the kernels take in one pass through memory
  /// Unset: what the environment's UMOV_FDTD_OVERLAP asks for, or where it pays.
  std::optional<Overlap> overlap = std::nullopt;
  /// How the engine of a part is made, where it is not fdtd::make_engine: for tests.
  std::function<std::unique_ptr<Engine>(const Problem&, const EngineRequest&)> make_engine = nullptr;
  RankCut cut = RankCut::automatic;
  std::array<int, 2> parts{0, 0};  ///< across rows and planes, where they are not to be chosen: for tests
  std::function<void(const Cut&)> told = nullptr;  ///< what was chosen
};

/// An engine whose members are called on every rank of `comm`, which outlives it, with the same arguments
/// and in one order. Fields, samples, transforms and energies have the bits that one rank would find
/// (energies on GPUs and in one dimension: the same bits on every rank). save() gives the whole state on rank
/// 0, as one rank would save it, and nothing elsewhere; restore() wants it on all. bytes() is this rank's.
/// One rank: the engine of one device. Throws as make_engine, choose_cut,
/// make_part and asked_overlap do.
std::unique_ptr<Engine> make_engine(const Problem&, const EngineRequest&, comm::Communicator& comm,
                                    const PartOptions& = {});

/// Engine::fourier of one of several ranks, in stretches of its points: [frequency][point of wanted[rank]]
/// for every rank. Of every rank.
std::vector<cplx> fourier_stretches(const Engine&, int accumulator, std::span<const Stretch> wanted);

/// What the environment's UMOV_FDTD_OVERLAP asks for: "always", "never", or unset: where it pays. Throws
/// BadInput for another word.
Overlap asked_overlap();

/// Steps between two exchanges, as far as they are known without a GPU and without what lies on the grid.
int expected_steps(const Problem&, bool on_gpus);

}  // namespace umov::fdtd::ranks
