// Ranks as processes of MPI: its messages, and waits that notice when another rank has failed.
#include <mpi.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "comm/collect.hpp"
#include "comm/mpi/control.hpp"
#include "comm/mpi_module.hpp"
#include "core/contract.hpp"
#include "core/timer.hpp"

namespace umov::comm {

namespace {

/// A count of MPI is an int.
constexpr std::size_t most_bytes = std::size_t(1) << 30;

class Exchange final : public Pending::Work {
 public:
  Exchange(const Control& control, std::shared_ptr<Traffic> traffic)
      : control_(control), traffic_(std::move(traffic)) {}

  /// The run ends with an error: what has not come is not waited for.
  ~Exchange() override {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      if (requests_[i] == MPI_REQUEST_NULL) continue;
      control_.leave_unfinished();
      if (i < received_) MPI_Cancel(&requests_[i]);
      MPI_Request_free(&requests_[i]);
    }
  }

  void receive(MPI_Comm comm, const In& m) {
    auto* data = static_cast<char*>(m.data);
    for (std::size_t at = 0; at < m.bytes; at += most_bytes) {
      UMOV_MPI_CHECK(
          MPI_Irecv(data + at, int(std::min(most_bytes, m.bytes - at)), MPI_BYTE, m.from, 0, comm, next()));
      ++received_;
    }
  }
  void send(MPI_Comm comm, const Out& m) {
    const auto* data = static_cast<const char*>(m.data);
    for (std::size_t at = 0; at < m.bytes; at += most_bytes)
      UMOV_MPI_CHECK(
          MPI_Isend(data + at, int(std::min(most_bytes, m.bytes - at)), MPI_BYTE, m.to, 0, comm, next()));
  }

  void finish() override {
    const Stopwatch timer;
    control_.wait(requests_);
    traffic_->seconds += timer.seconds();
  }

 private:
  MPI_Request* next() {
    requests_.push_back(MPI_REQUEST_NULL);
    return &requests_.back();
  }
  const Control& control_;
  std::shared_ptr<Traffic> traffic_;
  std::vector<MPI_Request> requests_;
  std::size_t received_ = 0;  ///< of those, the first
};

/// Communicator, or World: the same members on a group of MPI.
template <class Base>
class Ranks : public Base {
 public:
  Ranks(MPI_Comm comm, const Control& control) : comm_(comm), control_(control) { look_up(); }
  Ranks(MPI_Comm comm, const Control& control, const std::shared_ptr<Traffic>& traffic)
      : Base(traffic), comm_(comm), control_(control) {
    look_up();
  }
  ~Ranks() override {
    int over = 0;
    MPI_Finalized(&over);
    // Freeing waits for the others, which an error may have ended.
    if (!over && std::uncaught_exceptions() == 0 && comm_ != MPI_COMM_WORLD) MPI_Comm_free(&comm_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  bool in_process() const override { return false; }
  std::string kind() const override {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(text, &length);
    const std::string all(text, std::size_t(std::max(length, 0)));
    std::string line = all.substr(0, all.find_first_of(",\n"));
    std::replace(line.begin(), line.end(), '\t', ' ');
    return line;
  }

  void barrier() override {
    const Stopwatch timer;
    MPI_Request request;
    UMOV_MPI_CHECK(MPI_Ibarrier(comm_, &request));
    control_.wait(request);
    this->traffic_counter()->seconds += timer.seconds();
  }

  Pending start(std::span<const Out> outs, std::span<const In> ins) override {
    auto work = std::make_unique<Exchange>(control_, this->traffic_counter());
    for (const auto& m : ins) work->receive(comm_, m);
    for (const auto& m : outs) {
      work->send(comm_, m);
      if (m.to != rank_) this->traffic_counter()->bytes += double(m.bytes);
    }
    return Pending(std::move(work));
  }

  void all_gather(const void* mine, std::size_t bytes, void* all) override {
    UMOV_EXPECT(bytes <= most_bytes, "small things are gathered");
    const Stopwatch timer;
    // When a rank has failed MPI goes on with a gathering that nobody waits for any more, and writes: its
    // memory stays, then.
    auto held = std::make_unique<std::vector<char>>(bytes * std::size_t(size_ + 1));
    char* const own = held->data();
    if (bytes) std::memcpy(own, mine, bytes);
    MPI_Request request;
    UMOV_MPI_CHECK(
        MPI_Iallgather(own, int(bytes), MPI_BYTE, own + bytes, int(bytes), MPI_BYTE, comm_, &request));
    try {
      control_.wait(request);
    } catch (...) {
      static std::vector<std::unique_ptr<std::vector<char>>> left;
      left.push_back(std::move(held));
      throw;
    }
    if (bytes) std::memcpy(all, own + bytes, bytes * std::size_t(size_));
    this->traffic_counter()->bytes += double(bytes) * (size_ - 1);
    this->traffic_counter()->seconds += timer.seconds();
  }

  std::unique_ptr<Communicator> split(int part) override {
    // Ranks meet here where an error is noticed; MPI's own meeting is short then.
    barrier();
    MPI_Comm own = MPI_COMM_NULL;
    UMOV_MPI_CHECK(MPI_Comm_split(comm_, part < 0 ? MPI_UNDEFINED : part, rank_, &own));
    if (own == MPI_COMM_NULL) return nullptr;
    return std::make_unique<Ranks<Communicator>>(own, control_, this->traffic_counter());
  }

 protected:
  const Control& control() const { return control_; }

 private:
  void look_up() {
    UMOV_MPI_CHECK(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN));
    UMOV_MPI_CHECK(MPI_Comm_rank(comm_, &rank_));
    UMOV_MPI_CHECK(MPI_Comm_size(comm_, &size_));
  }
  MPI_Comm comm_;
  const Control& control_;
  int rank_ = 0, size_ = 1;
};

class MpiWorld final : public Ranks<World> {
 public:
  explicit MpiWorld(Control& control) : Ranks<World>(MPI_COMM_WORLD, control), tell_(control) {
    MPI_Comm machine;
    UMOV_MPI_CHECK(
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank(), MPI_INFO_NULL, &machine));
    MPI_Comm_rank(machine, &local_rank_);
    MPI_Comm_size(machine, &local_size_);
    MPI_Comm_free(&machine);
  }
  int local_rank() const override { return local_rank_; }
  int local_size() const override { return local_size_; }
  bool stop_wanted() override { return tell_.stop_wanted(); }

  Ending end(int code, bool failed, const std::function<void()>& print) override {
    struct State {
      int failed, code;
    } mine{failed, code};
    if (failed) tell_.tell_others_of_failure(code);
    const auto ranks = std::size_t(size());
    std::vector<State> all(ranks);
    MPI_Request request;
    UMOV_MPI_CHECK(MPI_Iallgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE,
                                  tell_.comm(), &request));
    const Stopwatch timer;
    for (Rest rest;; rest.look_again()) {
      int done = 0;
      UMOV_MPI_CHECK(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
      if (done) break;
      if (failed && timer.seconds() > 10) {
        print();
        abort(code);
        std::_Exit(code);
      }
    }
    for (int r = 0; r < size(); ++r)
      if (all[std::size_t(r)].failed) {
        failed_ = true;
        int code = all[std::size_t(r)].code;
        // a stop has the code of the signal that a rank was sent, 130 where it had none
        for (const State& other : all)
          if (code >= 130) code = std::max(code, other.code);
        return ending_ = {r == rank(), code};
      }
    return {false, code};
  }

  /// Ends all ranks. Launchers pass on at their leisure what a rank has written, and drop what waits in the
  /// end.
  [[noreturn]] static void abort(int code) {
    std::fflush(nullptr);
    usleep(500000);
    MPI_Abort(MPI_COMM_WORLD, code);
    std::_Exit(code);
  }

  void leave() override {
    if (!failed_) {
      MPI_Finalize();
      return;
    }
    // All ranks have come here.
    std::fflush(nullptr);
    int left = tell_.left();
    MPI_Allreduce(MPI_IN_PLACE, &left, 1, MPI_INT, MPI_MAX, tell_.comm());
    if (!left) {
      tell_.drain();
      MPI_Finalize();
      if (!first()) outlive_first();
      return;
    }
    // Messages of the failed run are still under way, and MPI's end would wait for them. The rank that has
    // said why ends all, so that the launcher gives its exit code.
    if (ending_.says_why) abort(ending_.code);
    sleep(5);
  }

 private:
  /// Ends after the first rank, so that MPICH's launcher has its exit code: when it has passed on a signal it
  /// takes those of processes for 0 whose streams all were closed before it asked how they ended. It asks
  /// whenever a stream closes: this one's standard error, of which the process has inherited a second
  /// descriptor.
  static void outlive_first() {
    usleep(100000);
    struct stat mine {
    }, other{};
    if (fstat(STDERR_FILENO, &mine) == 0)
      for (int file = 1024; file >= STDERR_FILENO; --file)
        if (fstat(file, &other) == 0 && other.st_dev == mine.st_dev && other.st_ino == mine.st_ino)
          close(file);
    usleep(100000);
  }

  Control& tell_;
  int local_rank_ = 0, local_size_ = 1;
  bool failed_ = false;
  Ending ending_;
};

World* start(std::string& why_not, bool (*interrupted)()) {
  static World* started = nullptr;  // kept until the process ends
  if (started) return started;
  try {
    int begun = 0, there = 0;
    UMOV_MPI_CHECK(MPI_Initialized(&begun));  // by the program that the library is in, which ends it, too
    if (!begun) UMOV_MPI_CHECK(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &there));
    UMOV_MPI_CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    static Control control(MPI_COMM_WORLD, interrupted);
    started = new MpiWorld(control);
  } catch (const std::exception& e) {
    why_not = e.what();
  }
  return started;
}

}  // namespace
}  // namespace umov::comm

extern "C" __attribute__((visibility("default"))) const umov::comm::MpiModule* umov_mpi_module() {
  static const umov::comm::MpiModule module{umov::comm::mpi_module_version, umov::comm::start};
  return &module;
}
