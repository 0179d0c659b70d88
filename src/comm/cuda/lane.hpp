// A stream beside the one that computes, for what travels meanwhile.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "backend/cuda/check.hpp"
#include "comm/communicator.hpp"

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
    UMOV_CUDA_CHECK(cudaStreamCreateWithFlags(&travel_, cudaStreamNonBlocking));
  }
  ~Lane() {
    cudaStreamSynchronize(travel_);
    cudaStreamDestroy(travel_);
  }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  void select() const { UMOV_CUDA_CHECK(cudaSetDevice(gpu_)); }
  cudaStream_t work() const { return work_; }
  cudaStream_t travel() const { return travel_; }
  Traffic& traffic() const { return *traffic_; }
  void count(std::span<const Out> outs, int rank) const {
    for (const auto& m : outs)
      if (m.to != rank) traffic_->bytes += double(m.bytes);
  }

  /// What travels from here on comes after what was computed before.
  void depart() const { Event(work_).before(travel_); }
  /// What is computed from here on comes after these; not after whatever else travels: later exchanges may be
  /// under way.
  void arrive(std::span<const std::shared_ptr<Event>> events) {
    auto from = std::make_unique<Event>(work_, true);
    for (const auto& e : events) e->before(work_);
    waits_.emplace_back(std::move(from), std::make_unique<Event>(work_, true));
    add_up();
  }
  /// The same after all that travels now.
  void arrive() {
    const auto all = std::make_shared<Event>(travel_);
    arrive({&all, 1});
  }

 private:
  /// Of waits that are over; those of the last exchanges of a run may be left out.
  void add_up() {
    for (; !waits_.empty() && cudaEventQuery(waits_.front().second->get()) == cudaSuccess;
         waits_.pop_front()) {
      float milliseconds = 0;
      UMOV_CUDA_CHECK(
          cudaEventElapsedTime(&milliseconds, waits_.front().first->get(), waits_.front().second->get()));
      traffic_->seconds += double(milliseconds) * 1e-3;
    }
    cudaGetLastError();  // not ready is no error
  }
  int gpu_;
  cudaStream_t work_, travel_ = nullptr;
  std::shared_ptr<Traffic> traffic_;
  std::deque<std::pair<std::unique_ptr<Event>, std::unique_ptr<Event>>> waits_;
};

/// Of ranks that are threads: copies from GPU to GPU by their copy engines.
std::unique_ptr<Channel> peer_channel(std::unique_ptr<Communicator> host, const Queue&);
/// Of ranks that are processes: NCCL, which is loaded when it is asked for; nullptr with the reason where it
/// is not there.
std::unique_ptr<Channel> nccl_channel(std::unique_ptr<Communicator>& host, const Queue&,
                                      std::string& why_not);
/// Through host memory: for any ranks, with nothing under way meanwhile.
std::unique_ptr<Channel> staged_channel(std::unique_ptr<Communicator> host, const Queue&);

}  // namespace umov::comm
