// In place of the engines beside this folder, for the program that `make demo` builds first: it computes on
// the processor's cores in double and float, and the rest is compiled after its pictures.
#include <string>

#include "core/error.hpp"
#include "dda/engines/engine_factory.hpp"
#include "dda/ranks/slab_engines.hpp"

namespace umov::dda {

template <class T>
std::unique_ptr<Engine> make_cpu_engine_of(const EngineRequest&);
template <class T>
std::unique_ptr<Engine> make_serial_engine_of(const EngineRequest&);

namespace {
[[noreturn]] void left_out(const std::string& what) {
  throw MachineFailure(
      what + " is not in this first part of the program; the whole, umov, is compiled next (make build)");
}
}  // namespace

template <>
std::unique_ptr<Engine> make_cpu_engine_of<long double>(const EngineRequest&) {
  left_out("long double");
}
template <>
std::unique_ptr<Engine> make_serial_engine_of<float>(const EngineRequest&) {
  left_out("the serial backend");
}
template <>
std::unique_ptr<Engine> make_serial_engine_of<double>(const EngineRequest&) {
  left_out("the serial backend");
}
template <>
std::unique_ptr<Engine> make_serial_engine_of<long double>(const EngineRequest&) {
  left_out("the serial backend");
}

std::unique_ptr<Engine> make_serial_slab_engine(float, const EngineRequest&) {
  left_out("the serial backend");
}
std::unique_ptr<Engine> make_serial_slab_engine(double, const EngineRequest&) {
  left_out("the serial backend");
}
std::unique_ptr<Engine> make_cpu_slab_engine(float, const EngineRequest&) { left_out("a run on ranks"); }
std::unique_ptr<Engine> make_cpu_slab_engine(double, const EngineRequest&) { left_out("a run on ranks"); }

}  // namespace umov::dda
