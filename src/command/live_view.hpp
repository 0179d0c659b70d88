// A run that is served to viewers: server, hub, and what every family's run tells.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cases/view_parameters.hpp"
#include "run/observer.hpp"
#include "view/hub.hpp"

namespace umov::view {
class Server;
}

namespace umov::command {

class LiveView {
 public:
  /// Listens and prints the address. Throws BadInput for an address or port that cannot be had.
  LiveView(const cases::ViewSettings&, const std::string& title);
  /// Ends the server.
  ~LiveView();

  view::Hub& hub() { return hub_; }
  /// The address that was printed.
  std::string url() const;
  /// Different for each view, for names of files.
  const std::string& id() const { return id_; }
  /// Hears of stages and warnings, besides whoever hears of them already.
  void listen(run::Observer&);
  /// The results are in this folder. `why_not`: why a run did not come to its own end, empty where it did.
  void wrote(const std::string& folder, const std::string& why_not);
  /// The run has ended, with results in a folder or an error: `text` says which; empty: what was wrote()
  /// last. Waits for the viewers that are there, until a signal or, where `commands` takes one, a new model.
  void ended(view::State, const std::string& text, std::vector<std::string> commands = {});
  /// The whole of a run that is not begun anew: `run`, then ended() with what came of it, for a run that was
  /// interrupted where `stopped` by a viewer. What it throws is thrown.
  Exit through(const std::function<Exit()>& run, const std::function<bool()>& stopped = {});
  /// Changes what the viewers are told of the run.
  void tell(const std::function<void(view::Progress&)>& change);

 private:
  view::Hub hub_;
  view::Progress progress_;
  std::string folder_, why_not_;  ///< of the results that were written last
  std::string id_;
  std::unique_ptr<view::Server> server_;
};

}  // namespace umov::command
