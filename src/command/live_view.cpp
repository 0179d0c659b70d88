// The view of a run, from its start to when the last viewer has gone.
#include "command/live_view.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "comm/communicator.hpp"
#include "core/signals.hpp"
#include "run/version.hpp"
#include "view/gate.hpp"
#include "view/server.hpp"

namespace umov::command {

LiveView::LiveView(const cases::ViewSettings& settings, const std::string& title) {
  view::ServerOptions options;
  options.address = settings.address;
  options.port = settings.port;
  options.title = title;
  options.program = fmt::format("umov {}", run::version());
  id_ = view::random_token();
  hub_.pause(settings.paused);
  hub_.allow({"pause", "resume", "step", "stop"});  // for viewers who come before the run has begun, too
  server_ = std::make_unique<view::Server>(hub_, options);
  const char* ssh = std::getenv("SSH_CONNECTION");
  fmt::print("{}", view::invitation(server_->url(), settings.address, server_->port(), ssh ? ssh : ""));
  std::fflush(stdout);  // before the run: who reads a pipe opens the page now
}

LiveView::~LiveView() = default;

std::string LiveView::url() const { return server_->url(); }

void LiveView::tell(const std::function<void(view::Progress&)>& change) {
  change(progress_);
  hub_.say(progress_);
}

void LiveView::listen(run::Observer& o) {
  o.stage = [this, next = o.stage](const std::string& name) {
    if (next) next(name);
    tell([&](view::Progress& p) { p.stage = name; });
  };
  o.warning = [this, next = o.warning](const std::string& text) {
    if (next) next(text);
    hub_.log("warning", text);
  };
}

void LiveView::wrote(const std::string& folder, const std::string& why_not) {
  folder_ = folder;
  why_not_ = why_not;
}

void LiveView::ended(view::State state, const std::string& text, std::vector<std::string> commands) {
  std::fflush(stdout);
  const SignalGuard guard;  // who sees the end may end the program: its exit code is that of the run
  hub_.allow(std::move(commands));
  tell([&](view::Progress& p) {
    p.state = state;
    p.stage.clear();
    p.text = text;
    if (!text.empty()) return;
    p.text = folder_.empty() ? "the results are written" : "the results are in " + folder_;
    if (why_not_.empty())
      p.fraction = 1;  // nothing is left, whatever was foretold
    else
      p.text = why_not_ + "; " + p.text + ", marked as not converged";
  });
  hub_.wait_for_viewers([this] { return interrupted() || hub_.has_model(); });
}

Exit LiveView::through(const std::function<Exit()>& run, const std::function<bool()>& stopped) {
  hub_.begin_run();
  try {
    const Exit code = run();
    ended(view::State::finished, "");
    return code;
  } catch (const run::Interrupted& e) {
    if (stopped && stopped()) ended(view::State::finished, e.what());
    throw;
  } catch (const comm::OtherRankFailed&) {
    throw;  // the other one has the message, and waits for this one to end
  } catch (const Error& e) {
    ended(view::State::failed, e.what());
    throw;
  }
}

}  // namespace umov::command
