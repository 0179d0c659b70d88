#include "command/stage_watch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>

#include "core/console.hpp"
#include "core/signals.hpp"

namespace umov::command {

namespace {

constexpr auto tick = std::chrono::milliseconds(100);
constexpr double lasting = 1.0;   // s of a stage before it is told
constexpr double patience = 0.5;  // s for a run that ends by itself after a signal

}  // namespace

StageWatch::StageWatch(Options options) : options_(std::move(options)) {
  if (!options_.tell) options_.tell = [](const std::string& line) { complain(line); };
  if (!options_.end)
    options_.end = [](const std::string& message, int code) {
      complain(message);
      _exit(code);
    };
  if (!options_.quiet || options_.ends) thread_ = std::thread([this] { watch(); });
}

StageWatch::~StageWatch() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void StageWatch::enter(const std::string& stage) {
  if (!stage_.empty()) add_seconds(times_, stage_, since_begin_.seconds());
  if (stage_ != stage) since_told_ = Stopwatch();
  stage_ = stage;
  since_begin_ = Stopwatch();
}

void StageWatch::begin(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (text.empty()) return;  // steps follow
  enter(text.substr(0, text.find(": ")));
  text_ = text;
  itself_ = finishing_ = false;
}

void StageWatch::finish(const std::string& text) {
  begin(text);
  const std::lock_guard lock(mutex_);
  finishing_ = true;
}

void StageWatch::looks_itself(const std::string& stage) {
  const std::lock_guard lock(mutex_);
  if (!itself_ || stage_ != stage) enter(stage);
  itself_ = true;
}

void StageWatch::save_at_end(std::function<void()> save) {
  const std::lock_guard lock(mutex_);
  save_ = std::move(save);
}

void StageWatch::rest() {
  const std::lock_guard lock(mutex_);
  enter("");
  itself_ = true;
}

std::vector<StageTime> StageWatch::times() const {
  const std::lock_guard lock(mutex_);
  std::vector<StageTime> times = times_;
  if (!stage_.empty()) add_seconds(times, stage_, since_begin_.seconds());
  return times;
}

std::string StageWatch::table() const {
  const double all = whole_.seconds();
  return times_table(times(), all);
}

void StageWatch::watch() {
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, tick, [this] { return over_; })) {
    if (itself_ || stage_.empty()) {
      signalled_ = false;
      continue;
    }
    if (!options_.quiet && text_ != told_ && since_told_.seconds() > lasting) {
      options_.tell(fmt::format("{}: {}", options_.label, text_));
      told_ = text_;
      since_told_ = Stopwatch();
    }
    if (options_.ends && !finishing_ && interrupted()) obey();
  }
}

void StageWatch::obey() {
  if (!signalled_) signal_seen_ = Stopwatch();
  signalled_ = true;
  if (signal_seen_.seconds() < patience) return;
  if (save_) save_();
  options_.end(fmt::format("umov: interrupted ({}); {}", text_,
                           save_ ? "what was done before is in the checkpoint, --resume continues it"
                                 : "nothing of this stage is kept"),
               128 + received_signal());
  over_ = true;  // where a test goes on
}

}  // namespace umov::command
