// Progress, callbacks and interruption of runs.
#include <atomic>
#include <chrono>
#include <csignal>

#include "module.hpp"

namespace umov::python {

namespace {

std::atomic<int> pressed{0};  ///< how often Control-C was, while runs of the main thread listen
struct sigaction before;

/// Python's own handler still hears of it, which makes the exception.
void press(int signal) {
  ++pressed;
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) before.sa_handler(signal);
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool in_main_thread() {
  const auto threading = py::module_::import("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

bool has_handler_of_python() {
  const auto signal = py::module_::import("signal");
  return py::isinstance<py::function>(signal.attr("getsignal")(SIGINT)) ||
         PyCallable_Check(py::object(signal.attr("getsignal")(SIGINT)).ptr());
}

}  // namespace

/// Hears Control-C where Python would: in its main thread, unless a run there listens already.
struct Listener::Signals {
  static inline bool listening = false;  ///< under the lock of the interpreter
  bool mine = false;
  int begun = pressed;

  Signals() {
    if (listening || !in_main_thread() || !has_handler_of_python()) return;
    struct sigaction now {};
    now.sa_handler = press;
    mine = listening = sigaction(SIGINT, nullptr, &before) == 0 && !(before.sa_flags & SA_SIGINFO) &&
                       sigaction(SIGINT, &now, nullptr) == 0;
  }
  ~Signals() {
    if (!mine) return;
    sigaction(SIGINT, &before, nullptr);
    listening = false;
  }
  bool heard() const { return mine && pressed != begun; }
};

Listener::Listener(py::object callback, py::object show, py::object watch, long every)
    : callback_(std::move(callback)),
      show_(std::move(show)),
      watch_(std::move(watch)),
      every_(every),
      calls_(!callback_.is_none()),
      shows_(!show_.is_none()),
      signals_(std::make_unique<Signals>()) {
  if (calls_ && !PyCallable_Check(callback_.ptr())) throw py::type_error("callback is no function");
  if (!watch_.is_none() && !PyCallable_Check(watch_.ptr())) throw py::type_error("watch is no function");
  if (!watch_.is_none() && every_ < 1) throw py::value_error("every is no number of steps; give 1 or more");
  shown_ = seconds_now();
}

Listener::~Listener() = default;

Observer Listener::observer() {
  Observer o;
  o.progress = [this](double fraction, const std::string& text) { return progress(fraction, text); };
  o.warning = [this](const std::string& text) { warn(text); };
  if (!watch_.is_none()) {
    o.moment = [this](const Moment& m) { return moment(m); };
    o.every = every_;
  }
  return o;
}

bool Listener::stopped() const { return ended_ || signals_->heard(); }

bool Listener::is_time_to_show() {
  const double now = seconds_now();
  if (!shows_ || now < shown_ + .1) return false;
  shown_ = now;
  return true;
}

void Listener::call(py::object& function, double fraction, const std::string& text) {
  try {
    if (function(fraction, text).is(py::bool_(false))) ended_ = true;
  } catch (...) {
    if (!thrown_) thrown_ = std::current_exception();
    ended_ = true;
  }
}

bool Listener::moment(const Moment& m) {
  if (stopped()) return false;
  const py::gil_scoped_acquire with;
  const auto now = std::make_shared<const Moment*>(&m);
  const py::cpp_function fields([now] {
    if (!*now) throw std::runtime_error("the run has gone on; take fields while the function is called");
    auto run = std::make_shared<Run>();
    const py::gil_scoped_release without;
    run->result = (*now)->fields();
    return run;
  });
  try {
    if (watch_(m.step, m.time, fields).is(py::bool_(false))) ended_ = true;
  } catch (...) {
    if (!thrown_) thrown_ = std::current_exception();
    ended_ = true;
  }
  *now = nullptr;
  return !stopped();
}

bool Listener::progress(double fraction, const std::string& text) {
  if (stopped()) return false;
  const bool now = is_time_to_show();
  if (calls_ || now) {
    const py::gil_scoped_acquire with;
    if (calls_) call(callback_, fraction, text);
    if (now && !ended_) call(show_, fraction, text);
  }
  return !stopped();
}

void Listener::warn(const std::string& text) { warnings_.push_back(text); }

void Listener::throw_what_came() {
  const bool interrupted = signals_->heard();
  signals_.reset();
  if (thrown_) std::rethrow_exception(thrown_);
  if (interrupted && PyErr_CheckSignals() != 0) throw py::error_already_set();
}

}  // namespace umov::python
