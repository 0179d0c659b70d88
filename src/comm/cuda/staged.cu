// Messages between GPUs through page-locked host memory: for ranks that share a GPU, or that have no NCCL.
#include <vector>

#include "backend/cuda/memory.hpp"
#include "comm/cuda/lane.hpp"

namespace umov::comm {

namespace {

class StagedExchange final : public Pending::Work {
 public:
  StagedExchange(Communicator& host, Lane& lane, std::span<const Out> outs, std::span<const In> ins)
      : host_(host), lane_(lane), outs_(outs.begin(), outs.end()), ins_(ins.begin(), ins.end()) {
    lane_.select();
    std::size_t sent = 0, received = 0;
    for (const auto& m : outs_) sent += m.bytes;
    for (const auto& m : ins_) received += m.bytes;
    sent_ = backend::PinnedArray<char>(sent);
    received_ = backend::PinnedArray<char>(received);
    departed_ = lane_.depart();
    char* at = sent_.data();
    for (const auto& m : outs_) {
      if (m.bytes)
        UMOV_CUDA_CHECK(cudaMemcpyAsync(at, m.data, m.bytes, cudaMemcpyDeviceToHost, lane_.travel()));
      at += m.bytes;
    }
  }
  ~StagedExchange() override { cudaStreamSynchronize(lane_.travel()); }

  void finish() override {
    lane_.select();
    UMOV_CUDA_CHECK(cudaStreamSynchronize(lane_.travel()));
    std::vector<Out> outs;
    std::vector<In> ins;
    char* from = sent_.data();
    for (const auto& m : outs_) {
      outs.push_back({m.to, from, m.bytes});
      from += m.bytes;
    }
    char* to = received_.data();
    for (const auto& m : ins_) {
      ins.push_back({m.from, to, m.bytes});
      to += m.bytes;
    }
    host_.exchange(outs, ins);
    const char* at = received_.data();
    for (const auto& m : ins_) {
      if (m.bytes)
        UMOV_CUDA_CHECK(cudaMemcpyAsync(m.data, at, m.bytes, cudaMemcpyHostToDevice, lane_.travel()));
      at += m.bytes;
    }
    lane_.arrive(departed_, lane_.land());
  }

 private:
  Communicator& host_;
  Lane& lane_;
  std::shared_ptr<Event> departed_;
  std::vector<Out> outs_;
  std::vector<In> ins_;
  backend::PinnedArray<char> sent_, received_;
};

class StagedChannel final : public LaneChannel {
 public:
  StagedChannel(std::unique_ptr<Communicator> host, const Queue& queue)
      : LaneChannel(queue, host->traffic_counter()), host_(std::move(host)) {}

  Pending start(std::span<const Out> outs, std::span<const In> ins) override {
    return Pending(std::make_unique<StagedExchange>(*host_, lane_, outs, ins));
  }

  void all_gather(const void* mine, std::size_t bytes, void* all) override {
    lane_.select();
    std::vector<char> own(bytes), others(bytes * std::size_t(host_->size()));
    UMOV_CUDA_CHECK(cudaMemcpyAsync(own.data(), mine, bytes, cudaMemcpyDeviceToHost, lane_.work()));
    UMOV_CUDA_CHECK(cudaStreamSynchronize(lane_.work()));
    host_->all_gather(own.data(), bytes, others.data());
    UMOV_CUDA_CHECK(cudaMemcpyAsync(all, others.data(), others.size(), cudaMemcpyHostToDevice, lane_.work()));
    UMOV_CUDA_CHECK(cudaStreamSynchronize(lane_.work()));
  }

 private:
  std::unique_ptr<Communicator> host_;
};

}  // namespace

std::unique_ptr<Channel> staged_channel(std::unique_ptr<Communicator> host, const Queue& queue) {
  return std::make_unique<StagedChannel>(std::move(host), queue);
}

}  // namespace umov::comm
