// What the programs of this folder that measure cases share: the command line, the file of results, times.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace umov::bench {

struct Common {
  int threads = 0;       ///< of the processor
  double bandwidth = 0;  ///< bytes per second of a copy, for the floor
  std::string json, commit;
  std::vector<std::string> cases;
};

/// Words that all programs have, and cases; `own(word, next)` takes one of a program's own (next() is the
/// word after it) or gives false.
template <class Own>
void read_options(int argc, char** argv, Common& o, const Own& own) {
  for (int n = 1; n < argc; ++n) {
    const std::string word = argv[n];
    const auto next = [&] {
      if (n + 1 >= argc) throw std::runtime_error(word + " needs a value");
      return std::string(argv[++n]);
    };
    if (own(word, next)) continue;
    if (word == "--threads")
      o.threads = std::stoi(next());
    else if (word == "--bandwidth")
      o.bandwidth = 1e9 * std::stod(next());
    else if (word == "--json")
      o.json = next();
    else if (word == "--commit")
      o.commit = next();
    else if (word.starts_with("-"))
      throw std::runtime_error("unknown option " + word + "; see the first lines of the program's source");
    else
      o.cases.push_back(word);
  }
}

/// "96x96x96"
inline Int3 sizes_of(const std::string& name) {
  Int3 n{1, 1, 1};
  char by = 0;
  std::istringstream(name) >> n[0] >> by >> n[1] >> by >> n[2];
  return n;
}

/// Seconds of one step: half of `runs` took at most this, the fastest, and the fastest by this program's own
/// time on processors (of all threads, waiting ones too), which others that run beside it hardly change.
/// `advance(steps)` returns when they are done.
struct StepTime {
  double median = 0, best = 0, processor = 0;
  long steps = 0;
};
template <class Advance>
StepTime time_steps(const Advance& advance, double seconds, int runs) {
  double processor = 1e300;
  const auto seconds_of = [&](long steps) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t own = std::clock();
    advance(steps);
    processor = std::min(processor, double(std::clock() - own) / CLOCKS_PER_SEC / double(steps));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  seconds_of(4);
  const long steps = std::clamp(long(4 * seconds / seconds_of(4)), 4L, 10000L);
  processor = 1e300;
  std::vector<double> times;
  for (int m = 0; m < runs; ++m) times.push_back(seconds_of(steps));
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2] / double(steps), times[0] / double(steps), processor, steps};
}

/// Measures every case by `f`, which gives one result or a list, and writes the file. The exit code.
template <class F>
int run_cases(const Common& o, nlohmann::json head, const F& f) {
  head["commit"] = o.commit;
  head["results"] = nlohmann::json::array();
  for (const std::string& name : o.cases) {
    const nlohmann::json found = f(name);
    if (found.is_array())
      for (const auto& one : found) head["results"].push_back(one);
    else
      head["results"].push_back(found);
    if (!o.json.empty()) std::ofstream(o.json) << head.dump(1) << '\n';
  }
  return 0;
}

}  // namespace umov::bench
