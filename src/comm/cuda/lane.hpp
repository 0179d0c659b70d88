// A stream beside the one that computes, for what travels meanwhile.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "backend/cuda/check.hpp"
#include "comm/communicator.hpp"
#include "comm/travel.hpp"

namespace umov::comm {

/// A point in a stream; shared by those who wait for it.
class Event {
 public:
  explicit Event(cudaStream_t stream, bool timed = false) {
    UMOV_CUDA_CHECK(cudaEventCreateWithFlags(&event_, timed ? cudaEventDefault : cudaEventDisableTiming));
    UMOV_CUDA_CHECK(cudaEventRecord(event_, stream));
  }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  cudaEvent_t get() const { return event_; }
  /// What is queued in `stream` from here on comes after it.
  void before(cudaStream_t stream) const { UMOV_CUDA_CHECK(cudaStreamWaitEvent(stream, event_, 0)); }

 private:
  cudaEvent_t event_ = nullptr;
};

/// The two streams of a rank's channel, and how long the computing one has waited for the other.
class Lane {
 public:
  Lane(const Queue& queue, std::shared_ptr<Traffic> traffic)
      : gpu_(queue.gpu), work_(static_cast<cudaStream_t>(queue.stream)), traffic_(std::move(traffic)) {
    select();
    // what travels by kernels (NCCL's) gets the next multiprocessor that is free, whatever else waits for one
    int least = 0, greatest = 0;
    UMOV_CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    UMOV_CUDA_CHECK(cudaStreamCreateWithPriority(&travel_, cudaStreamNonBlocking, greatest));
  }
  ~Lane() {
    cudaStreamSynchronize(travel_);
    cudaStreamDestroy(travel_);
  }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  void select() const { UMOV_CUDA_CHECK(cudaSetDevice(gpu_)); }
  int gpu() const { return gpu_; }
  cudaStream_t work() const { return work_; }
  cudaStream_t travel() const { return travel_; }
  Traffic& traffic() const { return *traffic_; }
  void count(std::span<const Out> outs, int rank) const {
    for (const auto& m : outs)
      if (m.to != rank) traffic_->bytes += double(m.bytes);
  }

  /// What travels from here on comes after what was computed before. For arrive().
  std::shared_ptr<Event> depart() const {
    auto departed = std::make_shared<Event>(work_, true);
    departed->before(travel_);
    return departed;
  }
  /// The end of what travels now. For arrive().
  std::shared_ptr<Event> land() const { return std::make_shared<Event>(travel_, true); }
  /// What is computed from here on comes after what departed and landed at these events, and after `others`;
  /// not after whatever else travels: later exchanges may be under way.
  void arrive(const std::shared_ptr<Event>& departed, const std::shared_ptr<Event>& landed,
              std::span<const std::shared_ptr<Event>> others = {}) {
    Wait wait{departed, landed, std::make_unique<Event>(work_, true), nullptr};
    landed->before(work_);
    for (const auto& e : others) e->before(work_);
    wait.to = std::make_unique<Event>(work_, true);
    waits_.push_back(std::move(wait));
    add_up();
  }
  Travel travel_times() const { return times_; }

 private:
  /// Of waits that are over; those of the last exchanges of a run may be left out.
  void add_up() {
    for (; !waits_.empty() && cudaEventQuery(waits_.front().to->get()) == cudaSuccess; waits_.pop_front()) {
      const Wait& w = waits_.front();
      const double waited = seconds(*w.from, *w.to);
      traffic_->seconds += waited;
      times_.waited += waited;
      times_.travelled += seconds(*w.departed, *w.landed);
    }
    cudaGetLastError();  // not ready is no error
  }
  static double seconds(const Event& from, const Event& to) {
    float milliseconds = 0;
    UMOV_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, from.get(), to.get()));
    return double(milliseconds) * 1e-3;
  }
  struct Wait {
    std::shared_ptr<Event> departed, landed;
    std::unique_ptr<Event> from, to;  ///< around the wait of what computes
  };
  int gpu_;
  cudaStream_t work_, travel_ = nullptr;
  std::shared_ptr<Traffic> traffic_;
  std::deque<Wait> waits_;
  Travel times_;
};

/// The host's letters count as nothing: bytes and waits are those of the GPU.
class Uncounted {
 public:
  explicit Uncounted(Traffic& counter) : counter_(counter), before_(counter) {}
  ~Uncounted() { counter_ = before_; }
  Uncounted(const Uncounted&) = delete;
  Uncounted& operator=(const Uncounted&) = delete;

 private:
  Traffic& counter_;
  Traffic before_;
};

/// A channel whose lane measures.
class LaneChannel : public Channel, public TravelClock {
 public:
  Travel travel() const override { return lane_.travel_times(); }

 protected:
  LaneChannel(const Queue& queue, std::shared_ptr<Traffic> traffic) : lane_(queue, std::move(traffic)) {}
  Lane lane_;
};

/// Of ranks that are threads: copies from GPU to GPU by their copy engines. `direct`: each has a GPU of its
/// own, whose kernels write into the others' memory.
std::unique_ptr<Channel> peer_channel(std::unique_ptr<Communicator> host, const Queue&, bool direct);
/// Of ranks that are processes: NCCL, which is loaded when it is asked for; nullptr with the reason where it
/// is not there. `repeat`: with exchanges that can be recorded.
std::unique_ptr<Channel> nccl_channel(std::unique_ptr<Communicator>& host, const Queue&, bool repeat,
                                      std::string& why_not);
/// Through host memory: for any ranks, with nothing under way meanwhile.
std::unique_ptr<Channel> staged_channel(std::unique_ptr<Communicator> host, const Queue&);

}  // namespace umov::comm
