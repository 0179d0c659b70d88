// Meetings of ranks that work each at its own pace: every one tells the first what is new, and gets an
// answer.
#pragma once

#include <chrono>
#include <exception>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "comm/scatter.hpp"
#include "core/error.hpp"
#include "core/packed.hpp"

namespace umov::comm {

/// On rank 0: what the others say, by rank; its own place is empty. Messages are written and read by
/// `visit(File&, Message&)`. Of every rank: the others call ask_first().
template <class From, class Visit>
std::vector<From> hear_ranks(Communicator& comm, const Visit& visit) {
  std::vector<std::size_t> counts;
  const auto all = gather(comm, std::span<const std::byte>(), 0, &counts);
  std::vector<From> from(counts.size());
  std::size_t at = 0;
  for (std::size_t r = 1; r < counts.size(); at += counts[r], ++r)
    from[r] = unpacked<From>(std::span<const std::byte>(all).subspan(at, counts[r]), visit);
  return from;
}

/// On rank 0, after hear_ranks(): the answer to each rank, by rank.
template <class To, class Visit>
void answer_ranks(Communicator& comm, const std::vector<To>& to, const Visit& visit) {
  std::vector<Packed> bytes;
  for (const To& t : to) bytes.push_back(packed(t, visit));
  scatter(comm, bytes);
}

/// On another rank: says `from` to rank 0 and waits for its answer.
template <class To, class From, class VisitFrom, class VisitTo>
To ask_first(Communicator& comm, const From& from, const VisitFrom& visit_from, const VisitTo& visit_to) {
  gather(comm, std::span<const std::byte>(packed(from, visit_from)));
  return unpacked<To>(scatter<std::byte>(comm, {}), visit_to);
}

/// Meetings with a pause between them until meet() says that it was the last. What it throws goes on after
/// `broken()` has told those who wait for an answer.
template <class Meet, class Broken>
void meet_until_over(std::chrono::milliseconds pause, const Meet& meet, const Broken& broken) {
  try {
    while (!meet()) std::this_thread::sleep_for(pause);
  } catch (...) {
    broken();
    throw;
  }
}

/// The exit code and the words of an error, which travel instead of it.
inline std::pair<int, std::string> words_of(std::exception_ptr error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& e) {
    return {int(e.code()), e.what()};
  } catch (const std::exception& e) {
    return {int(Exit::bug), e.what()};
  } catch (...) {
    return {int(Exit::bug), "an unknown error"};
  }
}

}  // namespace umov::comm
