// A run in time on several ranks while viewers look at it: rank 0 looks, the others do what its looks need.
#pragma once

#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "fdtd/engine.hpp"
#include "fdtd/run/watcher.hpp"

namespace umov::fdtd {

/// What rank 0 tells the others of between two steps: questions to the engine, at last how the march goes on.
struct LiveOrder {
  enum class Kind { sample, fourier, field, watch, go_on, save, stop };
  Kind kind = Kind::go_on;
  int which = 0;  ///< accumulator or component
  Int3 lo{0, 0, 0}, hi{0, 0, 0};
  FieldSample sample = {};
  long next = 0;  ///< step of the next look
};

/// The order of rank 0, on every rank; what the others give does not count.
LiveOrder tell(comm::Communicator&, const LiveOrder&);
/// The order that ends a look, and the answer that one means.
LiveOrder::Kind kind_of(MarchWatcher::Answer);
MarchWatcher::Answer answer_of(LiveOrder::Kind);

/// The engine of all ranks for the looks of rank 0: the others are told what it is asked, and answer
/// with it (LiveFollower). What changes the fields may not be asked.
class AskedEngine final : public Engine {
 public:
  /// Both outlive this.
  AskedEngine(const Engine& own, comm::Communicator& comm) : own_(own), comm_(comm) {}

  std::string device() const override { return own_.device(); }
  long step() const override { return own_.step(); }
  std::size_t bytes() const override { return own_.bytes(); }
  std::vector<cplx> fourier(int accumulator) const override;
  FieldWatch watch() const override;
  FieldBlock field(Component, const Int3& lo, const Int3& hi) const override;
  std::vector<float> sample(const FieldSample&) const override;

  void advance(long) override;
  std::vector<double> drain(int) override;
  void set_field(Component, const Int3&, const FieldBlock&) override;
  std::vector<std::byte> save() const override;
  void restore(const std::vector<std::byte>&) override;
  void join(const Border&) override;

 private:
  const Engine& own_;
  comm::Communicator& comm_;
};

/// Of every rank that a view is on: whether this march is one that rank 0 looks at. The reference run of a
/// pair that goes side by side with the run is none.
bool looked_at(comm::Communicator&, bool looks);

/// The watcher of the other ranks.
class LiveFollower final : public MarchWatcher {
 public:
  void begin(const Prepared&, const March&) override;
  long next(long step) const override;
  Answer look(const Prepared&, const March&) override;
  void end(const Prepared&, const March&) override;

 private:
  bool on_ = false;  ///< there is one who looks
  long next_ = 0;
};

}  // namespace umov::fdtd
