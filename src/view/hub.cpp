// A run meets its viewers: looks, pauses, orders.
#include "view/hub.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.hpp"

namespace umov::view {

namespace {

using namespace std::chrono_literals;

constexpr auto frame_time = 33ms;  // of a subscription that leaves it to the clock
constexpr Hub::Clock::duration first_rest = 500ms;
constexpr auto shortest_time = 16ms;  // of one that counts steps
constexpr int share = 40;             // pictures by the clock take one part in so many of a run's time
constexpr auto patience = 30s;        // with a paused run that nobody watches
constexpr long never = std::numeric_limits<long>::max();
constexpr std::size_t log_lines = 200;

}  // namespace

long Hub::next_look(long step) const {
  if (viewers_ == 0 && !paused_) return never;
  const Lock lock(mutex_);
  long next = step + std::max(1L, std::lround(pace_));
  if (until_ > step) next = std::min(next, until_);
  for (const auto& s : subscriptions_)
    if (s->every > 0 && !stale(*s)) next = std::min(next, (step / s->every + 1) * s->every);
  return next;
}

bool Hub::due(const Subscription& s, long step, bool paused) const {
  if (s.waiting || stale(s) || makers_.contains(s.request.array)) return false;
  if (s.last_step == step) return false;
  if (s.last_step < 0 || paused) return true;
  const auto since = Clock::now() - s.last_time;
  if (s.every > 0) return step % s.every == 0 && since >= shortest_time;
  return since >= std::max<Clock::duration>(frame_time, s.rest);
}

void Hub::serve(long step, double time, const Maker& sample, bool paused) {
  std::vector<SubscriptionPtr> waiting;
  int clocked = 0;
  {
    const Lock lock(mutex_);
    for (const auto& s : subscriptions_) {
      if (due(*s, step, paused)) waiting.push_back(s);
      if (s->every == 0 && !stale(*s) && !makers_.contains(s->request.array)) ++clocked;
    }
  }
  // Viewers that want the same share it; nothing is locked while the fields are read.
  std::vector<DataPtr> made;
  for (const auto& s : waiting) {
    DataPtr data;
    std::string error;
    const auto start = Clock::now();
    for (const auto& d : made)
      if (d->request == s->request) data = d;
    if (!data) try {
        Data d = sample(s->request);
        d.request = s->request;
        d.step = double(step);
        d.time = time;
        data = made.emplace_back(std::make_shared<const Data>(std::move(d)));
      } catch (const Error& e) {
        error = e.what();
      }
    const Lock lock(mutex_);
    s->waiting = data;
    s->error = error;
    s->last_step = step;
    s->last_time = Clock::now();
    // Each rests as if all cost what it does: together they keep to their share, and a cheap one is not held
    // by a dear one. A look that something else of the machine made long doubles the rest at most; after the
    // first one, of which nobody knows that, it is short enough to wait for.
    const bool first = s->rest == Clock::duration::zero();
    s->rest =
        std::min<Clock::duration>(share * clocked * (s->last_time - start),
                                  first ? first_rest : std::max<Clock::duration>(frame_time, 2 * s->rest));
  }
  if (!waiting.empty()) changed();
}

Hub::Verdict Hub::pass(long step, double time, const Maker& sample, const std::function<bool()>& stopped) {
  if (viewers_ == 0 && !paused_) return Verdict::go_on;
  for (bool first = true;; first = false) {
    bool paused;
    {
      const Lock lock(mutex_);
      now_ = step;
      if (until_ >= 0 && step >= until_) {
        paused_ = true;
        until_ = -1;
      }
      if (first) {  // the pace follows the clock: a look every thirtieth of a second
        const auto now = Clock::now();
        const double seconds = std::chrono::duration<double>(now - paced_time_).count();
        if (step > paced_step_ && seconds > 0)
          pace_ = std::clamp(0.033 * double(step - paced_step_) / seconds, 0.5 * pace_, 2 * pace_ + 1);
        paced_step_ = step;
      }
      paused = paused_ && until_ < 0 && !stop_ && !model_;
    }
    serve(step, time, sample, paused);
    Lock lock(mutex_);
    paced_time_ = Clock::now();
    if (model_) return Verdict::restart;
    if (stop_) return Verdict::stop;
    if (!paused_ || until_ >= 0 || save_) return Verdict::go_on;
    if (progress_.state != State::paused || progress_.step != step) {
      progress_.state = State::paused;
      progress_.step = step;
      progress_.time = time;
      ++progress_version_;
      lock.unlock();
      changed();
      lock.lock();
    }
    wake_.wait_for(lock, 50ms);
    // Nobody is left who could end the pause; a page that reloads or reconnects is.
    if (viewers_ == 0 && !hold_ && Clock::now() - left_ > patience) paused_ = false;
    lock.unlock();
    if (stopped()) return Verdict::go_on;
  }
}

bool Hub::held() const {
  if (!paused_) return false;
  const Lock lock(mutex_);
  return paused_ && until_ < 0 && !stop_ && !model_;
}

bool Hub::take_save() {
  if (viewers_ == 0) return false;
  const Lock lock(mutex_);
  return std::exchange(save_, false);
}

std::optional<NewModel> Hub::take_model() {
  const Lock lock(mutex_);
  return std::exchange(model_, std::nullopt);
}

bool Hub::has_model() const {
  const Lock lock(mutex_);
  return model_.has_value();
}

void Hub::begin_run() {
  const Lock lock(mutex_);
  stop_ = save_ = false;
  until_ = -1;
  paused_ = hold_;
  model_.reset();
  now_ = paced_step_ = 0;
  pace_ = 1;
}

void Hub::pause(bool on) {
  {
    const Lock lock(mutex_);
    paused_ = on;
    hold_ = on;
    until_ = -1;
  }
  wake_.notify_all();
}

void Hub::wait_for_viewers(const std::function<bool()>& stopped) {
  // A page that reloads is gone for a moment.
  auto seen = Clock::now();
  while (!stopped() && Clock::now() - seen < 2s) {
    Lock lock(mutex_);
    if (!ever_watched_) return;
    if (viewers_ > 0) seen = Clock::now();
    wake_.wait_for(lock, 50ms);
  }
}

void Hub::say(const Progress& p) {
  {
    const Lock lock(mutex_);
    progress_ = p;
    ++progress_version_;
  }
  changed();
}

void Hub::log(const std::string& level, const std::string& text) {
  {
    const Lock lock(mutex_);
    if (log_.size() < log_lines) log_.emplace_back(level, text);
  }
  changed();
}

void Hub::allow(std::vector<std::string> commands) {
  {
    const Lock lock(mutex_);
    commands_ = std::move(commands);
    if (catalogue_.generation > 0) ++catalogue_version_;  // tells them to viewers who are here already
  }
  changed();
}

Progress Hub::progress() const {
  const Lock lock(mutex_);
  return progress_;
}

std::vector<std::string> Hub::commands() const {
  const Lock lock(mutex_);
  return commands_;
}

std::vector<std::pair<std::string, std::string>> Hub::log_from(std::size_t first) const {
  const Lock lock(mutex_);
  if (first >= log_.size()) return {};
  return {log_.begin() + std::ptrdiff_t(first), log_.end()};
}

void Hub::viewer_came() {
  const Lock lock(mutex_);
  ever_watched_ = true;
  if (viewers_++ == 0) {  // the pace of an earlier viewer means nothing any more
    pace_ = 1;
    paced_step_ = now_;
    paced_time_ = Clock::now();
  }
}

void Hub::viewer_left() {
  {
    const Lock lock(mutex_);
    --viewers_;
    left_ = Clock::now();
  }
  wake_.notify_all();
}

}  // namespace umov::view
