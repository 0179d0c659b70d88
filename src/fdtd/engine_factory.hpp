// Where make_engine finds the engines of each backend; a backend's own library hands out the same table.
#pragma once

#include <memory>

#include "backend/choose_engine.hpp"
#include "core/complex.hpp"
#include "fdtd/engine.hpp"

namespace umov::fdtd {

std::unique_ptr<Engine> make_serial_engine(const Problem&, const EngineRequest&);
std::unique_ptr<Engine> make_cpu_engine(const Problem&, const EngineRequest&);

/// What a backend module answers when asked for the family "fdtd".
struct EngineFactory : backend::EngineFactory<Engine, Problem, EngineRequest> {
  int (*steps_of_pass)(const Problem&, const EngineRequest&);
};

/// The types of a run's numbers: T of lengths and coefficients, F of fields.
template <class T, class F>
struct Numbers {};

/// make(Numbers<T, F>) for the precision of a problem and fields that are real or complex.
template <class Make>
std::unique_ptr<Engine> with_numbers(const Problem& p, const Make& make) {
  if (p.precision == Precision::double_)
    return p.complex_fields ? make(Numbers<double, Complex<double>>{}) : make(Numbers<double, double>{});
  return p.complex_fields ? make(Numbers<float, Complex<float>>{}) : make(Numbers<float, float>{});
}

}  // namespace umov::fdtd
