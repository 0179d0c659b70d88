// The fewest ranks that hold a case.
#include "run/fit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "backend/gpus.hpp"
#include "comm/world.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"

namespace umov::run {

namespace {

constexpr int most_ranks = 4096;

/// 0 where even the most ranks do not do; by halving, as memory does not grow with ranks.
int fewest(const std::function<double(int)>& bytes_of, double left) {
  if (bytes_of(1) <= left) return 1;
  if (bytes_of(most_ranks) > left) return 0;
  int too_few = 1, enough = most_ranks;
  while (enough - too_few > 1) {
    const int middle = (too_few + enough) / 2;
    (bytes_of(middle) <= left ? enough : too_few) = middle;
  }
  return enough;
}

}  // namespace

std::string describe_fit(int ranks, const std::function<double(int ranks)>& bytes_of, double left,
                         const std::string& device) {
  std::string text =
      ranks > 1 ? fmt::format("# each of {} ranks holds {} at most\n", ranks, format_bytes(bytes_of(ranks)))
                : "";
  if (left <= 0) return text;
  const int needed = fewest(bytes_of, left);
  const std::string has = fmt::format("{} has {} left", device, format_bytes(left));
  if (needed == 1) return text + fmt::format("# fits one device ({})\n", has);
  if (needed == 0) return text + fmt::format("# fits no number of ranks ({})\n", has);
  return text + fmt::format("# does not fit one device ({} needed, {}): it takes {} ranks of {} each\n",
                            format_bytes(bytes_of(1)), has, needed, format_bytes(bytes_of(needed)));
}

std::string describe_fit_here(int ranks, int here, const std::function<double(int ranks)>& bytes_of,
                              double left, double first) {
  const double each = bytes_of(ranks), needed = first + here * each;
  std::string text = ranks > 1
                         ? fmt::format("# each of {} ranks holds {} at most{}\n", ranks, format_bytes(each),
                                       first > 0 ? ", the first one " + format_bytes(first) + " besides" : "")
                         : "";
  if (left <= 0) return text;
  if (needed <= left) return text + fmt::format("# fits this machine ({} left)\n", format_bytes(left));
  const auto with_first = [&](int n) { return first + bytes_of(n); };
  const int machines = fewest(with_first, left);
  text += fmt::format("# does not fit this machine ({} needed{}, {} left)", format_bytes(needed),
                      here > 1 ? fmt::format(" by {} ranks", here) : "", format_bytes(left));
  if (machines > 1)
    text += fmt::format(": it takes {} machines like this with a rank of {} each", machines,
                        format_bytes(with_first(machines)));
  if (machines == 1) text += ": one rank fits";
  return text + "\n";
}

std::string describe_fit(const comm::Asked& asked, const std::string& backend, int device,
                         const std::function<double(int ranks)>& bytes_of, double first) {
  const auto gpus = backend == "cpu" || backend == "serial" || asked.ranks > 1 ? std::vector<int>()
                                                                               : backend::usable_gpus();
  int ranks = comm::launch().size > 1 ? comm::launch().size : std::max(1, asked.ranks);
  if (asked.gpus > 0) ranks = asked.gpus;
  if (asked.gpus == comm::Asked::all) ranks = std::max(1, int(gpus.size()));
  if (gpus.empty() && (backend == "cuda" || asked.gpus != 0)) return describe_fit(ranks, bytes_of, 0, "");
  if (gpus.empty()) {
    const comm::World* world = comm::world();
    return describe_fit_here(ranks, world ? world->local_size() : ranks, bytes_of, double(available_memory()),
                             first);
  }
  const int gpu = device > 0 ? device : gpus.front();
  return describe_fit(ranks, bytes_of, backend::free_memory_of_gpu(gpu), fmt::format("GPU {}", gpu));
}

}  // namespace umov::run
