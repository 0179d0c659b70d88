// A rank writes its values where a neighbour reads them, in the neighbour's own memory, and behind them the
// number of the message; the neighbour's kernel looks at that number until it is there. Values have two
// places in turn: a rank sends message k + 2 after it has all of k + 1, which its neighbours sent after they
// had read k. Numbers lie in device memory, so that launches that are recorded and repeated go on counting.
#include <algorithm>
#include <cuda/atomic>
#include <exception>
#include <utility>
#include <vector>

#include "comm/cuda/direct.hpp"
#include "comm/ranked_device.hpp"
#include "core/contract.hpp"

namespace umov::comm::direct {

namespace {

using Number = unsigned long long;
constexpr int threads = 256, most_blocks = 32;
/// Values that a thread takes, unless there are more than most_blocks of them.
constexpr int values_a_thread = 4;

/// Where values for a neighbour go, or where its own come: two turns.
struct Place {
  char* values[2];
  Number* arrived;  ///< the last message's
  int first, count;
};

__device__ void announce(Number* at, Number number) {
  cuda::atomic_ref<Number, cuda::thread_scope_system>(*at).store(number, cuda::memory_order_release);
}
/// Returns when message `number` is there, or when all is over.
__device__ void await(Number* at, Number number, const int* stop) {
  cuda::atomic_ref<Number, cuda::thread_scope_system> arrived(*at);
  for (unsigned looks = 1; arrived.load(cuda::memory_order_acquire) < number; ++looks)
    if (looks % 4096 == 0 && *static_cast<const volatile int*>(stop)) return;
}
/// await(), whose time one thread of a launch adds up.
__device__ void await_timed(Number* at, Number number, const int* stop, const Meter::View& meter) {
  const Number before = nanoseconds();
  await(at, number, stop);
  meter.add(nanoseconds() - before);
}

/// True in the block that is the last to come here. What all of them have written is there for whoever sees
/// what this one writes then.
__device__ bool last_block(unsigned* blocks_done) {
  __shared__ bool last;
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(blocks_done, 1u) == gridDim.x * gridDim.y - 1;
  __syncthreads();
  if (last) __threadfence_system();
  return last;
}

/// Blocks (x, y): values of link y.
template <class V>
__global__ void __launch_bounds__(threads)
    send(const V* own, const int* places, const Place* to, Number* sent, unsigned* blocks_done) {
  const Place link = to[blockIdx.y];
  const Number number = *sent + 1;
  V* values = reinterpret_cast<V*>(link.values[number & 1]);
  for (int i = int(blockIdx.x) * threads + int(threadIdx.x); i < link.count; i += int(gridDim.x) * threads)
    values[i] = own[places[link.first + i]];
  if (!last_block(blocks_done)) return;
  for (unsigned l = threadIdx.x; l < gridDim.y; l += threads) announce(to[l].arrived, number);
  if (threadIdx.x == 0) {
    *blocks_done = 0;
    *sent = number;
  }
}

template <class V>
__global__ void __launch_bounds__(threads)
    receive(const Place* from, V* halo, Number* received, unsigned* blocks_done, const int* stop,
            Meter::View meter) {
  const Place link = from[blockIdx.y];
  const Number number = *received + 1;
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0 && blockIdx.y == 0)
      await_timed(link.arrived, number, stop, meter);
    else
      await(link.arrived, number, stop);
  }
  __syncthreads();
  const V* values = reinterpret_cast<const V*>(link.values[number & 1]);
  for (int i = int(blockIdx.x) * threads + int(threadIdx.x); i < link.count; i += int(gridDim.x) * threads)
    halo[link.first + i] = __ldcg(values + i);  // not from this multiprocessor's cache
  if (last_block(blocks_done) && threadIdx.x == 0) {
    *blocks_done = 0;
    *received = number;
  }
}

/// Device memory that other ranks write to.
class Inbox {
 public:
  /// Zeros.
  Inbox(std::size_t bytes, const Lane& lane) : gpu_(lane.gpu()) {
    lane.select();
    data_ = static_cast<char*>(backend::cuda::allocate_device(std::max<std::size_t>(bytes, 1), lane.work()));
    UMOV_CUDA_CHECK(cudaMemsetAsync(data_, 0, std::max<std::size_t>(bytes, 1), lane.work()));
    UMOV_CUDA_CHECK(cudaStreamSynchronize(lane.work()));
  }
  /// In the default stream of its GPU: the last who refers to this need not be its owner, whose own stream
  /// may be gone.
  ~Inbox() {
    int before = 0;
    if (cudaGetDevice(&before) != cudaSuccess || cudaSetDevice(gpu_) != cudaSuccess) return;
    cudaFreeAsync(data_, nullptr);
    cudaSetDevice(before);
  }
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;
  char* data() const { return data_; }

 private:
  int gpu_;
  char* data_ = nullptr;
};

/// The memory in which a rank's neighbours leave values: numbers of messages by rank, then two turns of
/// values.
struct Box {
  std::unique_ptr<Inbox> memory;
  std::vector<Link> links;
  std::size_t element, turn;

  Box(std::span<const Link> with, std::size_t bytes_of_value, int ranks, const Lane& lane)
      : links(with.begin(), with.end()), element(bytes_of_value) {
    std::size_t values = 0;
    for (const Link& l : links) values += l.received;
    turn = (values * element + 255) / 256 * 256;
    numbers_ = (std::size_t(ranks) * sizeof(Number) + 255) / 256 * 256;
    memory = std::make_unique<Inbox>(numbers_ + 2 * turn, lane);
  }
  /// What comes from `rank`; `count`: the values.
  Place place_of(int rank) const {
    std::size_t first = 0;
    for (const Link& l : links) {
      if (l.rank == rank) return make(rank, first, l.received);
      first += l.received;
    }
    return make(rank, 0, 0);
  }
  std::size_t sent_to(int rank) const {
    for (const Link& l : links)
      if (l.rank == rank) return l.sent;
    return 0;
  }
  bool knows(int rank) const {
    return std::any_of(links.begin(), links.end(), [&](const Link& l) { return l.rank == rank; });
  }

 private:
  Place make(int rank, std::size_t first, std::size_t count) const {
    char* values = memory->data() + numbers_ + first * element;
    return {
        {values, values + turn}, reinterpret_cast<Number*>(memory->data()) + rank, int(first), int(count)};
  }
  std::size_t numbers_;
};

/// A box of every rank, in the order of the ranks.
std::vector<std::shared_ptr<Box>> swap_boxes(Communicator& host, const std::shared_ptr<Box>& mine) {
  std::vector<std::shared_ptr<Box>*> given(std::size_t(host.size())), got(given.size());
  std::vector<Out> outs;
  std::vector<In> ins;
  for (int r = 0; r < host.size(); ++r) {
    if (r == host.rank()) continue;
    given[std::size_t(r)] = new std::shared_ptr<Box>(mine);  // whoever gets it takes it off the heap
    outs.push_back(out(r, &given[std::size_t(r)], 1));
    ins.push_back(in(r, &got[std::size_t(r)], 1));
  }
  host.exchange(outs, ins);
  std::vector<std::shared_ptr<Box>> all(given.size());
  for (int r = 0; r < host.size(); ++r) {
    if (r == host.rank()) {
      all[std::size_t(r)] = mine;
    } else {
      all[std::size_t(r)] = *got[std::size_t(r)];
      delete got[std::size_t(r)];
    }
  }
  return all;
}

/// A list in the memory of the lane's GPU, for what is queued there.
template <class T>
backend::CudaArray<T> put(const std::vector<T>& list, const Lane& lane) {
  backend::CudaArray<T> there(list.size(), lane.work());
  if (!list.empty())
    UMOV_CUDA_CHECK(cudaMemcpyAsync(there.data(), list.data(), list.size() * sizeof(T),
                                    cudaMemcpyHostToDevice, lane.work()));
  return there;
}

/// An end of kernels that wait: at once where an error is on its way.
void leave(Post& post) {
  if (std::uncaught_exceptions() > 0) post.stop.set();
  post.lane.select();
  cudaStreamSynchronize(post.lane.work());
}

template <class V>
class Exchange final : public PersistentExchange {
 public:
  Exchange(Post& post, std::span<const Link> links, const int* places) : post_(post), places_(places) {
    auto& host = post.host;
    const Uncounted letters(post.lane.traffic());
    boxes_ = swap_boxes(host, std::make_shared<Box>(links, sizeof(V), host.size(), post.lane));
    const Box& mine = *boxes_[std::size_t(host.rank())];
    std::vector<Place> to, from;
    std::size_t first = 0;
    const auto join = [&](int rank, std::size_t sent, std::size_t place) {
      const Box& theirs = *boxes_[std::size_t(rank)];
      Place there = theirs.place_of(host.rank());
      UMOV_EXPECT(std::size_t(there.count) == sent &&
                      theirs.sent_to(host.rank()) == std::size_t(mine.place_of(rank).count),
                  "both sides of a message know its length");
      there.first = int(place);
      to.push_back(there);
      from.push_back(mine.place_of(rank));
      if (rank != host.rank()) bytes_ += double(sent * sizeof(V));
    };
    for (const Link& l : links) {
      join(l.rank, l.sent, first);
      first += l.sent;
    }
    // one that only the other side knows of: numbers pass all the same, so that turns stay in step
    for (int r = 0; r < host.size(); ++r)
      if (!mine.knows(r) && boxes_[std::size_t(r)]->knows(host.rank())) join(r, 0, first);
    links_ = unsigned(to.size());
    out_blocks_ = blocks_of(to);
    in_blocks_ = blocks_of(from);
    to_ = put(to, post.lane);
    from_ = put(from, post.lane);
    numbers_ = put(std::vector<Number>(2, 0), post.lane);
    blocks_done_ = put(std::vector<unsigned>(2, 0), post.lane);
  }
  ~Exchange() override { leave(post_); }

  void start(const void* own, void* halo) override {
    post_.require_all();
    halo_ = static_cast<V*>(halo);
    if (links_ == 0) return;
    post_.lane.select();
    send<V><<<dim3(out_blocks_, links_), threads, 0, post_.lane.work()>>>(
        static_cast<const V*>(own), places_, to_.data(), numbers_.data(), blocks_done_.data());
    UMOV_CUDA_CHECK(cudaGetLastError());
    post_.lane.traffic().bytes += bytes_;
  }
  void finish() override {
    if (links_ == 0) return;
    post_.lane.select();
    receive<V><<<dim3(in_blocks_, links_), threads, 0, post_.lane.work()>>>(
        from_.data(), halo_, numbers_.data() + 1, blocks_done_.data() + 1, post_.stop.word(),
        post_.meter.view());
    UMOV_CUDA_CHECK(cudaGetLastError());
  }

 private:
  static unsigned blocks_of(const std::vector<Place>& places) {
    int most = 0;
    for (const Place& p : places) most = std::max(most, p.count);
    constexpr int a_block = threads * values_a_thread;
    return unsigned(std::clamp((most + a_block - 1) / a_block, 1, most_blocks));
  }
  Post& post_;
  const int* places_;
  std::vector<std::shared_ptr<Box>> boxes_;  ///< of all ranks: neighbours' stay while this rank writes there
  double bytes_ = 0;                         ///< to other ranks, each time
  V* halo_ = nullptr;
  unsigned links_ = 0, out_blocks_ = 1, in_blocks_ = 1;
  backend::CudaArray<Place> to_, from_;
  backend::CudaArray<Number> numbers_;  ///< of messages sent, and received
  backend::CudaArray<unsigned> blocks_done_;
};

/// Thread r writes to rank r and waits for it; thread k adds the k-th numbers.
__global__ void add_up(const double* mine, int n, int rank, int ranks, const Place* to, const Place* from,
                       Number* count, const int* stop, Meter::View meter, double* sums) {
  extern __shared__ double all[];
  const int r = int(threadIdx.x);
  const Number number = *count + 1;
  if (r < ranks) {
    double* there = reinterpret_cast<double*>(to[r].values[number & 1]);
    for (int k = 0; k < n; ++k) there[k] = mine[k];
    announce(to[r].arrived, number);
  }
  __syncthreads();
  if (r < ranks) {
    if (r == (rank == 0 ? ranks - 1 : 0))
      await_timed(from[r].arrived, number, stop, meter);
    else
      await(from[r].arrived, number, stop);
    const double* here = reinterpret_cast<const double*>(from[r].values[number & 1]);
    for (int k = 0; k < n; ++k) all[r * n + k] = __ldcg(here + k);
  }
  __syncthreads();
  if (r < n) ranked::AddRanks{all, sums, ranks, n}(r);
  if (r == 0) *count = number;
}

}  // namespace

Stop::Stop(Communicator& comm) : word_(std::make_shared<backend::PinnedArray<int>>(1)) {
  *word_->data() = 0;
  told_ = comm.on_failure([word = word_] { *static_cast<volatile int*>(word->data()) = 1; });
}
bool Stop::is_set() const { return *static_cast<const volatile int*>(word_->data()) != 0; }
void Stop::set() const { *static_cast<volatile int*>(word_->data()) = 1; }

void Post::require_all() const {
  host.check();
  UMOV_EXPECT(!stop.is_set(), "ranks go on with messages that were not given up");
}

std::unique_ptr<PersistentExchange> make_exchange(Post& post, std::span<const Link> links, const int* places,
                                                  std::size_t element) {
  post.lane.select();
  switch (element) {
    case 4:
      return std::make_unique<Exchange<unsigned>>(post, links, places);
    case 8:
      return std::make_unique<Exchange<unsigned long long>>(post, links, places);
    case 16:
      return std::make_unique<Exchange<ulonglong2>>(post, links, places);
    default:
      return nullptr;
  }
}

struct Sums::State {
  Post& post;
  std::vector<std::shared_ptr<Box>> boxes;
  backend::CudaArray<Place> to, from;
  backend::CudaArray<Number> count;
};

Sums::Sums(Post& post) : state_(new State{post, {}, {}, {}, {}}) {
  auto& host = post.host;
  post.lane.select();
  const Uncounted letters(post.lane.traffic());
  std::vector<Link> links;
  for (int r = 0; r < host.size(); ++r) links.push_back({r, ranked::most_sums, ranked::most_sums});
  state_->boxes = swap_boxes(host, std::make_shared<Box>(links, sizeof(double), host.size(), post.lane));
  std::vector<Place> to, from;
  for (int r = 0; r < host.size(); ++r) {
    to.push_back(state_->boxes[std::size_t(r)]->place_of(host.rank()));
    from.push_back(state_->boxes[std::size_t(host.rank())]->place_of(r));
  }
  state_->to = put(to, post.lane);
  state_->from = put(from, post.lane);
  state_->count = put(std::vector<Number>(1, 0), post.lane);
}
Sums::~Sums() { leave(state_->post); }

void Sums::add(const double* mine, int n, double* sums) {
  Post& post = state_->post;
  const int ranks = post.host.size();
  UMOV_EXPECT(n <= ranked::most_sums, "as many sums as the board has places for");
  post.require_all();
  post.lane.select();
  const int width = (std::max(ranks, n) + 31) / 32 * 32;
  add_up<<<1, width, std::size_t(ranks * n) * sizeof(double), post.lane.work()>>>(
      mine, n, post.host.rank(), ranks, state_->to.data(), state_->from.data(), state_->count.data(),
      post.stop.word(), post.meter.view(), sums);
  UMOV_CUDA_CHECK(cudaGetLastError());
  post.lane.traffic().bytes += double(n) * sizeof(double) * (ranks - 1);
}

}  // namespace umov::comm::direct
