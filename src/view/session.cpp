// Commands in, messages out, for one viewer.
#include "view/session.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "view/frame.hpp"

namespace umov::view {

namespace {

using namespace std::chrono_literals;

constexpr int most_mistakes = 64;
constexpr std::size_t most_answers = 1024;  // that a viewer who does not read may pile up
constexpr auto between_states = 100ms;
constexpr auto long_way = 60ms;

}  // namespace

Session::Session(Hub& hub, const Greeting& greeting) : hub_(hub) {
  hub_.viewer_came();
  queue_.push_back({false, hello_text(greeting)});
}

Session::~Session() {
  drop_all();
  hub_.viewer_left();
}

void Session::drop_all() {
  for (auto& [sub, w] : wanted_) hub_.unsubscribe(w.subscription);
  wanted_.clear();
}

bool Session::hear(const std::string& text) {
  Echo echo;
  try {
    const Command c = read_command(text, echo);
    act(c);
    if (c.name != "ack") queue_.push_back({false, done_text(echo)});
  } catch (const Error& e) {
    queue_.push_back({false, error_text(echo, e.what())});
    ++mistakes_;
  }
  return mistakes_ <= most_mistakes && queue_.size() <= most_answers;
}

void Session::act(const Command& c) {
  static const std::map<std::string, Order> orders{{"pause", Order::pause},
                                                   {"resume", Order::resume},
                                                   {"step", Order::step},
                                                   {"stop", Order::stop},
                                                   {"save", Order::save}};
  if (c.name == "subscribe") return subscribe(c);
  if (c.name == "ack") return acknowledge(c);
  if (c.name == "unsubscribe") {
    const auto found = wanted_.find(c.sub);
    if (found == wanted_.end()) return;
    hub_.unsubscribe(found->second.subscription);
    wanted_.erase(found);
  } else if (c.name == "model") {
    hub_.replace_model(c.model);
  } else if (c.name == "paint") {
    hub_.paint(c.rects, c.rgb);
  } else if (const auto order = orders.find(c.name); order != orders.end()) {
    hub_.order(order->second, c.steps);
  } else {
    throw BadInput(fmt::format("no command '{}' (commands: see hello); mend `do`", c.name.substr(0, 40)));
  }
}

void Session::subscribe(const Command& c) {
  const Catalogue catalogue = hub_.catalogue();
  if (std::size_t(c.array) >= catalogue.arrays.size())
    throw BadInput(fmt::format("no array {} (the catalogue has {}); take an id of the newest catalogue",
                               c.array, catalogue.arrays.size()));
  const auto old = wanted_.find(c.sub);
  if (old == wanted_.end() && wanted_.size() >= most_subscriptions)
    throw BadInput(fmt::format("{} subscriptions are the most; end one first", most_subscriptions));
  Subscription wanted;
  wanted.request = request_of(c, catalogue.arrays[std::size_t(c.array)]);
  wanted.every = c.every;
  wanted.encoding = c.encoding;
  // Sequences go on where a subscription is replaced: a late acknowledgement must not count for the new one.
  if (old != wanted_.end()) {
    wanted.sequence = wanted.acknowledged = old->second.subscription->sequence;
    hub_.unsubscribe(old->second.subscription);
  }
  Wanted& w = wanted_[c.sub];
  w.sent.clear();
  w.subscription = hub_.subscribe(wanted);
}

void Session::acknowledge(const Command& c) {
  const auto found = wanted_.find(c.sub);
  if (found == wanted_.end()) return;  // of a subscription that has just ended
  Wanted& w = found->second;
  if (const auto sent = w.sent.find(c.sequence); sent != w.sent.end())
    w.slow = Clock::now() - sent->second > long_way;
  w.sent.erase(w.sent.begin(), w.sent.upper_bound(c.sequence));
  hub_.acknowledge(w.subscription, c.sequence);
}

bool Session::next(Message& m) {
  if (queue_.empty() && !next_state(m) && !next_data(m)) return false;
  if (queue_.empty()) return true;
  m = std::move(queue_.front());
  queue_.pop_front();
  return true;
}

bool Session::next_state(Message& m) {
  const auto version = hub_.catalogue_version();
  if (version != catalogue_) {
    const Catalogue c = hub_.catalogue();
    catalogue_ = version;
    if (c.generation != generation_) drop_all();
    generation_ = c.generation;
    m = {false, catalogue_text(c, hub_.commands())};
    return true;
  }
  const auto lines = hub_.log_from(log_);
  if (!lines.empty()) {
    ++log_;
    m = {false, log_text(lines.front().first, lines.front().second)};
    return true;
  }
  const auto progress = hub_.progress_version();
  if ((progress == progress_ && viewers_ == hub_.viewers()) || Clock::now() - said_ < between_states)
    return false;
  progress_ = progress;
  viewers_ = hub_.viewers();
  said_ = Clock::now();
  m = {false, state_text(hub_.progress(), viewers_)};
  return true;
}

bool Session::next_data(Message& m) {
  auto at = wanted_.upper_bound(turn_);
  for (std::size_t n = 0; n < wanted_.size(); ++n, ++at) {
    if (at == wanted_.end()) at = wanted_.begin();
    auto& [sub, w] = *at;
    const Hub::Taken taken = hub_.take(w.subscription);
    if (!taken.error.empty()) {
      m = {false, error_text({"subscribe", "", sub}, taken.error)};
      return true;
    }
    if (!taken.data) continue;
    turn_ = sub;
    queue_data(sub, w, *taken.data, taken.sequence);
    return true;
  }
  return false;
}

void Session::queue_data(std::uint32_t sub, Wanted& w, const Data& d, std::uint32_t sequence) {
  w.sent[sequence] = Clock::now();
  if (d.parts.empty()) {
    queue_.push_back({false, array_text(sub, d, sequence)});
    return;
  }
  if (d.spread) queue_.push_back({false, range_text(sub, d, sequence)});
  for (auto& bytes : messages_of(d, {sub, sequence}, w.subscription->encoding, w.slow))
    queue_.push_back({true, std::move(bytes)});
}

}  // namespace umov::view
