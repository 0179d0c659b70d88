// The hub's arrays and who asked for them; orders of viewers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "view/hub.hpp"

namespace umov::view {

namespace {

constexpr std::size_t on_the_way = 2;

}  // namespace

void Hub::publish(Catalogue catalogue, std::map<int, Maker> makers) {
  {
    const Lock lock(mutex_);
    catalogue.generation = catalogue_.generation + 1;
    catalogue.picture = catalogue_.picture;
    catalogue.title = catalogue_.title;
    for (std::size_t i = 0; i < catalogue.arrays.size(); ++i) catalogue.arrays[i].id = int(i);
    catalogue_ = std::move(catalogue);
    makers_ = std::move(makers);
    versions_.clear();
    for (const auto& [id, maker] : makers_) versions_[id] = 1;
    ++catalogue_version_;
  }
  changed();
}

void Hub::update(int array, Maker maker, long long rows) {
  {
    const Lock lock(mutex_);
    makers_[array] = std::move(maker);
    ++versions_[array];
    auto& shape = catalogue_.arrays.at(std::size_t(array)).shape;
    if (rows >= 0 && !shape.empty()) shape[0] = rows;
  }
  changed();
}

void Hub::renew(int array, double since, long long rows) {
  {
    const Lock lock(mutex_);
    const auto old = versions_[array]++;
    auto& shape = catalogue_.arrays.at(std::size_t(array)).shape;
    if (rows >= 0 && !shape.empty()) shape[0] = rows;
    // Who looks at an earlier instant, or has the shape, has all there is.
    for (const auto& s : subscriptions_)
      if (s->request.array == array && s->version == old && !stale(*s) &&
          (s->request.time < since || s->request.parts == TriangleParts::shape))
        s->version = old + 1;
  }
  changed();
}

int Hub::extend(ArrayInfo info, Maker maker) {
  int id;
  {
    const Lock lock(mutex_);
    id = info.id = int(catalogue_.arrays.size());
    catalogue_.arrays.push_back(std::move(info));
    if (maker) {
      makers_[id] = std::move(maker);
      versions_[id] = 1;
    }
    ++catalogue_version_;
  }
  changed();
  return id;
}

void Hub::remark(std::vector<Mark> marks) {
  {
    const Lock lock(mutex_);
    catalogue_.marks = std::move(marks);
    ++catalogue_version_;
  }
  changed();
}

bool Hub::asked(int array) const {
  const Lock lock(mutex_);
  return std::any_of(subscriptions_.begin(), subscriptions_.end(),
                     [&](const auto& s) { return s->request.array == array && !stale(*s); });
}

void Hub::offer_picture(Pixels picture, PictureInfo info, const std::string& title) {
  const Lock lock(mutex_);
  if (!title.empty()) catalogue_.title = title;
  info.width = picture.width;
  info.height = picture.height;
  catalogue_.picture = info;
  picture_ = std::move(picture);
  if (catalogue_.generation > 0) ++catalogue_version_;
}

Catalogue Hub::catalogue() const {
  const Lock lock(mutex_);
  return catalogue_;
}

std::string Hub::picture() const {
  const Lock lock(mutex_);
  return picture_.width > 0 ? png_of(picture_) : "";
}

bool Hub::stale(const Subscription& s) const { return s.generation != catalogue_.generation; }

SubscriptionPtr Hub::subscribe(const Subscription& wanted) {
  auto s = std::make_shared<Subscription>(wanted);
  {
    const Lock lock(mutex_);
    const auto& arrays = catalogue_.arrays;
    const int id = wanted.request.array;
    if (id < 0 || std::size_t(id) >= arrays.size())
      throw BadInput(fmt::format("no array {} (the catalogue has {}); take an id of the newest catalogue", id,
                                 arrays.size()));
    s->generation = catalogue_.generation;
    subscriptions_.push_back(s);
  }
  wake_.notify_all();
  return s;
}

void Hub::unsubscribe(const SubscriptionPtr& s) {
  const Lock lock(mutex_);
  std::erase(subscriptions_, s);
}

Hub::Taken Hub::take(const SubscriptionPtr& s) {
  Maker maker;
  std::uint64_t version = 0;
  {
    const Lock lock(mutex_);
    if (!s->error.empty()) return {nullptr, 0, std::exchange(s->error, "")};
    if (stale(*s) || s->sequence - s->acknowledged >= on_the_way) return {};
    if (s->waiting) return {std::exchange(s->waiting, nullptr), ++s->sequence, ""};
    const auto found = makers_.find(s->request.array);
    if (found == makers_.end() || versions_[s->request.array] == s->version) return {};
    maker = found->second;
    version = versions_[s->request.array];
  }
  // Made here, by the server's thread: the run goes on.
  Taken taken;
  try {
    auto data = std::make_shared<Data>(maker(s->request));
    data->request = s->request;
    taken.data = data;
  } catch (const std::exception& e) {
    taken.error = e.what();
  }
  const Lock lock(mutex_);
  s->version = version;
  if (taken.data) taken.sequence = ++s->sequence;
  return taken;
}

void Hub::acknowledge(const SubscriptionPtr& s, std::uint32_t sequence) {
  const Lock lock(mutex_);
  if (sequence <= s->sequence) s->acknowledged = std::max(s->acknowledged, sequence);
}

void Hub::require(const std::string& command) const {
  if (std::find(commands_.begin(), commands_.end(), command) != commands_.end()) return;
  throw BadInput(fmt::format("{} is not taken now ({}); see `commands` of hello", command,
                             commands_.empty() ? std::string("there is no run")
                                               : fmt::format("now: {}", fmt::join(commands_, ", "))));
}

void Hub::order(Order order, long steps) {
  static constexpr const char* names[] = {"pause", "resume", "step", "stop", "save"};
  {
    const Lock lock(mutex_);
    require(names[int(order)]);
    switch (order) {
      case Order::pause:
        paused_ = true;
        until_ = -1;
        break;
      case Order::resume:
        paused_ = hold_ = false;
        until_ = -1;
        break;
      case Order::step:
        paused_ = true;
        until_ = std::max(now_, until_) + std::clamp(steps, 1L, 1000000000L);  // steps asked for add up
        break;
      case Order::stop:
        stop_ = true;
        break;
      case Order::save:
        save_ = true;
        break;
    }
  }
  wake_.notify_all();
}

void Hub::replace_model(NewModel model) {
  // Refuses what is no picture, before the run that goes on is given up.
  model.png = png_of(pixels_of(model.png));
  {
    const Lock lock(mutex_);
    require("model");
    model_ = std::move(model);
  }
  wake_.notify_all();
}

void Hub::paint(const std::vector<std::array<int, 4>>& rects, const std::array<int, 3>& rgb) {
  {
    const Lock lock(mutex_);
    require("paint");
    // A stroke after one that the run has not taken yet goes into the same picture.
    Pixels canvas = model_ ? pixels_of(model_->png) : picture_;
    model_ = NewModel{png_of(painted(std::move(canvas), rects, rgb)), model_ ? model_->name : ""};
  }
  wake_.notify_all();
}

}  // namespace umov::view
