// The place where a run and its viewers meet. The run publishes and never waits for a viewer; viewers ask,
// and get the newest there is. All members may be called from any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "view/array.hpp"
#include "view/data.hpp"
#include "view/picture.hpp"

namespace umov::view {

/// What a viewer wants of one array, and what waits for it.
struct Subscription {
  Request request;
  long every = 0;  ///< steps between frames; 0: as the clock says
  Encoding encoding = Encoding::f16;
  int generation = 0;
  DataPtr waiting;            ///< newest, not sent yet
  std::string error;          ///< why there are no data; told once
  std::uint64_t version = 0;  ///< of the stored array that was taken last; 0: none
  std::uint32_t sequence = 0, acknowledged = 0;
  long last_step = -1;  ///< of the run at the last frame
  std::chrono::steady_clock::time_point last_time{};
  std::chrono::steady_clock::duration rest{};  ///< from last_time, so that pictures cost the run little
};
using SubscriptionPtr = std::shared_ptr<Subscription>;

/// What the viewers want of the run.
enum class Order { pause, resume, step, stop, save };

/// A new picture as the model of the run: a file's bytes and its name; empty: that of the one before.
struct NewModel {
  std::string png, name;
};

class Hub {
 public:
  using Clock = std::chrono::steady_clock;
  /// Where a run that is looked at goes on to.
  enum class Verdict { go_on, stop, restart };

  // ---- what the run says ----

  /// Replaces all there is to see. Makers of arrays that are not live, by id; live ones are sampled by
  /// `look`.
  void publish(Catalogue, std::map<int, Maker> makers);
  /// An array that is stored has changed: shape[0] is its new number of rows where not negative.
  void update(int array, Maker, long long rows = -1);
  /// Values of a stored array at times from `since` on have changed; its maker knows them.
  void renew(int array, double since, long long rows = -1);
  /// One array more, of the same generation; without a maker it is live. Returns its id.
  int extend(ArrayInfo, Maker);
  /// Other marks, of the same generation.
  void remark(std::vector<Mark>);
  /// What to offer as the model that may be replaced, and where it lies; `title`: what the run is called with
  /// it, empty as before.
  void offer_picture(Pixels, PictureInfo, const std::string& title = "");
  void say(const Progress&);
  void log(const std::string& level, const std::string& text);
  /// Commands that are taken now ("pause", ...), besides subscriptions.
  void allow(std::vector<std::string> commands);

  // ---- a run between two steps ----

  bool watched() const { return viewers_ > 0; }
  bool paused() const { return paused_; }  ///< or going on by single steps
  /// Paused, and no step is asked for. Never waits.
  bool held() const;
  /// Whether somebody wants to see this array.
  bool asked(int array) const;
  /// The next step at which somebody wants to look; far beyond all steps when nobody watches.
  long next_look(long step) const;
  /// Serves what is due, waits while paused (pictures by the clock come as often as takes a fortieth of the
  /// run's time, 30 times a second at most), and says how to go on. `sample` makes the data of live arrays.
  /// `stopped` is asked again and again while the run is held, and only then.
  /// Returns from a pause, too, when `stopped` says so or a state is to be saved (`take_save`; look again
  /// then, before the next step). With no viewer it costs one atomic read.
  Verdict pass(long step, double time, const Maker& sample, const std::function<bool()>& stopped);
  /// Whether a state was asked to be saved; once.
  bool take_save();
  /// The new model, when `pass` said restart.
  std::optional<NewModel> take_model();
  bool has_model() const;
  /// A new run begins: orders to an earlier one are forgotten.
  void begin_run();
  /// Begins with a pause, or ends one.
  void pause(bool on);
  /// Waits until the last viewer has gone, or `stopped` says so.
  void wait_for_viewers(const std::function<bool()>& stopped);

  // ---- what viewers say ----

  /// Steps of a paused run. Throws BadInput for an order that is not taken now.
  void order(Order, long steps = 1);
  void replace_model(NewModel);
  /// The picture with rectangles x, y, width, height in one colour; its size stays. Throws BadInput.
  void paint(const std::vector<std::array<int, 4>>& rects, const std::array<int, 3>& rgb);
  /// Throws BadInput where the request does not fit the array.
  SubscriptionPtr subscribe(const Subscription&);
  void unsubscribe(const SubscriptionPtr&);
  void viewer_came();
  void viewer_left();

  // ---- for the server ----

  /// Called, from any thread, when something new waits. To be set before anything is published.
  std::function<void()> changed = [] {};
  /// What is to be sent now.
  struct Taken {
    DataPtr data;  ///< nullptr: nothing, or two are on their way
    std::uint32_t sequence = 0;
    std::string error;  ///< why there are no data, once
  };
  Taken take(const SubscriptionPtr&);
  void acknowledge(const SubscriptionPtr&, std::uint32_t sequence);
  Catalogue catalogue() const;
  /// Changes whenever the catalogue does; cheap.
  std::uint64_t catalogue_version() const { return catalogue_version_; }
  Progress progress() const;
  std::uint64_t progress_version() const { return progress_version_; }
  int viewers() const { return viewers_; }
  std::vector<std::string> commands() const;
  /// The picture as PNG; empty: none.
  std::string picture() const;
  /// Lines of the log from number `first` on.
  std::vector<std::pair<std::string, std::string>> log_from(std::size_t first) const;

 private:
  using Lock = std::unique_lock<std::mutex>;
  bool due(const Subscription&, long step, bool paused) const;
  void serve(long step, double time, const Maker& sample, bool paused);
  void require(const std::string& command) const;
  bool stale(const Subscription&) const;

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  Catalogue catalogue_;
  std::map<int, Maker> makers_;
  std::map<int, std::uint64_t> versions_;  ///< of the stored arrays
  std::vector<SubscriptionPtr> subscriptions_;
  Progress progress_;
  std::vector<std::pair<std::string, std::string>> log_;
  std::vector<std::string> commands_;
  Pixels picture_;
  std::optional<NewModel> model_;
  std::atomic<bool> paused_{false};
  bool hold_ = false;  ///< paused from the start: only an order ends it
  bool stop_ = false, save_ = false, ever_watched_ = false;
  long until_ = -1;           ///< step at which single steps end; -1: none asked for
  long now_ = 0;              ///< step of the last look
  Clock::time_point left_{};  ///< when the last viewer went
  double pace_ = 1;           ///< steps between looks by the clock
  long paced_step_ = 0;
  Clock::time_point paced_time_{};
  std::atomic<int> viewers_{0};
  std::atomic<std::uint64_t> catalogue_version_{0}, progress_version_{0};
};

}  // namespace umov::view
